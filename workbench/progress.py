"""Telling a waiting person how far we are: one line that rewrites itself, in a log one a minute."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

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


@dataclass
class StatusLine:
    """Show texts from `after` seconds on, at most five times a second.

    On a terminal the line is on standard error; in a notebook it is a display of its own
    that is emptied at the end; a file or pipe gets whole lines, the first after a minute.
    """

    after: float = 1.0
    _next: float = field(default=0.0, init=False)
    _log: float = field(default=0.0, init=False)
    _shown: str = field(default="", init=False)
    _display: Any = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._next = time.monotonic() + self.after
        self._log = time.monotonic() + LOG

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
            from IPython.display import HTML, display

            page = HTML(f"<small>{text}</small>" if text else "")  # type: ignore[no-untyped-call]
            if self._display is None:
                self._display = display(page, display_id=True)  # type: ignore[no-untyped-call]
            else:
                self._display.update(page)
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
