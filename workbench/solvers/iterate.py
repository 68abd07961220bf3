"""The loop around every solver: anybody may stop it, look, and go on.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> for state in iterate(tree, "cfr+", seed=0):
...     if state.iteration == 100:
...         break
>>> round(wb.average(tree, state).at("K b")["b"], 6)
1.0

`iterate(tree, "cfr+", seed=0, start=state)` goes on as if nobody had stopped.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from workbench.settings import need_whole
from workbench.solvers.base import Solver, State, current, find_solver, need_state, start_state
from workbench.strategy import Strategy
from workbench.tree import GameTree, need_tree


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
