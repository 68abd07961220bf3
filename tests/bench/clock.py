"""Fair timing: one core, turn by turn, pieces of equal length, the fastest piece counts.

Seconds are seconds of the processor, children of this process not included: what other
programs do beside it does not count, and on one core a second thread gains nothing. Other
programs still spoil caches and so can only make a piece slower: the fastest of several says
most about the code. Pieces are equally long, because a short one escapes more easily.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")

# Windows ticks sixty times a second; there the clock on the wall is the better one.
FINE = time.get_clock_info("process_time").resolution < 1e-4
now = time.process_time if FINE else time.perf_counter

Work = Callable[[int], object]  # do it so many times


@dataclass(frozen=True)
class Settings:
    """How long to measure."""

    quick: bool

    @property
    def piece(self) -> float:
        """Seconds of one turn."""
        return 0.05 if self.quick else 0.15

    @property
    def rounds(self) -> int:
        return 7 if self.quick else 30


def one_core() -> str:
    """Keep this process and its children on one core; call it before numpy is imported."""
    os.environ.update(dict.fromkeys(THREADS, "1"))
    if not hasattr(os, "sched_setaffinity"):
        return "one thread (this system cannot pin a process to a core)"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"one core (number {core})"


def seconds_each(
    works: Sequence[Work], settings: Settings, rounds: int | None = None
) -> list[float]:
    """Seconds that one repetition of each work takes, measured turn by turn."""
    repeats = [_repeats(work, settings.piece) for work in works]
    best = [float("inf")] * len(works)
    for _ in range(rounds or settings.rounds):
        for i, work in enumerate(works):
            best[i] = min(best[i], seconds(work, repeats[i]) / repeats[i])
    return best


def seconds(work: Work, repeats: int = 1) -> float:
    """Seconds that a work takes, all repetitions together."""
    began = now()
    work(repeats)
    return now() - began


def _repeats(work: Work, piece: float) -> int:
    """How many repetitions fill a piece; the first call also warms up."""
    work(1)
    repeats = 1
    while (took := seconds(work, repeats)) < piece / 4:
        repeats *= 2
    return max(1, round(repeats * piece / took))


def repeat(function: Callable[[], object]) -> Work:
    """A function as work."""

    def work(times: int) -> None:
        for _ in range(times):
            function()

    return work
