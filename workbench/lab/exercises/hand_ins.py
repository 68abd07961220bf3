"""A hand-in: what one student predicted and answered, as one file of plain text.

    {"kind": "hand-in", "format": 1, "who": "5c0f3e9a1b", "name": "Anna",
     "predictions": {"0f63…": {"question": "How many histories …?", "guess": 40, "at": 1790000000}},
     "exercises": {"01 check_queen": {"right": true, "tries": 2, "answer": "7/1800", "at": …}}}

`who` tells two Annas apart, and the same Anna's first file from her second. A lecturer reads many
such files from people she need not trust, so nothing in them is ever run: a file is text of at most
a million bytes, every field is checked, and what does not fit is left out and named. It is a note
from a student, not a proof: whoever can write the file can write anything into it.
"""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from workbench.files import DamagedError, write_named
from workbench.rules import GameError
from workbench.settings import Between, check, make, shown

if TYPE_CHECKING:
    import pandas as pd

    from workbench.lab.exercises.questions import Question

FORMAT, KIND = 1, "hand-in"
LARGEST = 1_000_000  # bytes; a whole course takes about 50,000
MOST = 5_000  # files, and entries in a file
TEXTS = ["student", "exercise", "result", "answer", "said", "file", "problem"]
COLUMNS = [*TEXTS[:3], "tries", "hints", *TEXTS[3:5], "when", *TEXTS[5:]]
QUESTION = "question-"  # so begin the names of the lecturer's own files in a class folder

When = Annotated[int, Between(0, 4_000_000_000)]  # seconds since 1970
Count = Annotated[int, Between(0, 1_000_000)]
T = TypeVar("T", "Vote", "Result")


@dataclass(frozen=True)
class Vote:
    """A prediction; `final` once the answer has been seen."""

    guess: Any  # one of the options, or a number
    at: When
    question: str = ""
    final: bool = False

    def __post_init__(self) -> None:
        check(self)
        number = type(self.guess) in (int, float) and math.isfinite(self.guess)
        if not number and not isinstance(self.guess, str):
            raise GameError(f"guess must be a text or a number, not {shown(self.guess)}")

    def joined(self, other: Vote) -> Vote:
        """What counts: the first that is final, else the last."""
        return min(self, other, key=lambda one: (not one.final, one.at if one.final else -one.at))


@dataclass(frozen=True)
class Result:
    """How far a student came with an exercise; no tries: she has asked for a hint only."""

    right: bool
    at: When
    tries: Count = 1
    hints: Count = 0
    answer: str = ""
    said: str = ""  # what the check replied

    def __post_init__(self) -> None:
        check(self)

    def joined(self, other: Result) -> Result:
        """What is right stays right."""
        best = min(self, other, key=lambda one: (not one.right, one.at if one.right else -one.at))
        tries, hints = max(self.tries, other.tries), max(self.hints, other.hints)
        return replace(best, tries=tries, hints=hints)


@dataclass(frozen=True)
class HandIn:
    """All that a student has done; `problems` are entries that could not be read."""

    who: str
    name: str
    predictions: dict[str, Vote] = field(default_factory=dict)  # by `key_of` their question
    exercises: dict[str, Result] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def joined(self, other: HandIn) -> HandIn:
        """Both in one, under this one's name."""
        return replace(
            self,
            predictions=_joined(self.predictions, other.predictions),
            exercises=_joined(self.exercises, other.exercises),
            problems=self.problems + other.problems,
        )

    @property
    def latest(self) -> int:
        votes, results = self.predictions.values(), self.exercises.values()
        return max([0, *(one.at for one in votes), *(one.at for one in results)])

    def write(self, path: Path) -> Path:
        content = {"kind": KIND, "format": FORMAT, **asdict(self)}
        del content["problems"]
        return write_named(path, json.dumps(content, ensure_ascii=False, indent=1).encode())


def _joined(one: dict[str, T], other: dict[str, T]) -> dict[str, T]:
    both = {key: one[key].joined(other[key]) for key in one.keys() & other.keys()}
    return {**one, **other, **both}


def key_of(question: Question) -> str:
    """A name for a question that all students share; it says nothing about the answer."""
    asked = (question.text, question.options, question.low, question.high, question.unit)
    return hashlib.sha256(repr(asked).encode()).hexdigest()[:16]


# ---- reading -------------------------------------------------------------------------


def read_hand_in(path: Path) -> HandIn:
    """One hand-in; DamagedError says why a file is none."""
    content = read_json(path, KIND)
    problems: list[str] = []

    def entries(part: str, kind: type[T]) -> dict[str, T]:
        found, tables = {}, content.get(part, {})
        if not isinstance(tables, dict) or len(tables) > MOST:
            problems.append(f"{part} is no table of at most {MOST:,} entries")
            return {}
        for key, table in tables.items():
            try:
                found[one_line(key, 80)] = make(kind, table, "it", "field")
            except (TypeError, ValueError, AttributeError, OverflowError) as error:
                problems.append(f"{one_line(key, 40)}: {one_line(str(error), 160)}")
        return found

    name = one_line(str(content.get("name", "")), 60) or "(no name)"
    who = one_line(str(content.get("who", "")), 40) or f"{name} in {path.name}"
    votes, results = entries("predictions", Vote), entries("exercises", Result)
    return HandIn(who, name, votes, results, tuple(problems[:20]))


def read_json(path: Path, kind: str) -> dict[str, Any]:
    """The table in a small regular file; no pipe, device or link is followed."""
    try:
        with open(path, "rb", opener=_carefully) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise DamagedError("is no regular file")
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise DamagedError(f"is larger than {LARGEST:,} bytes")
        content = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse)
    except OSError as error:
        why = "is a link" if error.errno == errno.ELOOP else error.strerror
        raise DamagedError(f"cannot be read ({why})") from None
    except DamagedError:  # as raised above
        raise
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"is damaged or no {kind} ({one_line(str(error), 100)})") from None
    if isinstance(content, dict) and "cells" in content:
        raise DamagedError("is a notebook; what is needed is what `wb.exercises.hand_in` writes")
    if not isinstance(content, dict) or content.get("kind") != kind:
        raise DamagedError(f"is no {kind}")
    if content.get("format") != FORMAT:
        raise DamagedError("was written by another version of the workbench; update this one")
    return content


def _carefully(path: str, flags: int) -> int:
    """Neither follow a link nor wait for the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def one_line(text: str, most: int) -> str:
    """One line of so many printable characters: no control codes, no letters that turn the line."""
    text = "".join(letter if letter.isprintable() else " " for letter in text[: 2 * most])
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


# ---- the table -----------------------------------------------------------------------

Source = str | Path | Iterable[str | Path]


def collect(source: Source) -> tuple[list[tuple[HandIn, str]], dict[str, str]]:
    """Every student's work with the names of her files, and {file: why it could not be read}.

    source: a folder with all its subfolders, a file, or several of them.
    """
    found: dict[str, list[tuple[HandIn, str]]] = {}
    problems: dict[str, str] = {}
    for path, name in _files([source] if isinstance(source, str | Path) else source):
        try:
            one = read_hand_in(path)
            found.setdefault(one.who, []).append((one, name))
        except DamagedError as error:
            problems[name] = str(error)
    students = []
    for several in found.values():
        several.sort(key=lambda pair: pair[0].latest, reverse=True)
        one = several[0][0]
        for other, _ in several[1:]:
            one = one.joined(other)
        students.append((one, ", ".join(name for _, name in several)))
    return sorted(students, key=lambda pair: (pair[0].name.casefold(), pair[0].who)), problems


def _files(sources: Iterable[str | Path]) -> Iterable[tuple[Path, str]]:
    for source in map(Path, sources):
        if not os.path.lexists(source):
            raise GameError(f"there is no file or folder {source}")
        if not source.is_dir():
            yield source, source.name
            continue
        inside = list(islice(source.rglob("*"), MOST + 1))
        if len(inside) > MOST:
            raise GameError(f"{source} holds more than {MOST:,} files; name the hand-ins' folder")
        for path in sorted(inside):
            name = path.relative_to(source)
            hidden = any(part.startswith(".") for part in name.parts)
            if not (hidden or path.name.startswith(QUESTION) or path.is_dir()):
                yield path, one_line(str(name), 120)


def read_hand_ins(source: Source) -> pd.DataFrame:
    """A row for each student and exercise, and one for each file that could not be read.

        table = wb.exercises.read_hand_ins("hand-ins")
        table[table.problem != ""]
        table[table.problem == ""].pivot(index="student", columns="exercise", values="result")

    `result` is right, wrong, open (only a hint was asked for) or predicted. A student who handed in
    twice has one row, with what counts of both; two students of one name are told apart.
    """
    import pandas as pd

    rows: list[dict[str, Any]] = []
    students, problems = collect(source)
    seen: Counter[str] = Counter()
    for one, file in students:
        seen[one.name] += 1
        again = f" ({seen[one.name]})" if seen[one.name] > 1 else ""
        own = {"student": _cell(one.name) + again, "file": _cell(file)}
        for exercise, done in sorted(one.exercises.items()):
            result = "right" if done.right else "wrong" if done.tries else "open"
            counts = {"tries": done.tries, "hints": done.hints, "when": done.at}
            texts = {"answer": _cell(done.answer), "said": _cell(done.said)}
            rows.append(own | {"exercise": _cell(exercise), "result": result} | counts | texts)
        for vote in one.predictions.values():
            guess = vote.guess if isinstance(vote.guess, str) else f"{vote.guess:.6g}"
            texts = {"exercise": _cell(vote.question), "answer": _cell(guess)}
            rows.append(own | {"result": "predicted", "when": vote.at} | texts)
        rows += [own | {"problem": f"left out: {why}"} for why in one.problems]
    rows += [{"file": _cell(file), "problem": why} for file, why in problems.items()]
    table = pd.DataFrame(rows, columns=COLUMNS).astype({"tries": "Int64", "hints": "Int64"})
    table["when"] = pd.to_datetime(table["when"], unit="s", utc=True)
    return table.fillna(dict.fromkeys(TEXTS, ""))


def _cell(text: str) -> str:
    """Text for a table; what a spreadsheet would take for a formula gets an apostrophe."""
    text = one_line(text, 300)
    formula = text[:1] in set("=+-@") and not re.fullmatch(r"[-+]?[\d.,/e ]+", text)
    return f"'{text}" if formula else text
