"""All cores for one kernel: a range of boards is cut into pieces, and threads share them.

Kernels release the interpreter's lock, and each writes only what belongs to its boards, so the
result does not depend on how the pieces fall.

Products of small matrices are left to one thread each (`one_blas_thread`). BLAS would cut them up
for all cores, and its threads wait in a loop.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

PIECES, SMALL = 6, 400_000  # pieces for each core; numbers that need no threads


def cores() -> int:
    """On how many cores this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Limit:
    """How many are inside `one_blas_thread`: the first limits, the last gives the threads back."""

    lock, inside = Lock(), 0
    limiter: Any = None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let products of matrices run in the thread that asks for them. Going in and out takes as
    long as a few products, so stay for many iterations."""
    with _Limit.lock:
        if not _Limit.inside:
            _Limit.limiter = _blas().limit(limits=1, user_api="blas")
        _Limit.inside += 1
    try:
        yield
    finally:
        with _Limit.lock:
            _Limit.inside -= 1
            if not _Limit.inside:
                _Limit.limiter.restore_original_limits()


@cache
def _blas() -> ThreadpoolController:
    """The libraries that are loaded; looking for them takes milliseconds."""
    import scipy.linalg  # noqa: F401 (kernels multiply by its BLAS)

    return ThreadpoolController()


def in_pieces(
    function: Callable[..., Any], count: int, pieces: int, *arguments: Any
) -> Iterator[Any]:
    """Call function(low, high, *arguments) for pieces of 0 .. count on all cores; what each hands
    back, as they finish. Whoever stops listening waits for the pieces that have begun."""
    edges = np.linspace(0, count, min(count, pieces) + 1).astype(int).tolist()
    pool = _pool(cores())
    waiting = [pool.submit(function, *piece, *arguments) for piece in pairwise(edges)]
    try:
        for done in as_completed(waiting):
            yield done.result()
    finally:
        begun = [one for one in waiting if not one.cancel()]
        for one in begun:
            one.exception()


def spread(function: Callable[..., Any], count: int, size: int, *arguments: Any) -> None:
    """Call function(0, count, *arguments): on all cores, if it works on so many numbers that waking
    their threads is worth it."""
    if cores() == 1 or count < 2 or size < SMALL:
        function(0, count, *arguments)
        return
    for _ in in_pieces(function, count, PIECES * cores(), *arguments):
        pass


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "games-of-cards")


if hasattr(os, "register_at_fork"):  # threads do not survive in a forked process
    os.register_at_fork(after_in_child=_pool.cache_clear)
