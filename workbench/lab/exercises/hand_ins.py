"""A hand-in: what one student predicted and answered, as one file of plain text.

    {"kind": "hand-in", "format": 1, "who": "5c0f3e9a1b", "name": "Anna", "notes": {
       "01 check_queen": {"answer": "7/1800", "done": true, "tries": 2, "at": 1790000000, …},
       "predict 6c33…": {"answer": 40, "said": "How many histories has …?", "at": 1790000000, …}}}

`who` tells two Annas apart, and knows the second file of the same Anna. A lecturer reads such files
from people she need not trust, so nothing in them is ever run: a file is text of at most a million
bytes, every field is checked, and what does not fit is left out and named. It is a student's note,
not a proof: whoever can write the file can write anything into it, but into no other row than his.
Two files of one `who` are one student's only if they belong to one account and do not disagree.
Where students have accounts of their own, an account is one student, and no name is another's.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any

from workbench.files import DamagedError, need_path, read_json, write_named
from workbench.later import pd
from workbench.rules import GameError, shown
from workbench.settings import Between, check, make, need_several

LARGEST, USUAL = 1_000_000, 50_000  # bytes; so much a whole course takes
MOST = 5_000  # files of one account, and notes in a file
VOTE = "predict "  # so begin the keys of predictions
ASKED = ".vote"  # so end the lecturer's own files
SHEET = "grades.csv"  # of the lecturer, too
TEXTS = ["student", "exercise", "result", "answer", "said", "file", "problem"]
COLUMNS = [*TEXTS[:3], "tries", *TEXTS[3:5], "when", *TEXTS[5:]]
CLASS_END = r"(-[0-9a-f]+)?\.json"  # as `class_folder.py` names them
CLASS_FILE = re.compile(rf".*-[0-9a-f]{{10}}{CLASS_END}")


@dataclass(frozen=True)
class Note:
    """A prediction, or the answer to an exercise."""

    answer: Any  # a text or a number
    at: Annotated[int, Between(0, 4_000_000_000)]  # seconds since 1970
    done: bool = False  # the exercise is solved; the prediction's answer has been seen
    tries: Annotated[int, Between(1, 1_000_000)] = 1
    said: str = ""  # what the check replied; what was to be predicted

    def __post_init__(self) -> None:
        check(self)
        number = type(self.answer) in (int, float) and abs(self.answer) <= sys.float_info.max
        if not number and not isinstance(self.answer, str):
            raise GameError(f"answer must be a text or a number, not {shown(self.answer)}")

    def joined(self, other: Note) -> Note:
        """What counts: that which was done first, else the later one."""
        best = min(self, other, key=lambda one: (not one.done, one.at if one.done else -one.at))
        return replace(best, tries=max(self.tries, other.tries))


@dataclass(frozen=True)
class HandIn:
    """All that a student has done; `problems` are notes that could not be read."""

    who: str = ""
    name: str = ""
    notes: dict[str, Note] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    owner: int = -1  # the account that the file belongs to
    named: bool = False  # the file has the name that a class folder would give it
    votes: bool = True  # False: another file of this account does

    def joined(self, other: HandIn) -> HandIn:
        """Both in one, under this one's name."""
        mine, more = self.notes, other.notes
        both = {key: mine[key].joined(more[key]) for key in mine.keys() & more.keys()}
        problems, named = self.problems + other.problems, self.named or other.named
        return replace(self, notes={**mine, **more, **both}, problems=problems, named=named)

    @property
    def newest(self) -> int:
        """When something was noted last."""
        return max((note.at for note in self.notes.values()), default=0)

    def write(self, path: Path, mode: int | None = None) -> Path:
        """Never through a link; `mode`: who may read it."""
        notes = {key: asdict(note) for key, note in self.notes.items()}
        head = {"kind": "hand-in", "format": 1, "who": self.who, "name": self.name}
        content = {**head, "notes": notes}
        text = json.dumps(content, ensure_ascii=False, indent=1)
        return write_named(path, text.encode(), follow=False, mode=mode)


def read_hand_in(path: Path, only: str = "") -> HandIn:
    """One hand-in, or `only` one note of it; DamagedError says why a file is none."""
    text, info = read_strange(path)
    if len(text) > LARGEST:
        raise DamagedError(f"is larger than {LARGEST:,} bytes")
    if not text.strip():
        raise DamagedError("is damaged: it is empty")
    try:
        content = read_json(text)
    except DamagedError as error:
        raise DamagedError(f"is damaged or no hand-in ({error})") from None
    if isinstance(content, dict) and "cells" in content:
        raise DamagedError("is a notebook; what is needed is what `wb.exercises.hand_in` writes")
    if not isinstance(content, dict) or content.get("kind") != "hand-in":
        raise DamagedError("is no hand-in")
    tables, written = content.get("notes"), content.get("format")
    known = type(written) is int and written == 1
    if not known or not isinstance(tables, dict) or len(tables) > MOST:
        raise DamagedError("is damaged, or was written by another version of the workbench")
    texts = {key: one for key, one in content.items() if isinstance(one, str)}
    name = one_line(texts.get("name", ""), 60) or "(no name)"
    who = one_line(texts.get("who", ""), 40) or f"{name} in {path.name}"
    notes, problems = {}, []
    for key, table in tables.items():
        if only not in ("", key):
            continue
        try:
            notes[one_line(key, 80)] = make(Note, table, "it", "field")
        except GameError as error:
            problems.append(f"left out {one_line(key, 40)}: {one_line(str(error), 160)}")
    named = bool(re.fullmatch(rf".*-{re.escape(who)}{CLASS_END}", path.name))
    return HandIn(who, name, notes, tuple(problems[:20]), info.st_uid, named)


def read_strange(path: Path) -> tuple[bytes, os.stat_result]:
    """The first million bytes of a file that anybody may have put there, and whose it is."""
    try:
        with open(path, "rb", opener=_carefully) as file:
            info = os.fstat(file.fileno())
            if not stat.S_ISREG(info.st_mode):
                raise DamagedError("is no regular file")
            return file.read(LARGEST + 1), info
    except OSError as error:
        why = "it is a link" if error.errno == errno.ELOOP else error.strerror
        raise DamagedError(f"cannot be read ({why})") from None


def _carefully(path: str, flags: int) -> int:
    """Neither follow a link nor wait for the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def one_line(text: str, most: int) -> str:
    """At most so many printable characters: no control codes, nothing that turns the line."""
    text = text[: 2 * most]
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


# ---- many of them --------------------------------------------------------------------

Source = str | Path | Iterable[str | Path]
Row = tuple[HandIn, str]  # and the names of its files


def collect(source: Source, only: str = "") -> tuple[list[Row], dict[str, str]]:
    """Every student's work with the names of her files, and {file: why it could not be read}.

    source: a folder with all its subfolders, a file, or several of them. Files that claim to be
    the same student's and disagree, or belong to several accounts, stay apart, with a problem.
    Where accounts differ, see `_told_apart`.
    """
    found: dict[tuple[str, int], list[Row]] = {}
    problems: dict[str, str] = {}
    if isinstance(source, str) or not isinstance(source, Iterable):
        source = [source]
    several = need_several("hand-ins", source, "files or folders")
    sources = [need_path(one, "a file or folder of hand-ins") for one in several]
    for path, name in _files(sources, problems):
        try:
            one = read_hand_in(path, only)
            found.setdefault((one.who, one.owner), []).append((one, name))
        except DamagedError as error:
            problems[name] = str(error)
    students: dict[str, list[Row]] = {}
    for (who, _), files in found.items():  # the newest first: its name is hers
        files.sort(key=lambda pair: -pair[0].newest)
        one, names = files[0]
        for other, name in files[1:]:
            both = one.notes.keys() & other.notes.keys()
            if any(one.notes[key] != other.notes[key] for key in both):
                break
            one, names = one.joined(other), f"{names}, {name}"
        else:
            files = [(one, names)]
        students.setdefault(who, []).extend(files)
    rows = []
    for files in students.values():
        why: tuple[str, ...] = ()
        if len(files) > 1:
            claim = " and ".join(f"{name} ({account(one.owner)})" for one, name in files[:3])
            why = (f"{claim} name the same student and are not one file; keep the right one",)
        rows += [(replace(one, problems=one.problems + why), name) for one, name in files]
    rows.sort(key=lambda row: (row[0].name.casefold(), row[0].who, row[1]))
    trusted = {0, os.geteuid() if hasattr(os, "geteuid") else 0}
    trusted |= {(one if one.is_dir() else one.parent).stat().st_uid for one in sources}
    return _told_apart(rows, trusted), problems


def _told_apart(rows: list[Row], trusted: set[int]) -> list[Row]:
    """What an account has handed in, where students have accounts of their own: where files belong
    to more than one, besides the folder's owner, the reader and root, who may bring those of many.

    An account's several hand-ins are a problem, and one of them votes: one with a name as in a
    class folder, else the newest. A name that several accounts give goes to the one whose file is
    named so, if it is the only one. The others' rows say their account, and what is not named so
    is a problem as well.
    """
    owners: dict[int, list[Row]] = {}
    claims: dict[str, dict[int, bool]] = {}  # {name: {account: whether a file is named so}}
    for row in rows:
        one, _ = row
        owners.setdefault(one.owner, []).append(row)
        claim = claims.setdefault(one.name.casefold(), {})
        claim[one.owner] = claim.get(one.owner, False) or one.named or one.owner in trusted
    if len(owners.keys() - trusted) < 2:
        return rows
    found = []
    for one, file in rows:
        hers, claim, why, name = owners[one.owner], claims[one.name.casefold()], "", one.name
        first = min(hers, key=lambda row: (not row[0].notes, not row[0].named, -row[0].newest))
        alone = one.owner in trusted or len(hers) == 1
        if not alone:
            names = ", ".join(name for _, name in hers[:3])
            why = f"{account(one.owner)} has {len(hers)} hand-ins ({names}); {first[1]} counts"
        if len(claim) > 1 and not (claim[one.owner] and sum(claim.values()) == 1):
            name = f"{one.name} ({account(one.owner)})"
            if not (claim[one.owner] or why or one.problems):
                why = f"{file} takes the name of another account's hand-in"
        problems = one.problems + ((why,) if why else ())
        counts = alone or first[0] is one
        found.append((replace(one, name=name, problems=problems, votes=counts), file))
    return found


def account(number: int) -> str:
    """Whose files have this number."""
    with suppress(ImportError, KeyError, OverflowError):  # Windows; an account of another machine
        import pwd

        return f"account {pwd.getpwuid(number).pw_name}"
    return f"account {number}"


def _files(sources: Iterable[Path], problems: dict[str, str]) -> Iterator[tuple[Path, str]]:
    for source in sources:
        if not os.path.lexists(source):
            raise GameError(f"there is no file or folder {source}")
        if not source.is_dir():
            yield source, source.name
            continue
        try:
            os.scandir(source).close()
        except OSError as error:
            raise GameError(
                f"{source} cannot be listed ({error.strerror}); only who made it may read them all"
            ) from None
        inside, room, left_out = [], Counter[tuple[int, bool]](), Counter[int]()
        for entry in _inside(source):
            with suppress(OSError):  # gone meanwhile
                info = entry.stat(follow_symlinks=False)
                whose = info.st_uid, bool(CLASS_FILE.fullmatch(entry.name))
                room[whose] += min(max(info.st_size, USUAL), LARGEST)
                if room[whose] <= MOST * USUAL:
                    inside.append(Path(entry.path))
                else:  # nobody's files keep out those of others
                    left_out[info.st_uid] += 1
        if left_out:
            many = (f"{number:,} files of {account(owner)}" for owner, number in left_out.items())
            problems[str(source)] = f"too many to be read: {', '.join(many)}"
        yield from ((path, str(path.relative_to(source))) for path in sorted(inside))


def _inside(folder: Path) -> Iterator[os.DirEntry[str]]:
    """All files, however deep; no link is followed, hidden ones and the lecturer's are left out."""
    waiting = [str(folder)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.name.endswith((ASKED, SHEET)):
                    yield entry


def read_hand_ins(source: Source) -> pd.DataFrame:
    """A row for each student and exercise or prediction, and one for each file without any.

        table = wb.exercises.read_hand_ins("hand-ins")
        table[table.problem != ""]
        table[table.problem == ""].pivot(index="student", columns="exercise", values="result")

    `result` is right, wrong or predicted. A student who handed in twice has one row for each
    exercise, unless her files disagree: then they stay apart, and `problem` names them. Two
    students of one name are told apart, by their accounts if they have some, and so are two
    exercises.
    """
    rows: list[dict[str, Any]] = []

    def add(texts: dict[str, Any], tries: int | None = None, when: int | None = None) -> None:
        cells = {name: _cell(texts.get(name, "")) for name in TEXTS}
        rows.append({**cells, "tries": tries, "when": when})

    def apart(name: str, taken: set[str]) -> str:
        """As a cell has it; the second of one name gets a number that is free."""
        name = _cell(name)[:280]  # there is room for a number
        names = chain([name], (f"{name} ({k})" for k in count(2)))
        free = next(one for one in names if one not in taken)
        taken.add(free)
        return free

    students, problems = collect(source)
    names: set[str] = set()
    for one, file in students:
        own, exercises = {"student": apart(one.name, names), "file": file}, set[str]()
        for key, note in sorted(one.notes.items()):
            row = {"exercise": key, "result": "right" if note.done else "wrong", "said": note.said}
            if key.startswith(VOTE):
                row = {"exercise": note.said or key, "result": "predicted"}
            row["exercise"] = apart(row["exercise"], exercises)
            add({**own, **row, "answer": note.answer}, note.tries, note.at)
        nothing = () if one.notes or one.problems else ("nothing is noted in it",)
        for why in (*one.problems, *nothing):
            add({**own, "problem": why})
    for file, why in problems.items():
        add({"file": file, "problem": why})
    table = pd.DataFrame(rows, columns=COLUMNS).astype({"tries": "Int64"})
    return table.assign(when=pd.to_datetime(table["when"], unit="s", utc=True))


def _cell(value: Any) -> str:
    """Text for a table, numbers as programs read them; what a spreadsheet would take for a formula
    gets an apostrophe."""
    text = one_line(value if isinstance(value, str) else f"{value:.6g}", 300)
    number = re.fullmatch(r"[-+]?[\d.,/ ]+(e[-+]?\d+)?", text)
    formula = text[:1] in set("=+-@") and not number
    return f"'{text}" if formula else text
