"""A class folder: what a student predicts and answers is noted there as it happens.

    wb.classroom("/shared/games-course", name="Anna")     or WORKBENCH_CLASS=/shared/games-course

All that she does is one file of hers, a hand-in (`hand_ins.py`), which nobody else writes; after a
restart she goes on where it ends. Without a class folder this kernel remembers the same, until
`wb.exercises.hand_in("anna.json", name="Anna")` writes the file to be mailed.

The lecturer's half is a file for each question that she has put to the vote, `question-….vote`:
while it is there, predictions are noted, and the answer is shown once it says that it is `open`. A
question that nobody has put to the vote works as it does without a class. If it says `closed`, no
vote is noted any more; `first` keeps the votes of the round before a repetition, `past` older ones.

Everybody may write to such a folder, so nobody trusts a name in it. No link is followed. A file is
one's own if it belongs to whom a new file there would belong to: that holds as well on a disk that
knows no owners, and in containers that share one account, where nobody can be told apart. A
question's file counts if it belongs to the folder's owner, who is the lecturer. And nobody needs to
list the folder but her.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import platform
import re
import secrets
import stat
import tempfile
import time
import unicodedata
from contextlib import suppress
from dataclasses import dataclass, replace
from numbers import Number
from pathlib import Path
from types import NoneType
from typing import Any

from workbench.disk_cache import alone
from workbench.files import DamagedError, need_path, need_target, read_json, resolved, write_named
from workbench.lab.exercises.hand_ins import (
    ASKED,
    VOTE,
    HandIn,
    Note,
    account,
    collect,
    one_line,
    read_hand_in,
    read_hand_ins,
    read_strange,
)
from workbench.lab.exercises.questions import Question
from workbench.later import pd
from workbench.rules import GameError, shown
from workbench.settings import known_in, plain

LOCK = "hand-in.lock"  # a student may have two notebooks open
LAST = secrets.token_hex(8)  # a name for her file that nobody could take before her


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
        return self.files[0]

    @property
    def files(self) -> list[str]:
        """Its names, best first: a stranger may have taken some."""
        named = unicodedata.normalize("NFC", os.environ.get("JUPYTERHUB_USER") or self.name)
        letters = re.sub(r"\W+", "-", named.casefold()).strip("-")[:40]
        ends = ["", *(f"-{k}" for k in range(2, 10)), f"-{LAST}"]
        return [f"{letters or 'student'}-{self.who}{end}.json" for end in ends]

    def __repr__(self) -> str:
        if self.folder is None:
            return "No class folder: what you do is noted in this kernel only."
        said = f"Class folder {self.folder}: what you do is noted as {self.name!r}, in "
        try:
            path, _, taken = _own(self)
        except GameError as error:
            return f"{said}{self.file}\n{error}"
        return "\n".join(filter(None, (said + path.name, taken, advice(self.folder))))


_here: Classroom | None = None
_noted = HandIn()  # by this kernel, and what the file said before
_taken = ""  # by whom the name of her file is taken


def classroom(folder: str | Path | None = None, *, name: str = "") -> Classroom:
    """Note predictions and exercises in this folder from now on; None: in this kernel only.

    Without a name it is the account's. Another name in the same kernel renames the file, unless
    she has one of that name: then somebody else sits down.
    """
    global _here, _noted
    named = None if known_in(folder, (None, "")) else existing(folder)
    place = Classroom(_named(name) or _account(), named)
    before, old = _here, None
    if place.folder:
        new, _, _ = _own(place)
        if before and before.folder == place.folder and before.file != place.file:
            if os.path.lexists(new):
                _noted = HandIn()
            else:
                old, said, _ = _own(before)
                _noted = _noted.joined(said)
    _here = place
    _write()
    if old:
        old.unlink(missing_ok=True)
    return place


def hand_in(path: str | Path = ".", *, name: str = "") -> pd.DataFrame:
    """Write all that was noted into one file, to be handed in; shows what the lecturer will read.

    path: a file, or a folder, in which the file gets the student's name. What a file of hers says
    already stays; no link and nobody else's file is written over.
    """
    global _noted
    place = Classroom(said) if (said := _named(name)) else _place()
    folder = need_path(path)
    _without_links((folder if folder.is_dir() else folder.parent).absolute())
    path = folder / place.file if folder.is_dir() else need_target(path)
    mine = replace(_known(), who=place.who, name=place.name)
    if os.path.lexists(path):
        try:
            before = _mine(path)
        except DamagedError as error:
            raise GameError(f"{path} {error}; take it away, or name another file") from None
        if before.who != mine.who and before.name.casefold() != mine.name.casefold():
            raise GameError(
                f"{path} was handed in by {before.name!r}, and you are {mine.name!r}; "
                "name another file, or give the name you had: hand_in(…, name=…)"
            )
        mine = replace(mine.joined(before), who=before.who)
    if not mine.notes:
        raise GameError("nothing is noted in this kernel yet; run your answers again, then hand in")
    shared = path.parent.stat().st_mode & 0o022
    mine.write(path, _mode(path.parent) if shared else None)
    _noted = mine
    return read_hand_ins(path)


# ---- what is noted; the functions say what went wrong, or nothing ------------------------


def note_vote(question: Question, guess: Any, *, final: bool) -> str:
    """Note a prediction; it is final once the answer is seen."""
    key = VOTE + question.key
    if (old := _known().notes.get(key)) and old.done:
        return ""
    return _note({key: Note(guess, int(time.time()), final, said=one_line(question.text, 200))})


def note_result(exercise: str, right: bool, answers: tuple[Any, ...], said: str) -> str:
    """Note how an answer was judged; the same answer again is no other try."""
    answer, said = one_line(", ".join(map(_brief, answers)), 200), one_line(said, 300)
    old = _known().notes.get(exercise)
    if old and (old.done or (not right and (old.answer, old.said) == (answer, said))):
        return ""
    tries = old.tries + 1 if old else 1
    return _note({exercise: Note(answer, int(time.time()), right, tries, said)}) or _taken


def taken() -> str:
    """Who has taken the name of this student's file, and where her work goes; or nothing."""
    return _taken


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
    """Bring memory and the student's file together; what it says counts once that is done."""
    global _noted, _taken
    place = _place()
    if place.folder is not None:
        with alone(LOCK):
            path, before, _taken = _own(place)
            both = _noted.joined(before)
            if both.notes:
                mine = replace(both, who=place.who, name=place.name)
                mine.write(path, _mode(path.parent))
            _noted = both


def _place() -> Classroom:
    """Where to note; the variable counts until `classroom` is called."""
    return _here or classroom(os.environ.get("WORKBENCH_CLASS"))


def _own(place: Classroom) -> tuple[Path, HandIn, str]:
    """The student's file, what it says, and why it has not the name that it should have.

    It is the first of its names that is free, or under which there is a hand-in of hers.
    """
    folder, taken = existing(place.folder), ""
    _made(folder)
    for path in map(folder.joinpath, place.files):
        try:
            found = _mine(path) if os.path.lexists(path) else HandIn(place.who)
            if found.who != place.who:
                raise DamagedError("is somebody else's")
            return path, found, taken and f"{taken}; your work goes into {path.name}"
        except DamagedError as error:
            taken = taken or f"Tell your lecturer: {path} {error}"
    raise GameError(f"{taken}, and all other names for your work are taken as well")


def _mine(path: Path) -> HandIn:
    """What a file of this user's says; DamagedError if it is none, or somebody else's."""
    found = read_hand_in(path)
    if found.owner != _made(path.parent).st_uid:
        raise DamagedError(f"is not yours, it belongs to {account(found.owner)}")
    return found


def _made(folder: Path) -> os.stat_result:
    """Whose a file is that this user makes in this folder."""
    try:
        with tempfile.TemporaryFile(prefix=".", dir=folder) as file:
            return os.fstat(file.fileno())
    except OSError as error:
        raise GameError(
            f"you may not write to {folder} ({error.strerror}); ask for another class folder"
        ) from None


def _mode(folder: Path) -> int:
    """Who may read what this user writes there, whatever her own settings: everybody, or only the
    folder's group, where all others can put files into it and not look (`chmod 3733`)."""
    info = folder.stat()
    drop = info.st_mode & 0o2007 == 0o2003 and _made(folder).st_gid == info.st_gid
    return 0o640 if drop else 0o644


def _named(name: object) -> str:
    """A student's name as she gives it; a number is one, too."""
    if not isinstance(name, str | int | NoneType):
        raise GameError(f"name must be a text, not {shown(name)}")
    return "" if name is None else one_line(str(name), 60)


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


# ---- the lecturer's half -------------------------------------------------------------


def existing(folder: str | Path | None) -> Path:
    """The folder that is meant: this one, or that of `classroom`."""
    if folder is None or known_in(folder, ("",)):
        named = _place().folder
    else:
        named = need_path(folder, "a class folder").absolute()
    if named is None:
        raise GameError("there is no class folder yet; name one, or call wb.classroom(folder)")
    found = _without_links(named)
    if not found.is_dir():
        raise GameError(f"there is no folder {found}; wb.classroom(None) goes on without one")
    return found


def _without_links(path: Path) -> Path:
    """The folder itself; a link that a stranger has laid in a folder that is not his is refused."""
    found = resolved(path)
    for part in (path, *path.parents):
        if part.is_symlink():
            owner = part.lstat().st_uid
            known = {0, part.parent.stat().st_uid, os.geteuid() if os.name == "posix" else 0}
            if owner not in known:
                raise GameError(f"{part} is a link of {account(owner)}; name the folder you mean")
            _without_links(part.parent / part.readlink())
    return found


def advice(folder: Path, *, asking: bool = False) -> str:
    """What is wrong with the folder as one for a class, in a sentence; or nothing."""
    info = folder.stat()
    if asking and info.st_uid != _made(folder).st_uid:
        return (
            f"{folder} belongs to {account(info.st_uid)}: students with accounts of their own "
            "follow only what its owner asks and opens; make a class folder yourself"
        )
    if os.name == "posix" and info.st_mode & 0o022 and not info.st_mode & stat.S_ISVTX:
        return f"Whoever may write to this folder may also delete others' files: chmod +t {folder}"
    return ""


def asked(question: Question, folder: Path | None = None) -> bool | None:
    """True if the answer is open, False if it is held back, None if nobody put it to the vote."""
    return _state(question, folder).get("open")


def closed(question: Question, folder: Path | None = None) -> bool:
    """Whether no vote is noted any more."""
    return bool(_state(question, folder).get("closed"))


def ask(question: Question, folder: Path, *, opened: bool | None = None) -> bool:
    """Put a question to the vote, open its answer for everybody, or hide it again; True: open."""
    now = asked(question, folder)
    wanted = bool(now) if opened is None else opened
    if now is not wanted:
        _change(question, folder, open=wanted)
    return wanted


def close(question: Question, folder: Path) -> None:
    """Note no vote any more."""
    _change(question, folder, closed=True)


def repeat(question: Question, folder: Path) -> None:
    """Keep the votes of this round as those from before, and let everybody vote once more."""
    past = votes_before(question, folder, "past")
    _change(question, folder, closed=False, past=past, first=votes_of(question, folder)[0])


def _state(question: Question, folder: Path | None) -> dict[str, Any]:
    """What the lecturer's file says: it belongs to the folder's owner, or to this user, and is
    about this question, so it is not another one of hers under a second name. Else nothing."""
    with suppress(DamagedError, GameError, OSError):
        folder = existing(folder)
        text, info = read_strange(folder / f"question-{question.key}{ASKED}")
        state = read_json(text)
        hers = info.st_uid == folder.stat().st_uid or info.st_uid == _made(folder).st_uid
        if hers and isinstance(state, dict) and state.get("key") == question.key:
            return state
    return {}


def _change(question: Question, folder: Path, **news: Any) -> None:
    path = folder / f"question-{question.key}{ASKED}"
    with suppress(OSError):  # a stranger's folder of this name goes out of the way
        if stat.S_ISDIR(path.lstat().st_mode):
            path.rename(path.with_name(f".{secrets.token_hex(6)}.taken"))
    said = {"key": question.key, "text": one_line(question.text, 300)}  # also for people who look
    state = {**said, "open": False, **_state(question, folder), **news}
    write_named(path, json.dumps(state, ensure_ascii=False).encode(), follow=False, mode=0o644)


Votes = dict[str, list[Any]]  # who: what she says, and when she said it


def votes_of(question: Question, folder: Path) -> tuple[Votes, int]:
    """Everybody's guess, once repeated of who voted again, and how many files have a problem."""
    students, problems = collect(folder, only=VOTE + question.key)
    old = votes_before(question, folder, "past") or {}
    found = {
        f"{one.who} {one.owner}": [note.answer, note.at]
        for one, _ in students
        if one.votes
        for note in one.notes.values()
        if question.possible(note.answer)
        and old.get(f"{one.who} {one.owner}") != [note.answer, note.at]
    }
    return found, len(problems) + sum(bool(one.problems) for one, _ in students)


def votes_before(question: Question, folder: Path, *older: str) -> Votes | None:
    """The votes of the round before a repetition, if there was one; "past": and of older ones."""
    state = _state(question, folder)
    kept = [state[one] for one in (*older, "first") if isinstance(state.get(one), dict)]
    found = {who: vote for one in kept for who, vote in one.items() if question.possible(vote[0])}
    return found if kept else None
