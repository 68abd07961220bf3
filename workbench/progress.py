"""Telling a waiting person how far we are: one line that rewrites itself, nothing in a pipe."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

__all__ = ["StatusLine"]


def _someone_watches() -> bool:
    """A terminal, or a notebook (its stderr is no terminal but belongs to ipykernel)."""
    return sys.stderr is not None and (
        sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")
    )


@dataclass
class StatusLine:
    """Show texts on standard error, from `after` seconds on, at most five times a second."""

    after: float = 1.0
    _next: float = field(default=0.0, init=False)
    _width: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._next = time.monotonic() + self.after if _someone_watches() else float("inf")

    def show(self, text: str) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.2
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
            self._width = len(text)

    def clear(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0
