"""Where things that can be made again are kept: compiled kernels, compiled trees.

The folder is `<cache>/workbench/...`, where `<cache>` is WORKBENCH_CACHE_DIR if set, else the
user's cache folder, else (read-only home) a private one among the temporary files. Everything in
it may be deleted at any time.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["cache_candidates", "writable"]


def cache_candidates(preferred: str = "") -> Iterator[Path]:
    """Where a cache may live, best first."""
    for chosen in (preferred, os.environ.get("WORKBENCH_CACHE_DIR", "")):
        if chosen:
            yield Path(chosen) / "workbench"
    with suppress(RuntimeError):  # no home folder
        yield _user_cache() / "workbench"
    shared = Path(tempfile.gettempdir()) / f"workbench-{_user()}"
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


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _is_private(folder: Path) -> bool:
    """Cached kernels are run as code: a folder that others could write to must not be used."""
    if sys.platform == "win32":
        return True  # the temporary folder belongs to the user
    info = folder.lstat()
    return stat.S_ISDIR(info.st_mode) and info.st_uid == os.getuid() and not info.st_mode & 0o077
