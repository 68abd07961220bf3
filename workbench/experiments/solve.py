"""solve: rules or a tree in, a Run out.

>>> from workbench.games import load_game
>>> run = solve(load_game("kuhn"), iterations=1000)
>>> run.exploitability < 0.001
True
>>> solve(load_game("leduc"), "cfr+", iterations=100_000, target=0.01, abstraction="null").stopped
'target'
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal

import numpy as np

from workbench.abstraction import Abstraction, abstract
from workbench.abstraction.core import AbstractionFunction
from workbench.compiling import compile_game
from workbench.evaluation import exploitability
from workbench.experiments.run import Run
from workbench.progress import StatusLine
from workbench.rules import GameError, Rules
from workbench.solvers import Solver, State, average, find_solver, start_state
from workbench.strategy import Strategy
from workbench.tree import GameTree

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Progress", "solve"]

Progress = Callable[[int, int, float | None], None]
Row = tuple[int, float, float, float, int]  # of the trace

CHUNK = 0.1  # seconds of compiled work between two looks at the clock and at Ctrl-C


def solve(
    game: Rules | GameTree,
    solver: Solver | str = "cfr+",
    iterations: int = 1000,
    *,
    seed: int = 0,
    target: float | None = None,
    abstraction: Abstraction | AbstractionFunction | str | None = None,
    checkpoints: int | Iterable[int] | None = None,
    progress: bool | Progress | None = None,
    start: State | None = None,
) -> Run:
    """Run a solver for some iterations, or until the exploitability is at most `target`.

    An exact solver needs one iteration, whatever is asked.

    `checkpoints`: where to measure; every so many iterations, at given ones, or (None) at
    about 25, closer together at the beginning. `progress`: True or False, None to show it
    after two seconds, or a function of (done, total, exploitability). `start`: the state of
    an earlier run to go on from. Ctrl-C ends the run early and keeps what it has.
    """
    tree = game if isinstance(game, GameTree) else compile_game(game)
    solver = find_solver(solver)
    if isinstance(abstraction, Abstraction):
        if abstraction.full is not tree and abstraction.full.fingerprint != tree.fingerprint:
            raise GameError(f"{abstraction!r} is of another game than {tree!r}")
        used: Abstraction | None = abstraction
    else:
        used = None if abstraction is None else abstract(tree, abstraction)
    solved = used.coarse if used else tree
    solver.check(solved)
    state = start_state(solved) if start is None else start
    if len(state.regret) != solved.num_choices:
        raise GameError("start is a state of another game or abstraction")
    iterations = 1 if solver.exact else _whole("iterations", iterations)
    stops = _stops(state.iteration, iterations, checkpoints, target)
    if target is not None and not target >= 0.0:
        raise GameError(f"target must be a number of at least 0, not {target!r}")
    _whole("seed", seed, least=0)

    seconds = 0.0
    rows: list[Row] = []
    stopped: Literal["iterations", "target", "interrupted"] = "iterations"
    strategy, row = _measure(tree, used, state, seconds)
    solver.advance(solved, state, 0)  # loads or compiles the kernels, off the clock
    show, clear = _progress(progress, f"{solver.name} on {solved.name}")
    try:
        for stop in stops:
            chunk = 1
            while state.iteration < stop:
                chunk = min(chunk, stop - state.iteration)
                began = time.perf_counter()
                state = solver.advance(solved, state, chunk)
                took = time.perf_counter() - began
                seconds += took
                chunk = max(1, min(2 * chunk, int(chunk * CHUNK / max(took, 1e-9))))
                show(state.iteration, stops[-1], rows[-1][2] if rows else None)
            strategy, row = _measure(tree, used, state, seconds)
            rows.append(row)
            if target is not None and row[2] <= target:
                stopped = "target"
                break
    except KeyboardInterrupt:
        stopped = "interrupted"
        strategy, row = _measure(tree, used, state, seconds)
        rows.append(row)
    finally:
        clear()
    return Run(tree, solver, seed, used, strategy, _table(rows or [row]), state, stopped)


def _table(rows: list[Row]) -> pd.DataFrame:
    import pandas as pd

    columns = ["iteration", "seconds", "exploitability", "abstract_exploitability", "infosets"]
    return pd.DataFrame(rows, columns=columns).drop_duplicates("iteration", ignore_index=True)


def _measure(
    tree: GameTree, used: Abstraction | None, state: State, seconds: float
) -> tuple[Strategy, Row]:
    """The average strategy so far, and its line in the trace."""
    solved = used.coarse if used else tree
    coarse = average(solved, state)
    strategy = used.lift(coarse) if used else coarse
    real = exploitability(strategy) if tree.perfect_recall else np.nan
    within = exploitability(coarse) if used and solved.perfect_recall else np.nan
    return strategy, (state.iteration, seconds, real, within, solved.num_infosets)


def _progress(progress: bool | Progress | None, what: str) -> tuple[Progress, Callable[[], None]]:
    """How to show progress, and how to clean up after it."""
    if callable(progress):
        return progress, lambda: None
    if progress is False:
        return lambda done, total, value: None, lambda: None
    line = StatusLine(after=0.0 if progress else 2.0)
    began = time.monotonic()

    def show(done: int, total: int, value: float | None) -> None:
        bar = "█" * (20 * done // total)
        left = (time.monotonic() - began) * (total - done) / max(done, 1)
        now = "" if value is None else f", exploitability {value:.3g}"
        line.show(f"{what} |{bar:<20}| {done:,} of {total:,}, {left:.0f} s left{now}")

    return show, line.clear


def _whole(name: str, value: int, least: int = 1) -> int:
    """Refuse what is not a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise GameError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return int(value)


def _stops(
    done: int, iterations: int, checkpoints: int | Iterable[int] | None, target: float | None
) -> list[int]:
    """The iterations at which to measure: increasing, after `done`, the last one at the end."""
    if checkpoints is None:
        ratio = 1.05 if target is not None else max(iterations, 2) ** (1 / 24)
        count = int(np.log(max(iterations, 2)) / np.log(ratio)) + 2
        wanted = np.unique(np.geomspace(1, iterations, count).round().astype(int)).tolist()
    elif isinstance(checkpoints, int):
        wanted = list(range(_whole("checkpoints", checkpoints), iterations, checkpoints))
    else:
        wanted = [_whole("checkpoints", stop) for stop in checkpoints]
    return sorted({done + stop for stop in wanted if stop < iterations} | {done + iterations})
