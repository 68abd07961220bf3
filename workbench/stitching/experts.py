"""Experts: what a stitched strategy is made of, and how it is computed.

    static      base first; each expert in a game of its own, in which the base plays the rest
    grafts      the same for one player at a time: S = {i}, and opponents that see nothing more
                than `outside`, not even inside the parts (Waugh et al. 2009)
    dynamic     base and experts together: one abstraction that is fine in some places

An expert's game is abstracted in two places: `abstraction` inside its part, for everybody who has
that part in the partition; `outside` elsewhere, where only players outside S decide.

Two kinds of S = {i}. Who else may look closely inside the part while player i's expert learns?

    static_experts(tree, base, part, i, outside="JQ-K")         the opponents, too
    static_experts(tree, base, part.of(i), i, outside="JQ-K")   nobody; this is what `grafts` does

In the first an expert expects opponents who see what she sees (Gibson & Szafron), in the second
blunt ones: she wins more from the base's opponents, and a sharp one takes it back (Waugh et al.).
For the part below, stitched onto one JQ-K base for both players, the first is exploitable for about
160 milli-antes and the second for about 440. With `outside=None` the two are the same.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> part = wb.betting_experts(tree, ["r", "cr", "ccr", "cccr"])
>>> plan = Stitching(tree, "JQ-K", part, players={0, 1}, iterations=500)
>>> plan
wb.static_experts(tree, "JQ-K", wb.betting_experts(tree, ["r", "cr", "ccr", "cccr"]), \
players={0, 1}, abstraction="null", solver="cfr+", iterations=500, seed=0)
>>> plan.sizes()
{'r': 186, 'cr': 186, 'ccr': 30, 'cccr': 30}
>>> wb.exploitability(plan.stitch()) < wb.exploitability(plan.base_strategy)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property, wraps
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeVar

import numpy as np

from workbench.abstraction.abstraction import abstract
from workbench.evaluation.values import seated
from workbench.rules import GameError
from workbench.runs.run import Run
from workbench.runs.solve import solve
from workbench.settings import Code, bound, code, need_bool, need_number, need_one_of, need_whole
from workbench.solvers.base import Solver, find_solver, solver_code
from workbench.stitching import joining
from workbench.stitching.joining import Rule, Rules, Unreached
from workbench.stitching.partition import GraftingPartition, need_partition
from workbench.strategy import Strategy, need_strategy
from workbench.tree import GameTree, form_of, need_players

if TYPE_CHECKING:
    from workbench.runs.store import Store

Players = Iterable[int] | int
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class Expert:
    """An expert, its game, and the run that made it, of an abstraction of that game."""

    name: str
    run: Run
    game: Any  # Γ^j: a `Fixed` tree, or a form
    strategy: Any  # of the whole tree: base where somebody in S does not decide; or of the form

    @property
    def size(self) -> int:
        """Information sets in its computation."""
        return int(self.run.trace["infosets"].iloc[-1])


@dataclass(frozen=True, eq=False, repr=False)
class Stitching:
    """Base, experts, S: all that decides a strategy with static experts. Its repr is the call.

    `base`: a strategy, or the abstraction in which one is solved first. `players`: S, who follows
    the base outside an expert's part while it learns; only they get the experts, everybody else's
    part of the result is the base's. `abstraction`: what is forgotten inside the parts, one rule
    for all or {expert: rule}. `outside`: what players outside S forget elsewhere. `residual`,
    `unreached`, `tremble`: see `workbench.stitching.joining`. `store`: a folder that keeps base and
    experts. A form has a plan of its own (`Form.stitching`), which does the same without a tree.
    """

    tree: Any
    base: Any  # a strategy or a rule
    part: Any
    players: Any = (0,)  # S: several players, or one
    _: KW_ONLY
    abstraction: Any = "null"
    outside: Any = None
    solver: Solver | str = "cfr+"
    iterations: int = 1000
    seed: int = 0
    residual: float = 0.0
    unreached: Unreached = "uniform"
    tremble: float = 0.0
    store: Store | str | Path | None = None
    progress: bool | None = None  # as `solve` takes it

    strategies: ClassVar[Any] = Strategy  # what a base may be that is solved already

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(self._need_players()))
        self._check()
        self.names  # refuses parts that nobody in S has  # noqa: B018
        need_one_of("unreached", self.unreached, ("uniform", "base"))
        need_number("residual", self.residual, below=joining.likely(self.strategies))
        need_number("tremble", self.tremble, most=1.0)
        need_whole("iterations", self.iterations)
        need_whole("seed", self.seed, 0, None)
        find_solver(self.solver)

    def _need_players(self) -> list[int]:
        """S; refuses parts of another game first."""
        need_partition(self.part, self.tree)
        return need_players(self.tree, self.players)

    def _check(self) -> None:
        """Refuse a base, and abstractions of experts, that do not fit."""
        if isinstance(self.base, Strategy):
            need_strategy(self.base, self.tree)
        else:
            joining.rule_for(self.tree, self.base)
        joining.rule_for(self.tree, self.outside)
        self._rules  # refuses what is for no expert of these  # noqa: B018

    @cached_property
    def base_strategy(self) -> Any:
        """The base: as it was given, or solved in its abstraction."""
        if isinstance(self.base, self.strategies):
            return self.base
        return self._solved(self.tree, "the base", abstraction=self.base).strategy

    @property
    def names(self) -> list[str]:
        """The experts that somebody in S would ever call."""
        names = [name for name in self.part.names if self._called(name)]
        if self.part.names and not names:
            raise GameError(
                f"nobody of {[*self.players]} has a part in this partition, so no expert would "
                "play; give those who have one (was it made with `.of`?), or the whole partition"
            )
        return names

    def _called(self, name: str) -> bool:
        inside = self.part.part == self.part.number(name)
        return bool(np.isin(self.tree.infoset_player[inside], self.players).any())

    def experts(self) -> list[Expert]:
        """Compute the experts, one after the other."""
        seeding = joining.trembling(joining.cut(self.base_strategy, self.residual), self.tremble)
        return [self._expert(name, seeding) for name in self.names]

    def _expert(self, name: str, seeding: Any) -> Expert:
        game = joining.expert_game(seeding, self.part, name, self.players)
        run = self._solved(game.tree, f"expert {name!r}", abstraction=self._rule(name))
        answer = game.lift(run.strategy)
        if self.unreached == "base":
            answer = joining.keep_base(game, answer, self.base_strategy)
        return Expert(name, run, game, answer)

    def stitch(self) -> Any:
        """The base with the experts for the players of S (Gibson & Szafron, Definition 3.2)."""
        found = {expert.name: expert.strategy for expert in self.experts()}
        return joining.stitch(self.base_strategy, self.part, found, self.players)

    def sizes(self) -> dict[str, int]:
        """Information sets in the computation of each expert; the papers print the largest."""
        return {name: self._size(name) for name in self.names}

    def _size(self, name: str) -> int:
        game = joining.expert_game(Strategy.uniform(self.tree), self.part, name, self.players)
        return abstract(game.tree, self._rule(name)).coarse.num_infosets

    def _rule(self, name: str) -> Any:
        """What an expert's game forgets: one rule inside its part, another outside."""
        return joining.inside_and_outside(
            self.tree, self.part, name, self._rules[name], self.outside
        )

    @cached_property
    def _rules(self) -> dict[str, Any]:
        return joining.rules_of(self.tree, self.part, self.abstraction)

    mixed: ClassVar[Any] = staticmethod(joining.expert_rule)  # the abstraction of dynamic experts

    def _solved(self, tree: Any, what: str, **options: Any) -> Run:
        run = solve(
            tree, self.solver, self.iterations, seed=self.seed, checkpoints=self.iterations,
            store=self.store, progress=self.progress, **options,
        )  # fmt: skip
        if run.stopped == "interrupted":
            raise KeyboardInterrupt(f"while {what} was learning")
        return run

    # ---- as code ---------------------------------------------------------------------

    @property
    def _game(self) -> str:
        return "tree" if isinstance(self.tree, GameTree) else "rules"

    def _rule_code(self, rule: Any, own: str) -> str:
        if not isinstance(rule, Mapping):
            return joining.rule_code(rule, own, "rules" if self._game == "rules" else "tree.rules")
        each = {name: self._rule_code(one, own) for name, one in rule.items()}
        said = ", ".join(f'"{name}": {one}' for name, one in each.items())
        return own if own in each.values() else f"{{{said}}}"

    def __repr__(self) -> str:
        given = isinstance(self.base, self.strategies)
        return self.code("base" if given else self._rule_code(self.base, "base"))

    def code(self, base: str) -> str:
        """The Python that makes it, of a base, and what else is somebody's own, by these names."""
        inside = Code(self._rule_code(self.abstraction, "rule"))
        said: dict[str, Any] = {"players": {*self.players}, "abstraction": inside}
        if self.outside is not None:
            said["outside"] = Code(self._rule_code(self.outside, "outside"))
        usual = {"residual": 0.0, "unreached": "uniform", "tremble": 0.0}
        said |= {name: now for name in usual if (now := getattr(self, name)) != usual[name]}
        said |= {"solver": Code(solver_code(self.solver))}
        said |= {"iterations": self.iterations, "seed": self.seed}
        return code("static_experts", said, self._game, base, self.part.code)


def plan_of(tree: Any, part: Any) -> Any:
    """What makes a plan of experts for this game and this partition."""
    form = None if isinstance(part, GraftingPartition) else form_of(getattr(tree, "rules", tree))
    return form.stitching if form else Stitching


def _of_plan(*without: str) -> Callable[[Callable[[Stitching], R]], Callable[P, R]]:
    """A function of a plan, called with the plan's own arguments, but for some of them."""

    def decorate(answer: Callable[[Stitching], R]) -> Callable[P, R]:
        every = signature(Stitching).parameters.values()
        taken = [one for one in every if one.name not in without]
        shown = Signature(taken, return_annotation=signature(answer).return_annotation)

        @wraps(answer)
        def called(*args: P.args, **options: P.kwargs) -> R:
            given = bound(shown, answer.__name__, "argument", args, options)
            return answer(plan_of(given.get("tree"), given.get("part"))(*args, **options))

        called.__signature__ = shown  # type: ignore[attr-defined]
        return called

    return decorate


@_of_plan()
def plan(plan: Stitching) -> Stitching:
    """How static experts are made and stitched, on any form; its repr is its code. Arguments as of
    `static_experts`."""
    return plan


@_of_plan()
def experts(plan: Stitching) -> list[Expert]:
    """The static experts of all parts that somebody in S has. Arguments: `Stitching`."""
    return plan.experts()


@_of_plan()
def static_experts(plan: Stitching) -> Strategy:
    """The base with static experts for the players S (Gibson & Szafron 2011, Definition 3.2).

    Arguments: `Stitching`. Give the whole partition, also for S = {i}: with `part.of(i)` the others
    are coarse everywhere, which is one player's `grafts`; see help('workbench.stitching.experts').
    """
    return plan.stitch()  # type: ignore[no-any-return]


@_of_plan("players")
def grafts(plan: Stitching) -> Strategy:
    """Every player's grafted strategy (Waugh et al. 2009, Definition 8), each made alone.

    Arguments: `Stitching`, without S and with the whole partition: each player's own, `part.of(i)`,
    is taken here. While a player's grafts learn, the others play the whole game in the abstraction
    `outside`, inside the parts as well: give the base's, if what they gain against the base's
    opponents is to hold (Theorem 1).
    """
    if not isinstance(plan.part, GraftingPartition):
        raise GameError(
            f"in {plan.tree.name!r} this engine keeps one kind of buckets at a node for all, so a "
            "graft's opponents would see as much as she does; take static_experts for each player "
            "alone and wb.seated, or grafts on the tree of a small game"
        )
    seats = range(plan.tree.num_players)
    return seated([replace(plan, part=plan.part.of(i), players=i).stitch() for i in seats])


def dynamic_experts(
    tree: GameTree,
    base: Rule,
    part: Any,
    *,
    abstraction: Rules = "null",
    solver: Solver | str = "cfr+",
    iterations: int = 1000,
    seed: int = 0,
    **options: Any,
) -> Run:
    """Base and experts in one run (Definition 3.3): the abstraction `base`, finer in the parts.

    The definition has no set of `base` that lies in a part and outside of it; here such a set is
    split at the border. Further options are those of `solve`.
    """
    rule = plan_of(tree, part).mixed(tree, part, base, abstraction)
    return solve(tree, solver, iterations, seed=seed, abstraction=rule, **options)


def resolve_parts(
    blueprint: Strategy, part: GraftingPartition, *, safe: bool = True, **how: Any
) -> Strategy:
    """A strategy on a tree whose parts are solved again, with the rest of it as it is.

    safe=False   Everybody is believed to come there as the blueprint says: experts with S = N. An
                 opponent who comes in another way may win more than from the blueprint.
    safe=True    Each seat by itself, S = {i}: the opponent comes as she likes. With two players the
                 whole is at most as exploitable as the blueprint, up to unfinished solving,
                 because what the blueprint does there could have been chosen again.

    All parts are solved as one, and only suits are forgotten there. `how`: solver, iterations, seed
    and store, as in `Stitching`. Limit poker without a tree has `wb.poker.resolve`.
    """
    need_bool("safe", safe)
    tree = need_strategy(blueprint).tree
    inside = need_partition(part, tree).part > 0
    here = GraftingPartition(tree, ("resolved",), inside.astype(np.int32))
    plan = Stitching(tree, blueprint, here, range(tree.num_players), **how)
    if not safe:
        return plan.stitch()  # type: ignore[no-any-return]
    return seated([replace(plan, players=i).stitch() for i in plan.players])


def expert_sizes(
    tree: GameTree,
    part: GraftingPartition,
    players: Players = (0,),
    *,
    abstraction: Rules = "null",
    outside: Rule = None,
) -> dict[str, int]:
    """Information sets in the computation of each static expert.

    A part where nobody in S decides needs no expert, and has no size. (A base's size is
    `abstract(tree, name).coarse.num_infosets`, and that of dynamic experts the same with
    `expert_rule(tree, part, name)`.) In Hold'em `outside` are the base's buckets.
    """
    made = plan_of(tree, part)
    base, more = (None, {"outside": outside}) if made is Stitching else (outside, {})
    return made(tree, base, part, players, abstraction=abstraction, **more).sizes()  # type: ignore[no-any-return]
