"""Work in the background: a panel that computes and still answers.

A *job* is a function that works in steps of about a tenth of a second and tells after each how far
it is; whatever shows a `StatusLine`, such as compiling a game, tells by itself. `tell` is also
where it stops when somebody has asked for that.

Two threads: one works, the other watches it and calls the view, `show(progress)` at most every
0.4 seconds and `done(outcome)` exactly once, never both at a time. Set traits of widgets there,
but print nothing: the output of a thread is lost. A `show` that fails is reported when all is over;
`done` is called nevertheless. If the work does not come to a `tell` soon after
Stop (one long compiled step), the view hears `done` all the same, with the value told last; what
the thread still does is thrown away, and it ends at its next `tell`.
"""

from __future__ import annotations

import atexit
import pickle
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from workbench.lab.processes import LostError, Processes
from workbench.progress import told_to
from workbench.rules import GameError

EVERY = 0.4  # seconds between two calls of show
PATIENCE = 0.15  # seconds from Stop until the view hears of it, whatever the work does
LOOK = 0.1  # seconds between two looks at Stop while another process works

_JOBS: set[Job] = set()


class Stopped(BaseException):
    """Raised by `tell` when the job shall stop; `except Exception` does not catch it."""


class Progress(NamedTuple):
    """What the view is shown while a job runs."""

    fraction: float | None  # of the work; None if nobody knows
    text: str
    seconds: float  # since the start
    left: float | None  # seconds, if they can be told
    value: Any  # what was told last


class Outcome(NamedTuple):
    """How a job ended."""

    value: Any  # returned; if stopped or broken, what was told last
    stopped: bool = False
    error: BaseException | None = None


def message_of(error: BaseException) -> str:
    """One line for people; a GameError speaks for itself."""
    if isinstance(error, MemoryError):
        return "There is not enough memory for this; try a smaller game or an abstraction."
    text = " ".join([str(error), *getattr(error, "__notes__", ())])
    return text if isinstance(error, GameError) else f"{type(error).__name__}: {text}"


class Job:
    """One piece of work in a thread of its own, to be started once."""

    def __init__(
        self,
        work: Callable[[Job], Any],
        *,
        show: Callable[[Progress], None] = lambda progress: None,
        done: Callable[[Outcome], None] = lambda outcome: None,
        name: str = "job",
    ) -> None:
        self._work, self._show, self._done = work, show, done
        self._stop, self._ended, self._news, self._over = (threading.Event() for _ in range(4))
        self._closed = False
        self._calling = threading.RLock()
        self._told: tuple[float | None, str, Any] = (None, "", None)
        self._began = self._phase = time.monotonic()  # the start, and that of the counted part
        self._first: float | None = None  # fraction at the beginning of the counted part
        self._outcome = Outcome(None)
        self._worker, self._watcher = (
            threading.Thread(target=run, name=f"workbench {name}", daemon=True)
            for run in (self._run, self._watch)
        )

    def start(self) -> Job:
        """Begin; returns at once."""
        _JOBS.add(self)
        self._worker.start()
        self._watcher.start()
        return self

    def stop(self) -> None:
        """Ask the work to stop; returns at once."""
        self._stop.set()
        self._news.set()

    def close(self) -> None:
        """Stop, and call the view no more."""
        with self._calling:  # not in the middle of a call
            self._closed = True
        self.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the view has heard of the end; False if that takes longer."""
        return self._over.wait(seconds)

    @property
    def running(self) -> bool:
        """True until the view has heard of the end."""
        return not self._over.is_set()

    @property
    def stopping(self) -> bool:
        """True if somebody has asked for a stop."""
        return self._stop.is_set()

    def tell(self, fraction: float | None, text: str = "", value: Any = None) -> None:
        """Called by the work: how far it is, and what it has so far; None keeps the one before."""
        if fraction is None:
            self._first = None
        elif self._first is None or fraction < self._first:
            self._first, self._phase = fraction, time.monotonic()
        self._told = (fraction, text, self._told[2] if value is None else value)
        if self._stop.is_set():
            raise Stopped

    def _run(self) -> None:
        """The thread that works."""
        value, error = None, None
        try:
            with told_to(lambda text: self.tell(None, text)):
                value = self._work(self)
        except Stopped:
            value = self._told[2]
        except BaseException as caught:
            value, error = self._told[2], caught
        self._outcome = Outcome(value, self._stop.is_set(), error)
        self._ended.set()
        self._news.set()

    def _watch(self) -> None:
        """The thread that speaks to the view."""
        failed: Exception | None = None
        try:
            while not self._news.wait(EVERY):
                try:
                    self._call(self._show, self._progress())
                except Exception as error:
                    failed = error
            late = not self._ended.wait(PATIENCE)
            self._call(self._done, Outcome(self._told[2], True) if late else self._outcome)
        finally:
            self._stop.set()
            self._over.set()
            _JOBS.discard(self)
        if failed is not None:
            raise failed

    def _call(self, view: Callable[[Any], None], argument: Any) -> None:
        with self._calling:
            if not self._closed:
                view(argument)

    def _progress(self) -> Progress:
        now, (fraction, text, value) = time.monotonic(), self._told
        left, first = None, self._first
        if fraction is not None and first is not None and fraction > first:
            left = (now - self._phase) * (1 - fraction) / (fraction - first)
        return Progress(fraction, text, now - self._began, left, value)


@atexit.register
def _stop_all() -> None:
    """Python ends: let compiled work come to its next step first."""
    jobs = list(_JOBS)
    for job in jobs:
        job.close()
    for job in jobs:
        job._worker.join(1.0)


def apart(job: Job, function: Callable[..., Any], *arguments: Any) -> Any:
    """The value of a function, found by another process, which dies when the job is stopped: for
    one long step inside a library, such as a linear program. What cannot be sent there is done
    right here."""
    with Processes(1) as there:
        answer = there.submit(function, *arguments)
        try:
            while True:
                job.tell(None, job._told[1])
                try:
                    return answer.result(LOOK)
                except TimeoutError:
                    if answer.done():  # its own
                        raise
        except pickle.PicklingError:
            return function(*arguments)
        except LostError:
            raise GameError(
                "the process that solved this has ended, perhaps for lack of memory; try a "
                "smaller game or an abstraction"
            ) from None
