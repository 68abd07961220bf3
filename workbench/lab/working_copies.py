"""Working copies of the course: a folder of the student's own, and updates that respect her work.

    my-course/notebooks/…        to run and to write in, with exercises and solutions
    my-course/data/games/…       games as text
    my-course/.workbench.json    the hash of each file as it was handed out

`hand_out` is called at every start. Of each file it compares three versions: hers, the one handed
out before, and the one that comes with the package now.

    hers            ours           what happens
    missing         any            she gets it (so deleting a copy brings a fresh one)
    as handed out   new            hers is replaced
    changed         as handed out  nothing
    changed         new            hers stays, the new one goes beside it: 00-start-here.new.ipynb

A file counts as changed as soon as one byte differs, so a notebook that was only run is hers too.
What a start that was killed has left half written (`.06.py.….part`) goes at the next one.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, count
from pathlib import Path, PurePosixPath

from workbench.disk_cache import alone
from workbench.files import DamagedError, read_file, read_json, resolved, write_file
from workbench.rules import GameError
from workbench.shipped import CHECKOUT, shipped

FOLDER, RECORD = "my-course", ".workbench.json"
FIRST = "notebooks/00-start-here.ipynb"
COURSE = ("notebooks/**/*", "data/games/*", "data/pictures/table.png")
KINDS = {".ipynb", ".json", ".png", ".py", ".toml", ".txt"}
PART = re.compile(r"\..+\.[0-9a-f]{12}\.part")  # as `files.py` names what it has not finished


@dataclass(frozen=True)
class Copies:
    """What `hand_out` did; all names are paths inside the folder."""

    folder: Path
    new: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    beside: tuple[tuple[str, str], ...] = ()  # hers, and where the update was put

    def lines(self) -> list[str]:
        """For a terminal.

        >>> hers, ours = "notebooks/01.ipynb", "notebooks/01.new.ipynb"
        >>> print(*Copies(Path("my-course"), (), ("a.txt",), ((hers, ours),)).lines(), sep="\\n")
        Your copy of the course: my-course (1 file updated)
        notebooks/01.ipynb has an update; yours stays, the new one is notebooks/01.new.ipynb
        """
        counts = {"new": len(self.new), "updated": len(self.updated)}
        said = [f"{n} file{'s'[: n > 1]} {what}" for what, n in counts.items() if n]
        first = f"Your copy of the course: {self.folder}"
        return [f"{first} ({', '.join(said)})" if said else first] + [
            f"{hers} has an update; yours stays, the new one is {ours}"
            for hers, ours in self.beside
        ]


def find_folder(named: Path | None = None) -> Path:
    """The named folder; else the one we are in; else my-course, in the checkout if there is one."""
    here = Path.cwd()
    if named is not None:
        return here / named
    around = (folder for folder in (here, *here.parents) if (folder / RECORD).is_file())
    return next(around, (CHECKOUT or here) / FOLDER)


def hand_out(folder: Path) -> Copies:
    """Bring the working copies in this folder up to date; see the first lines of this file."""
    with alone("course.lock") as sure:
        return _hand_out(folder, sure)


def _hand_out(folder: Path, sure: bool) -> Copies:
    """`sure`: nobody else does it at the same time."""
    place = resolved(folder)
    if place == CHECKOUT or {shipped("notebooks"), shipped("data")} & {place, *place.parents}:
        raise GameError(f"{folder} holds the originals of the course; name a folder of your own")
    known = _read(folder / RECORD)
    record = known.copy()
    new, updated, beside = [], [], []
    course = [*_course()]
    if sure:
        for inside in {(folder / name).parent for name in (RECORD, *(name for name, _ in course))}:
            for path in inside.glob(".*.part"):
                if PART.fullmatch(path.name):
                    with suppress(OSError):
                        path.unlink()
    for name, source in course:
        content = source.read_bytes()
        ours, hers, before = _hash(content), _hash_of(folder / name), record.get(name)
        if hers is None:
            new.append(name)
            _write(folder / name, content)
        elif hers == before != ours:
            updated.append(name)
            _write(folder / name, content)
        elif hers != ours != before:
            other = _beside(folder, name, ours, record)
            beside.append((name, other))
            _write(folder / other, content)
            record[other] = ours
        record[name] = ours
    if CHECKOUT in place.parents and not (folder / ".gitignore").exists():
        _write(folder / ".gitignore", b"*\n")
    if record != known:
        _write(folder / RECORD, (json.dumps(record, indent=1, sort_keys=True) + "\n").encode())
    return Copies(folder, tuple(new), tuple(updated), tuple(beside))


def _course() -> Iterator[tuple[str, Path]]:
    """The files to hand out, by their paths in a checkout."""
    home = shipped("")
    for path in sorted(path for pattern in COURSE for path in home.glob(pattern)):
        name = path.relative_to(home)
        if path.suffix in KINDS and not any(part.startswith((".", "__")) for part in name.parts):
            yield name.as_posix(), path


def _beside(folder: Path, name: str, ours: str, record: Mapping[str, str]) -> str:
    """A name for the update: one that is free, or whose file she has left as it was handed out."""
    path, numbers = PurePosixPath(name), chain([""], count(2))
    others = (str(path.with_suffix(f".new{number}{path.suffix}")) for number in numbers)
    return next(one for one in others if _hash_of(folder / one) in (None, ours, record.get(one)))


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()


def _hash_of(path: Path) -> str | None:
    """None: nothing is there. A folder or a link in place of a file is hers, whatever it holds."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return "hers"
    return _hash(path.read_bytes()) if path.exists() else None


def _read(path: Path) -> dict[str, str]:
    """What was handed out; a record that is missing or damaged makes every difference hers."""
    try:
        record = read_json(read_file(path))
    except (OSError, DamagedError):
        record = None
    return record if isinstance(record, dict) else {}


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, content)
    except OSError as error:
        what = f"{path} cannot be written ({error.strerror})"
        raise GameError(f"{what}; name a folder of your own with --folder") from None
