"""What all solvers share: settings, a state, and a loop that anybody may stop and resume.

*Settings* are a frozen dataclass (`CFRPlus()`, `DCFR(alpha=1.5)`), a *state* is what
changes from one iteration to the next, and the *answer* is the average strategy.

>>> from workbench.games import load_game
>>> from workbench.compiling import compile_game
>>> tree = compile_game(load_game("kuhn"))
>>> for state in iterate(tree, "cfr+", seed=0):
...     if state.iteration == 100:
...         break
>>> round(average(tree, state).at("K b")["b"], 6)
1.0

`iterate(tree, "cfr+", seed=0, start=state)` goes on as if nobody had stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np

from workbench.random import RandomState, random_state
from workbench.rules import GameError, need_whole
from workbench.strategy import Strategy, normalised
from workbench.tree import FloatArray, GameTree, need_tree

__all__ = [
    "Solver",
    "State",
    "average",
    "current",
    "iterate",
    "need_state",
    "profiles",
    "start_state",
]


@dataclass(frozen=True, eq=False)
class State:
    """Where a solver stands after some iterations; its arrays are never written again."""

    iteration: int
    regret: FloatArray  # (K,)
    probs: FloatArray  # (K,) the profile that the next iteration will play
    strategy_sum: FloatArray  # (K,) weighted sum of past realization plans
    rng: RandomState  # (4,) where the random numbers stand; only sampling solvers draw any
    game: int = 0  # its tree's checksum; 0 for a state made by hand, which any game may take

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):  # kernels trust the shapes they are given
                shape, kind, why = self.regret.shape, "float64", "as its regret"
                if name == "rng":
                    shape, kind, why = (4,), "uint64", "as random_state(seed) makes it"
                if value.shape != shape or value.dtype != kind:
                    raise GameError(
                        f"{name} of a state has shape {value.shape} and type {value.dtype}; "
                        f"it needs {shape} and {kind}, {why}"
                    )
                value.flags.writeable = False


class Solver(Protocol):
    """Settings of an algorithm, and the one thing it can do: advance a state."""

    @property
    def name(self) -> str: ...

    @property
    def exact(self) -> bool:
        """True if one iteration is the whole answer."""

    def check(self, tree: GameTree) -> None:
        """Raise GameError if this game is not for this solver."""

    def advance(self, tree: GameTree, state: State, iterations: int) -> State:
        """The state after so many more iterations."""


def start_state(tree: GameTree, seed: int = 0) -> State:
    """Before the first iteration: no regrets, uniform play, random numbers from a seed."""
    k = tree.num_choices
    probs = np.array(Strategy.uniform(tree).probs)
    return State(0, np.zeros(k), probs, np.zeros(k), random_state(seed), tree.checksum)


def need_state(tree: GameTree, state: State) -> State:
    """Refuse a state of another game; one of another solver is a warm start, and welcome."""
    if len(state.regret) != tree.num_choices:
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


def average(tree: GameTree, state: State) -> Strategy:
    """The average strategy: what a solver hands out (uniform where nothing was played yet)."""
    return normalised(tree, state.strategy_sum)


def current(tree: GameTree, state: State) -> Strategy:
    """The profile that will be played next; in most solvers it does not converge."""
    return Strategy(tree, state.probs)


def profiles(
    tree: GameTree, solver: Solver | str, iterations: int, *, seed: int = 0
) -> Iterator[Strategy]:
    """σ¹, σ², …: what a solver plays in each of its first iterations, uniform play first."""
    yield current(tree, start_state(tree, seed))
    for state in islice(iterate(tree, solver, seed=seed), iterations - 1):
        yield current(tree, state)


def iterate(
    tree: GameTree,
    solver: Solver | str,
    *,
    seed: int = 0,
    start: State | None = None,
    every: int = 1,
) -> Iterator[State]:
    """Yield the state after each `every` iterations, for as long as somebody asks.

    `start` goes on with its own random numbers, whatever the seed. Each state is a copy of the
    solver's arrays: in a large game copying costs more than an iteration, so ask less often.
    """
    from workbench.solvers import find_solver

    need_tree(tree)
    solver = find_solver(solver)
    solver.check(tree)
    need_whole("every", every)
    state = start_state(tree, seed) if start is None else need_state(tree, start)
    return _go_on(tree, solver, state, every)


def _go_on(tree: GameTree, solver: Solver, state: State, every: int) -> Iterator[State]:
    while True:
        state = solver.advance(tree, state, every)
        yield state
