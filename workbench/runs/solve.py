"""solve: rules or a tree in, a Run out.

>>> from workbench.games.registry import load_game
>>> run = solve(load_game("kuhn"), iterations=1000)
>>> run.exploitability < 0.001
True
>>> solve(load_game("leduc"), "cfr+", iterations=100_000, target=0.01, abstraction="null").stopped
'target'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.abstraction.abstraction import Abstraction, Rule
from workbench.progress import ProgressBar
from workbench.rules import GameError, Rules
from workbench.runs.experiment import Experiment
from workbench.runs.run import Partial, Problem, Run, begin, finish, reached, work
from workbench.solvers.base import Solver, State, need_state
from workbench.tree import FormAbstraction, GameTree

if TYPE_CHECKING:
    from workbench.runs.store import Store

Progress = Callable[[int, int, float | None], None]

SAVE_EVERY = 1.0  # seconds of work that a crash may cost
WRITTEN = 5_000_000  # bytes of a state for which it may cost a second more


def solve(
    game: Rules | GameTree,
    solver: Solver | str = "cfr+",
    iterations: int = 1000,
    *,
    seed: int = 0,
    target: float | None = None,
    abstraction: Abstraction | FormAbstraction | Rule | str | None = None,
    checkpoints: int | Iterable[int] | None = None,
    progress: bool | Progress | None = None,
    start: State | None = None,
    store: Store | str | Path | None = None,
) -> Run:
    """Run a solver for some iterations, or until the exploitability is at most `target`.

    An exact solver needs one iteration, whatever is asked.

    `checkpoints`: where to measure; every so many iterations, at given ones, or (None) at
    about 25, closer together at the beginning. `progress`: True or False, None to show it
    after two seconds, or a function of (done, total, exploitability). `start`: the state of
    an earlier run to go on from. `store`: a folder that keeps the run; the same call finds it
    there again, finished or half done. Ctrl-C ends the run early and keeps what it has.
    """
    problem = Experiment(
        game=game,
        solver=solver,
        iterations=iterations,
        seed=seed,
        target=target,
        abstraction=abstraction,
        checkpoints=checkpoints,
    ).problem()
    if store is not None:
        if start is not None:
            raise GameError(
                "start and store exclude each other: a store knows where its run stands"
            )
        from workbench.runs.store import open_store

        with open_store(store) as opened:
            return solve_stored(problem, opened, progress=progress)
    if start is not None:
        need_state(problem.solved, start)
        problem = replace(problem, stops=tuple(start.iteration + stop for stop in problem.stops))
    with _bar(problem, progress) as bar:
        return finish(problem, work(problem, begin(problem, start), tell=_telling(bar)))


def solve_stored(problem: Problem, store: Store, *, progress: bool | Progress | None = None) -> Run:
    """As `solve`, but keep the run in a store: found again if done, resumed if half done."""
    with _bar(problem, progress) as bar, store.claim(problem, say=bar.say) as partial:
        while partial.stopped is None:
            interval = SAVE_EVERY + 2 * partial.state.regret.nbytes // WRITTEN
            partial = work(problem, partial, interval, _telling(bar))
            store.save(problem, partial)
        return finish(problem, partial, store.provenance(problem.run_id))


def _bar(problem: Problem, progress: bool | Progress | None) -> ProgressBar:
    what = f"{problem.solver.name} on {problem.solved.name}"
    return ProgressBar(what, problem.stops[-1], progress, "exploitability {:.3g}".format)


def _telling(bar: ProgressBar) -> Callable[[Partial], None]:
    def tell(partial: Partial) -> None:
        value = reached(partial.rows[-1]) if partial.rows else None
        known = value is not None and not isnan(value)  # nan: too large to be judged
        bar.show(partial.state.iteration, value if known else None)

    return tell
