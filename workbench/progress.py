"""Progress, for a person who waits: one line that rewrites itself; in a log, one line a minute.

>>> heard = []
>>> with told_to(heard.append), ProgressBar("counting", 40, note="at {}".format) as bar:
...     for k in (10, 20, 30):
...         bar.show(k, k)
>>> for text in heard:
...     print(text)
counting |█████               | 10 of 40, starting, at 10
counting |██████████          | 20 of 40, starting, at 20
counting |███████████████     | 30 of 40, about 0 s left, at 30
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from workbench.settings import need_function

LOG = 60.0  # seconds between the lines of a log: a night makes a few hundred

Thing = TypeVar("Thing")

_listener: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


@contextmanager
def told_to(listen: Callable[[str], None]) -> Iterator[None]:
    """Inside, every status line of this thread goes to a function, which may raise to stop it."""
    token = _listener.set(listen)
    try:
        yield
    finally:
        _listener.reset(token)


class StatusLine:
    """Show texts from `after` seconds on, at most five times a second.

    On a terminal the line is on standard error; in a notebook it is a display of its own
    that is emptied at the end; a file or pipe gets whole lines, the first after a minute.
    """

    def __init__(self, after: float = 1.0) -> None:
        now, self.after = time.monotonic(), after
        self._next, self._log = now + after, now + LOG
        self._shown = ""
        self._display: Any = None

    def show(self, text: str) -> None:
        listen = _listener.get()
        if listen is not None:
            listen(text)
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.2
            self._write(text)

    def clear(self) -> None:
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        if _in_notebook():
            from html import escape

            from IPython.display import display

            html = f"<small>{escape(text)}</small>" if text else ""
            page = {"text/html": html, "text/plain": text}  # at the end nothing is left of either
            if self._display is None:
                self._display = display(page, raw=True, display_id=True)
            else:
                self._display.update(page, raw=True)
        elif sys.stderr is None:
            return
        elif sys.stderr.isatty():
            sys.stderr.write("\r" + text.ljust(len(self._shown)) + ("" if text else "\r"))
            sys.stderr.flush()
        elif text and time.monotonic() >= self._log:
            self._log = time.monotonic() + LOG
            sys.stderr.write(text + "\n")
            sys.stderr.flush()
        self._shown = text


@dataclass
class ProgressBar:
    """A status line with a bar, what is done of all there is, and how long the rest will take.

    `shown`: True for at once, None for after two seconds, False for never; or a function of
    (done, total, the value that `note` puts into words), which is called instead. The clock starts
    at the first progress, or with `begin`: what an earlier session did, and compiling, tell nothing
    about the rest.
    """

    what: str
    total: int
    shown: bool | Callable[[int, int, Any], None] | None = None
    note: Callable[[Any], str] = str
    _began: float = field(default=0.0, init=False)
    _first: float | None = field(default=None, init=False)  # what was done when the clock started

    def __post_init__(self) -> None:
        if not (self.shown is None or isinstance(self.shown, bool)):
            need_function("progress, if not True or False,", self.shown, "done, total, value")
        self.line = StatusLine(after=0.0 if self.shown else 2.0)

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *error: object) -> None:
        self.line.clear()

    def begin(self, done: float) -> None:
        """Start the clock now: the first step tells as much about the rest as any other."""
        self._began, self._first = time.monotonic(), done

    def show(self, done: float, value: Any = None, count: str = "") -> None:
        """So much is done; `count` says it in other words than "3 of 40"."""
        if callable(self.shown):
            self.shown(int(done), self.total, value)
        if callable(self.shown) or self.shown is False:
            return
        if self._first is None:
            self._first = done
        elif not self._began and done > self._first:
            self._began, self._first = time.monotonic(), done
        new, spent = done - self._first, time.monotonic() - self._began
        left = f"about {spent * (self.total - done) / new:.0f} s left" if new > 0 else "starting"
        said = "" if value is None else f", {self.note(value)}"
        count = count or f"{done:,} of {self.total:,}"
        self.say(f"{self.what} |{'█' * int(20 * done / self.total):<20}| {count}, {left}{said}")

    def say(self, text: str) -> None:
        """Any other text, on the same line."""
        if self.shown is not False and not callable(self.shown):
            self.line.show(text)


def counted(things: Iterable[Thing], what: str) -> Iterator[Thing]:
    """The same things one by one, while a status line counts them; whoever listens may stop that.

    >>> heard = []
    >>> with told_to(heard.append):
    ...     sum(counted(range(300), "adding up"))
    44850
    >>> heard
    ['adding up: 0', 'adding up: 256']
    """
    status = StatusLine()
    try:
        for k, thing in enumerate(things):
            if not k & 0xFF:
                status.show(f"{what}: {k:,}")
            yield thing
    finally:
        status.clear()


def _in_notebook() -> bool:
    return type(sys.stderr).__module__.startswith("ipykernel")
