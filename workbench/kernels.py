"""Kernels: functions over flat arrays, compiled once and kept on disk until a source changes.

`kernel` is `numba.njit` with this project's settings (`DEFAULTS`): floats follow IEEE rules.

numba can keep compiled functions itself, but it compares a kernel with its own file only: if a
kernel in `a.py` calls one in `b.py` and `b.py` is edited, the old machine code of both is served.
And it runs what it finds: somebody else's program, or what a power cut has left of a file. Here
the folder is named after a hash of *every* source file of the core: `kernels-<hash>` under
NUMBA_CACHE_DIR if set, else where `disk_cache.py` says, in the first place where nobody else can
write. In it `KernelFiles` reads only what is whole. Kernels of the laboratory, and of `data`, never
call one from another file there, so an edited sentence compiles nothing anew.
Functions of a notebook or of another package, and all kernels after sources were edited under a
running process, do not use the disk. At the end stand the random numbers that kernels draw.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from workbench.disk_cache import (
    LABORATORY,
    PACKAGE,
    candidates,
    cannot_keep,
    private,
    say_once,
    source_hash,
)
from workbench.files import BusyError, locked
from workbench.settings import need_whole

wanted = os.environ.get("NUMBA_NUM_THREADS", "1").strip()
if not (wanted.isdecimal() and int(wanted)):  # numba would not start
    say_once(f"NUMBA_NUM_THREADS={wanted} is not a number of threads; it is ignored")
    del os.environ["NUMBA_NUM_THREADS"]
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("default")
    import numba
    import numba.extending
    from numba.core.compiler import CompileResult
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.serialize import dumps
for one in heard:
    if "NUMBA_" in (text := str(one.message)):  # a variable that numba cannot read, and its page
        say_once(f"{text.partition('.')[0]}; it is ignored")
    else:
        warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)

Function = TypeVar("Function", bound=Callable[..., Any])

KEEP = 6  # cache folders of earlier sources that survive, for switching between branches
DEFAULTS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": False}
DEFAULTS |= {"no_cfunc_wrapper": True}  # for callers in C, of which there are none
DIGEST = hashlib.sha256().digest_size


@overload
def kernel(function: Function, /) -> Function: ...
@overload
def kernel(**options: Any) -> Callable[[Function], Function]: ...
def kernel(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Compile a function at its first call: `@kernel`, or with options `@kernel(fastmath=True)`.

    Options (`inline="always"`, …) go to `numba.njit`, which refuses unknown ones at that call.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        made = numba.njit(**(DEFAULTS | options))(function)
        file = Path(function.__code__.co_filename).resolve()
        ours = any(map(file.is_relative_to, (PACKAGE, PACKAGE.parent / "data")))
        unchanged = ours and _stamp(PACKAGE) == _snapshot()[1]
        if hasattr(made, "_cache") and unchanged and (folder := cache_folder()):
            made._cache = KernelFiles(function, folder)
            made.compile = made._cache.one_at_a_time(made.compile)
        return made

    return compiled if function is None else compiled(function)


def either(function: Function, compiled: Callable[..., Any] | None = None) -> Function:
    """A function that Python runs as it stands, and kernels that call it compiled: from the same
    lines, or from those of another kernel."""
    lines = plain(compiled or function)
    numba.extending.overload(function, strict=False, jit_options=DEFAULTS)(lambda *types: lines)
    return function


def plain(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The function that a kernel was made of, for Python to run."""
    return getattr(kernel, "py_func", kernel)


@cache
def cache_folder() -> Path | None:
    """The folder that holds the compiled kernels of exactly these sources, if there is a place."""
    places = [*candidates(numba.config.CACHE_DIR)]
    for place in places:
        if folder := private(place / f"kernels-{_snapshot()[0]}"):
            with suppress(OSError):  # another process has just removed it
                os.utime(folder)
            _prune(folder)
            return folder
    cannot_keep(places[0] if places else Path(), "it is not writable, or others can write to it")
    return None


def is_compiled(function: Any) -> bool:
    """Whether a kernel is there, in this process or on disk, and need not be compiled."""
    if numba.config.DISABLE_JIT:
        return True
    return bool(function.signatures or getattr(function._cache, "files", list)())


class KernelFiles:
    """The compiled forms of one kernel, a file for each signature: what numba asks of a cache.

    A file is a hash and what it is the hash of: a pickled pair of a key and numba's data. The key
    holds all that decides them, so a file under a wrong name is of no use. It is read only if it is
    this user's, and unpickled only if the hash fits. Whatever goes wrong, the kernel is compiled.
    """

    patience = 60.0  # seconds to wait for another process; no kernel takes that long to compile

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        code, file = function.__code__, Path(function.__code__.co_filename).resolve()
        self.folder, self.name = folder, f"{file.stem}.{function.__name__}"
        content = hashlib.sha256(file.read_bytes() + code.co_code).hexdigest()
        self.source = os.path.relpath(file, PACKAGE), code.co_firstlineno, content

    def one_at_a_time(self, compile: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Let go, however compiling ends, of the lock that `_wait` may have taken on the way. The 0
        of a call `down(…, 0, m, x)` is any whole number, and not a type that is compiled again."""

        def one_at_a_time(signature: Any) -> Any:
            with global_compiler_lock, ExitStack() as self.held:
                return compile(tuple(map(numba.types.unliteral, signature)))

        return one_at_a_time

    def _wait(self) -> None:
        """Take the lock of this kernel, or wait until the process that compiles it is done or
        dead. It only saves work: without a lock, or after a while, every process compiles."""
        until = time.monotonic() + self.patience
        with suppress(OSError):
            while time.monotonic() < until:
                with suppress(BusyError):
                    path = self.folder / f"{self.name}.lock"
                    self.held.enter_context(locked(path, wait=False))
                    return
                time.sleep(0.02)
            KernelFiles.patience = 0.0  # it has been stopped; do not wait for it at every kernel

    @property
    def cache_path(self) -> str:
        return str(self.folder)

    def files(self) -> list[Path]:
        return [*self.folder.glob(f"{self.name}-*.nbc")]

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled form for this signature, or None."""
        context.refresh()
        found = self._load(signature, context)
        if found is None:  # another process may be about to make it
            self._wait()
            found = self._load(signature, context)
        return found

    def _load(self, signature: Any, context: Any) -> Any:
        with suppress(Exception):
            key = self._key(signature, context.codegen())
            content = _read_own(self._path(key))
            if content[:DIGEST] == hashlib.sha256(content[DIGEST:]).digest():
                kept, data = pickle.loads(content[DIGEST:])
                if kept == key:
                    return CompileResult._rebuild(context, *data)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compiled form, if there is room. It is not synced to the disk: what a power cut
        leaves of it has another hash."""
        if result.library.has_dynamic_globals or not all(one.can_cache for one in result.lifted):
            warnings.warn(f"{self.name} has large globals and cannot be kept", stacklevel=2)
            return
        unfinished = None
        try:
            key = self._key(signature, result.codegen)
            content = dumps((key, result._reduce()))
            if private(self.folder) != self.folder:
                raise OSError(0, "it is no longer a folder that only you can write to")
            handle, unfinished = tempfile.mkstemp(dir=self.folder)
            with open(handle, "wb") as file:
                file.write(hashlib.sha256(content).digest() + content)
            os.replace(unfinished, self._path(key))
        except Exception as error:
            if unfinished:
                with suppress(OSError):
                    os.unlink(unfinished)
            cannot_keep(self.folder, error)

    def flush(self) -> None:
        for path in self.files():
            path.unlink(missing_ok=True)

    def _key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        return numba.__version__, sys.version, self.source, signature, codegen.magic_tuple()

    def _path(self, key: tuple[Any, ...]) -> Path:
        short = hashlib.blake2b(repr(key).encode(), digest_size=10).hexdigest()
        return self.folder / f"{self.name}-{short}.nbc"


def _stamp(package: Path) -> tuple[tuple[str, int, int], ...]:
    """Name, time and size of each source of the core: equal if nothing was edited."""
    found = []
    for folder, folders, files in os.walk(package):  # once per kernel: 0.3 ms for a hundred files
        folders[:] = [one for one in folders if not one.startswith((".", "__pycache__"))]
        folders[:] = [one for one in folders if folder != str(package) or one != LABORATORY.name]
        for file in files:
            if file.endswith(".py") and not file.startswith("."):  # as editors' lock files do
                info = os.stat(path := os.path.join(folder, file))
                found.append((path, info.st_mtime_ns, info.st_size))
    return tuple(sorted(found))


@cache
def _snapshot() -> tuple[str, tuple[tuple[str, int, int], ...]]:
    """The sources as this process found them: their hash, and the stamp to compare with later."""
    stamp = _stamp(PACKAGE)
    return source_hash(Path(path) for path, _, _ in stamp), stamp


def _read_own(path: Path) -> bytes:
    """The bytes of a file that belongs to this user, and that others cannot write to."""
    flags = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")  # no links, no waiting for a pipe
    handle = os.open(path, os.O_RDONLY | sum(getattr(os, flag, 0) for flag in flags))
    with open(handle, "rb") as file:
        info = os.fstat(handle)
        if os.name == "posix" and (info.st_uid != os.geteuid() or info.st_mode & 0o022):
            raise PermissionError(f"{path} is somebody else's")
        return file.read()


def _prune(current: Path) -> None:
    """Remove the folders of earlier sources, except the most recently used ones."""
    with suppress(OSError):  # another process has just removed one
        folders = sorted(current.parent.glob("kernels-*"), key=lambda one: -one.stat().st_mtime_ns)
        for folder in folders[KEEP:]:
            if folder != current:
                shutil.rmtree(folder, ignore_errors=True)


# ---- random numbers inside kernels ---------------------------------------------------

RandomState = NDArray[np.uint64]  # (4,), not all zero


def random_state(seed: int) -> RandomState:
    """(4,) where the random numbers of a seed begin.

    numba has a generator of its own, one for each thread, that nobody can save. A run that stops
    and resumes as if nothing had happened needs one it can carry along: xoshiro256++ (Blackman &
    Vigna 2021), four 64-bit words, under a nanosecond per number, started from numpy's
    `SeedSequence`, so that seeds 0, 1, 2, … have nothing to do with one another.

    >>> rng = random_state(7)
    >>> first = draw(rng)
    >>> again = random_state(7)
    >>> draw(again) == first, draw(rng) == first
    (True, False)
    """
    seed = need_whole("seed", seed, 0, None)
    return np.asarray(np.random.SeedSequence(seed).generate_state(4, np.uint64), np.uint64)


@kernel(forceinline=True)
def _rotated(x: np.uint64, k: int) -> np.uint64:
    return (x << np.uint64(k)) | (x >> np.uint64(64 - k))


@kernel(forceinline=True)
def draw(rng: RandomState) -> float:
    """The next number in [0, 1); `rng` moves on.

    >>> rng, again = random_state(7), random_state(7)
    >>> draw(rng) == draw(again)
    True
    """
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    word = _rotated(a + d, 23) + a
    c ^= a
    d ^= b
    rng[1] = b ^ c
    rng[0] = a ^ d
    rng[2] = c ^ (b << np.uint64(17))
    rng[3] = _rotated(d, 45)
    return np.float64(word >> np.uint64(11)) * 2.0**-53
