"""Kernels: functions over flat arrays, compiled once and kept on disk until a source changes.

`kernel` is `numba.njit` with this project's settings: the result is cached on disk, the
interpreter's lock is released, floats follow IEEE rules, division by zero gives inf or nan.

numba's own cache compares a kernel with its own file only: if a kernel in `a.py` calls one in
`b.py` and `b.py` is edited, the old machine code of both is served. Here the cache folder is named
after a hash of *every* source file of the core: `kernels-<hash>` under NUMBA_CACHE_DIR if set, else
where `disk_cache.py` says. Kernels of the laboratory never call one from another file there, so an
edited sentence compiles nothing anew. Functions of a notebook or of another package, and all
kernels after sources were edited under a running process, do not use the disk.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, overload

import numba

from workbench.disk_cache import LABORATORY, PACKAGE, candidates, source_hash, writable

Function = TypeVar("Function", bound=Callable[..., Any])

KEEP = 6  # cache folders of earlier sources that survive, for switching between branches
DEFAULTS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": False}

_decorating = threading.RLock()


@overload
def kernel(function: Function, /) -> Function: ...
@overload
def kernel(**options: Any) -> Callable[[Function], Function]: ...
def kernel(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Compile a function at its first call: `@kernel`, or with options `@kernel(fastmath=True)`.

    Options (`inline="always"`, …) go to `numba.njit`, which refuses unknown ones at that call.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        settings = DEFAULTS | {"cache": _is_hashed(function)} | options
        with _cache_in(cache_folder()):
            return numba.njit(**settings)(function)

    return compiled if function is None else compiled(function)


@cache
def cache_folder() -> Path:
    """The folder that holds the compiled kernels of exactly these sources."""
    for parent in candidates(numba.config.CACHE_DIR):
        folder = parent / f"kernels-{_snapshot()[0]}"
        if writable(folder):
            os.utime(folder)
            _prune(folder)
            return folder
    return Path(tempfile.mkdtemp(prefix="workbench-kernels-"))


def is_compiled(function: Any) -> bool:
    """Whether a kernel is there, in this process or on disk, and need not be compiled."""
    if numba.config.DISABLE_JIT:
        return True
    name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}-*.nbi"
    return bool(function.signatures) or any(cache_folder().rglob(name))


def _stamp(package: Path) -> tuple[tuple[str, int, int], ...]:
    """Name, time and size of each source of the core: equal if nothing was edited."""
    found = []
    folders = [str(package)]
    while folders:  # os.scandir, because this runs once per kernel: 0.3 ms for a hundred files
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.startswith((".", "__pycache__")):
                    continue  # editors' lock files and checkpoints
                if entry.name.endswith(".py"):
                    info = entry.stat()
                    found.append((entry.path, info.st_mtime_ns, info.st_size))
                elif entry.is_dir() and entry.path != str(LABORATORY):
                    folders.append(entry.path)
    return tuple(sorted(found))


@cache
def _snapshot() -> tuple[str, tuple[tuple[str, int, int], ...]]:
    """The sources as this process found them: their hash, and the stamp to compare with later."""
    stamp = _stamp(PACKAGE)
    return source_hash(Path(path) for path, _, _ in stamp), stamp


def _is_hashed(function: Callable[..., Any]) -> bool:
    """Whether the cache folder's name vouches for this function's source, here and now."""
    file = Path(function.__code__.co_filename).resolve()
    return file.is_relative_to(PACKAGE) and _stamp(PACKAGE) == _snapshot()[1]


@contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Point numba's cache to a folder. numba reads the setting only while it decorates, so
    the setting is restored at once and other people's numba functions never see it."""
    with _decorating:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            numba.config.CACHE_DIR = before


def _prune(current: Path) -> None:
    """Remove the folders of earlier sources, except the most recently used ones."""
    folders = []
    for folder in current.parent.glob("kernels-*"):
        try:
            folders.append((folder.stat().st_mtime_ns, folder))
        except OSError:
            continue  # another process has just removed it
    for _, folder in sorted(folders, reverse=True)[KEEP:]:
        if folder != current:
            shutil.rmtree(folder, ignore_errors=True)
