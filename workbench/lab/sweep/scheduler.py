"""The owner of a sweep, who gives out work and writes down results, and what a worker does.

A run is *waiting*, then *claimed* (the owner holds its lock) and either *ready* or *out* with a
worker, a few seconds at a time, then ended. If a pool of processes breaks, nobody knows which
piece did it. All that were out become *suspects*, and suspects go alone until they have come
back once: a run that kills its worker takes no other run with it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from workbench._version import __version__
from workbench.compiling import compile_game
from workbench.files import DamagedError
from workbench.games.registry import GAMES
from workbench.lab.sweep.executors import Executor, Here
from workbench.progress import StatusLine
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.lock import BusyError
from workbench.runs.resumable import Partial, Problem, work
from workbench.runs.run import Run, finish
from workbench.runs.solve import SAVE_EVERY
from workbench.runs.store import Store

# ---- the worker -----------------------------------------------------------------------

_problems: dict[str, Problem] = {}  # the last few that this worker met: trees are costly to make


def piece(
    run_id: str,
    version: str,
    job: Experiment | Problem,
    partial: Partial,
    budget: float,
    tell: Callable[[Partial], None] = lambda partial: None,
) -> Partial:
    """What a worker does: some seconds of a run, if it is the same run here as at the owner's."""
    if version != __version__:
        raise GameError(
            f"a worker has workbench {__version__} and the sweep {version}: install the same "
            "everywhere"
        )
    problem = _problems.get(run_id)
    if problem is None:
        problem = job.problem() if isinstance(job, Experiment) else job
        if problem.run_id != run_id:
            raise GameError(
                f"what is run {run_id} here is {problem.run_id} at a worker: the same version of "
                "workbench, but other games or solvers; install the same files everywhere and "
                "start the workers again"
            )
        while len(_problems) >= 4:
            _problems.pop(next(iter(_problems)), None)
        _problems[run_id] = problem
    done = work(problem, partial, budget, tell)
    if done.stopped == "interrupted":
        raise KeyboardInterrupt
    return done


# ---- the owner ------------------------------------------------------------------------


class Owner:
    """The only one who writes to the store; `waiting` is what there is to do."""

    def __init__(
        self, store: Store, asked: Sequence[Experiment], retries: int, line: StatusLine | None
    ) -> None:
        self.store, self.retries, self.line = store, retries, line
        self.problems = _problems_of(asked)
        self.jobs: dict[str, tuple[Experiment | Problem, Problem]] = {}
        for experiment, problem in zip(asked, self.problems, strict=True):
            self.jobs.setdefault(problem.run_id, (_portable(experiment, problem), problem))
        self.partials: dict[str, Partial] = {}
        self.errors: dict[str, str] = {}
        self.failures = dict.fromkeys(self.jobs, 0)  # since the last piece that came back
        self.claimed: dict[str, ExitStack] = {}
        self.ready: deque[str] = deque()
        self.out: dict[Future[Partial], str] = {}
        self.suspects: deque[str] = deque()
        self.alone = ""
        self.waiting = deque(run_id for run_id in self.jobs if not self._is_done(run_id))
        self.todo = list(self.waiting)
        self.began, self.before = 0.0, 0.0  # the first sign of progress, and what was done then

    def _is_done(self, run_id: str) -> bool:
        if self.store.is_done(run_id):
            self._read(run_id)
        return run_id in self.errors or self._has_ended(run_id)

    def _read(self, run_id: str) -> None:
        try:
            self.partials[run_id] = self.store.load(self.jobs[run_id][1])
        except DamagedError as error:  # the failure of one run
            self.errors[run_id] = str(error)

    def _has_ended(self, run_id: str) -> bool:
        return run_id in self.partials and self.partials[run_id].stopped is not None

    def drive(self, executor: Executor) -> None:
        """Give out pieces until every run has ended."""
        try:
            while self.waiting or self.claimed:
                self._claim(executor.capacity)
                self._show()
                self._give_out(executor)
                if not self.out and self.waiting:  # others work on all that is left
                    time.sleep(0.2)
                for future in wait(self.out, timeout=0.5, return_when=FIRST_COMPLETED).done:
                    self._take(self.out.pop(future), future)
                self._show()
        finally:
            _problems.clear()  # of this process, where it was the worker
            for future in self.out:
                future.cancel()
            for held in self.claimed.values():
                held.close()
            if self.line:
                self.line.clear()

    def _claim(self, capacity: int) -> None:
        """Take what nobody else works on, as much as the workers can keep in hand."""
        for _ in range(len(self.waiting)):
            if len(self.claimed) >= capacity:
                return
            run_id, held = self.waiting.popleft(), ExitStack()
            try:
                partial = held.enter_context(self.store.claim(self.jobs[run_id][1], wait=False))
            except BusyError:
                self.waiting.append(run_id)
                continue
            except DamagedError as error:
                self.errors[run_id] = str(error)
                continue
            self.partials[run_id] = partial
            if partial.stopped is not None:  # another process has finished it
                held.close()
                continue
            self.before += self._share(run_id)
            self.claimed[run_id] = held
            self.ready.append(run_id)

    def _give_out(self, executor: Executor) -> None:
        if self.suspects or self.alone:
            if not self.out:
                self.alone = self.suspects.popleft()
                self._submit(self.alone, executor)
            return
        while self.ready:
            self._submit(self.ready.popleft(), executor)

    def _submit(self, run_id: str, executor: Executor) -> None:
        job, _ = self.jobs[run_id]
        arguments: list[Any] = [run_id, __version__, job, self.partials[run_id], SAVE_EVERY]
        if isinstance(executor, Here):  # nobody looks at the bar meanwhile
            arguments.append(lambda partial: self._show(run_id, partial))
        try:
            future = executor.submit(piece, *arguments)
        except GameError:  # nothing can be submitted any more
            raise
        except Exception as error:  # this cannot be
            self.alone = ""
            self._fail(run_id, error, self.ready)
        else:
            self.out[future] = run_id

    def _take(self, run_id: str, future: Future[Partial]) -> None:
        """Save what came back, or count the failure."""
        alone, self.alone = run_id == self.alone, ""
        try:
            partial = future.result()
        except BrokenExecutor as error:
            if not alone:
                self.suspects.append(run_id)
                return
            self._fail(run_id, error, self.suspects)
            return
        except (Exception, SystemExit) as error:
            self._fail(run_id, error, self.ready)
            return
        self.failures[run_id] = 0
        self.partials[run_id] = partial
        self.store.save(self.jobs[run_id][1], partial)
        if partial.stopped is None:
            self.ready.append(run_id)
        else:
            self.claimed.pop(run_id).close()

    def _fail(self, run_id: str, error: BaseException, again: deque[str]) -> None:
        self.failures[run_id] += 1
        if self.failures[run_id] <= self.retries:
            again.append(run_id)
            return
        self.errors[run_id] = f"{type(error).__name__}: {error}".splitlines()[0]
        if "pickle" in str(error).lower():
            self.errors[run_id] += " What players see must be plain values; or use workers=1"
        self.claimed.pop(run_id).close()

    def _share(self, run_id: str) -> float:
        """How much of a run is done."""
        if run_id in self.errors or self._has_ended(run_id):
            return 1.0
        partial = self.partials.get(run_id)
        return partial.state.iteration / self.jobs[run_id][1].stops[-1] if partial else 0.0

    def _show(self, run_id: str = "", partial: Partial | None = None) -> None:
        """The bar; a run that this process works on is as far as its partial."""
        if self.line is None:
            return
        if partial:
            self.partials[run_id] = partial
        shares = [self._share(run_id) for run_id in self.todo]
        done, total = sum(shares), len(shares)
        if not self.began and done > self.before:  # all is compiled, and the clock starts
            self.began, self.before = time.monotonic(), done
        new, spent = done - self.before, time.monotonic() - self.began
        left = f"about {spent * (total - done) / new:.0f} s left" if new > 0 else "starting"
        failed = f", {len(self.errors)} failed" if self.errors else ""
        others = "" if self.claimed or not self.waiting else ", another process works on the rest"
        self.line.show(
            f"sweep |{'█' * int(20 * done / total):<20}| "
            f"{sum(share == 1.0 for share in shares)} of {total} runs, {left}{failed}{others}"
        )

    def result(self) -> tuple[tuple[Run | None, ...], tuple[str | None, ...]]:
        """Runs and errors, in the order in which they were asked for."""
        runs = [
            None
            if problem.run_id in self.errors
            else finish(
                problem, self.partials[problem.run_id], self.store.provenance(problem.run_id)
            )
            for problem in self.problems
        ]
        errors = [self.errors.get(problem.run_id) for problem in self.problems]
        return tuple(runs), tuple(errors)


def _problems_of(asked: Sequence[Experiment]) -> list[Problem]:
    """Each experiment's problem; rules that several share are compiled once."""
    own = {id(one.game): one.game for one in asked if not isinstance(one.game, str)}
    trees = {key: compile_game(game) for key, game in own.items()}
    problems = []
    for number, one in enumerate(asked, 1):
        try:
            problems.append(replace(one, game=trees.get(id(one.game), one.game)).problem())
        except GameError as error:
            raise GameError(f"experiment {number} of {len(asked)}: {error}") from None
    return problems


def _portable(experiment: Experiment, problem: Problem) -> Experiment | Problem:
    """Names travel light and are compiled once per worker; one's own games travel compiled."""
    named = experiment.game in GAMES if isinstance(experiment.game, str) else False
    return experiment if named and isinstance(experiment.abstraction, str | None) else problem
