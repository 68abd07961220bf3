"""Where pieces of runs are done: in this process, in processes beside it, on a Dask cluster.

All three are executors of `concurrent.futures`.
"""

import copyreg
import logging
import math
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from workbench._version import __version__
from workbench.lab.processes import Processes
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.run import Partial, Problem, work

CONNECT = 30  # seconds to wait for a cluster
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

    submit: Callable[..., Future[Any]]
    capacity: Callable[[], int]
    many: int = 1  # in one go


@contextmanager
def open_pool(workers: int, dask: Any = None) -> Iterator[Pool]:
    """A cluster if one is named, else processes, else (one worker) a thread of this process."""
    if dask is not None:
        with _client(dask) as client:
            seen = time.monotonic()  # when there were workers last

            def capacity() -> int:
                nonlocal seen
                threads = int(sum(client.nthreads().values()))
                if threads:
                    seen = time.monotonic()
                elif time.monotonic() > seen + CONNECT / 2:
                    seen = math.inf  # said once
                    waiting = "waiting for some; Ctrl-C keeps what came back"
                    warnings.warn(f"dask: the cluster has no workers: {waiting}", stacklevel=2)
                return max(FEW, 2 * threads)

            yield Pool(client.get_executor(pure=False).submit, capacity)
    elif workers == 1:
        try:
            with ThreadPoolExecutor(1) as here:
                yield Pool(here.submit, lambda: 1)
        finally:
            _problems.clear()
    else:
        with Processes(workers) as beside:
            yield Pool(beside.submit, lambda: 2 * workers)


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
