"""A class folder: what a student predicts and answers is noted there as it happens.

    wb.classroom("/shared/games-course", name="Anna")     or WORKBENCH_CLASS=/shared/games-course

All that she does is one file of hers, a hand-in (`hand_ins.py`), which nobody else writes; after a
restart she goes on where it ends. Without a class folder this kernel remembers the same, until
`wb.exercises.hand_in("anna.json", name="Anna")` writes the file to be mailed.

The lecturer's half is a file for each question that she has put to the vote, `question-….held`:
as long as it is there, predictions are noted and the answer is not shown. Renamed to `.open`, it
is. A question that nobody has put to the vote works as it does without a class.
"""

from __future__ import annotations

import getpass
import hashlib
import os
import platform
import re
import time
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from numbers import Number
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.disk_cache import candidates, writable
from workbench.files import DamagedError, need_path, need_target, write_named
from workbench.lab.exercises.hand_ins import (
    HELD,
    OPEN,
    VOTE,
    HandIn,
    Note,
    collect,
    one_line,
    read_hand_in,
    read_hand_ins,
)
from workbench.lock import locked
from workbench.rules import GameError, shown
from workbench.settings import plain

if TYPE_CHECKING:
    import pandas as pd

    from workbench.lab.exercises.questions import Question


@dataclass(frozen=True, repr=False)
class Classroom:
    """Where this kernel notes what happens, and for whom."""

    name: str
    folder: Path | None = None

    @property
    def who(self) -> str:
        """The account on a JupyterHub. Elsewhere one account may serve many: in containers, which
        differ in the machine's name, or in a room of computers, where people differ in theirs."""
        hub = os.environ.get("JUPYTERHUB_USER")
        place = (hub,) if hub else (_account(), platform.node(), self.name.casefold())
        return hashlib.sha256(repr(place).encode()).hexdigest()[:10]

    @property
    def file(self) -> str:
        """The name of the student's file."""
        named = unicodedata.normalize("NFC", os.environ.get("JUPYTERHUB_USER") or self.name)
        letters = re.sub(r"\W+", "-", named.casefold()).strip("-")[:40]
        return f"{letters or 'student'}-{self.who}.json"

    def __repr__(self) -> str:
        if self.folder is None:
            return "No class folder: what you do is noted in this kernel only."
        return f"Class folder {self.folder}: what you do is noted as {self.name!r}, in {self.file}"


_here: Classroom | None = None
_noted = HandIn()  # by this kernel, and what the file said before


def classroom(folder: str | Path | None = None, *, name: str = "") -> Classroom:
    """Note predictions and exercises in this folder from now on; None: in this kernel only.

    Without a name it is the account's. Another name in the same kernel renames the file, unless
    there is one of that name: then somebody else sits down.
    """
    global _here, _noted
    place = Classroom(one_line(str(name), 60) or _account(), existing(folder) if folder else None)
    if place.folder and not os.access(place.folder, os.W_OK):
        raise GameError(f"you may not write to {place.folder}; ask for another class folder")
    if place.folder and _here and _here.folder == place.folder and _here.file != place.file:
        old, new = place.folder / _here.file, place.folder / place.file
        if new.exists():
            _noted = HandIn()
        elif old.exists():
            os.replace(old, new)
    _here = place
    _write()
    return place


def hand_in(path: str | Path = ".", *, name: str = "") -> pd.DataFrame:
    """Write all that was noted into one file, to be handed in; shows what the lecturer will read.

    path: a file, or a folder, in which the file gets the student's name. What a file of hers says
    already stays.
    """
    global _noted
    place = Classroom(one_line(name, 60)) if name else _place()
    folder = need_path(path)
    path = folder / place.file if folder.is_dir() else need_target(path)
    mine = replace(_known(), who=place.who, name=place.name)
    if path.exists():
        before = _mine(path)
        if before.who != mine.who and before.name.casefold() != mine.name.casefold():
            raise GameError(
                f"{path} was handed in by {before.name!r}, and you are {mine.name!r}; "
                "name another file, or give the name you had: hand_in(…, name=…)"
            )
        mine = replace(mine.joined(before), who=before.who)
    if not mine.notes:
        raise GameError("nothing is noted in this kernel yet; run your answers again, then hand in")
    _noted = mine
    return read_hand_ins(mine.write(path))


# ---- what is noted; the functions say what went wrong, or nothing ------------------------


def note_vote(question: Question, guess: Any, *, final: bool) -> str:
    """Note a prediction; it is final once the answer is seen."""
    key = VOTE + question.key
    if (old := _known().notes.get(key)) and old.done:
        return ""
    return _note({key: Note(guess, _now(), final, said=one_line(question.text, 200))})


def note_result(exercise: str, right: bool, answers: tuple[Any, ...], said: str) -> str:
    """Note how an answer was judged; the same answer again is no other try."""
    answer, said = one_line(", ".join(map(_brief, answers)), 200), one_line(said, 300)
    old = _known().notes.get(exercise)
    if old and (old.done or (not right and (old.answer, old.said) == (answer, said))):
        return ""
    tries = old.tries + 1 if old else 1
    return _note({exercise: Note(answer, _now(), right, tries, said)})


def guess_of(question: Question) -> Any:
    """What this student has predicted in this class, or None."""
    note = _known().notes.get(VOTE + question.key)
    return note.answer if note and _here and _here.folder else None


def _known() -> HandIn:
    with suppress(GameError, OSError):
        _place()  # reads the file of an earlier kernel
    return _noted


def _note(news: dict[str, Note]) -> str:
    global _noted
    _noted = HandIn(notes=news).joined(_noted)
    try:
        _write()
    except (GameError, OSError) as error:
        return f"This could not be noted in the class folder: {error}"
    return ""


def _write() -> None:
    """Bring memory and the student's file together."""
    global _noted
    place = _place()
    if place.folder is not None:
        path = place.folder / place.file
        with _alone():  # a student may have two notebooks open
            if path.exists():
                _noted = _noted.joined(_mine(path))
            if _noted.notes:
                replace(_noted, who=place.who, name=place.name).write(path)
                _readable(path)


@contextmanager
def _alone() -> Iterator[None]:
    """One kernel of this user at a time, where there is a place for a lock."""
    with ExitStack() as held:
        for folder in filter(writable, candidates()):
            with suppress(OSError):  # a disk that knows no locks
                held.enter_context(locked(folder / "hand-in.lock"))
                break
        yield


def _place() -> Classroom:
    """Where to note; the variable counts until `classroom` is called."""
    return _here or classroom(os.environ.get("WORKBENCH_CLASS"))


def _mine(path: Path) -> HandIn:
    try:
        return read_hand_in(path)
    except DamagedError as error:
        raise GameError(f"{path} {error}; rename it or take it away, and try again") from None


def _readable(path: Path) -> None:
    """For the others, whatever the student's own settings."""
    with suppress(OSError):
        path.chmod(0o644)


def _account() -> str:
    try:
        return os.environ.get("JUPYTERHUB_USER") or getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container without names
        return "student"


def _brief(answer: Any) -> str:
    """An answer as text if it is one, a number or a few of them; else what it is."""
    if isinstance(answer, list | tuple | set | dict) and len(answer) <= 20:
        return shown(answer)
    if isinstance(answer, str | Number):
        with suppress(ValueError):  # a number of 5,000 digits
            return str(plain(answer))[:400]
    return type(answer).__name__


def _now() -> int:
    return int(time.time())


# ---- the lecturer's half -------------------------------------------------------------


def existing(folder: str | Path | None) -> Path:
    """The folder that is meant: this one, or that of `classroom`."""
    found = need_path(folder, "a class folder").resolve() if folder else _place().folder
    if found is None:
        raise GameError("there is no class folder yet; name one, or call wb.classroom(folder)")
    if not found.is_dir():
        raise GameError(f"there is no folder {found}; wb.classroom(None) goes on without one")
    return found


def asked(question: Question, folder: Path | None = None) -> bool | None:
    """True if the answer is open, False if it is held back, None if nobody put it to the vote."""
    with suppress(GameError, OSError):
        for state in (True, False):
            if _state(question, folder or _place().folder, state).exists():
                return state
    return None


def ask(question: Question, folder: Path, *, opened: bool = False) -> bool:
    """Put a question to the vote, or open its answer for everybody; True if it is open."""
    if asked(question, folder) is None:
        text = one_line(question.text, 300).encode()  # for people who look into the folder
        _readable(write_named(_state(question, folder, False), text))
    if opened and not asked(question, folder):
        os.replace(_state(question, folder, False), _state(question, folder, True))
    return bool(asked(question, folder))


def _state(question: Question, folder: Path | None, opened: bool) -> Path:
    if folder is None:
        raise GameError("there is no class folder")
    return folder / f"question-{question.key}{OPEN if opened else HELD}"


def votes_on(question: Question, folder: Path) -> tuple[list[Any], int]:
    """Everybody's guess, and how many files could not be read."""
    students, problems = collect(folder, only=VOTE + question.key)
    found = [note.answer for one, _ in students for note in one.notes.values()]
    return [guess for guess in found if question.possible(guess)], len(problems)
