"""One cache on disk for what can be made again: compiled kernels, compiled trees, equilibria.

    save("trees", key, arrays)          arrays under a kind and a key; the key says everything that
    load("trees", key)                  decides them, sources included: see `source_hash`

    save_mapped, load_mapped            the same for large arrays, each in a file of its own that is
                                        mapped into memory: what nobody looks at is never read

The folder is `<cache>/workbench/<kind>`, where `<cache>` is WORKBENCH_CACHE_DIR if set, else the
user's cache folder, else (read-only home) a private one among the temporary files. Everything in
it may be deleted at any time. A file that cannot be read or has another key inside is made again,
one that cannot be written is not kept, which is said once, and old ones go when those of one kind
exceed `MOST_BYTES` together.

A class may share such a folder. What lies there counts only if it belongs to this user, to root or
to the owner of `<cache>`, the person who set it up; so must the folders in it, and links. Whatever
is a stranger's is as if it were not there, and what is made instead is kept in the next place.
Kernels are programs, so they are kept only where nobody else can write at all (`private`).

Small files that take long to make come along with the workbench, in `data/prepared/<kind>`: a copy
of what `save` wrote under the same name. Whoever asks for them gets them if there is no other.
"""

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.files import load_arrays, locked, packed, write_file
from workbench.rules import GameError

MOST_BYTES = 4_000_000_000
MOST_LINKS = 40
PACKAGE = Path(__file__).resolve().parent
LABORATORY = PACKAGE / "lab"
PREPARED = "data/prepared"


def load(kind: str, key: str, *, prepared: bool = False) -> dict[str, NDArray[Any]] | None:
    """The arrays that were kept under this key, or None; `prepared`: they may come along."""
    for folder in candidates():
        path = _path(folder, kind, key)
        if _known(folder, path) and (arrays := _read(path, kind, key)) is not None:
            with suppress(OSError):  # it may lie in a folder that is only read
                os.utime(path)
            return arrays
    if not prepared:
        return None
    from workbench.shipped import shipped

    return _read(_path(shipped(PREPARED), kind, key), kind, key)


def save(kind: str, key: str, arrays: Mapping[str, ArrayLike]) -> None:
    """Keep arrays for next time, if there is a place."""
    _keep(kind, key, {".npz": arrays})


def save_mapped(kind: str, key: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Keep large arrays for next time, if there is a place; their checksums are written last."""
    sums = {name: _sum(array) for name, array in arrays.items()}
    files = {f"-{name}.npy": array for name, array in arrays.items()}
    _keep(kind, key, {**files, ".npz": sums})


def load_mapped(kind: str, key: str) -> dict[str, NDArray[Any]] | None:
    """The large arrays that were kept under this key, read-only, or None if one of them is not as
    it was written. To compare checksums, each is read once: 0.4 s for 500 MB."""
    sums = load(kind, key) or {}
    for folder in candidates():
        path, found = _path(folder, kind, key), {}
        with suppress(OSError, ValueError, EOFError):
            for name in sums.keys() - {"format", "kind"}:
                part = path.with_name(f"{path.stem}-{name}.npy")
                if not _known(folder, part) or not part.is_file():  # a pipe would be waited for
                    break
                array = np.load(part, mmap_mode="r", allow_pickle=False)
                if _sum(array) != sums[name]:
                    break
                found[name] = array
            else:
                if found:
                    return found
    return None


def _sum(array: NDArray[Any]) -> int:
    """A checksum against damage, not against malice: 1.5 GB/s, where SHA-256 made 0.2."""
    return crc32(np.ascontiguousarray(array).data, crc32(f"{array.dtype} {array.shape}".encode()))


def source_hash(files: Iterable[Path], package: Path = PACKAGE) -> str:
    """A short hash of sources: their names and their bytes."""
    digest = hashlib.blake2b(digest_size=10)
    for path in sorted(files):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package)}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


@cache
def sources(*names: str) -> str:
    """The hash of some sources of the package, for a key: `sources("games/deck")`."""
    return source_hash(PACKAGE / f"{name}.py" for name in names)


def candidates(preferred: str = "") -> Iterator[Path]:
    """Where a cache may live, best first."""
    for chosen in (preferred, os.environ.get("WORKBENCH_CACHE_DIR", "")):
        if chosen:
            yield Path(chosen) / "workbench"
    with suppress(RuntimeError):  # no home folder
        yield _user_cache() / "workbench"
    user = os.geteuid() if hasattr(os, "geteuid") else os.environ.get("USERNAME", "user")
    try:
        own = private(Path(tempfile.gettempdir()) / f"workbench-{user}")
    except OSError:  # no folder for temporary files
        return
    if own:
        yield own / "workbench"


def writable(folder: Path) -> bool:
    """Make the folder if need be; whether files can be put into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def private(folder: Path) -> Path | None:
    """The folder, made if need be and free of links, if files can be put into it and nobody but
    this user (and root) can write to it or put another one in its place; else None.

    Everything on the way from the root to it, links too, must belong to this user or to root.
    Others may write above it only where a sticky bit keeps them from moving what is not theirs, as
    in /tmp. Access lists show in the rights of the group, except those of NFSv4, which are not
    looked at.
    """
    if sys.platform == "win32":
        return folder if writable(folder) else None
    me, at, links = os.geteuid(), "/", 0
    todo = [*reversed(Path(os.path.abspath(folder)).parts)]
    try:
        while todo and links <= MOST_LINKS:
            part = todo.pop()
            step = os.path.dirname(at) if part == ".." else os.path.join(at, part)
            if not os.path.lexists(step):
                with suppress(FileExistsError):  # another process was faster
                    os.mkdir(step, 0o777 if todo else 0o700)
            info = os.lstat(step)
            if info.st_uid not in (0, me):
                return None
            if stat.S_ISLNK(info.st_mode):
                links += 1
                todo += reversed(Path(os.readlink(step)).parts)
            elif _open_to_others(info) and not (todo and info.st_mode & stat.S_ISVTX):
                return None
            else:
                at = step
        info = os.lstat(at)
        if todo or info.st_uid != me or _open_to_others(info):
            return None
        tempfile.TemporaryFile(dir=at).close()
    except OSError:
        return None
    return Path(at)


@contextmanager
def alone(name: str) -> Iterator[bool]:
    """One process of this user at a time; False where there is no place of her own for a lock."""
    with ExitStack() as held:
        found = False
        for folder in candidates():
            with suppress(OSError):  # a disk that knows no locks
                if own := private(folder):  # where nobody else could hold it for ever
                    held.enter_context(locked(own / name))
                    found = True
                    break
        yield found


def cannot_keep(folder: Path, error: object) -> None:
    """Say, once in a process, that things are made again each time."""
    why = error.strerror if isinstance(error, OSError) and error.strerror else error
    say_once(
        f"nothing can be kept in {folder} ({why}), so kernels and tables are made again each time; "
        "free some space there, or set WORKBENCH_CACHE_DIR to a folder of your own",
        topic="cannot keep",
    )


def say_once(line: str, topic: str = "") -> None:
    """One line on standard error, the first time in a process that it is said."""
    if sys.stderr is not None and (topic or line) not in _said:
        _said.add(topic or line)
        with suppress(OSError, ValueError):  # nobody listens
            sys.stderr.write(f"workbench: {' '.join(line.split())}\n")
            sys.stderr.flush()


_said: set[str] = set()


def _keep(kind: str, key: str, files: Mapping[str, Any]) -> None:
    """Write files, an array or several each, in the first folder that takes them. A link of that
    name, which somebody else may have put into a shared folder, is replaced."""
    for folder in candidates():
        path = _path(folder, kind, key)
        wanted = {path.with_name(path.stem + ending): content for ending, content in files.items()}
        if not all(_known(folder, one) for one in wanted) or not writable(path.parent):
            continue
        try:
            for one, content in wanted.items():
                several = isinstance(content, Mapping)
                whole: Any = packed(kind, {**content, "key": key}) if several else content
                write_file(one, whole, follow=False)
        except (OSError, MemoryError) as error:
            for one in wanted:  # some of them are of no use
                with suppress(OSError):
                    one.unlink(missing_ok=True)
            cannot_keep(path.parent, error)
        with suppress(OSError):
            _prune(path)
        return


def _known(folder: Path, path: Path) -> bool:
    """Whether nothing on the way from a cache folder to this file in it is a stranger's."""
    known = {0, os.geteuid() if hasattr(os, "geteuid") else 0}
    with suppress(OSError):  # what is not there is nobody's
        known.add(folder.parent.stat().st_uid)
        return all(one.lstat().st_uid in known for one in (folder, path.parent, path))
    return True


def _read(path: Path, kind: str, key: str) -> dict[str, NDArray[Any]] | None:
    """The arrays of a file that is whole and was written for this key."""
    with suppress(GameError, OSError, MemoryError):
        if path.exists():
            arrays = load_arrays(path, kind)
            if str(arrays.pop("key", "")) == key:
                return arrays
    return None


def _path(folder: Path, kind: str, key: str) -> Path:
    return folder / kind / f"{hashlib.blake2b(key.encode(), digest_size=10).hexdigest()}.npz"


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _open_to_others(info: os.stat_result) -> bool:
    """Whether others may write there."""
    group = info.st_mode & stat.S_IWGRP and not _alone_in(info.st_gid)
    return bool(group or info.st_mode & stat.S_IWOTH)


@cache
def _alone_in(group: int) -> bool:
    """Whether this user is the only member of a group. Where everybody has a group of her own
    (Ubuntu, Fedora) or is alone (containers), folders are often open to the group."""
    import grp
    import pwd

    users = pwd.getpwall()
    me = {user.pw_name for user in users if user.pw_uid == os.geteuid() != 0}
    with suppress(KeyError):
        members = {user.pw_name for user in users if user.pw_gid == group}
        return bool(me) and members.union(grp.getgrgid(group).gr_mem) <= me
    return False


def _prune(newest: Path) -> None:
    """Remove the files that were used longest ago, until the others fit."""
    found = [(path.stat(), path) for path in newest.parent.glob("*")]
    total = 0
    for info, path in sorted(found, key=lambda one: -one[0].st_mtime_ns):
        total += info.st_size
        if total > MOST_BYTES and path != newest:
            path.unlink(missing_ok=True)
