"""Work in the background: a panel that computes and still answers.

Everyday example: a washing machine. One presses Start and goes away; the display tells how far it
is and how many minutes are left; Stop works at any time; and it rings once when it is done.

A *job* is a function that does its work in steps of about a tenth of a second and says after each
how far it is. `tell` is also where it stops when somebody has asked for that.

>>> def count(job):
...     for k in range(1, 4):
...         job.tell(k / 3, f"{k} of 3", value=k)
...     return "done"
>>> ends = []
>>> job = Job(count, done=ends.append).start()
>>> job.wait()
True
>>> ends[0].value, ends[0].stopped, ends[0].message
('done', False, '')

Two threads: one works, the other watches it and calls the view, `show(progress)` at most every
0.4 seconds and `done(outcome)` exactly once, never both at a time. Set traits of widgets there,
but print nothing: the output of a thread is lost. If the work does not come to a `tell` soon after
Stop (one long compiled step), the view hears `done` all the same, with the value told last; what
the thread still does is thrown away, and it ends at its next `tell`.

Compiling a game and whatever else shows a `StatusLine` tells the job as well, by itself.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workbench.progress import told_to
from workbench.rules import GameError

EVERY = 0.4  # seconds between two calls of show
PATIENCE = 0.15  # seconds from Stop until the view hears of it, whatever the work does


class Stopped(BaseException):
    """Raised by `tell` when the job shall stop; `except Exception` does not catch it."""


@dataclass(frozen=True)
class Progress:
    """What the view is shown while a job runs."""

    fraction: float | None  # of the work; None if nobody knows
    text: str
    seconds: float  # since the start
    left: float | None  # seconds, if they can be told
    value: Any  # what was told last


@dataclass(frozen=True)
class Outcome:
    """How a job ended."""

    value: Any  # returned; if stopped or broken, what was told last
    stopped: bool = False
    error: BaseException | None = None

    @property
    def message(self) -> str:
        """The error in one line for people, or nothing."""
        return message_of(self.error) if self.error else ""


def message_of(error: BaseException) -> str:
    """One line for people; a GameError speaks for itself.

    >>> message_of(GameError("iterations must be at least 1")), message_of(KeyError("Q"))
    ('iterations must be at least 1', "KeyError: 'Q'")
    """
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
        self._started, self._stop, self._ended, self._news = (threading.Event() for _ in range(4))
        self._closed = False
        self._calling = threading.RLock()
        self._told: tuple[float | None, str, Any] = (None, "", None)
        self._began = self._phase = time.monotonic()  # the start, and that of the counted part
        self._first: float | None = None  # fraction at the beginning of the counted part
        self._outcome = Outcome(None)
        self._threads = [
            threading.Thread(target=run, name=f"workbench {name}{what}", daemon=True)
            for run, what in ((self._run, ""), (self._watch, " (watch)"))
        ]

    def start(self) -> Job:
        """Begin; returns at once."""
        _JOBS.add(self)
        self._began = self._phase = time.monotonic()
        for thread in self._threads:
            thread.start()
        self._started.set()
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
        if not self._started.wait(seconds):  # another thread is just about to
            return False
        self._threads[1].join(seconds)
        return not self._threads[1].is_alive()

    @property
    def running(self) -> bool:
        """True until the view has heard of the end."""
        return self._threads[1].is_alive()

    @property
    def stopping(self) -> bool:
        """True if somebody has asked for a stop: a look for work that must not be cut by `tell`."""
        return self._stop.is_set()

    def tell(self, fraction: float | None, text: str = "", value: Any = None) -> None:
        """Called by the work, about every 0.1 seconds: how far it is, and what it has so far.

        A value of None keeps the one before. Raises Stopped if somebody has asked for that.
        """
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
        try:
            while not self._news.wait(EVERY):
                self._call(self._show, self._progress())
            late = not self._ended.wait(PATIENCE)
            self._call(self._done, Outcome(self._told[2], True) if late else self._outcome)
        finally:
            self._stop.set()
            _JOBS.discard(self)

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


class Latest:
    """Things to do soon that nobody shall wait for, such as drawing: the latest wish counts.

    Wishes made while one is fulfilled replace each other. The thread ends when none is left.

    >>> drawn = []
    >>> painter = Latest()
    >>> painter.ask(lambda: drawn.append("a curve"))
    >>> painter.wait(), drawn
    (True, ['a curve'])
    """

    def __init__(self, name: str = "job") -> None:
        self._name = name
        self._lock = threading.Lock()
        self._wish: Callable[[], None] | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def ask(self, wish: Callable[[], None]) -> None:
        """Do this soon; returns at once."""
        with self._lock:
            if self._closed:
                return
            self._wish = wish
            if self._thread is None:
                name = f"workbench {self._name} (later)"
                self._thread = threading.Thread(target=self._run, name=name, daemon=True)
                _LATEST.add(self)
                self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until nothing is left to do; False if that takes longer."""
        while (thread := self._thread) not in (None, threading.current_thread()):
            thread.join(seconds)
            if thread.is_alive():
                return False
        return True

    def close(self) -> None:
        """Forget the wish, and take no others."""
        with self._lock:
            self._closed, self._wish = True, None

    def _run(self) -> None:
        try:
            while True:
                with self._lock:
                    wish, self._wish = self._wish, None
                    if wish is None:
                        self._end()
                        return
                wish()
        except BaseException:  # the next one gets a thread of its own
            with self._lock:
                self._end()
            raise

    def _end(self) -> None:
        self._thread = None
        _LATEST.discard(self)


_JOBS: set[Job] = set()
_LATEST: set[Latest] = set()


@atexit.register
def _stop_all() -> None:
    """Python ends: let compiled work come to its next step first."""
    jobs, painters = list(_JOBS), list(_LATEST)
    for job in jobs:
        job.close()
    for painter in painters:
        painter.close()
    for job in jobs:
        job._threads[0].join(1.0)
    for painter in painters:
        painter.wait(1.0)
