"""Compiled trees on disk: a game of the workbench that took long to compile comes back in seconds.

Only games that come with the package are kept, because only for them a file's name says everything:
it is a hash of the options and of the sources that turn rules into arrays. Rules of one's own may
change without notice, and are compiled each time.

A kept tree is one file of arrays with a checksum. One that cannot be read is compiled again, one
that cannot be written is not kept. Old ones go when all together exceed `MOST_BYTES`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Hashable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from workbench.files import load_arrays, save_arrays
from workbench.cache_folders import cache_candidates, writable
from workbench.games import GAMES
from workbench.rules import GameError, Rules
from workbench.tree import GameTree

__all__ = ["keep_tree", "kept_tree", "load_tree", "save_tree"]

MOST_BYTES = 4_000_000_000
PACKAGE = Path(__file__).resolve().parent


def kept_tree(rules: Rules) -> GameTree | None:
    """The tree of these rules, if it was kept."""
    for path in _paths(rules):
        with suppress(GameError, OSError, MemoryError):
            if path.exists():
                tree = load_tree(path)
                with suppress(OSError):  # it may lie in a folder that is only read
                    os.utime(path)
                return tree
    return None


def keep_tree(rules: Rules, tree: GameTree) -> None:
    """Keep a tree for next time, if its game is one of the workbench's and there is a place."""
    path = next((path for path in _paths(rules) if writable(path.parent)), None)
    if path is None:
        return
    with suppress(GameError, OSError, MemoryError):
        save_tree(tree, path)
        _prune(path)


def save_tree(tree: GameTree, path: Path) -> None:
    """Write a tree whose names are plain values: text, numbers, and tuples of them."""
    values = {name: getattr(tree, name) for name in tree.__dataclass_fields__}
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    names = {name: value for name, value in values.items() if name not in arrays}
    try:
        text = json.dumps(names, ensure_ascii=False)
    except (TypeError, ValueError):
        text = "{}"
    if _read_names(text) != names:
        raise GameError(f"the names in {tree.name!r} are no plain values; it cannot be saved")
    save_arrays(path, "tree", names=np.frombuffer(text.encode(), np.uint8), **arrays)


def load_tree(path: Path) -> GameTree:
    """Read what `save_tree` wrote."""
    arrays = load_arrays(path, "tree")
    names = _read_names(arrays.pop("names").tobytes().decode())
    fields: dict[str, Any] = {**arrays, **names}
    return GameTree(**{name: fields[name] for name in GameTree.__dataclass_fields__})


def _read_names(text: str) -> dict[str, Any]:
    """Names as they were: lists in the text are tuples, and equal values are one object."""
    known: dict[Hashable, Hashable] = {}

    def as_tuple(value: Any) -> Any:
        if isinstance(value, list):
            return tuple([as_tuple(part) for part in value])
        return known.setdefault(value, value) if isinstance(value, str) else value

    return {name: as_tuple(value) for name, value in json.loads(text).items()}


def _paths(rules: Rules) -> Iterator[Path]:
    """Where the tree of these rules may be, best first; nowhere if they are one's own."""
    if type(rules) in GAMES.values():
        described = hashlib.blake2b(f"{rules!r} {_sources()}".encode())
        for parent in cache_candidates():
            yield parent / "trees" / f"{described.hexdigest()[:20]}.npz"


@cache
def _sources() -> str:
    """A hash of what turns rules into arrays."""
    files = [PACKAGE / f"{name}.py" for name in ("tree", "compiling", "assembling", "treecache")]
    digest = hashlib.blake2b()
    for path in sorted([*files, *(PACKAGE / "games").glob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _prune(newest: Path) -> None:
    """Remove the trees that were used longest ago, until the others fit."""
    files = [
        (path.stat().st_mtime_ns, path.stat().st_size, path) for path in newest.parent.glob("*")
    ]
    total = 0
    for _, size, path in sorted(files, reverse=True):
        total += size
        if total > MOST_BYTES and path != newest:
            path.unlink(missing_ok=True)
