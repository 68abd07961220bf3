"""A store: runs that survive. SQLite for records and traces, npz files for arrays.

    runs/
      store.sqlite      what was asked, how far it is, every line of every trace
      states/           one npz per run: where its solver stands
      strategies/       one npz per finished run: the average strategy of the full game
      locks/            who is working on what; the operating system frees a dead one's lock

A checkpoint is two steps: the state file, which also holds the trace so far, is replaced in one
move; then the record is brought up to date from it. A crash between the two leaves a record that
is behind its file; the file counts, and the next one to open the run updates the record.

Only the process that holds a run's lock writes about it.
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
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from workbench.archive import load_arrays, save_arrays
from workbench.experiments.lock import BusyError, locked
from workbench.experiments.run import provenance
from workbench.experiments.work import COLUMNS, Partial, Problem, Row, Stopped, begin, measure
from workbench.rules import GameError
from workbench.solvers import State
from workbench.strategy import Strategy
from workbench.tree import GameTree

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Store", "open_store"]

SCHEMA = 1
TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS runs (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, solver TEXT NOT NULL, settings TEXT NOT NULL,
    abstraction TEXT, seed INTEGER NOT NULL, iterations INTEGER NOT NULL, target REAL,
    status TEXT NOT NULL, done INTEGER NOT NULL, seconds REAL NOT NULL, exploitability REAL,
    created TEXT NOT NULL, changed TEXT NOT NULL, provenance TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS trace (
    run TEXT NOT NULL REFERENCES runs(id) ON DELETE CASCADE, iteration INTEGER NOT NULL,
    seconds REAL NOT NULL, exploitability REAL, abstract_exploitability REAL,
    infosets INTEGER NOT NULL, PRIMARY KEY (run, iteration));
"""


@contextmanager
def open_store(store: Store | str | Path) -> Iterator[Store]:
    """A store for a while: one that is open stays so, a folder is opened and closed again."""
    if isinstance(store, Store):
        yield store
    else:
        with Store(store) as opened:
            yield opened


class Store:
    """The runs in one folder."""

    def __init__(self, folder: str | Path = "runs") -> None:
        self.folder = Path(folder)
        with self._clear_errors("open"):
            for part in ("states", "strategies", "locks"):
                (self.folder / part).mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                self.folder / "store.sqlite", timeout=60, isolation_level=None
            )
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._check_schema()

    def _check_schema(self) -> None:
        with self._transaction():
            for statement in filter(str.strip, TABLES.split(";")):
                self._db.execute(statement)
            self._db.execute("INSERT OR IGNORE INTO meta VALUES ('schema', ?)", (str(SCHEMA),))
        (found,) = self._db.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
        if int(found) > SCHEMA:
            raise GameError(
                f"{self.folder} was written by a newer workbench (schema {found}, this one "
                f"knows {SCHEMA}): update this one, or choose another folder"
            )

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ---- one run ---------------------------------------------------------------------

    @contextmanager
    def claim(self, problem: Problem, wait: bool = True) -> Iterator[Partial]:
        """Work on a run alone: yields how far it is. If another process works on it, wait."""
        with locked(self.folder / "locks" / f"{problem.run_id}.lock", wait):
            yield self.load(problem)

    def load(self, problem: Problem) -> Partial:
        """How far a run is, from its state file; nothing done if there is none."""
        path = self._state_path(problem.run_id)
        if not path.exists():
            return begin(problem)
        saved = load_arrays(path, "solver state")
        if str(saved["run"]) != problem.run_id:
            raise GameError(f"{path} belongs to run {saved['run']}, not to {problem.run_id}")
        state = State(
            int(saved["iteration"]), saved["regret"], saved["probs"], saved["strategy_sum"]
        )
        rows = [_row(line) for line in saved["rows"].reshape(-1, len(COLUMNS)).tolist()]
        stopped = str(saved["stopped"]) or None
        partial = Partial(state, float(saved["seconds"]), tuple(rows), cast("Stopped", stopped))
        if (self._status(problem.run_id) == "done") != (stopped is not None):
            self._record(problem, partial)  # a crash came between file and record
        return partial

    def save(self, problem: Problem, partial: Partial) -> None:
        """Keep a checkpoint. An interrupted run is kept as half done, to be resumed."""
        stopped = partial.stopped if partial.stopped != "interrupted" else None
        rows = [row for row in partial.rows if stopped or row[0] in problem.stops]
        partial = Partial(partial.state, partial.seconds, tuple(rows), stopped)
        with self._clear_errors("save a run in"):
            if stopped:
                strategy, _ = measure(problem, partial.state, partial.seconds)
                strategy.save(self.folder / "strategies" / f"{problem.run_id}.npz")
            save_arrays(
                self._state_path(problem.run_id),
                "solver state",
                run=problem.run_id,
                iteration=partial.state.iteration,
                regret=partial.state.regret,
                probs=partial.state.probs,
                strategy_sum=partial.state.strategy_sum,
                seconds=partial.seconds,
                rows=np.array(partial.rows, np.float64),
                stopped=stopped or "",
            )
            self._record(problem, partial)

    def _record(self, problem: Problem, partial: Partial) -> None:
        used, now = problem.abstraction, time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        last = partial.rows[-1][2] if partial.rows else None
        with self._transaction():
            self._db.execute(
                "INSERT OR IGNORE INTO runs VALUES (?,?,?,?,?,?,?,?,'running',0,0,NULL,?,?,?)",
                (
                    problem.run_id, problem.tree.name, problem.solver.name, repr(problem.solver),
                    used.name if used else None, problem.seed, problem.stops[-1], problem.target,
                    now, now, json.dumps(provenance()),
                ),
            )  # fmt: skip
            self._db.execute(
                "UPDATE runs SET status=?, done=?, seconds=?, exploitability=?, changed=? "
                "WHERE id=?",
                (
                    "done" if partial.stopped else "running", partial.state.iteration,
                    partial.seconds, last, now, problem.run_id,
                ),
            )  # fmt: skip
            self._db.executemany(
                "INSERT OR REPLACE INTO trace VALUES (?,?,?,?,?,?)",
                [(problem.run_id, *_without_nan(row)) for row in partial.rows],
            )

    def _status(self, run_id: str) -> str | None:
        found = self._db.execute("SELECT status FROM runs WHERE id = ?", (run_id,)).fetchone()
        return str(found[0]) if found else None

    def _state_path(self, run_id: str) -> Path:
        return self.folder / "states" / f"{run_id}.npz"

    # ---- many runs -------------------------------------------------------------------

    def runs(self, **filters: Any) -> pd.DataFrame:
        """One row per run; keep those with equal values, e.g. runs(game="leduc", seed=0)."""
        import pandas as pd

        table = pd.read_sql_query("SELECT * FROM runs ORDER BY created, id", self._db)
        for column, value in filters.items():
            if column not in table:
                raise GameError(
                    f"runs have no column {column!r}; Columns: {', '.join(table.columns)}"
                )
            table = table[table[column] == value]
        return table.drop(columns="provenance").reset_index(drop=True)

    def trace(self, *run_ids: str) -> pd.DataFrame:
        """The trace of some runs (all by default), one line per measurement."""
        import pandas as pd

        table = pd.read_sql_query("SELECT * FROM trace ORDER BY run, iteration", self._db)
        known = {self.find(run_id) for run_id in run_ids}
        return table[table["run"].isin(known)].reset_index(drop=True) if known else table

    def compare(self, by: str = "solver", **filters: Any) -> pd.DataFrame:
        """Finished runs in groups: how many, and their exploitability (mean, lowest, highest)."""
        table = self.runs(status="done", **filters)
        if by not in table:
            raise GameError(f"runs have no column {by!r}; Columns: {', '.join(table.columns)}")
        grouped = table.groupby(by, dropna=False)["exploitability"]
        columns = grouped.agg(["count", "mean", "min", "max"])
        return columns.set_axis(["runs", "mean", "low", "high"], axis="columns")

    def strategy(self, run_id: str, tree: GameTree) -> Strategy:
        """The strategy of a finished run."""
        run_id = self.find(run_id)
        if self._status(run_id) != "done":
            raise GameError(f"run {run_id} is not finished; start it again to resume it")
        return Strategy.load(self.folder / "strategies" / f"{run_id}.npz", tree)

    def find(self, run_id: str) -> str:
        """The full id of a run, from its first letters."""
        matches = [
            str(row[0])
            for row in self._db.execute("SELECT id FROM runs")
            if str(row[0]).startswith(run_id)
        ]
        if len(matches) != 1:
            raise GameError(f"{len(matches)} runs in {self.folder} begin with {run_id!r}")
        return matches[0]

    def delete(self, run_id: str) -> None:
        """Forget a run and its files; refused while somebody works on it."""
        run_id = self.find(run_id)
        lock = self.folder / "locks" / f"{run_id}.lock"
        try:
            with locked(lock, wait=False), self._clear_errors("delete a run from"):
                with self._transaction():
                    self._db.execute("DELETE FROM runs WHERE id = ?", (run_id,))
                for part in ("states", "strategies"):
                    (self.folder / part / f"{run_id}.npz").unlink(missing_ok=True)
        except BusyError:
            raise GameError(f"run {run_id} is being worked on; stop that first") from None

    def export_csv(self, path: str | Path) -> Path:
        """All runs with their traces as one CSV file, one line per measurement."""
        runs = self.runs().drop(columns=["seconds", "exploitability"])
        table = self.trace().merge(runs, left_on="run", right_on="id").drop(columns="id")
        table.to_csv(path, index=False)
        return Path(path)

    # ---- inside ----------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextmanager
    def _clear_errors(self, what: str) -> Iterator[None]:
        """One readable error for a full disk, a read-only folder, a file that is no store."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            number = error.errno if isinstance(error, OSError) else None
            reason = os.strerror(number) if number else str(error)
            raise GameError(
                f"cannot {what} the store {self.folder}: {reason}; what it held before is "
                "intact. Free some space or choose a folder you may write to"
            ) from error


def _row(line: list[float]) -> Row:
    iteration, seconds, real, within, infosets = line
    return int(iteration), seconds, real, within, int(infosets)


def _without_nan(row: Row) -> list[float | None]:
    return [None if value != value else value for value in row]
