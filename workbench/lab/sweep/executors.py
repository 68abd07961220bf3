"""Where pieces of work are done: in this process, in processes beside it, on a Dask cluster.

All three offer `submit(function, *arguments)`, which answers with a future, say how many pieces
they can keep in hand (`capacity`: enough that no worker waits while results are written), and are
used in a `with` statement. A broken pool of processes is replaced at the next submit.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from functools import cache
from typing import Any, Protocol, TypeVar

from workbench.rules import GameError

T = TypeVar("T")

CONNECT = 10  # seconds to wait for a cluster
FEW = 16  # pieces in hand while a cluster is still growing


class Executor(Protocol):
    """What a sweep needs."""

    @property
    def capacity(self) -> int: ...

    def submit(self, function: Callable[..., T], /, *arguments: Any) -> Future[T]: ...

    def __enter__(self) -> Executor: ...

    def __exit__(self, *error: object) -> None: ...


def choose_executor(workers: int, dask: Any = None) -> Executor:
    """A cluster if one is named, else processes, else (one worker) this process."""
    if dask is not None:
        return _Dask(dask)
    return _Processes(workers) if workers > 1 else Here()


class Here:
    """In this process, while `submit` is called."""

    capacity = 1

    def submit(self, function: Callable[..., T], /, *arguments: Any) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(function(*arguments))
        except (Exception, SystemExit) as error:
            future.set_exception(error)
        return future

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *error: object) -> None:
        pass


class _Processes:
    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.capacity = 2 * workers
        self.pool: Any = None

    def submit(self, function: Callable[..., T], /, *arguments: Any) -> Future[T]:
        from joblib.externals.loky import get_reusable_executor

        with _deaf_to_ctrl_c():
            for last in (False, True):
                self.pool = get_reusable_executor(max_workers=self.workers, timeout=60)
                try:
                    owner = os.getpid()
                    future: Future[T] = self.pool.submit(_with_owner, owner, function, *arguments)
                    return future
                except BrokenExecutor:  # it broke since we got it; the next one is new
                    if last:
                        raise
        raise AssertionError

    def __enter__(self) -> _Processes:
        return self

    def __exit__(self, *error: object) -> None:
        if self.pool and error[0] is not None:  # do not wait for the pieces still out
            self.pool.shutdown(wait=False, kill_workers=True)


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes begun inside do not hear Ctrl-C, which a terminal sends to all of them.

    It is the owner's to answer: she ends them. Else one that is still importing, or reading a
    kernel, would print its own traceback. What comes for her meanwhile is heard at the end.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # before: when it begins, it lets Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _with_owner(owner: int, function: Callable[..., T], /, *arguments: Any) -> T:
    """In a worker: do the piece, and do not outlive an owner that was killed."""
    _watch(owner)
    return function(*arguments)


@cache
def _watch(owner: int) -> None:
    threading.Thread(target=_leave_after, args=(owner,), daemon=True).start()


def _leave_after(owner: int) -> None:
    while os.getppid() == owner:  # an orphan is adopted by somebody else
        time.sleep(0.5)
    os._exit(1)


class _Dask:
    def __init__(self, where: Any) -> None:
        try:
            import distributed
        except ImportError:
            raise GameError("dask: a cluster needs dask: pip install 'dask[distributed]'") from None
        cluster: Any = distributed  # typed or not, as it comes
        self.mine = isinstance(where, str)
        if not self.mine and not isinstance(where, cluster.Client):
            raise GameError(f"dask must be a cluster's address or its Client, not {where!r}")
        try:
            self.client = cluster.Client(where, timeout=CONNECT) if self.mine else where
        except (OSError, ValueError) as error:
            raise GameError(f"dask: no cluster answers at {where} ({error})") from None
        self.executor = self.client.get_executor(pure=False)

    @property
    def capacity(self) -> int:
        with self._clear_errors():
            threads: int = sum(self.client.nthreads().values())
        return max(FEW, 2 * threads)

    def submit(self, function: Callable[..., T], /, *arguments: Any) -> Future[T]:
        import dask

        big: Any = {"distributed.admin.large-graph-warning-threshold": "1 TiB"}
        with self._clear_errors(), dask.config.set(big):  # one's own game travels, big or small
            future: Future[T] = self.executor.submit(function, *arguments)
        return future

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if isinstance(error, OSError) or self.client.status != "running":
                raise GameError(
                    f"dask: the cluster is lost ({error}); what came back is kept, start the "
                    "sweep again to go on"
                ) from None
            raise

    def __enter__(self) -> _Dask:
        return self

    def __exit__(self, *error: object) -> None:
        if self.mine:
            self.client.close()
