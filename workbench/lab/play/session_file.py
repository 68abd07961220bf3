"""Hands in a text file: a line that says what is played, a line for each hand, a line to end.

    {"kind": "session", "format": 1, "game": "leduc", "options": {…}, "seed": 0, …}
    {"hand": 1, "seats": [0, 1], "moves": [[-1, "Q♠"], [-1, "K♥"], [0, "c"], …], "payoffs": […]}
    {"end": 1, "checksum": "…"}

Nothing else is needed: reviews follow from the moves. A file is written in one move, and read only
if its checksum fits; whether the rules allow the moves is for `Hand` to say. No hand is written
over: if a file has others than those that are saved, these go into one beside it, evening-2.jsonl.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Annotated, Any

from workbench.disk_cache import alone
from workbench.files import DamagedError, naming, need_path, need_target, read_json, write_named
from workbench.lab.play.hand_record import Hand
from workbench.rules import GameError, shown
from workbench.settings import Between, Positive, check, make, need_whole

FORMAT = 1


@dataclass(frozen=True)
class Settings:
    """How hands are played, besides the game and the opponents."""

    match: int | None  # points
    seat: int | None
    seed: Annotated[int | None, Between(0, 2**63 - 1)]
    review: bool
    abstraction: str | None
    solver: str
    iterations: Annotated[int | None, Between(1)]

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class Head(Settings):
    """The first line of a file: what is played."""

    game: str
    options: Any  # names with their values; None for a game of one's own
    opponents: Any  # their names

    def __post_init__(self) -> None:
        check(self)
        names = self.opponents
        if not (isinstance(names, tuple) and all(isinstance(name, str) for name in names)):
            raise GameError(f"opponents must be a list of names, not {shown(names)}")


@dataclass(frozen=True)
class HandLine:
    """The line of one hand."""

    hand: Positive
    seats: tuple[int, ...]
    moves: Any  # pairs (seat, what)
    payoffs: Any  # compared with what the rules say

    def __post_init__(self) -> None:
        check(self)
        pairs = isinstance(self.moves, tuple) and all(
            isinstance(move, tuple) and len(move) == 2 and type(move[0]) is int and _plain(move)
            for move in self.moves
        )
        if not pairs:
            raise GameError(f"moves must be pairs (seat, what), not {shown(self.moves)}")


def _plain(value: Any) -> bool:
    """Texts, numbers and tuples of them."""
    return not isinstance(value, dict) and not (
        isinstance(value, tuple) and not all(map(_plain, value))
    )


def write_hands(path: str | Path, head: dict[str, Any], hands: Iterable[Hand]) -> Path:
    """Write hands, and the settings of their session; where they stand now."""
    path = need_target(path)
    lines = [_line({"kind": "session", "format": FORMAT, **head})]
    for hand in hands:
        content = {
            "hand": hand.number, "seats": hand.seats, "moves": hand.moves, "payoffs": hand.payoffs
        }  # fmt: skip
        lines.append(_line(content))
        if tuples(json.loads(lines[-1]))["moves"] != hand.moves:
            raise GameError(
                f"the moves of {hand.rules.name!r} are no plain values (texts, numbers and "
                "tuples of them); its hands cannot be saved"
            )
    lines.append(_line({"end": len(lines) - 1, "checksum": _checksum(lines)}))
    name = f"{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:20]}.lock"
    with alone(name):  # one writer of a file at a time
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


def read_hands(path: str | Path) -> tuple[Head, list[HandLine]]:
    """What `write_hands` wrote: what is played, and the hands, each field checked."""
    path = need_path(path)
    if not path.is_file():
        raise GameError(f"there is no file {path}")
    lines = path.read_bytes().rstrip(b"\n").split(b"\n")
    try:
        head, *hands = map(_read, lines, count(1))
        end = hands.pop() if hands else {}
        kind = head.pop("kind", None)
        if kind is None:
            raise DamagedError("it does not say what it holds")
    except DamagedError as error:
        why = f"{path} is damaged or no saved session ({error})"
        raise DamagedError(f"{why}; play another") from None
    if kind != "session":
        raise GameError(f"{path} holds a {str(kind)[:40]!r}, not a session of hands")
    if need_whole(f"{path}: format", head.pop("format", None)) > FORMAT:
        raise GameError(f"{path} was written by a newer workbench; update this one")
    checksum = _checksum([line.decode() for line in lines[:-1]])
    if end != {"end": len(hands), "checksum": checksum}:
        raise DamagedError(f"{path} is damaged: its checksum does not fit its content")
    with naming(path):
        first, made = make(Head, head, "it", "setting"), []
    for number, line in enumerate(hands, 1):
        with naming(f"{path}: hand {number}"):
            made.append(make(HandLine, line, "it", "field"))
    return first, made


def _line(content: dict[str, Any]) -> str:
    try:
        line = json.dumps(content, ensure_ascii=False)
        line.encode()
        return line
    except (TypeError, ValueError) as error:
        raise GameError(f"this session cannot be written as text: {error}") from None


def _read(line: bytes, number: int) -> dict[str, Any]:
    try:
        content = tuples(read_json(line))
    except DamagedError as error:
        raise DamagedError(str(error).replace("line 1,", f"line {number},")) from None
    except RecursionError:
        content = None
    if not isinstance(content, dict):
        raise DamagedError("a line of it holds no names with their values")
    return content


def tuples(value: Any) -> Any:
    """Lists in the text were tuples."""
    if isinstance(value, dict):
        return {name: tuples(part) for name, part in value.items()}
    return tuple(tuples(part) for part in value) if isinstance(value, list) else value


def _checksum(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
