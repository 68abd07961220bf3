"""Arrays in a file that is either whole or refused: npz with a checksum, written in one move.

A file is written under a temporary name, synced to the disk and then renamed, so a reader meets
the old file or the new one, never half of one. What is read back is checked against a hash of
all arrays. Nothing is ever unpickled. Only regular files are read or written over: a device keeps
its place, a link stays one and what it leads to is written. Among strangers (`follow=False`) a link
is never followed: whatever stands under the name, the file takes its place.

>>> import tempfile, numpy as np
>>> with tempfile.TemporaryDirectory() as folder:
...     path = save_arrays(Path(folder) / "x", "strategy", probs=np.array([0.25, 0.75]))
...     load_arrays(path, "strategy")["probs"]
array([0.25, 0.75])
"""

import errno
import hashlib
import io
import json
import os
import secrets
import stat
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.rules import GameError, shown

FORMAT = 1
LONGEST_TEXT = 1000  # characters of a name in a file
LONGEST = 255  # bytes in the name of a file, almost everywhere
TAKEN = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}  # somebody else holds a lock


class DamagedError(GameError):
    """A file is not what was written."""


def save_arrays(path: str | Path, kind: str, **arrays: ArrayLike) -> Path:
    """Write named arrays (numbers or text); the ending .npz is added if it is missing."""
    path = need_target(path)  # a folder or a device of this name is no reason to add an ending
    path = path if path.suffix == ".npz" else path.with_name(path.name + ".npz")
    return write_named(path, packed(kind, arrays))


def packed(kind: str, arrays: Mapping[str, ArrayLike]) -> bytes:
    """The bytes of a file with these arrays."""
    content = {name: np.asarray(array) for name, array in arrays.items()}
    content |= {"format": np.array(FORMAT), "kind": np.array(kind)}
    buffer = io.BytesIO()
    np.savez(buffer, checksum=np.array(checksum(content)), **content)  # type: ignore[arg-type]
    return buffer.getvalue()


def load_arrays(path: str | Path, kind: str, fix: str = "save it again") -> dict[str, NDArray[Any]]:
    """Read what `save_arrays` wrote as a `kind`, or a "kind of …"; refuse all else by name.

    `fix`: what to do about a damaged file.
    """
    path = need_path(path)
    path = path if path.suffix == ".npz" or path.exists() else path.with_name(path.name + ".npz")
    if not path.exists():
        raise GameError(f"there is no file {path}")
    try:
        stored = read_file(path)
        with np.load(io.BytesIO(stored), allow_pickle=False) as file:
            if sum(one.file_size for one in file.zip.infolist()) > len(stored):
                raise ValueError("it unpacks to more than it is")  # we never pack
            content = {name: file[name] for name in file.files}
        expected, written = str(content.pop("checksum")), int(content["format"])
        found, fits = str(content["kind"]), expected == checksum(content)
    except Exception as error:  # damaged bytes make numpy and zipfile raise all sorts
        why = "Python objects, which are never read" if "pickle" in str(error) else error
        raise DamagedError(f"{path} is damaged or no saved {kind} ({why}); {fix}") from None
    if written > FORMAT:
        raise GameError(
            f"{path} was written by a newer workbench (format {written}); update this one"
        )
    if not fits:
        raise DamagedError(f"{path} is damaged: its checksum does not fit its content; {fix}")
    if kind not in (found, found.partition(" of ")[0]):
        raise GameError(f"{path} holds a {found}, not a {kind}")
    return content


@contextmanager
def fitting(where: str, fix: str = "save it again") -> Iterator[None]:
    """Put arrays together that were read from `where`; those that are whole but not what should be
    there are refused by name, whatever they make Python or NumPy raise."""
    try:
        yield
    except DamagedError:
        raise
    except KeyError as error:
        raise DamagedError(f"{where} lacks {error.args[0]}; {fix}") from None
    except (AttributeError, IndexError, OverflowError, TypeError, ValueError) as error:
        raise DamagedError(f"{where} does not fit together ({error}); {fix}") from None


@contextmanager
def naming(where: object) -> Iterator[None]:
    """An error in here says first where it is: in which file, of which option."""
    try:
        yield
    except GameError as error:
        raise GameError(f"{where}: {error}") from None


def text_of(saved: Mapping[str, Any], name: str) -> str:
    """A text among arrays that were read, for a line that a person reads; `fitting` tells of a
    ValueError."""
    found = np.asarray(saved[name])
    text = str(found) if found.dtype.kind == "U" and found.ndim == 0 else "\n"
    if len(text) > LONGEST_TEXT or not text.isprintable():
        raise ValueError(f"{name} is no plain text")
    return text


def need_path(path: str | os.PathLike[str], what: str = "a file") -> Path:
    """Refuse what can name no file."""
    try:
        found = Path(path)
        if not str(path) or b"\0" in os.fsencode(found):
            raise ValueError
    except (TypeError, ValueError):
        raise GameError(f"the name of {what} must be a text or a Path, not {shown(path)}") from None
    if any(len(os.fsencode(part)) > LONGEST for part in found.parts):
        raise GameError(f"{shown(str(path))} is too long for the name of {what}")
    return found


def resolved(path: Path) -> Path:
    """The folder or file itself, without links; GameError if the name leads nowhere."""
    try:
        found = path.resolve()
        with suppress(FileNotFoundError, NotADirectoryError):
            found.stat()  # a name may be too long, or since Python 3.13 a link to itself
        return found
    except RuntimeError:  # until then
        why: object = "it is a link to itself"
    except OSError as error:
        why = error.strerror
    except ValueError as error:
        why = error
    raise GameError(f"{shown(str(path))} leads nowhere ({why}); name another one")


def need_target(path: str | os.PathLike[str]) -> Path:
    """Refuse, better before the work than after it, a name that no file can be written under."""
    found = need_path(path)
    if str(path).endswith(("/", os.sep)):  # which a Path forgets
        raise GameError(f"{path} is the name of a folder; name a file")
    try:
        _need_regular(found)
        if not found.absolute().parent.is_dir():
            raise GameError(f"there is no folder {found.parent} for {found.name}")
        if not os.access(Path(os.path.realpath(found)).parent, os.W_OK):
            raise PermissionError("no permission")
    except OSError as error:
        raise _unwritable(found, error) from error
    return found


def read_file(path: Path) -> bytes:
    """All bytes of a regular file; OSError if it is none."""
    _need_regular(path)
    return path.read_bytes()


def read_json(content: bytes) -> Any:
    r"""What a text says as JSON; DamagedError says in plain words why it says nothing.

    >>> read_json(b'{"a": 1}'), read_json(b"\xef\xbb\xbf[]")
    ({'a': 1}, [])
    >>> read_json(b'{"a": }')
    Traceback (most recent call last):
    workbench.files.DamagedError: line 1, column 7 is no JSON: Expecting value
    """
    try:
        return json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        why = "it is no text in UTF-8"
    except json.JSONDecodeError as error:
        why = f"line {error.lineno}, column {error.colno} is no JSON: {error.msg}"
    except RecursionError:
        why = "its lists nest too deeply"
    except ValueError:
        why = "it has a number of too many digits"
    raise DamagedError(why)


def read_tables(path: Path, kind: type, fix: str) -> dict[str, dict[str, Any]]:
    """Tables of values of a kind, by their names, as a file says them in JSON, none if there is no
    file; `fix`: what to do about one that says anything else."""
    try:
        found = read_json(read_file(path)) if path.exists() else {}
        fits = isinstance(found, dict) and all(isinstance(one, dict) for one in found.values())
        if not fits or any(not isinstance(v, kind) for one in found.values() for v in one.values()):
            raise DamagedError("it is no table of tables")
    except (DamagedError, OSError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise GameError(f"{path} is damaged ({why}); {fix}") from None
    return dict(found)


def read_toml(path: str | Path) -> dict[str, Any]:
    """What a file says as TOML; GameError if there is none, or if it says nothing."""
    file = need_path(path)
    try:
        text = read_file(file).decode("utf-8-sig")
        return tomllib.loads(text.replace("\r\n", "\n"))
    except OSError as error:
        raise GameError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:  # also numbers and tables without an end
        raise GameError(f"{path} is no TOML: {error}") from None


def _need_regular(path: Path) -> None:
    with suppress(FileNotFoundError):
        mode = path.stat().st_mode  # of what a link leads to
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
            raise OSError(errno.EINVAL, f"it is {what}, not a file")


def write_file(
    path: Path, content: bytes | NDArray[Any], *, follow: bool = True, mode: int | None = None
) -> Path:
    """Write a file in one move; what is there may only be a regular file, or a link to one. An
    array becomes npy, without a copy in memory.

    follow: False in a folder in which others could have put a link. mode: who may read it,
    whatever the user's own settings say.
    """
    real = path
    if follow:
        _need_regular(path)
        real = Path(os.path.realpath(path))
    unfinished = real.with_name(f".{real.name}.{secrets.token_hex(6)}.part")
    try:
        with open(unfinished, "xb") as file:  # x: it is new, so it is no link
            if mode is not None and hasattr(os, "fchmod"):
                with suppress(OSError):  # a disk that knows no permissions
                    os.fchmod(file.fileno(), mode)
            if isinstance(content, bytes):
                file.write(content)
            else:
                np.save(file, content, allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, real)
    finally:
        with suppress(OSError):  # what went wrong before is what the caller should hear of
            unfinished.unlink(missing_ok=True)
    _sync_folder(real.parent)
    return path


def write_named(
    path: Path, content: bytes, *, follow: bool = True, mode: int | None = None
) -> Path:
    """Write a file that somebody has named; what is wrong with the name is said in one line."""
    try:
        return write_file(need_path(path), content, follow=follow, mode=mode)
    except OSError as error:  # it knows the unfinished file, whose name nobody has given
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> GameError:
    reason = error.strerror or error
    return GameError(f"{path} cannot be written ({reason}); name a file in a folder of your own")


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be synced."""
    if os.name == "posix":
        with suppress(PermissionError):  # a folder to write into, but not to look into
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def checksum(content: dict[str, NDArray[Any]]) -> str:
    """A hash of named arrays."""
    digest = hashlib.sha256()
    for name in sorted(content):
        array = np.ascontiguousarray(content[name])
        digest.update(f"{name}\0{array.dtype.str}\0{array.shape}\0".encode())
        digest.update(array.data)
    return digest.hexdigest()


# ---- locks ---------------------------------------------------------------------------


class BusyError(Exception):
    """Somebody else holds the lock."""


@contextmanager
def locked(
    path: Path, wait: bool = True, say: Callable[[str], None] = lambda text: None
) -> Iterator[None]:
    """Hold a lock file; wait for it and say so, or raise BusyError.

    The operating system frees it with its owner, also after kill -9. The file's first byte is what
    is locked (on Windows nobody else can read that), the rest is the number of the process. Whoever
    had the lock removes the file; whoever waited for it finds that and makes another. A link is
    refused: another's file would be written over.
    """
    while (handle := _taken(path, wait, say)) is None:
        pass
    try:
        with suppress(OSError):  # a full disk: nobody can read who has it, but it is held
            os.ftruncate(handle, 0)
            os.write(handle, f" {os.getpid()}".encode())
        yield
    finally:
        with suppress(OSError):  # Windows removes no open file
            os.unlink(path)
        os.close(handle)  # frees the lock


def _taken(path: Path, wait: bool, say: Callable[[str], None]) -> int | None:
    """An open file that is locked; None if it was removed before it could be."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    try:
        if os.fstat(handle).st_nlink > 1:
            raise OSError(errno.EMLINK, "it is a link", str(path))
        while not _try(handle):
            if not wait:
                raise BusyError(str(path))
            os.lseek(handle, 1, os.SEEK_SET)
            holder = os.read(handle, 20).decode() or "?"
            say(f"waiting for process {holder}, which works on {path.stem}")
            time.sleep(0.05)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), os.lstat(path)):
                handle, mine = -1, handle
                return mine
    finally:
        if handle >= 0:
            os.close(handle)
    return None


def _try(handle: int) -> bool:
    os.lseek(handle, 0, os.SEEK_SET)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in TAKEN:
            return False
        raise  # for example a file system that knows no locks: waiting would not help
    return True
