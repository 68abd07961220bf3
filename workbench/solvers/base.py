"""What all solvers share: settings, a state, and one step from a state to a later one.

*Settings* are a frozen dataclass (`CFRPlus()`, `DCFR(alpha=1.5)`), a *state* is what
changes from one iteration to the next, and the *answer* is the average strategy.

`iterate` is the loop that anybody may stop, to look and to go on:

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> for state in iterate(tree, "cfr+", seed=0):
...     if state.iteration == 100:
...         break
>>> round(average(tree, state).at("K b")["b"], 6)  # what a solver hands out
1.0
>>> current(tree, state)  # what it would play next
Strategy of 'kuhn': 12 infosets

`iterate(tree, "cfr+", seed=0, start=state)` goes on as if nobody had stopped. Solvers have names:

>>> find_solver("dcfr")
DCFR(alternating=True, engine='auto', alpha=1.5, beta=0.0, gamma=2.0)
>>> find_solver("dcfr", {"alpa": 2.0})
Traceback (most recent call last):
    ...
workbench.rules.GameError: dcfr has no setting 'alpa'; did you mean 'alpha'? \
Settings: alternating, engine, alpha, beta, gamma
>>> find_solver("crf+")
Traceback (most recent call last):
    ...
workbench.rules.GameError: there is no solver 'crf+'; did you mean 'cfr+'? \
Solvers: cfr, cfr+, chance-sampling, ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

import numpy as np

from workbench.compiling import treeless
from workbench.kernels import RandomState, random_state
from workbench.later import named_class
from workbench.rules import GameError, shown
from workbench.settings import changed, code, full_name, make, need_kind, need_whole, unknown_name
from workbench.strategy import Strategy, normalised
from workbench.tree import FloatArray, Form, Game, GameTree, need_game, need_tree


@dataclass(frozen=True, eq=False)
class State:
    """Where a solver stands after some iterations; its arrays are never written again."""

    iteration: int
    regret: FloatArray  # (K,)
    probs: FloatArray  # (K,) the profile that the next iteration will play
    strategy_sum: FloatArray  # (K,) weighted sum of past realization plans
    rng: RandomState  # (4,) where the random numbers stand; only sampling solvers draw any
    game: int = 0  # its tree's checksum; 0 for a state made by hand, which any game may take
    memory: FloatArray = field(default_factory=lambda: np.zeros(0))  # what else a solver keeps

    def __post_init__(self) -> None:
        own = {"rng": (4,), "memory": self.memory.shape[:1]}  # the others are as the regret
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):  # kernels trust the shapes they are given
                shape = own.get(name, self.regret.shape)
                kind = np.uint64 if name == "rng" else np.float64
                if value.shape != shape or value.dtype != kind:
                    need = f"{shape} of {kind.__name__}, not {value.shape} of {value.dtype}"
                    raise GameError(f"{name} of a state must have the shape {need}")
                value.flags.writeable = False

    def copy(self) -> State:
        """A state that nobody else changes: itself, as nobody changes this one."""
        return self


class Solver(Protocol):
    """Settings of an algorithm, and the one thing it can do: advance a state. What it asks of a
    game it may say in `needs` (`tree.Game.offers`); otherwise it gets a tree."""

    @property
    def name(self) -> str: ...

    @property
    def exact(self) -> bool:
        """True if one iteration is the whole answer."""

    def check(self, tree: GameTree) -> None:
        """Raise GameError if this game is not for this solver."""

    def advance(self, tree: GameTree, state: State, iterations: int) -> State:
        """The state after so many more iterations; other forms of game do it themselves."""


def need_zero_sum(solver: str, tree: Game) -> None:
    """Refuse a game that is not a matrix of what one wins and the other loses."""
    if tree.num_players != 2 or not tree.zero_sum:
        kind = "not zero-sum" if tree.num_players == 2 else f"for {tree.num_players} players"
        other = "cfr+" if "tree" in tree.offers else "external-sampling"
        raise GameError(
            f"{solver} solves two-player zero-sum games; {tree.name!r} is {kind}: try {other}"
        )


def start_state(tree: Game, seed: int = 0) -> State:
    """Before the first iteration: no regrets, uniform play, random numbers from a seed."""
    if isinstance(tree, Form):
        return tree.start_state(seed)  # type: ignore[no-any-return]
    k = tree.num_choices
    probs = np.array(Strategy.uniform(tree).probs)
    return State(0, np.zeros(k), probs, np.zeros(k), random_state(seed), tree.checksum)


def need_state(tree: Game, state: State) -> State:
    """Refuse a state of another game; one of another solver is a warm start, and welcome."""
    tree = need_game(tree)
    if len(need_kind("start", state, State).regret) != tree.num_choices:
        raise GameError(
            f"start is a state of another game: {len(state.regret)} choices, not {tree.num_choices}"
        )
    if state.game not in (0, tree.checksum):
        raise GameError(
            f"start is a state of another game, as large as this {tree.name!r} but with other "
            "payoffs, chances or information; for a warm start say so: "
            "dataclasses.replace(state, game=0)"
        )
    return state


def average(tree: Game, state: State) -> Strategy:
    """The average strategy: what a solver hands out (uniform where nothing was played yet)."""
    total = need_state(tree := need_game(tree), state).strategy_sum
    if isinstance(tree, Form):
        return tree.average(state)  # type: ignore[no-any-return]
    if not np.isfinite(total).all():
        raise GameError(
            f"numbers outgrew the computer after {state.iteration:,} iterations on {tree.name!r}, "
            f"whose payoffs reach {tree.largest_payoff:.3g}; scale them down"
        )
    return normalised(need_tree(tree), total)


def current(tree: GameTree, state: State) -> Strategy:
    """The profile that will be played next; in most solvers it does not converge."""
    return Strategy(tree, need_state(tree, state).probs)


def profiles(
    tree: GameTree, solver: Solver | str, iterations: int, *, seed: int = 0
) -> Iterator[Strategy]:
    """σ¹, σ², …: what a solver plays in each of its first iterations, uniform play first."""
    yield current(tree, start_state(tree, seed))
    for state in islice(iterate(tree, solver, seed=seed), iterations - 1):
        yield current(tree, state)


def iterate(
    tree: Game,
    solver: Solver | str,
    *,
    seed: int = 0,
    start: State | None = None,
    every: int = 1,
) -> Iterator[State]:
    """Yield the state after each `every` iterations, for as long as somebody asks.

    `start` goes on with its own random numbers, whatever the seed. Each state is a copy of the
    solver's arrays: in a large game copying costs more than an iteration, so ask less often. Rules
    of a card game serve as a tree does, for solvers that need none.
    """
    solver = find_solver(solver)
    need_served(solver, tree := need_game(tree))
    need_whole("every", every)
    state = start_state(tree, seed) if start is None else need_state(tree, start)
    return _go_on(tree, solver, state, every)


def _go_on(tree: Game, solver: Solver, state: State, every: int) -> Iterator[State]:
    while True:
        state = tree.advance(solver, state.copy(), every)
        yield state


def needs(solver: Solver) -> str:
    """What a solver asks of a game."""
    return str(getattr(solver, "needs", "tree"))


def need_served(solver: Solver, game: Any) -> None:
    """Refuse a solver that asks for what the game does not offer, or that it is not for."""
    if (asked := needs(solver)) not in game.offers:
        what = "a tree" if asked == "tree" else "passes over all pairs of hands"
        fast = "passes" in game.offers and game.perfect_recall
        small = asked == "tree" and not treeless(game)
        raise GameError(
            f"{solver.name!r} as it is set needs {what}, which {game.name!r} does not have; take "
            f"{'cfr+ or ' * fast}external-sampling{', or the tree, wb.compile_game(rules)' * small}"
        )
    solver.check(game)


# ---- by their names ------------------------------------------------------------------

SOLVERS: dict[str, str | type[Any]] = {  # a class, or where to find it below workbench.solvers
    "cfr": "cfr.CFR",
    "cfr+": "cfr.CFRPlus",
    "linear-cfr": "cfr.LinearCFR",
    "dcfr": "cfr.DCFR",
    "pcfr+": "cfr.PCFRPlus",
    "chance-sampling": "external_sampling.ChanceSampling",
    "external-sampling": "external_sampling.ExternalSampling",
    "outcome-sampling": "outcome_sampling.OutcomeSampling",
    "lp": "lp.LP",
    "egt": "egt.EGT",
    "iterated-smoothing": "iterated_smoothing.IteratedSmoothing",
    "fictitious-play": "fictitious_play.FictitiousPlay",
}


def list_solvers() -> list[str]:
    """The names `solve` knows."""
    return sorted(SOLVERS)


def solver_class(name: str) -> type[Any]:
    """The dataclass of a solver's settings."""
    if name not in SOLVERS:
        raise unknown_name("solver", name, list_solvers())
    return named_class(SOLVERS, name, "workbench.solvers")  # type: ignore[no-any-return]


def is_listed(solver: Solver) -> bool:
    """Whether a solver, with whatever settings, is one that has a name here."""
    return solver.name in SOLVERS and type(solver) is solver_class(solver.name)


def solver_name(solver: Solver) -> str:
    """What people read: its name, and the settings that differ from their defaults.

    >>> solver_name(find_solver("cfr+")), solver_name(find_solver("dcfr", {"alpha": 2.0}))
    ('cfr+', 'dcfr(alpha=2.0)')
    """
    if is_listed(solver):
        return full_name(solver.name, solver)
    return f"{solver.name} (your own)"


def solver_code(solver: Solver | str) -> str:
    """A solver as Python: its name if all settings are the usual ones, `solver` if one's own.

    >>> solver_code("cfr+"), solver_code(find_solver("dcfr", {"alpha": 2.0}))
    ('"cfr+"', 'wb.solvers.DCFR(alpha=2.0)')
    """
    solver = find_solver(solver)
    if not is_listed(solver):
        return "solver"
    if not changed(solver):
        return f'"{solver.name}"'
    return code(f"solvers.{type(solver).__name__}", changed(solver))


def find_solver(solver: Solver | str, settings: Mapping[str, Any] | None = None) -> Solver:
    """The solver with this name and these settings; one that has them is handed through."""
    if isinstance(solver, str):
        found: Solver = make(solver_class(solver), settings or {}, solver, "setting")
        return found
    if isinstance(solver, type) or not hasattr(solver, "advance"):
        raise GameError(
            f"{shown(solver)} is no solver; give settings such as CFRPlus(), or a name: "
            + ", ".join(list_solvers())
        )
    for needed in ("name", "exact", "check"):
        if not hasattr(solver, needed):
            raise GameError(
                f"your solver {solver!r} has no {needed!r}; a solver has name, exact, check(tree) "
                "and advance(tree, state, iterations)"
            )
    if settings:
        raise GameError("settings belong to a solver given by name; yours has them already")
    return solver
