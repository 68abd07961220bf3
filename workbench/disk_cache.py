"""One cache on disk for what can be made again: compiled kernels, compiled trees, equilibria.

    save("trees", key, arrays)          arrays under a kind and a key; the key says everything that
    load("trees", key)                  decides them, sources included: see `source_hash`

    save_mapped, load_mapped            the same for large arrays, each in a file of its own that is
                                        mapped into memory: what nobody looks at is never read

The folder is `<cache>/workbench/<kind>`, where `<cache>` is WORKBENCH_CACHE_DIR if set, else the
user's cache folder, else (read-only home) a private one among the temporary files. Everything in
it may be deleted at any time. A file that cannot be read is made again, one that cannot be written
is not kept, and old ones go when those of one kind exceed `MOST_BYTES` together.

Small files that take long to make come along with the workbench, in `data/prepared/<kind>`: a copy
of what `save` wrote under the same name. Whoever asks for them gets them if there is no other.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.files import checksum, load_arrays, save_arrays, write_array
from workbench.rules import GameError

MOST_BYTES = 4_000_000_000
PACKAGE = Path(__file__).resolve().parent
LABORATORY = PACKAGE / "lab"
PREPARED = "data/prepared"


def load(kind: str, key: str, *, prepared: bool = False) -> dict[str, NDArray[Any]] | None:
    """The arrays that were kept under this key, or None; `prepared`: they may come along."""
    folders = [*candidates()]
    if prepared:
        from workbench.shipped import shipped

        folders.append(shipped(PREPARED))
    for folder in folders:
        path = _path(folder, kind, key)
        with suppress(GameError, OSError, MemoryError):
            if path.exists():
                arrays = load_arrays(path, kind)
                with suppress(OSError):  # it may lie in a folder that is only read
                    os.utime(path)
                return arrays
    return None


def save(kind: str, key: str, arrays: Mapping[str, ArrayLike]) -> None:
    """Keep arrays for next time, if there is a place."""
    for folder in candidates():
        path = _path(folder, kind, key)
        if writable(path.parent):
            with suppress(GameError, OSError, MemoryError):
                save_arrays(path, kind, **arrays)
                _prune(path)
            return


def save_mapped(kind: str, key: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Keep large arrays for next time, if there is a place; their checksums are written last."""
    for folder in candidates():
        path = _path(folder, kind, key)
        if writable(path.parent):
            with suppress(GameError, OSError, MemoryError):
                for name, array in arrays.items():
                    write_array(_part(path, name), array)
                sums = {name: np.array(checksum({name: array})) for name, array in arrays.items()}
                save_arrays(path, kind, **sums)
                _prune(path)
            return


def load_mapped(kind: str, key: str) -> dict[str, NDArray[Any]] | None:
    """The large arrays that were kept under this key, read-only, or None if one of them is not as
    it was written. To compare checksums, each is read once: 0.5 s for 500 MB."""
    sums = load(kind, key) or {}
    for folder in candidates():
        path, found = _path(folder, kind, key), {}
        with suppress(OSError, ValueError, EOFError):
            for name in sums.keys() - {"format", "kind"}:
                array = np.load(_part(path, name), mmap_mode="r", allow_pickle=False)
                if checksum({name: array}) != str(sums[name]):
                    break
                found[name] = array
            else:
                if found:
                    return found
    return None


def source_hash(files: Iterable[Path], package: Path = PACKAGE) -> str:
    """A short hash of sources: their names and their bytes."""
    digest = hashlib.blake2b(digest_size=10)
    for path in sorted(files):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def candidates(preferred: str = "") -> Iterator[Path]:
    """Where a cache may live, best first."""
    for chosen in (preferred, os.environ.get("WORKBENCH_CACHE_DIR", "")):
        if chosen:
            yield Path(chosen) / "workbench"
    with suppress(RuntimeError):  # no home folder
        yield _user_cache() / "workbench"
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    shared = Path(tempfile.gettempdir()) / f"workbench-{user}"
    try:
        shared.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return
    if _is_private(shared):
        yield shared / "workbench"


def writable(folder: Path) -> bool:
    """Make the folder if need be; whether files can be put into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _path(folder: Path, kind: str, key: str) -> Path:
    return folder / kind / f"{hashlib.blake2b(key.encode(), digest_size=10).hexdigest()}.npz"


def _part(path: Path, name: str) -> Path:
    return path.with_name(f"{path.stem}-{name}.npy")


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _is_private(folder: Path) -> bool:
    """Cached kernels are run as code: a folder that others could write to must not be used."""
    if sys.platform == "win32":
        return True  # the temporary folder belongs to the user
    info = folder.lstat()
    return stat.S_ISDIR(info.st_mode) and info.st_uid == os.getuid() and not info.st_mode & 0o077


def _prune(newest: Path) -> None:
    """Remove the files that were used longest ago, until the others fit."""
    found = [(path.stat(), path) for path in newest.parent.glob("*")]
    total = 0
    for info, path in sorted(found, key=lambda one: -one[0].st_mtime_ns):
        total += info.st_size
        if total > MOST_BYTES and path != newest:
            path.unlink(missing_ok=True)
