"""A sweep: many experiments, on all cores of a machine or on a Dask cluster.

    wb.sweep(experiments, workers=8)
    wb.sweep(experiments, dask="tcp://scheduler:8786")

From a laptop to a cluster it is one argument: the address of a Dask scheduler, or the Client of
a notebook. The workers need the same version of this package and nothing else, no shared disk:
each gets a piece of a run (a problem, how far it is, some seconds), and hands back how far it
came. The store stays where the sweep was started, and only its owner writes to it. So a lost
worker loses one piece, a killed owner loses the pieces that were out, and starting the same
sweep again goes on from there, on the laptop or on the cluster, with the same numbers.

Runs are claimed when their turn comes, so several sweeps may share a store: each takes what
nobody else works on, and what the others finish is read at the end.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench._version import __version__
from workbench.compiling import compile_game
from workbench.files import BusyError, DamagedError, naming
from workbench.games.registry import GAMES, load_game
from workbench.lab.html import bare, table
from workbench.lab.sweep.workers import Pool, open_pool, piece
from workbench.lab.text import stored_name
from workbench.later import pd
from workbench.progress import ProgressBar
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.run import Partial, Problem, Run, finish
from workbench.runs.solve import SAVE_EVERY
from workbench.runs.store import Store, open_store
from workbench.settings import as_tuple, need_whole
from workbench.tree import has_form

if TYPE_CHECKING:
    from distributed import Client

ENDED = {
    "done": "iterations", "seconds": "seconds", "exploitability": "exploitability", "run": "run_id"
}  # fmt: skip
OFTEN = 0.2  # seconds between two looks at the whole sweep


@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """What became of each experiment, in the order in which they were given."""

    experiments: tuple[Experiment, ...]
    problems: tuple[Problem, ...]
    runs: tuple[Run | None, ...]  # None if it failed
    errors: tuple[str | None, ...]

    @property
    def table(self) -> pd.DataFrame:
        """One row per experiment: what was asked, in the columns of `Store.runs`; how it ended."""
        return pd.DataFrame(
            problem.description()
            | {name: getattr(run, of, None) for name, of in ENDED.items()}
            | {"error": error}
            for problem, run, error in zip(self.problems, self.runs, self.errors, strict=True)
        )

    def __repr__(self) -> str:
        failed = sum(error is not None for error in self.errors)
        return f"Sweep of {len(self.runs)} experiments, {failed} failed"

    def _repr_html_(self) -> str:
        found = self.table
        both = zip(found["solver"], found.pop("settings"), strict=True)
        return bare(table(found.assign(solver=[stored_name(*one) for one in both])))


def sweep(
    experiments: Iterable[Experiment] | Experiment,
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
    asked = as_tuple(experiments) if isinstance(experiments, Iterable) else (experiments,)
    wrong = [type(one).__name__ for one in asked if not isinstance(one, Experiment)]
    if wrong:
        raise GameError(f"sweep needs Experiments (wb.Experiment or wb.grid), not {wrong[0]}")
    need_whole("workers", workers)
    need_whole("retries", retries, least=0)
    with open_store(store) as opened:
        owner = Owner(opened, asked, retries, progress)
        if owner.waiting:
            with open_pool(min(workers, len(owner.waiting)), dask) as pool:
                owner.drive(pool)
        return Sweep(
            experiments=asked,
            problems=tuple(task.problem for task in owner.tasks),
            runs=tuple(task.run(opened) for task in owner.tasks),
            errors=tuple(task.error for task in owner.tasks),
        )


# ---- the owner of a sweep, who gives out pieces of runs and writes down what comes back -----


@dataclass(eq=False)
class Task:
    """A run of the sweep: how far it is, or what went wrong."""

    problem: Problem
    job: Experiment | Problem  # what a worker is told
    partial: Partial | None = None
    error: str | None = None
    failures: int = 0  # since the last piece that came back
    claim: ExitStack = field(default_factory=ExitStack)  # while we work on it

    @property
    def ended(self) -> bool:
        stopped = self.partial.stopped if self.partial else None
        return stopped is not None or self.error is not None

    @property
    def share(self) -> float:
        """How much of it is done."""
        done = self.partial.state.iteration if self.partial else 0
        return 1.0 if self.ended else done / self.problem.stops[-1]

    def run(self, store: Store) -> Run | None:
        """What became of it in the end."""
        if self.error is not None or self.partial is None:
            return None
        return finish(self.problem, self.partial, store.provenance(self.problem.run_id))


class Owner:
    """The only one who writes to the store. `tasks` has one for each experiment, in order."""

    def __init__(self, store: Store, asked: Sequence[Experiment], retries: int, progress: bool):
        self.store, self.retries = store, retries
        tasks, several = _tasks(asked), dict[str, Task]()
        self.tasks = [several.setdefault(task.problem.run_id, task) for task in tasks]
        for run_id, task in several.items():
            if store.is_done(run_id):
                try:
                    task.partial = store.load(task.problem)
                except DamagedError as error:  # the failure of one run
                    task.error = str(error)
        self.waiting = deque(task for task in several.values() if not task.ended)
        self.todo = list(self.waiting)
        self.out: dict[Future[Partial], Task] = {}  # a piece of each run that we have claimed
        self.bar = ProgressBar("sweep", len(self.todo), progress)
        self.shown = 0.0  # when it was

    def drive(self, pool: Pool) -> None:
        """Give out pieces until every run has ended."""
        try:
            with self.bar:
                while self.waiting or self.out:
                    capacity = pool.capacity()
                    for _ in range(len(self.waiting)):  # what nobody else works on
                        if len(self.out) < capacity:
                            self._go_on(self.waiting.popleft(), pool, self._claim)
                    self._show()
                    if not self.out and self.waiting:  # others work on all that is left
                        time.sleep(0.2)
                    for future in wait(self.out, timeout=0.5, return_when=FIRST_COMPLETED).done:
                        self._go_on(self.out.pop(future), pool, self._take, future)
                    self._show()
        finally:
            for future, task in self.out.items():
                future.cancel()
                task.claim.close()

    def _claim(self, task: Task) -> None:
        claim = self.store.claim(task.problem, wait=False)
        task.partial = task.claim.enter_context(claim)

    def _take(self, task: Task, future: Future[Partial]) -> None:
        """Keep the piece that a worker did; or try it again."""
        try:
            task.partial = future.result()
        except (Exception, SystemExit) as error:
            task.failures += 1
            task.error = _in_a_line(error) if task.failures > self.retries else None
        else:
            task.failures = 0
            self.store.save(task.problem, task.partial)

    def _go_on(self, task: Task, pool: Pool, step: Callable[..., None], *given: Any) -> None:
        """Do this with a run; then it wants another piece, or has ended."""
        job = task.problem.run_id, __version__, task.job
        try:
            step(task, *given)
            if not task.ended:
                self.out[pool.submit(piece, *job, task.partial, SAVE_EVERY)] = task
        except BusyError:  # another process has it
            self.waiting.append(task)
            return
        except DamagedError as error:
            task.error = str(error)
        except GameError:  # the store is full or gone: that is everybody's
            task.claim.close()
            raise
        except Exception as error:  # it cannot travel, or whatever: the others go on
            task.error = _in_a_line(error)
        if task.ended:
            task.claim.close()

    def _show(self) -> None:
        if time.monotonic() < self.shown + OFTEN:  # a long sweep takes a while to count
            return
        self.shown = time.monotonic()
        shares = [task.share for task in self.todo]
        failed = sum(task.error is not None for task in self.tasks)
        notes = [f"{failed} failed"] if failed else []
        if self.waiting and not self.out:
            notes.append("another process works on the rest")
        ended = f"{shares.count(1.0)} of {len(shares)} runs"
        self.bar.show(sum(shares), ", ".join(notes) or None, ended)


def _in_a_line(error: BaseException | None) -> str:
    line = f"{type(error).__name__}: {error}".splitlines()[0]
    hint = " What players see must be plain values; or use workers=1"
    return line + hint if "pickle" in str(error).lower() else line


def _tasks(asked: Sequence[Experiment]) -> list[Task]:
    """One for each experiment; rules and files that several share are compiled once. Names travel
    light and are compiled once per worker; one's own games travel compiled."""
    made: dict[Any, Any] = {}
    tasks = []
    for number, one in enumerate(asked, 1):
        game = one.game
        named = isinstance(game, str) and game in GAMES
        key = (game, repr(one.options)) if isinstance(game, str) else id(game)
        with naming(f"experiment {number} of {len(asked)}"):
            if key not in made and not named:
                rules: Any = load_game(game, **one.options) if isinstance(game, str) else game
                made[key] = rules if has_form(rules) else compile_game(rules)
            known = {"game": made[key], "options": {}} if key in made else {}
            problem = replace(one, **known).problem()
        light = named and isinstance(one.abstraction, str | None)
        tasks.append(Task(problem, one if light else problem))
    return tasks
