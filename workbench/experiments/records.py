"""Records: what a store knows about its runs, in one SQLite file.

`runs` has one row per run: what was asked, how far it is. `trace` has one row per measurement.

The schema has a number, kept in `meta`. Step i of STEPS leads from schema i to schema i + 1, and
a new file has schema 0, so creating a file and opening one of an earlier version are the same
thing. Steps are only ever added. A file with a higher number is refused untouched.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.experiments.run import provenance
from workbench.experiments.work import Partial, Problem, Row
from workbench.rules import GameError, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["clear_errors", "open_records", "put", "read_runs", "transaction"]

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
]
SCHEMA = len(STEPS)
PATIENCE = 60.0  # seconds to wait for another process that is writing


def open_records(folder: Path) -> sqlite3.Connection:
    """The records in a folder, made or brought up to date if need be."""
    db = sqlite3.connect(folder / FILE, timeout=PATIENCE, isolation_level=None)
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
    used, now = problem.abstraction, time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    last = partial.rows[-1][2] if partial.rows else None
    with transaction(db):
        db.execute(
            "INSERT OR IGNORE INTO runs VALUES (?,?,?,?,?,?,?,?,'running',0,0,NULL,?,?,?)",
            (
                problem.run_id, problem.tree.name, problem.solver.name, repr(problem.solver),
                used.name if used else None, problem.seed, problem.stops[-1], problem.target,
                now, now, json.dumps(provenance()),
            ),
        )  # fmt: skip
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


def read_runs(db: sqlite3.Connection, **filters: Any) -> pd.DataFrame:
    """One row per run; those whose columns have these values."""
    import pandas as pd

    table = pd.read_sql_query("SELECT * FROM runs ORDER BY created, id", db)
    table = table.drop(columns="provenance")
    for column, value in filters.items():
        cells = table[known_column(table, column)]
        table = table[cells.isna() if value is None else cells == value]
    return table.reset_index(drop=True)


def known_column(table: pd.DataFrame, column: str) -> str:
    """A column's name, refused if there is no such column."""
    if column not in table:
        raise GameError(
            f"runs have no column {column!r}{did_you_mean(column, list(table.columns))} "
            f"Columns: {', '.join(table.columns)}"
        )
    return column


@contextmanager
def clear_errors(what: str, folder: Path) -> Iterator[None]:
    """One readable error for a full disk, a read-only folder, a file that is no store."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        number = error.errno if isinstance(error, OSError) else None
        reason = os.strerror(number) if number else str(error)
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(
            error, sqlite3.OperationalError
        ):
            advice = (
                f"move {folder / FILE} away; the runs in {folder / 'states'} are found again "
                "when they are started again"
            )
        else:
            advice = (
                "what it held before is intact. Free some space or choose a folder you may write to"
            )
        raise GameError(f"cannot {what} the store {folder}: {reason}; {advice}") from error


def _without_nan(row: Row) -> list[float | None]:
    return [None if value != value else value for value in row]
