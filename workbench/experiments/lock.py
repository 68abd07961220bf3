"""A lock that dies with its owner: the operating system frees it, also after kill -9."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["BusyError", "locked"]

TAKEN = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}


class BusyError(Exception):
    """Somebody else holds the lock."""


@contextmanager
def locked(path: Path, wait: bool = True) -> Iterator[None]:
    """Hold a lock file; wait for it, or raise BusyError."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        while not _try(handle):
            if not wait:
                raise BusyError(str(path))
            time.sleep(0.05)
        yield
    finally:
        os.close(handle)  # frees the lock


def _try(handle: int) -> bool:
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
