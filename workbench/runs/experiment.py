"""An experiment: a complete description of a run, before anything is computed.

>>> Experiment("leduc", solver="dcfr", settings={"alpha": 2.0}, iterations=500)
Experiment(game='leduc', options={}, solver='dcfr', settings={'alpha': 2.0}, iterations=500, \
seed=0, target=None, abstraction=None, checkpoints=None)
>>> Experiment("leduc", iterations=-3)
Traceback (most recent call last):
    ...
workbench.rules.GameError: iterations must be a whole number of at least 1, not -3

As TOML, one file for many (`Experiment.from_toml`): what stands at the top is common to all,
each [[experiment]] adds to it, and a list under [grid] means "each of these".

    game = "leduc"
    iterations = 2000
    [grid]
    solver = ["cfr", "cfr+"]
    seed = [0, 1, 2]

A game may be a file, `game = "dice.py:Dice"`, looked for beside the TOML file first; Python is run,
so take such files only from people you trust.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from workbench.abstraction.abstraction import Abstraction, Rule, abstract, chain, named_rules
from workbench.compiling import compile_game, treeless
from workbench.files import naming, read_toml
from workbench.games.registry import GAMES, given_game, is_path
from workbench.rules import GameError, Rules, need_rules, shown
from workbench.runs.run import Problem
from workbench.settings import (
    MOST,
    Between,
    FrozenDict,
    Seed,
    bound,
    check,
    known_in,
    need_several,
    need_whole,
    options_of,
    refuse_unknown,
)
from workbench.solvers.base import Solver, find_solver, need_served, needs
from workbench.tree import FormAbstraction, GameTree, form_of, has_form

MEASURED = 1_000_000  # checkpoints at most
MANY = 100_000  # experiments of one grid at most


@dataclass(frozen=True, eq=False)
class Experiment:
    """Everything `solve` needs to know. Wrong fields are refused by name when it is made."""

    game: str | Rules | GameTree
    options: Mapping[str, Any] = field(default_factory=dict)  # of a game given by name
    solver: str | Solver = "cfr+"
    settings: Mapping[str, Any] = field(default_factory=dict)  # of a solver given by name
    iterations: Annotated[int, Between(1, MOST), "how often the solver goes through the game"] = (
        1000
    )
    seed: Seed = 0
    target: Annotated[float | None, Between(0), "stop at this exploitability"] = None
    abstraction: str | Rule | Abstraction | Any | None = None  # or HandBuckets
    checkpoints: int | Iterable[int] | None = None

    def __post_init__(self) -> None:
        check(self)
        for name in ("options", "settings"):
            object.__setattr__(self, name, FrozenDict(name, getattr(self, name)))
        if isinstance(self.checkpoints, Mapping):
            raise GameError(f"checkpoints must be whole numbers, not {shown(self.checkpoints)}")
        if isinstance(self.checkpoints, Iterable):
            listed = _at_most(MEASURED, self.checkpoints, "checkpoints")
            object.__setattr__(self, "checkpoints", listed)
        if self.checkpoints is not None:
            self._stops(exact=False)  # refuses what is wrong
        self.find_solver()
        if not isinstance(self.game, str | GameTree):
            with naming("game must be a name, rules or a tree"):
                need_rules(self.game)
        rules, used = given_game(self.game, self.options), self.abstraction
        if isinstance(self.game, str) and isinstance(used, str):
            if not has_form(rules):
                named_rules(rules, used)  # refuses an unknown name
        elif not (used is None or isinstance(used, Abstraction | FormAbstraction)):
            chain(used)  # refuses what is no rule

    def find_solver(self) -> Solver:
        """The solver with its settings."""
        return find_solver(self.solver, self.settings)

    def problem(self) -> Problem:
        """Compile the game, build the abstraction, check that the solver can solve it."""
        solver, rules = self.find_solver(), given_game(self.game, self.options)
        form: Any = form_of(rules)
        used: Any = self.abstraction
        if form and (used is None or isinstance(used, str | FormAbstraction)):
            hands = form.abstraction(used) if used else None
            solved = hands.coarse if hands else form
            if needs(solver) in solved.offers:
                solver.check(solved)
                return Problem(form, hands, solver, self.seed, self._stops(False), self.target)
            used = hands and hands.rule
            if treeless(rules) or (hands and not used):
                need_served(solver, solved)
        elif treeless(rules):
            raise GameError(
                f"a rule for information sets needs the tree of {rules.name!r}, whose "
                f"{form.num_histories:,} histories are too many; take buckets, wb.cluster_hands"
            )
        tree = (_compiled if known_in(self.game, GAMES) else compile_game)(rules)
        if isinstance(used, Abstraction):
            if not used.full.same_as(tree):
                raise GameError(f"{used!r} is of another game than {tree!r}")
        elif used is not None:
            used = (_abstracted if isinstance(used, str) else abstract)(tree, used)
        solver.check(used.coarse if used else tree)
        if self.target is not None and not tree.perfect_recall:
            raise GameError(
                f"target: in {tree.name!r} a player forgets what she knew or did, so there is no "
                "exact exploitability to aim at; give iterations instead"
            )
        return Problem(tree, used, solver, self.seed, self._stops(solver.exact), self.target)

    def _stops(self, exact: bool) -> tuple[int, ...]:
        """The iterations at which to measure: increasing, the last one at the end."""
        last, at = 1 if exact else self.iterations, self.checkpoints
        if at is None:
            ratio = 1.05 if self.target is not None else max(last, 2) ** (1 / 24)
            count = int(math.log(max(last, 2)) / math.log(ratio)) + 2
            wanted = np.geomspace(1, last, count).round().astype(int).tolist()
        elif isinstance(at, Iterable):
            wanted = [need_whole("checkpoints", stop) for stop in at]
        else:
            if last // need_whole("checkpoints", at) > MEASURED:
                raise GameError(
                    f"checkpoints: one every {at:,} of {last:,} iterations would be more than "
                    f"{MEASURED:,}; take a larger step"
                )
            wanted = list(range(at, last, at))
        return tuple(sorted({stop for stop in wanted if stop < last} | {last}))

    @classmethod
    def from_toml(cls, path: str | Path) -> list[Experiment]:
        """The experiments that a TOML file describes."""
        described = read_toml(path)
        axes, several = described.pop("grid", {}), described.pop("experiment", [{}])
        with naming(path):
            if not (isinstance(several, list) and all(isinstance(item, dict) for item in several)):
                raise GameError("experiment must be tables: begin each with a line [[experiment]]")
            for table in (described, *several):
                _need_fields(table)  # also "over", which is [grid] here
                _beside(Path(path).parent, table)
            if isinstance(axes, dict) and isinstance(axes.get("game"), list):
                axes["game"] = [_beside(Path(path).parent, {"game": one}) for one in axes["game"]]
            grids = (grid(**described | table, over=axes) for table in several)
            return list(itertools.chain.from_iterable(grids))


def _beside(folder: Path, described: dict[str, Any]) -> Any:
    """The game that is described; a file that lies in this folder is named with it from now on."""
    game = described.get("game")
    if isinstance(game, str) and is_path(game):
        file = game.partition(".py:")[0] + ".py" if ".py:" in game else game
        if (folder / file).is_file():
            described["game"] = f"{folder / file}{game.removeprefix(file)}"
    return described.get("game")


def grid(*, over: Mapping[str, Iterable[Any]] | None = None, **common: Any) -> list[Experiment]:
    """All experiments with these fields in common and every combination of the others.

    >>> len(grid(game="kuhn", over={"solver": ["cfr", "cfr+"], "seed": range(5)}))
    10
    """
    over = {} if over is None else over
    if not isinstance(over, Mapping):
        raise GameError(
            f"over, the grid, must be fields with their lists of values, not {shown(over)}"
        )
    _need_fields((*common, *over))
    for name, axis in over.items():
        if name in common:
            raise GameError(f"{name} is given twice: for all, and in the grid")
        need_several(f"grid: {name}", axis, "values")
    values = [_at_most(MANY, axis, f"values of {name}") for axis in over.values()]
    if empty := [name for name, axis in zip(over, values, strict=True) if not axis]:
        raise GameError(f"{empty[0]}: an empty list leaves no experiment; give at least one value")
    if (points := math.prod(map(len, values))) > MANY:
        raise GameError(f"this grid has {points:,} experiments; at most {MANY:,} go into one sweep")
    return [
        Experiment(**common, **dict(zip(over, point, strict=True)))
        for point in itertools.product(*values)
    ]


def _at_most(most: int, things: Iterable[Any], what: str) -> tuple[Any, ...]:
    """All of them; an iterator may have no end."""
    if len(taken := tuple(itertools.islice(things, most + 1))) > most:
        raise GameError(f"more than {most:,} {what}; give fewer")
    return taken


# A sweep asks for the same game and the same abstraction again and again; only names are sure to
# mean the same next time.
_compiled, _abstracted = lru_cache(maxsize=8)(compile_game), lru_cache(maxsize=8)(abstract)


def _need_fields(names: Iterable[str]) -> None:
    refuse_unknown(names, [one.name for one in options_of(Experiment)], "an experiment", "field")


def _refused_by_name(init: Callable[..., None]) -> Callable[..., None]:
    """As Python refuses wrong arguments, but with a GameError and the nearest name."""
    signature = inspect.signature(Experiment)

    @wraps(init)
    def checked(self: Experiment, *values: Any, **named: Any) -> None:
        bound(signature, "an experiment", "field", values, named)
        init(self, *values, **named)

    return checked


Experiment.__init__ = _refused_by_name(Experiment.__init__)  # type: ignore[method-assign]
