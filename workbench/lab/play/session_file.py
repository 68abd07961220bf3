"""Hands in a text file: a line that says what is played, a line for each hand, a line to end.

    {"kind": "session", "format": 1, "game": "leduc", "options": {…}, "seed": 0, …}
    {"hand": 1, "seats": [0, 1], "moves": [[-1, "Q♠"], [-1, "K♥"], [0, "c"], …], "payoffs": […]}
    {"end": 1, "checksum": "…"}

Nothing else is needed: reviews follow from the moves. A file is written in one move, and read only
if its checksum fits; whether the rules allow the moves is for `Hand` to say. No hand is written
over: if a file has others than those that are saved, these go into one beside it, evening-2.jsonl.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from workbench import disk_cache
from workbench.files import DamagedError, write_named
from workbench.lab.play.hand_record import Hand
from workbench.rules import GameError
from workbench.runs.lock import locked

FORMAT = 1


def write_hands(path: str | Path, head: dict[str, Any], hands: Iterable[Hand]) -> Path:
    """Write hands, and the settings of their session; where they stand now."""
    path = Path(path)
    if path.is_dir():
        raise GameError(f"{str(path)!r} is a folder; name a file for the hands: evening.jsonl")
    if path.exists() and not path.is_file():
        raise GameError(f"{path} is no regular file; name one for the hands: evening.jsonl")
    if not path.absolute().parent.is_dir():
        raise GameError(f"there is no folder {path.parent}")
    lines = [_line({"kind": "session", "format": FORMAT, **head})]
    for hand in hands:
        content = {
            "hand": hand.number, "seats": hand.seats, "moves": hand.moves, "payoffs": hand.payoffs
        }  # fmt: skip
        lines.append(_line(content))
        if _read(lines[-1])["moves"] != hand.moves:
            raise GameError(
                f"the moves of {hand.rules.name!r} are no plain values (texts, numbers and "
                "tuples of them); its hands cannot be saved"
            )
    lines.append(_line({"end": len(lines) - 1, "checksum": _checksum(lines)}))
    with _alone(path):
        stem = path.stem
        others = (path.with_stem(f"{stem}-{k}") for k in count(2))
        while not _continues(path, lines):
            path = next(others)
        return write_named(path, ("\n".join(lines) + "\n").encode())


def _continues(path: Path, lines: list[str]) -> bool:
    """True if these lines have all the hands of the file, so that nothing is written over."""
    if not path.exists():
        return True
    try:
        text = path.read_text(encoding="utf-8").rstrip("\n")
        there = text.split("\n") if text else []
        whole = not there or (there[0] == lines[0] and "end" in json.loads(there[-1]))
    except (OSError, ValueError, TypeError, RecursionError):
        return False
    return whole and there[1:-1] == lines[1 : len(there) - 1]


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One writer of a file at a time; the lock lies in the cache, not beside the file."""
    name = f"{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:20]}.lock"
    for folder in disk_cache.candidates():
        if disk_cache.writable(folder / "locks"):
            with locked(folder / "locks" / name):
                yield
            return
    yield


def read_hands(path: str | Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What `write_hands` wrote: the settings, and for each hand what stands in its line."""
    path = Path(path)
    if not path.is_file():
        raise GameError(f"there is no file {path}")
    try:
        lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
        head, *hands, end = map(_read, lines)
        kind, newer = head["kind"], head["format"] > FORMAT
        whole = end["end"] == len(hands) and end["checksum"] == _checksum(lines[:-1])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise DamagedError(
            f"{path} is damaged or no saved session ({error}); play another"
        ) from None
    if kind != "session":
        raise GameError(f"{path} holds a {str(kind)[:40]!r}, not a session of hands")
    if newer:
        raise GameError(f"{path} was written by a newer workbench; update this one")
    if not whole:
        raise DamagedError(f"{path} is damaged: its checksum does not fit its content")
    return head, hands


def _line(content: dict[str, Any]) -> str:
    try:
        return json.dumps(content, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise GameError(f"this session cannot be written as text: {error}") from None


def _read(line: str) -> Any:
    return _tuples(json.loads(line))


def _tuples(value: Any) -> Any:
    """Lists in the text were tuples."""
    if isinstance(value, dict):
        return {name: _tuples(part) for name, part in value.items()}
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value


def _checksum(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
