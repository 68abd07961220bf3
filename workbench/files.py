"""Arrays in a file that is either whole or refused: npz with a checksum, written in one move.

A file is written under a temporary name, synced to the disk and then renamed, so a reader meets
the old file or the new one, never half of one. What is read back is checked against a hash of
all arrays. Nothing is ever unpickled.

>>> import tempfile, numpy as np
>>> with tempfile.TemporaryDirectory() as folder:
...     path = save_arrays(Path(folder) / "x", "strategy", probs=np.array([0.25, 0.75]))
...     load_arrays(path, "strategy")["probs"]
array([0.25, 0.75])
"""

from __future__ import annotations

import hashlib
import io
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.rules import GameError

FORMAT = 1


class DamagedError(GameError):
    """A file is not what was written."""


def save_arrays(path: str | Path, kind: str, **arrays: ArrayLike) -> Path:
    """Write named arrays (numbers or text); the ending .npz is added if it is missing."""
    path = Path(path)
    path = path if path.suffix == ".npz" else path.with_name(path.name + ".npz")
    content = {name: np.asarray(array) for name, array in arrays.items()}
    content |= {"format": np.array(FORMAT), "kind": np.array(kind)}
    buffer = io.BytesIO()
    np.savez(buffer, checksum=np.array(_checksum(content)), **content)  # type: ignore[arg-type]
    return write_file(path, buffer.getvalue())


def load_arrays(
    path: str | Path, kind: str, *, fix: str = "save it again"
) -> dict[str, NDArray[Any]]:
    """Read what `save_arrays` wrote for this kind of thing; refuse anything else by name.

    `fix`: what to do about a damaged file.
    """
    path = Path(path)
    path = path if path.suffix == ".npz" or path.exists() else path.with_name(path.name + ".npz")
    if not path.exists():
        raise GameError(f"there is no file {path}")
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            content = {name: file[name] for name in file.files}
        checksum, written = str(content.pop("checksum")), int(content["format"])
        found = str(content["kind"])
    except Exception as error:  # damaged bytes make numpy and zipfile raise all sorts
        raise DamagedError(f"{path} is damaged or no saved {kind} ({error}); {fix}") from None
    if written > FORMAT:
        raise GameError(
            f"{path} was written by a newer workbench (format {written}); update this one"
        )
    if checksum != _checksum(content):
        raise DamagedError(f"{path} is damaged: its checksum does not fit its content; {fix}")
    if found != kind:
        raise GameError(f"{path} holds a {found}, not a {kind}")
    return content


def write_file(path: Path, content: bytes) -> Path:
    """Write a file in one move."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(unfinished, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        with suppress(OSError):  # what went wrong before is what the caller should hear of
            unfinished.unlink(missing_ok=True)
    _sync_folder(path.parent)
    return path


def write_named(path: Path, content: bytes) -> Path:
    """Write a file that somebody has named; what is wrong with the name is said in one line."""
    try:
        return write_file(path, content)
    except OSError as error:  # it knows the unfinished file, whose name nobody has given
        reason = error.strerror or error
        raise GameError(
            f"{path} cannot be written ({reason}); name a file in a folder of your own"
        ) from error


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be synced."""
    if os.name == "posix":
        with suppress(PermissionError):  # a folder to write into, but not to look into
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _checksum(content: dict[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for name in sorted(content):
        array = np.ascontiguousarray(content[name])
        digest.update(f"{name}\0{array.dtype.str}\0{array.shape}\0".encode())
        digest.update(array.data)
    return digest.hexdigest()
