"""Records: what a store knows about its runs, in one SQLite file.

`runs` has one row per run: what was asked (`Problem.description`), how far it is. `trace` has one
row per measurement.

The schema has a number, kept in `meta`. Step i of STEPS leads from schema i to schema i + 1, and
a new file has schema 0, so creating a file and opening one of an earlier version are the same
thing. Steps are only ever added. A file with a higher number is refused untouched. Where nothing
may be written, all this happens to a copy in memory.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.rules import GameError
from workbench.runs.resumable import Partial, Problem, Row
from workbench.runs.run import provenance

FILE = "store.sqlite"
STEPS = [
    """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE runs (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, solver TEXT NOT NULL, settings TEXT NOT NULL,
    abstraction TEXT, seed INTEGER NOT NULL, iterations INTEGER NOT NULL, target REAL,
    status TEXT NOT NULL, done INTEGER NOT NULL, seconds REAL NOT NULL, exploitability REAL,
    created TEXT NOT NULL, changed TEXT NOT NULL, provenance TEXT NOT NULL);
CREATE TABLE trace (
    run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, iteration INTEGER NOT NULL,
    seconds REAL NOT NULL, exploitability REAL, abstract_exploitability REAL,
    infosets INTEGER NOT NULL, PRIMARY KEY (run, iteration));
""",
    """
ALTER TABLE runs ADD COLUMN infosets INTEGER;
ALTER TABLE runs ADD COLUMN checkpoints TEXT;
ALTER TABLE runs ADD COLUMN kind TEXT;
UPDATE runs SET infosets = (SELECT max(infosets) FROM trace WHERE run = id);
""",
]
SCHEMA = len(STEPS)
READ_ONLY = {errno.EACCES, errno.EPERM, errno.EROFS}
PATIENCE = 60.0  # seconds to wait for another process that is writing


def open_records(folder: Path) -> sqlite3.Connection:
    """The records in a folder, made or brought up to date if need be."""
    db = _connect(folder / FILE) if may_write(folder) else _copy(folder / FILE)
    try:
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA synchronous = FULL")
        found = _schema(db)
        if found > SCHEMA:
            raise GameError(
                f"{folder} was written by a newer workbench (schema {found}, this one "
                f"knows {SCHEMA}): update this one, or choose another folder"
            )
        _use_wal(db)
        if found < SCHEMA:
            with transaction(db):
                for step in STEPS[_schema(db) :]:  # asked again: another process may have done it
                    for statement in filter(str.strip, step.split(";")):
                        db.execute(statement)
                db.execute("INSERT OR REPLACE INTO meta VALUES ('schema', ?)", (str(SCHEMA),))
    except BaseException:
        db.close()
        raise
    return db


def may_write(folder: Path) -> bool:
    """False if there are records and they, or the folder they are in, are read-only."""
    file = folder / FILE
    return not file.exists() or (os.access(folder, os.W_OK) and os.access(file, os.W_OK))


def _connect(path: Path | str) -> sqlite3.Connection:
    return sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=True
    )


def _copy(path: Path) -> sqlite3.Connection:
    """The records as they are now, in memory."""
    copy, address = _connect(":memory:"), path.absolute().as_uri()
    try:
        with contextlib.closing(_connect(f"{address}?mode=ro")) as db:
            db.backup(copy)
    except sqlite3.OperationalError:  # a reader may have to make the index of the log; not here,
        with contextlib.closing(_connect(f"{address}?immutable=1")) as db:
            db.backup(copy)  # where no one writes and there is no log
    return copy


def _schema(db: sqlite3.Connection) -> int:
    tables = "SELECT count(*) FROM sqlite_master WHERE name = 'meta'"
    if not db.execute(tables).fetchone()[0]:
        return 0
    return int(db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()[0])


def _use_wal(db: sqlite3.Connection) -> None:
    """Write-ahead log: readers do not wait for the writer. Here SQLite does not wait by itself."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


def put(db: sqlite3.Connection, problem: Problem, partial: Partial) -> None:
    """Bring the record of a run up to date."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    last = partial.rows[-1][2] if partial.rows else None
    asked = problem.description() | {
        "id": problem.run_id, "status": "running", "done": 0, "seconds": 0.0, "created": now,
        "changed": now, "provenance": json.dumps(provenance()),
    }  # fmt: skip
    with transaction(db):
        db.execute(
            f"INSERT OR IGNORE INTO runs ({', '.join(asked)}) VALUES (:{', :'.join(asked)})", asked
        )
        db.execute(
            "UPDATE runs SET status=?, done=?, seconds=?, exploitability=?, changed=? WHERE id=?",
            (
                "done" if partial.stopped else "running", partial.state.iteration,
                partial.seconds, last, now, problem.run_id,
            ),
        )  # fmt: skip
        db.executemany(
            "INSERT OR REPLACE INTO trace VALUES (?,?,?,?,?,?)",
            [(problem.run_id, *_without_nan(row)) for row in partial.rows],
        )


@contextmanager
def clear_errors(what: str, folder: Path) -> Iterator[None]:
    """One readable error for a full disk, a read-only folder, a file that is no store."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        number = error.errno if isinstance(error, OSError) else None
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says where it happened
        reason = os.strerror(number) if number else str(error).rstrip(".")
        if number in READ_ONLY or code == sqlite3.SQLITE_READONLY:
            reason = f"it is read-only ({reason})"
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            advice = (
                f"move {folder / FILE} away; the runs in {folder / 'states'} are found again "
                "when they are started again"
            )
        elif isinstance(error, sqlite3.ProgrammingError):  # not the file's fault
            advice = "open it again"
        else:
            advice = (
                "what it held before is intact. Free some space or choose a folder you may write to"
            )
        raise GameError(f"cannot {what} the store {folder}: {reason}; {advice}") from error


def _without_nan(row: Row) -> list[float | None]:
    return [None if value != value else value for value in row]
