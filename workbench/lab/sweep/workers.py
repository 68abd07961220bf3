"""Where pieces of runs are done: in this process, in processes beside it, on a Dask cluster.

A *pool* answers `submit(function, *arguments)` with a future of `concurrent.futures`. The processes
are those of joblib (loky): if one of them dies, the pieces that were out are lost with it, and the
next piece finds new processes.
"""

from __future__ import annotations

import copyreg
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from workbench._version import __version__
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.resumable import Partial, Problem, work

CONNECT = 10  # seconds to wait for a cluster
FEW = 16  # pieces in hand while a cluster is still growing

# Packages that load their names lazily have a class of their own: they travel by name, as others do.
LAZY = type(import_module("workbench.lab.sweep"))
copyreg.pickle(LAZY, lambda package: (import_module, (package.__name__,)))

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


# ---- pools ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Pool:
    """Who does pieces."""

    submit: Callable[..., Future[Any]]
    capacity: Callable[[], int]  # how many to have out: nobody waits while results are written
    here: bool = False  # in this process, while `submit` is called


def open_pool(workers: int, dask: Any = None) -> AbstractContextManager[Pool]:
    """A cluster if one is named, else processes, else (one worker) this process."""
    if dask is not None:
        return _cluster(dask)
    return _processes(workers) if workers > 1 else _here()


@contextmanager
def _here() -> Iterator[Pool]:
    def submit(function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments))
        except (Exception, SystemExit) as error:
            future.set_exception(error)
        return future

    try:
        yield Pool(submit, lambda: 1, here=True)
    finally:
        _problems.clear()


@contextmanager
def _processes(workers: int) -> Iterator[Pool]:
    from joblib.externals.loky import get_reusable_executor

    def pool() -> Any:  # the same as long as it is whole
        return get_reusable_executor(
            workers, timeout=60, initializer=_watch, initargs=(os.getpid(),)
        )

    def submit(function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        with _deaf_to_ctrl_c():
            future: Future[Any] = pool().submit(function, *arguments)
        return future

    try:
        yield Pool(submit, lambda: 2 * workers)
    except BaseException:
        pool().shutdown(wait=False, kill_workers=True)  # do not wait for the pieces still out
        raise


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


def _watch(owner: int) -> None:
    """In a worker: do not outlive an owner that was killed."""

    def leave() -> None:
        while os.getppid() == owner:  # an orphan is adopted by somebody else
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=leave, daemon=True).start()


@contextmanager
def _cluster(where: Any) -> Iterator[Pool]:
    try:
        import dask
        import distributed
    except ImportError:
        raise GameError("dask: a cluster needs dask: pip install 'dask[distributed]'") from None
    cluster: Any = distributed  # typed or not, as it comes
    mine = isinstance(where, str)
    if not mine and not isinstance(where, cluster.Client):
        raise GameError(f"dask must be a cluster's address or its Client, not {where!r}")
    try:
        client = cluster.Client(where, timeout=CONNECT) if mine else where
    except (OSError, ValueError) as error:
        raise GameError(f"dask: no cluster answers at {where} ({error})") from None
    big: Any = {"distributed.admin.large-graph-warning-threshold": "1 TiB"}

    def submit(function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        with dask.config.set(big):  # one's own game travels, big or small
            future: Future[Any] = client.get_executor(pure=False).submit(function, *arguments)
        return future

    try:
        yield Pool(submit, lambda: max(FEW, 2 * sum(client.nthreads().values())))
    except Exception as error:
        if isinstance(error, OSError) or client.status != "running":
            raise GameError(
                f"dask: the cluster is lost ({error}); what came back is kept, start the "
                "sweep again to go on"
            ) from None
        raise
    finally:
        if mine:
            client.close()
