"""A class folder: what this student predicts and answers is noted there as it happens.

    wb.classroom("/shared/games-course", name="Anna")     or WORKBENCH_CLASS=/shared/games-course

Everything a student does is one file of hers, a hand-in (`hand_ins.py`). It is written under
another name and then renamed, so nobody ever reads half of it, and nobody else writes it. After a
restart she goes on where the file ends. Without a class folder the same things are noted in this
kernel only, until `wb.exercises.hand_in("anna.json", name="Anna")` writes the file to be mailed.

The lecturer's half is a file for each question she has put to the vote, `question-….json`: as long
as it says that the question is not open, predictions are noted and their answers not shown. A
question that nobody has put to the vote works as it does without a class.
"""

from __future__ import annotations

import getpass
import hashlib
import json
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
from workbench.files import DamagedError, write_named
from workbench.lab.exercises.hand_ins import (
    FORMAT,
    QUESTION,
    HandIn,
    Result,
    Vote,
    collect,
    key_of,
    one_line,
    read_hand_in,
    read_json,
)
from workbench.rules import GameError
from workbench.runs.lock import locked
from workbench.settings import plain, shown

if TYPE_CHECKING:
    from workbench.lab.exercises.questions import Question

VARIABLE = "WORKBENCH_CLASS"


@dataclass(frozen=True)
class Classroom:
    """Where this kernel notes what happens, and for whom."""

    name: str
    folder: Path | None = None

    @property
    def who(self) -> str:
        """The account on a JupyterHub; elsewhere accounts are shared, so the name counts as well.

        A machine's name is part of it, because in containers everybody is the same user.
        """
        hub = os.environ.get("JUPYTERHUB_USER")
        place = (hub,) if hub else (_account(), platform.node(), self.name.casefold())
        return hashlib.sha256(repr(place).encode()).hexdigest()[:10]

    @property
    def file(self) -> str:
        """The name of the student's file."""
        named = unicodedata.normalize("NFC", os.environ.get("JUPYTERHUB_USER") or self.name)
        letters = re.sub(r"\W+", "-", named).strip("-")[:40]
        return f"{letters or 'student'}-{self.who}.json"

    def __repr__(self) -> str:
        if self.folder is None:
            return "No class folder: what you do is noted in this kernel only."
        return f"Class folder {self.folder}: what you do is noted as {self.name!r}, in {self.file}"


_here: Classroom | None = None
_noted = HandIn("", "")  # by this kernel, and what the file said before


def classroom(folder: str | Path | None = None, *, name: str = "") -> Classroom:
    """Note predictions and exercises in this folder from now on; None: in this kernel only.

    Without a name it is the account's. Given another name in the same kernel, the file moves.
    """
    global _here, _noted
    name = one_line(name, 60) if isinstance(name, str) else ""
    place = Classroom(name or _account(), None if folder is None else Path(folder).resolve())
    if place.folder is not None:
        if not place.folder.is_dir():
            raise GameError(
                f"there is no folder {place.folder} for the class; ask where it is, or go on "
                "without one: wb.classroom(None)"
            )
        if not os.access(place.folder, os.W_OK):
            raise GameError(f"you may not write to {place.folder}; ask for another class folder")
        before = _here if _here and _here.folder == place.folder else place
        old, new = place.folder / before.file, place.folder / place.file
        if old.exists() and not new.exists():
            os.replace(old, new)
        elif new != old and new.exists():
            _noted = HandIn("", "")  # somebody else sits here now
    _here = place
    if problem := _note(HandIn("", "")):
        _here = None
        raise GameError(problem)
    return place


def hand_in(path: str | Path = ".", *, name: str = "") -> Filed:
    """Write all that was noted into one file, to be handed in; what it says already stays.

    path: a file, or a folder, in which the file gets the student's name.
    """
    global _noted
    place = replace(_place(), name=one_line(name, 60)) if name else _place()
    path = Path(path)
    path = path / place.file if path.is_dir() else path
    mine = replace(_noted, who=place.who, name=place.name)
    if path.exists():
        before = _mine(path)
        if before.who != mine.who and before.name.casefold() != mine.name.casefold():
            raise GameError(
                f"{path} was handed in by {before.name!r}, and you are {mine.name!r}; "
                "name another file, or give the name you had: hand_in(…, name=…)"
            )
        mine = replace(mine.joined(before), who=before.who)
    if not (mine.exercises or mine.predictions):
        raise GameError("nothing is noted in this kernel yet; run your answers again, then hand in")
    _noted = mine
    return Filed(mine.write(path), mine)


@dataclass(frozen=True)
class Filed:
    """A file that was handed in, and what it holds."""

    path: Path
    content: HandIn

    def __repr__(self) -> str:
        done = self.content.exercises.values()
        right, tried = sum(one.right for one in done), sum(one.tries > 0 for one in done)
        return (
            f"{self.path}: handed in by {self.content.name!r}; right answers: {right} of {tried}, "
            f"predictions: {len(self.content.predictions)}"
        )


# ---- what is noted -------------------------------------------------------------------


def note_vote(question: Question, guess: Any, *, final: bool) -> str:
    """Note a prediction; what went wrong, if anything did."""
    vote, key = Vote(guess, _now(), one_line(question.text, 200), final), key_of(question)
    return _note(HandIn("", "", predictions={key: vote}))


def note_result(exercise: str, right: bool, answers: tuple[Any, ...], said: str) -> str:
    """Note how an answer was judged; the same answer again is no other try."""
    answer = one_line(", ".join(map(_brief, answers)), 200)
    said, old = one_line(said, 300), _known().exercises.get(exercise, Result(False, 0, 0))
    if old.right or (not right and (old.answer, old.said) == (answer, said)):
        return ""
    done = Result(right, _now(), old.tries + 1, old.hints, answer, said)
    return _note(HandIn("", "", exercises={exercise: done}))


def note_hint(exercise: str, number: int) -> str:
    """Note that a hint was asked for."""
    old = _known().exercises.get(exercise, Result(False, _now(), 0))
    if old.right or old.hints >= number:
        return ""
    return _note(HandIn("", "", exercises={exercise: replace(old, hints=number)}))


def vote_of(question: Question) -> Vote | None:
    """What this student predicted."""
    return _known().predictions.get(key_of(question))


def _known() -> HandIn:
    with suppress(GameError, OSError):
        _place()  # reads the file of an earlier kernel
    return _noted


def _note(news: HandIn) -> str:
    global _noted
    _noted = news.joined(_noted)
    try:
        place = _place()
        if place.folder is not None:
            path = place.folder / place.file
            with _alone():  # two notebooks of one student may be open
                if path.exists():
                    _noted = _noted.joined(_mine(path))
                elif not (_noted.predictions or _noted.exercises):
                    return ""
                replace(_noted, who=place.who, name=place.name).write(path)
                with suppress(OSError):
                    path.chmod(0o644)  # the lecturer reads it
    except (GameError, OSError) as error:
        return f"This could not be noted in the class folder: {error}"
    return ""


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
    if _here is not None:
        return _here
    return classroom(os.environ.get(VARIABLE) or None)


def _mine(path: Path) -> HandIn:
    try:
        return read_hand_in(path)
    except DamagedError as error:
        raise GameError(f"{path} {error}; rename it or take it away, and try again") from None


def _account() -> str:
    try:
        return os.environ.get("JUPYTERHUB_USER") or getpass.getuser()
    except (OSError, KeyError, ImportError):  # a container without names
        return "student"


def _brief(answer: Any) -> str:
    """An answer as text if it is one, a number or a few of them; else what it is."""
    if isinstance(answer, str | Number):
        return str(plain(answer))[:400]
    few = isinstance(answer, list | tuple | set | dict) and len(answer) <= 20
    return shown(answer) if few else type(answer).__name__


def _now() -> int:
    return int(time.time())


# ---- the lecturer's half -------------------------------------------------------------


def class_folder(folder: str | Path | None) -> Path:
    """The folder that is meant: this one, or that of `classroom`."""
    found = _place().folder if folder is None else Path(folder).resolve()
    if found is None or not found.is_dir():
        named = f"there is no folder {found}" if found else "there is no class folder yet"
        raise GameError(f"{named}; name one that exists: Votes(question, folder)")
    return found


def ask(question: Question, folder: Path, *, is_open: bool = False) -> bool:
    """Put a question to the vote, or open its answer for everybody; True if it is open."""
    before = asked(question, folder)
    if before is None or (is_open and not before):
        content = {
            "kind": "question", "format": FORMAT, "open": is_open, "text": question.text
        }  # fmt: skip
        path = folder / f"{QUESTION}{key_of(question)}.json"
        write_named(path, json.dumps(content, ensure_ascii=False).encode())
        with suppress(OSError):
            path.chmod(0o644)
    return is_open or bool(before)


def asked(question: Question, folder: Path | None = None) -> bool | None:
    """True if the answer is open, False if it is held back, None if nobody put it to the vote."""
    if folder is None:
        with suppress(GameError, OSError):
            folder = _place().folder
    path = None if folder is None else folder / f"{QUESTION}{key_of(question)}.json"
    if path is None or not path.exists():
        return None
    try:
        return read_json(path, "question").get("open") is True
    except DamagedError:
        return False


def votes_on(question: Question, folder: Path) -> tuple[list[Any], int]:
    """Everybody's guess, and how many files could not be read."""
    students, problems = collect(folder)
    key = key_of(question)
    found = [one.predictions[key].guess for one, _ in students if key in one.predictions]
    return [guess for guess in found if question.possible(guess)], len(problems)
