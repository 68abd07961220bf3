"""A sweep: many experiments, on all cores of a machine or on a Dask cluster.

The owner of the sweep is the only one who writes to the store. Workers get a piece of a run
(a problem, how far it is, some seconds), and hand back how far they came; the owner saves that
and gives out the next piece. So a lost worker loses one piece, a killed owner loses the pieces
that were out, and starting the same sweep again goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.experiments.executors import Executor, choose_executor
from workbench.experiments.experiment import Experiment
from workbench.experiments.lock import BusyError
from workbench.experiments.run import Run, finish
from workbench.experiments.solve import SAVE_EVERY, solve_stored
from workbench.experiments.store import Store, open_store
from workbench.experiments.work import Partial, Problem, work
from workbench.progress import StatusLine
from workbench.rules import GameError

if TYPE_CHECKING:
    import pandas as pd
    from distributed import Client

__all__ = ["Sweep", "sweep"]


@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """What became of each experiment, in the order in which they were given."""

    experiments: tuple[Experiment, ...]
    runs: tuple[Run | None, ...]  # None if it failed
    errors: tuple[str | None, ...]

    @property
    def table(self) -> pd.DataFrame:
        """One row per experiment: what it was, how it ended."""
        import pandas as pd

        rows = []
        for experiment, run, error in zip(self.experiments, self.runs, self.errors, strict=True):
            used = run.abstraction if run else experiment.abstraction
            rows.append(
                {
                    "game": run.tree.name if run else str(experiment.game),
                    "solver": experiment.find_solver().name,
                    "abstraction": getattr(used, "name", used or ""),
                    "seed": experiment.seed,
                    "iterations": run.iterations if run else None,
                    "seconds": run.seconds if run else None,
                    "exploitability": run.exploitability if run else None,
                    "run": run.run_id if run else None,
                    "error": error,
                }
            )
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        failed = sum(error is not None for error in self.errors)
        return f"Sweep of {len(self.runs)} experiments, {failed} failed"

    def _repr_html_(self) -> str:
        return str(self.table.to_html(index=False))


def sweep(
    experiments: Iterable[Experiment],
    store: Store | str | Path = "runs",
    workers: int = 2,
    dask: Client | str | None = None,
    *,
    retries: int = 2,
    progress: bool = True,
) -> Sweep:
    """Run all experiments that the store does not know yet; hand back all of them.

    `workers`: processes on this machine. `dask`: the address of a cluster or its Client, used
    instead. A run that fails is tried again `retries` times and then reported; the others go on.
    """
    asked = tuple(experiments)
    wrong = [type(one).__name__ for one in asked if not isinstance(one, Experiment)]
    if wrong:
        raise GameError(f"sweep needs Experiments (wb.Experiment or wb.grid), not {wrong[0]}")
    if workers < 1 or retries < 0:
        raise GameError(f"workers must be at least 1 and retries 0, not {workers} and {retries}")
    with open_store(store) as opened, ExitStack() as held:
        owner = _Owner(opened, asked, retries, StatusLine(0.5) if progress else None)
        owner.claim(held)
        if owner.todo:
            executor = held.enter_context(choose_executor(min(workers, len(owner.todo)), dask))
            owner.drive(executor)
        held.close()
        return owner.result()


def piece(job: Experiment | Problem, partial: Partial, budget: float) -> Partial:
    """What a worker does."""
    problem = job.problem() if isinstance(job, Experiment) else job
    done = work(problem, partial, budget)
    if done.stopped == "interrupted":
        raise KeyboardInterrupt
    return done


class _Owner:
    """The one who gives out work and writes down results."""

    def __init__(
        self, store: Store, asked: Sequence[Experiment], retries: int, line: StatusLine | None
    ) -> None:
        self.store, self.asked, self.retries, self.line = store, asked, retries, line
        self.problems = [experiment.problem() for experiment in asked]
        self.jobs: dict[str, tuple[Experiment | Problem, Problem]] = {}
        for experiment, problem in zip(asked, self.problems, strict=True):
            self.jobs.setdefault(problem.run_id, (_portable(experiment, problem), problem))
        self.partials: dict[str, Partial] = {}
        self.attempts = dict.fromkeys(self.jobs, 0)
        self.errors: dict[str, str] = {}
        self.todo: list[str] = []
        self.elsewhere: list[str] = []
        self.began = time.monotonic()

    def claim(self, held: ExitStack) -> None:
        """Take what nobody else works on; what is finished needs no work."""
        for run_id, (_, problem) in self.jobs.items():
            try:
                partial = held.enter_context(self.store.claim(problem, wait=False))
            except BusyError:
                self.elsewhere.append(run_id)
                continue
            self.partials[run_id] = partial
            if partial.stopped is None:
                self.todo.append(run_id)

    def drive(self, executor: Executor) -> None:
        """Give out pieces until every run has ended."""
        out: dict[Future[Partial], str] = {}
        pending = list(self.todo)
        try:
            while pending or out:
                for run_id in pending:
                    job, _ = self.jobs[run_id]
                    future = executor.submit(piece, job, self.partials[run_id], SAVE_EVERY)
                    out[future] = run_id
                pending = []
                finished, _ = wait(out, timeout=0.5, return_when=FIRST_COMPLETED)
                for future in finished:
                    run_id = out.pop(future)
                    if self._take(run_id, future):
                        pending.append(run_id)
                self._show()
        finally:
            for future in out:
                future.cancel()
            if self.line:
                self.line.clear()

    def _take(self, run_id: str, future: Future[Partial]) -> bool:
        """Save a piece; True if there is more to do."""
        try:
            partial = future.result()
        except Exception as error:
            self.attempts[run_id] += 1
            if self.attempts[run_id] <= self.retries:
                return True
            self.errors[run_id] = f"{type(error).__name__}: {error}".splitlines()[0]
            return False
        self.partials[run_id] = partial
        self.store.save(self.jobs[run_id][1], partial)
        return partial.stopped is None

    def _show(self) -> None:
        if self.line is None:
            return
        total = len(self.todo)
        shares = [
            self.partials[run_id].state.iteration / self.jobs[run_id][1].stops[-1]
            if self.partials[run_id].stopped is None and run_id not in self.errors
            else 1.0
            for run_id in self.todo
        ]
        ended, share = sum(part == 1.0 for part in shares), sum(shares) / total
        left = (time.monotonic() - self.began) * (1 - share) / share if share else float("nan")
        failed = f", {len(self.errors)} failed" if self.errors else ""
        self.line.show(f"sweep: {ended} of {total} runs, about {left:.0f} s left{failed}")

    def result(self) -> Sweep:
        """All runs; those that another process worked on are awaited."""
        for run_id in self.elsewhere:
            problem = self.jobs[run_id][1]
            solve_stored(problem, self.store)
            self.partials[run_id] = self.store.load(problem)
        runs = [
            None
            if problem.run_id in self.errors
            else finish(problem, self.partials[problem.run_id])
            for problem in self.problems
        ]
        errors = [self.errors.get(problem.run_id) for problem in self.problems]
        return Sweep(tuple(self.asked), tuple(runs), tuple(errors))


def _portable(experiment: Experiment, problem: Problem) -> Experiment | Problem:
    """Names travel light and are compiled once per worker; one's own games travel compiled."""
    named = isinstance(experiment.game, str) and isinstance(experiment.abstraction, str | None)
    return experiment if named else problem
