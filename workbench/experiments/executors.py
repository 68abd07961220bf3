"""Where pieces of work are done: in this process, in processes beside it, on a Dask cluster.

All three offer `submit(function, *arguments)`, which answers with a future, and are used in a
`with` statement. A broken pool of processes is replaced at the next submit.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from workbench.rules import GameError

__all__ = ["Executor", "choose_executor"]

T = TypeVar("T")


class Executor(Protocol):
    """What a sweep needs."""

    def submit(self, function: Callable[..., T], /, *arguments: Any) -> Future[T]: ...

    def __enter__(self) -> Executor: ...

    def __exit__(self, *error: object) -> None: ...


def choose_executor(workers: int, dask: Any = None) -> Executor:
    """A cluster if one is named, else processes, else (one worker) this process."""
    if dask is not None:
        return _Dask(dask)
    return _Processes(workers) if workers > 1 else _Here()


class _Here:
    def submit(self, function: Callable[..., T], /, *arguments: Any) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *error: object) -> None:
        pass


class _Processes:
    def __init__(self, workers: int) -> None:
        self.workers = workers

    def _pool(self) -> Any:
        from joblib.externals.loky import get_reusable_executor

        return get_reusable_executor(max_workers=self.workers, timeout=60)

    def submit(self, function: Callable[..., T], /, *arguments: Any) -> Future[T]:
        future: Future[T] = self._pool().submit(function, *arguments)
        return future

    def __enter__(self) -> _Processes:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is not None:  # somebody is in a hurry: do not wait for the pieces still out
            self._pool().shutdown(wait=False, kill_workers=True)


class _Dask:
    def __init__(self, where: Any) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise GameError(
                "a Dask cluster needs an extra: pip install 'workbench[cluster]'"
            ) from None
        self.mine = isinstance(where, str)
        try:
            self.client = Client(where, timeout=10) if self.mine else where
        except (OSError, ValueError) as error:
            raise GameError(f"no Dask cluster answers at {where}: {error}") from None
        self.executor = self.client.get_executor(pure=False)

    def submit(self, function: Callable[..., T], /, *arguments: Any) -> Future[T]:
        future: Future[T] = self.executor.submit(function, *arguments)
        return future

    def __enter__(self) -> _Dask:
        return self

    def __exit__(self, *error: object) -> None:
        if self.mine:
            self.client.close()
