"""The owner of a sweep, who gives out pieces of runs and writes down what comes back.

If a pool of processes breaks, nobody knows which piece did it. All that were out become
*suspects*, and suspects go alone until they have come back once: a run that kills its worker
takes no other run with it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import replace

from workbench._version import __version__
from workbench.compiling import compile_game
from workbench.files import DamagedError
from workbench.games.registry import GAMES
from workbench.lab.sweep.workers import Pool, piece
from workbench.progress import ProgressBar
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.lock import BusyError
from workbench.runs.resumable import Partial, Problem
from workbench.runs.run import Run, finish
from workbench.runs.solve import SAVE_EVERY
from workbench.runs.store import Store

Answer = Partial | BaseException | None  # to a piece; none before the first


class Owner:
    """The only one who writes to the store; `waiting` is what there is to do."""

    def __init__(
        self, store: Store, asked: Sequence[Experiment], retries: int, progress: bool
    ) -> None:
        self.store, self.retries = store, retries
        self.problems = _problems_of(asked)
        self.jobs: dict[str, tuple[Experiment | Problem, Problem]] = {}
        for experiment, problem in zip(asked, self.problems, strict=True):
            self.jobs.setdefault(problem.run_id, (_portable(experiment, problem), problem))
        self.partials: dict[str, Partial] = {}
        self.errors: dict[str, str] = {}
        self.lives: dict[str, Generator[None, Answer, None]] = {}  # of the runs we have claimed
        self.ready: list[str] = []
        self.out: dict[Future[Partial], str] = {}
        self.suspects: set[str] = set()
        self.waiting = deque(run_id for run_id in self.jobs if not self._is_done(run_id))
        self.todo = list(self.waiting)
        self.bar = ProgressBar("sweep", len(self.todo), progress)

    def _is_done(self, run_id: str) -> bool:
        if self.store.is_done(run_id):
            try:
                self.partials[run_id] = self.store.load(self.jobs[run_id][1])
            except DamagedError as error:  # the failure of one run
                self.errors[run_id] = str(error)
        return self._has_ended(run_id)

    def _life(self, run_id: str) -> Generator[None, Answer, None]:
        """A run from its claim to its end; each `yield` waits for a piece to be done."""
        problem, failures = self.jobs[run_id][1], 0
        with self.store.claim(problem, wait=False) as partial:
            self.partials[run_id] = partial
            while not self._has_ended(run_id):
                answer = yield
                if isinstance(answer, Partial):
                    failures, self.partials[run_id] = 0, answer
                    self.store.save(problem, answer)
                elif (failures := failures + 1) > self.retries:
                    self.errors[run_id] = _in_a_line(answer)

    def drive(self, pool: Pool) -> None:
        """Give out pieces until every run has ended."""
        try:
            with self.bar:
                while self.waiting or self.lives:
                    self._claim(pool.capacity())
                    self._show()
                    while self.ready and len(self.out) < (1 if self.suspects else len(self.jobs)):
                        run_id = max(self.ready, key=self.suspects.__contains__)  # suspects first
                        self.ready.remove(run_id)
                        self.out[self._submit(run_id, pool)] = run_id
                    if not self.out and self.waiting:  # others work on all that is left
                        time.sleep(0.2)
                    for future in wait(self.out, timeout=0.5, return_when=FIRST_COMPLETED).done:
                        self._take(self.out.pop(future), future)
                    self._show()
        finally:
            for future in self.out:
                future.cancel()
            for life in self.lives.values():
                life.close()

    def _claim(self, capacity: int) -> None:
        """Take what nobody else works on, as much as the workers can keep in hand."""
        for _ in range(len(self.waiting)):
            if len(self.lives) < capacity:
                run_id = self.waiting.popleft()
                self.lives[run_id] = self._life(run_id)
                self._go_on(run_id, None)

    def _submit(self, run_id: str, pool: Pool) -> Future[Partial]:
        job, partial = self.jobs[run_id][0], self.partials[run_id]
        tell = [lambda partial: self._show(run_id, partial)] if pool.here else []
        try:
            return pool.submit(piece, run_id, __version__, job, partial, SAVE_EVERY, *tell)
        except Exception as error:  # it cannot travel, or the pool broke just now
            failed: Future[Partial] = Future()
            failed.set_exception(error)
            return failed

    def _take(self, run_id: str, future: Future[Partial]) -> None:
        answer: Answer
        try:
            answer = future.result()
        except (Exception, SystemExit) as error:
            answer = error
        broken = isinstance(answer, BrokenExecutor)
        if broken and run_id not in self.suspects:  # it may have been another one
            self.suspects.add(run_id)
            self.ready.append(run_id)
            return
        if not broken:
            self.suspects.discard(run_id)
        self._go_on(run_id, answer)

    def _go_on(self, run_id: str, answer: Answer) -> None:
        """Answer a run; it wants another piece, or has ended."""
        try:
            self.lives[run_id].send(answer)
        except StopIteration:
            self.suspects.discard(run_id)
        except BusyError:  # another process has it
            self.waiting.append(run_id)
        except DamagedError as error:
            self.errors[run_id] = str(error)
        else:
            self.ready.append(run_id)
            return
        del self.lives[run_id]

    def _has_ended(self, run_id: str) -> bool:
        partial = self.partials.get(run_id)
        return run_id in self.errors or (partial is not None and partial.stopped is not None)

    def _share(self, run_id: str) -> float:
        """How much of a run is done."""
        if self._has_ended(run_id):
            return 1.0
        partial = self.partials.get(run_id)
        return partial.state.iteration / self.jobs[run_id][1].stops[-1] if partial else 0.0

    def _show(self, run_id: str = "", partial: Partial | None = None) -> None:
        """The bar; a run that this process works on is as far as its partial."""
        if partial:
            self.partials[run_id] = partial
        shares = [self._share(run_id) for run_id in self.todo]
        notes = [f"{len(self.errors)} failed"] if self.errors else []
        if self.waiting and not self.lives:
            notes.append("another process works on the rest")
        ended = f"{shares.count(1.0)} of {len(shares)} runs"
        self.bar.show(sum(shares), ", ".join(notes) or None, ended)

    def run(self, problem: Problem) -> Run | None:
        """What became of an experiment in the end."""
        run_id = problem.run_id
        if run_id in self.errors:
            return None
        return finish(problem, self.partials[run_id], self.store.provenance(run_id))


def _in_a_line(error: BaseException | None) -> str:
    line = f"{type(error).__name__}: {error}".splitlines()[0]
    hint = " What players see must be plain values; or use workers=1"
    return line + hint if "pickle" in str(error).lower() else line


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
