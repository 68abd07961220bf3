"""The records of a store, in one SQLite file.

`runs` has one row per run: what was asked (`Problem.description`, and as an experiment in JSON),
how far it is. `trace` has one row per measurement, `arrays` one row per array of a solver's state
or a strategy, with a checksum. The schema has a number, kept in `meta`; a file with another one is
refused untouched.

In tables, twenty seeds of one experiment are one row with a mean and a range. Two experiments
never are: if runs differ in anything but their seed, another column tells them apart.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Number
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.files import DamagedError, locked, read_json
from workbench.games.words import unit_of
from workbench.later import pd
from workbench.rules import GameError, shown
from workbench.runs.run import Partial, Problem, provenance
from workbench.settings import did_you_mean, known_in

FILE = "store.sqlite"
TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE runs (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, solver TEXT NOT NULL, settings TEXT NOT NULL,
    abstraction TEXT, seed INTEGER NOT NULL, iterations INTEGER NOT NULL, target REAL,
    status TEXT NOT NULL, done INTEGER NOT NULL, seconds REAL NOT NULL, exploitability REAL,
    created TEXT NOT NULL, changed TEXT NOT NULL, provenance TEXT NOT NULL, infosets INTEGER,
    checkpoints TEXT, kind TEXT, experiment TEXT, unit TEXT);
CREATE TABLE trace (
    run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, iteration INTEGER NOT NULL,
    seconds REAL NOT NULL, exploitability REAL, abstract_exploitability REAL,
    infosets INTEGER NOT NULL, PRIMARY KEY (run, iteration));
CREATE TABLE arrays (
    run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, kind TEXT NOT NULL,
    name TEXT NOT NULL, dtype TEXT NOT NULL, shape TEXT NOT NULL, checksum TEXT NOT NULL,
    content BLOB NOT NULL, PRIMARY KEY (run, kind, name));
"""
SCHEMA = 4
CHANGING = ("status", "done", "seconds", "exploitability", "changed", "experiment")
READ_ONLY = {errno.EACCES, errno.EPERM, errno.EROFS}
FULL = {errno.ENOSPC, errno.EDQUOT}
PATIENCE = 60.0  # seconds to wait for another process that is writing
SETTINGS = (
    "foreign_keys = ON",
    "page_size = 32768",  # arrays are large
    "auto_vacuum = INCREMENTAL",  # the room of a deleted run can be given back
    "journal_mode = WAL",  # a log written ahead: readers do not wait for the writer
    "wal_autocheckpoint = 128",  # pages, 4 MB
    "synchronous = FULL",
)


def open_records(folder: Path, read_only: bool) -> sqlite3.Connection:
    """The records in a folder, made if need be."""
    file = folder / FILE
    with contextlib.nullcontext() if read_only else locked(folder / "locks" / "opening.lock"):
        db = _connect_to_read(file) if read_only else _connect(file.absolute())  # never an address
        try:
            if (schema := _schema(db)) not in (0, SCHEMA):
                raise GameError(
                    f"{folder} was written by another version of workbench (schema {schema}, this "
                    f"one knows {SCHEMA}): use that version, or choose another folder"
                )
            for setting in () if read_only else SETTINGS:
                db.execute(f"PRAGMA {setting}")
            with contextlib.suppress(sqlite3.OperationalError):  # a log that filled a disk once
                if not read_only:
                    db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            if not schema and read_only:  # nothing in it yet
                db.close()
                db = _connect(":memory:")
            if not schema:
                with transaction(db):
                    for statement in filter(str.strip, TABLES.split(";")):
                        db.execute(statement)
                    db.execute("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA),))
            if read_only:
                db.execute("PRAGMA query_only = ON")
        except BaseException:
            db.close()
            raise
    return db


def _connect(address: Path | str) -> sqlite3.Connection:
    return sqlite3.connect(
        address, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=True
    )


def _connect_to_read(file: Path) -> sqlite3.Connection:
    """A reader of the log needs an index beside it. Where none can be made, nobody writes."""
    db = _connect(f"{file.absolute().as_uri()}?mode=ro")
    try:
        _schema(db)
    except sqlite3.OperationalError:
        db.close()
        if Path(f"{file}-wal").exists():  # alone with the file and its log, one needs no index
            db = _connect(f"{file.absolute().as_uri()}?mode=rw")
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
        else:
            db = _connect(f"{file.absolute().as_uri()}?immutable=1")
    return db


def _schema(db: sqlite3.Connection) -> int:
    tables = "SELECT count(*) FROM sqlite_master WHERE name = 'meta'"
    if not db.execute(tables).fetchone()[0]:
        return 0
    asked = "SELECT max(CAST(value AS INTEGER)) FROM meta WHERE key = 'schema'"
    return int(db.execute(asked).fetchone()[0] or 0)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield


def put_record(db: sqlite3.Connection, problem: Problem, partial: Partial) -> None:
    """Bring the record of a run and its trace up to date."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    asked = problem.asked()
    record = problem.description() | {
        "id": problem.run_id,
        "unit": unit_of(problem.tree),  # somebody's own game cannot be asked later
        "experiment": json.dumps(asked) if asked else None,
        "status": "done" if partial.stopped else "running",
        "done": partial.state.iteration,
        "seconds": partial.seconds,
        "exploitability": partial.rows[-1][2] if partial.rows else None,
        "created": now,
        "changed": now,
        "provenance": json.dumps(provenance()),
    }
    db.execute(
        f"INSERT INTO runs ({', '.join(record)}) VALUES (:{', :'.join(record)}) ON CONFLICT (id) "
        f"DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in CHANGING)}",
        record,
    )
    db.executemany(
        "INSERT OR REPLACE INTO trace VALUES (?,?,?,?,?,?)",
        [(problem.run_id, *row) for row in partial.rows],  # nan becomes NULL
    )


def get_asked(db: sqlite3.Connection, run_id: str) -> dict[str, Any]:
    """The fields of the `Experiment` that asks for a run; ValueError if its record has none."""
    asked, *_ = db.execute("SELECT experiment FROM runs WHERE id = ?", (run_id,)).fetchone()
    if not asked:
        raise ValueError("no experiment")
    return dict(read_json(str(asked).encode()))


def put_arrays(
    db: sqlite3.Connection, run_id: str, kind: str, arrays: Mapping[str, ArrayLike]
) -> None:
    """Keep the arrays of a run, in the place of those it had: that is faster than new rows."""
    for name, values in arrays.items():
        array = np.ascontiguousarray(values)
        what = (run_id, kind, name, array.dtype.str, " ".join(map(str, np.shape(values))))
        db.execute(
            "INSERT INTO arrays VALUES (?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET dtype = "
            "excluded.dtype, shape = excluded.shape, checksum = excluded.checksum, "
            "content = excluded.content",
            (*what, _checksum(what, array.data), array.data),
        )


def get_arrays(db: sqlite3.Connection, run_id: str, kind: str) -> dict[str, NDArray[Any]]:
    """The arrays of a run, as they were put; none if there are none."""
    arrays = {}
    for *what, checksum, content in db.execute(
        "SELECT * FROM arrays WHERE run = ? AND kind = ?", (run_id, kind)
    ):
        _, _, name, dtype, shape = what
        if checksum != _checksum(what, content):
            raise DamagedError(f"the checksum of {name} in its {kind} does not fit")
        arrays[name] = np.frombuffer(content, dtype).reshape([int(n) for n in shape.split()])
    return arrays


def _checksum(what: Sequence[str], content: bytes | memoryview) -> str:
    digest = hashlib.sha256(" ".join(what).encode())
    digest.update(content)
    return digest.hexdigest()


@contextmanager
def clear_errors(what: str, folder: Path) -> Iterator[None]:
    """One readable error for a full disk, a read-only folder, a file that is no store."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        number = error.errno if isinstance(error, OSError) else None
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says where it happened
        reason = os.strerror(number) if number else str(error).rstrip(".")
        advice = "choose a folder you may write to"
        if number in READ_ONLY or code == sqlite3.SQLITE_READONLY:
            reason = f"it is read-only ({reason})"
        elif is_full(error):
            advice = "free some space, or choose a folder on another disk"
        elif code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            advice = "another process writes to it; try again when it has finished"
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR):
            advice = f"move {folder / FILE} away, put a copy in its place or start its runs again"
        elif isinstance(error, sqlite3.ProgrammingError):  # not the file's fault
            advice = "open it again"
        elif holds_something(folder / FILE):
            advice = f"what it held before is intact; {advice}"
        elif what != "open":
            advice = f"{folder / FILE} is gone: open a store anew, or bring its folder back"
        raise GameError(f"cannot {what} the store {folder}: {reason}; {advice}") from error


def holds_something(file: Path) -> bool:
    """Whether a file is there, and more than just begun."""
    return file.is_file() and file.stat().st_size > 0


def is_full(error: OSError | sqlite3.Error) -> bool:
    """Whether there was no room on the disk, or none for the index that SQLite needs."""
    if isinstance(error, OSError):
        return error.errno in FULL
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


# ---- tables of what a store knows ----------------------------------------------------

ASKED = (
    "game", "solver", "settings", "abstraction", "infosets", "iterations", "target", "checkpoints",
    "kind",
)  # fmt: skip


def select(db: sqlite3.Connection, question: str) -> pd.DataFrame:
    """The answer as a table. (As pandas would, but errors stay SQLite's.)"""
    answer = db.execute(question)
    names = [column[0] for column in answer.description]
    return pd.DataFrame.from_records(answer.fetchall(), columns=names, coerce_float=True)


def read_runs(db: sqlite3.Connection, **filters: Any) -> pd.DataFrame:
    """One row per run; those whose columns have these values."""
    table = select(db, "SELECT * FROM runs ORDER BY created, id")
    table = table.drop(columns=["provenance", "experiment"])
    types = {row[1]: row[2] for row in db.execute("PRAGMA table_info(runs)")}
    for column, value in filters.items():
        cells = table[known_column(table, column)]
        text = types[column] == "TEXT"
        if value is not None and not isinstance(value, str if text else Number):
            raise GameError(
                f"{column} must be {'a text' if text else 'a number'}, not {shown(value)}"
            )
        table = table[cells.isna() if value is None else cells == value]
    return table.reset_index(drop=True)


def known_column(table: pd.DataFrame, column: str) -> str:
    """A column's name, refused if there is no such column."""
    if not known_in(column, table):
        raise GameError(
            f"runs have no column {shown(column)}{did_you_mean(column, list(table.columns))} "
            f"Columns: {', '.join(table.columns)}"
        )
    return column


def compare_runs(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Runs that differ in their seed alone, taken together: how many, and how good they are."""
    groups = [known_column(table, by)]
    for column in ASKED:  # one more, if the groups so far are not of one kind
        inside = table.groupby(groups, dropna=False)[column].nunique(dropna=False)
        groups += [column] if column not in groups and (inside > 1).any() else []
    grouped = table.groupby(groups, dropna=False)["exploitability"]
    columns = grouped.agg(["count", "mean", "min", "max"])
    return columns.set_axis(["runs", "mean", "low", "high"], axis="columns")
