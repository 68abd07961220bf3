"""A lock that dies with its owner: the operating system frees it, also after kill -9.

The file says who has the lock. Its first byte is what is locked, and on Windows nobody else can
read that; the rest is the number of the process. Whoever had the lock removes the file, so that a
thousand runs do not leave a thousand of them; whoever waited for it finds that and makes another.
A link is refused: another's file would be written over.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from workbench.disk_cache import candidates, private

TAKEN = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}


class BusyError(Exception):
    """Somebody else holds the lock."""


@contextmanager
def locked(
    path: Path, wait: bool = True, say: Callable[[str], None] = lambda text: None
) -> Iterator[None]:
    """Hold a lock file; wait for it and say so, or raise BusyError."""
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
            say(f"waiting for process {_holder(handle)}, which works on {path.stem}")
            time.sleep(0.05)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), os.lstat(path)):
                handle, mine = -1, handle
                return mine
    finally:
        if handle >= 0:
            os.close(handle)
    return None


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


def _holder(handle: int) -> str:
    os.lseek(handle, 1, os.SEEK_SET)
    return os.read(handle, 20).decode() or "?"


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
