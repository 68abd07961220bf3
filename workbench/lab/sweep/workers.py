"""Where pieces of runs are done: in this process, in processes beside it, on a Dask cluster.

All three are executors of `concurrent.futures`. The processes are joblib's (loky): if one of them
dies, the pieces that were out are lost with it, and the next piece finds new processes.
"""

from __future__ import annotations

import copyreg
import functools
import logging
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from workbench._version import __version__
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.resumable import Partial, Problem, work

CONNECT = 10  # seconds to wait for a cluster
FEW = 16  # pieces in hand while a cluster is still growing

# Packages that load their names lazily have a class of their own; they travel by name, too.
LAZY = type(import_module("workbench.lab.sweep"))
copyreg.pickle(LAZY, lambda package: (import_module, (package.__name__,)))

_problems: dict[str, Problem] = {}  # the last few that this worker met: trees are costly to make


def piece(
    run_id: str, version: str, job: Experiment | Problem, partial: Partial, budget: float
) -> Partial:
    """What a worker does: some seconds of a run, if it is the same run here as at the owner's."""
    need_version(version)
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
    return work(problem, partial, budget)


def need_version(version: str) -> None:
    """Refuse, at a worker, what another version of the workbench sends."""
    if version != __version__:
        raise GameError(
            f"a worker has workbench {__version__} and the sweep {version}: install the same "
            "everywhere"
        )


# ---- pools ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Pool:
    """Who does pieces, and how many to have out, so that nobody waits while results are saved."""

    executor: Callable[[], Executor]  # asked each time: processes that broke are replaced
    capacity: Callable[[], int]
    killed: bool = False  # its processes are killed in the end, with what they have in hand

    def drop(self, pieces: Iterable[Future[Any]]) -> None:
        """Nobody waits for these any more."""
        if not self.killed:  # loky's thread dies, and waits for ever, of a piece that was cancelled
            for future in pieces:
                future.cancel()

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        with _deaf_to_ctrl_c():
            return self.executor().submit(function, *arguments)


@contextmanager
def open_pool(workers: int, dask: Any = None) -> Iterator[Pool]:
    """A cluster if one is named, else processes, else (one worker) a thread of this process."""
    if dask is not None:
        with _client(dask) as client:
            executor, alone = client.get_executor(pure=False), _Alone()

            def capacity() -> int:
                threads = int(sum(client.nthreads().values()))
                alone.look(threads == 0)
                return max(FEW, 2 * threads)

            yield Pool(lambda: executor, capacity)
    elif workers == 1:
        try:
            with ThreadPoolExecutor(1) as here:
                yield Pool(lambda: here, lambda: 1)
        finally:
            _problems.clear()
    else:
        from joblib.externals.loky import get_reusable_executor

        pool = functools.partial(
            get_reusable_executor, workers, timeout=60, initializer=_watch, initargs=(os.getpid(),),
            env={"OPENBLAS_NUM_THREADS": "1"},  # as many processes as cores are enough
        )  # fmt: skip
        try:
            yield Pool(pool, lambda: 2 * workers, killed=True)
        except BaseException:
            pool().shutdown(wait=False, kill_workers=True)  # do not wait for the pieces still out
            raise


@dataclass
class _Alone:
    """Says so once when a cluster has had no workers for a while."""

    since: float = 0.0
    told: bool = False

    def look(self, empty: bool) -> None:
        if not empty or not self.since:
            self.since, self.told = time.monotonic() if empty else 0.0, False
        elif not self.told and time.monotonic() > self.since + CONNECT / 2:
            self.told = True
            waiting = "waiting for some; Ctrl-C keeps what came back"
            warnings.warn(f"dask: the cluster has no workers: {waiting}", stacklevel=2)


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask says in dozens of lines what our own error says in one."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    loggers = [logging.getLogger(name) for name in ("distributed", *names)]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


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
    usual, heard = signal.getsignal(signal.SIGINT), []
    ours = usual is not None and threading.current_thread() is threading.main_thread()
    if ours:  # another thread of this process may be given the signal, and tell Python
        signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if ours:
            signal.signal(signal.SIGINT, usual)
        if heard:
            signal.raise_signal(signal.SIGINT)


def _watch(owner: int) -> None:
    """In a worker: do not outlive an owner that was killed."""

    def leave() -> None:
        while os.getppid() == owner:  # an orphan is adopted by somebody else
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=leave, daemon=True).start()


@contextmanager
def _client(where: Any) -> Iterator[Any]:
    """A cluster's client, given or made from its address."""
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
    try:
        with dask.config.set(big), _quiet():  # one's own game travels, big or small
            yield client
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
