"""A store: runs that survive, in a folder.

    runs/
      store.sqlite      what was asked, how far it is, every trace, every solver's state
      locks/            who is working on what; the operating system frees a dead one's lock

A checkpoint is one transaction, all of it or nothing: the record, the trace, the solver's state
and, at the end, the strategy. Only the process that holds a run's lock writes about it. A folder
that may not be written, or whose disk is full, can still be listed and read.

Keep stores on a disk of the machine that writes them. On a network home neither SQLite's
write-ahead log nor locks can be trusted; a cluster needs none, its workers never touch the store.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from workbench.files import BusyError, DamagedError, locked, need_path, read_json, write_named
from workbench.games.registry import known_game
from workbench.later import pd
from workbench.rules import GameError, shown
from workbench.runs import database
from workbench.runs.experiment import Experiment
from workbench.runs.run import COLUMNS, Partial, Problem, Run, averages, begin, finish
from workbench.solvers.base import State, need_state, start_state
from workbench.strategy import Strategy
from workbench.tree import GameTree

STATE, STRATEGY = "solver state", "strategy"


def open_store(store: Store | str | Path) -> AbstractContextManager[Store]:
    """A store for a while: one that is open stays so, a folder is opened and closed again."""
    return nullcontext(store) if isinstance(store, Store) else Store(store)


class Store:
    """The runs in one folder; threads may share it."""

    def __init__(self, folder: str | Path = "runs") -> None:
        self.folder = need_path(folder, "a store's folder")
        self._one_at_a_time = threading.RLock()
        with database.clear_errors("open", self.folder):
            file = self.folder / database.FILE
            if file.exists() and not file.is_file():
                raise GameError(f"{file} is no file that could hold a store; move it away")
            # in this order: another process may be making the file right now
            self.read_only = file.exists() and not all(
                os.access(path, os.W_OK) for path in (self.folder, file)
            )
            self._why: OSError = PermissionError(errno.EACCES, "read-only")  # it takes no more
            try:
                if not self.read_only:
                    (self.folder / "locks").mkdir(parents=True, exist_ok=True)
                self._db = database.open_records(self.folder, self.read_only)
            except (OSError, sqlite3.Error) as error:
                if self.read_only or not (
                    database.is_full(error) and database.holds_something(file)
                ):
                    raise
                self.read_only, self._why = True, OSError(errno.ENOSPC, "full")
                self._db = database.open_records(self.folder, read_only=True)
                if not self._db.execute("SELECT count(*) FROM runs").fetchone()[0]:
                    raise  # a new store, which could not be finished

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Store({str(self.folder)!r})"

    @contextmanager
    def _records(self, what: str) -> Iterator[sqlite3.Connection]:
        """The records, for this thread alone; what goes wrong is named."""
        with database.clear_errors(what, self.folder), self._one_at_a_time:
            yield self._db

    # ---- one run ---------------------------------------------------------------------

    @contextmanager
    def claim(
        self, problem: Problem, wait: bool = True, say: Callable[[str], None] = lambda text: None
    ) -> Iterator[Partial]:
        """Work on a run alone: yields how far it is. If another process works on it, wait; one that
        is finished is nobody's any more, and read at once."""
        if self.is_done(problem.run_id) and (ended := self.load(problem)).stopped:
            yield ended
            return
        with ExitStack() as held:
            with database.clear_errors("work in", self.folder):
                if self.read_only:
                    raise self._why
                held.enter_context(locked(self._lock_path(problem.run_id), wait, say))
            yield self.load(problem)

    def load(self, problem: Problem) -> Partial:
        """How far a run is; nothing done if the store does not know it."""
        run_id = problem.run_id
        saved: dict[str, Any] = dict(self._arrays(run_id, STATE))
        if not saved:
            return begin(problem)
        try:  # kernels trust what they are given
            saved |= {name: int(saved[name]) for name in ("iteration", "game")}
            kind = type(start_state(problem.solved))
            state = kind(**{field.name: saved[field.name] for field in fields(State)})
            if not 0 <= need_state(problem.solved, state).iteration <= problem.stops[-1]:
                raise GameError(f"iteration {state.iteration} is beyond its end")
            rows = saved["rows"].reshape(-1, len(COLUMNS)).tolist()
            trace = tuple((int(row[0]), *row[1:4], int(row[4])) for row in rows)
            stopped: Any = str(saved["stopped"]) or None
            return Partial(state, float(saved["seconds"]), trace, stopped)
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged(run_id, f"does not fit what was asked ({error})") from None

    def save(self, problem: Problem, partial: Partial) -> None:
        """Keep a checkpoint. An interrupted run is kept as half done, to be resumed."""
        run_id, state = problem.run_id, partial.state
        stopped = partial.stopped if partial.stopped != "interrupted" else None
        asked = set(problem.stops)
        rows = tuple(row for row in partial.rows if stopped or row[0] in asked)
        partial = Partial(state, partial.seconds, rows, stopped)
        arrays = {field.name: getattr(state, field.name) for field in fields(State)} | {
            "seconds": partial.seconds,
            "rows": np.array(rows, np.float64),
            "stopped": stopped or "",
        }
        strategy = averages(problem, state)[1].saved() | {"run": run_id} if stopped else {}
        with self._records("save a run in") as db, database.transaction(db):
            database.put_record(db, problem, partial)
            database.put_arrays(db, run_id, STATE, arrays)
            database.put_arrays(db, run_id, STRATEGY, strategy)

    def is_done(self, run_id: str) -> bool:
        """Whether the record says that a run is finished."""
        if not (isinstance(run_id, str) and run_id.isascii()):
            raise GameError(f"no run has the id {shown(run_id)}")
        with self._records("read") as db:
            found = db.execute("SELECT status FROM runs WHERE id = ?", (run_id,)).fetchone()
        return found is not None and found[0] == "done"

    def provenance(self, run_id: str) -> dict[str, Any]:
        """The versions and the kind of machine that a run was begun with."""
        kept = self._record(run_id, "provenance")
        try:
            return dict(read_json(str(kept).encode()))
        except (TypeError, ValueError):
            raise self._damaged(run_id, "has lost where it comes from") from None

    def run(self, run_id: str) -> Run:
        """A finished run, by its id alone: game, solver and abstraction are found by name.

        The id, a hash of everything that decides the answer, tells whether what was found is the
        same; if it is not, the run is refused, never guessed.
        """
        run_id = self._need_done(run_id)
        origin = self.provenance(run_id)
        version = str(origin.get("workbench"))
        try:
            with self._records("read") as db:
                asked = database.get_asked(db, run_id)
            known_game(asked["game"], **asked["options"])  # never a file: that would be run
            problem = replace(Experiment(**asked).problem(), version=version)
        except (KeyError, TypeError, ValueError):
            problem = None
        if problem is None or problem.run_id != run_id:
            solver, game = self._record(run_id, "solver"), self._record(run_id, "game")
            raise GameError(
                f"run {run_id} in {self.folder} ({solver} on {game}) cannot be put together from "
                f"its records: its game or rule is somebody's own, or not what it was in version "
                f"{version}; solve it again, wb.solve(…, store={str(self.folder)!r}), and "
                "wb.write_report(run) makes its report"
            )
        return finish(problem, self.load(problem), origin)

    def strategy(self, run_id: str, tree: GameTree) -> Strategy:
        """The strategy of a finished run."""
        run_id = self._need_done(run_id)
        saved = self._arrays(run_id, STRATEGY)
        if missing := {"probs", "game", "fingerprint"} - set(saved):
            raise self._damaged(run_id, f"has lost {', '.join(missing)} of its strategy")
        return Strategy.restored(saved, tree, f"run {run_id} in {self.folder}")  # type: ignore[no-any-return]

    def _arrays(self, run_id: str, kind: str) -> dict[str, Any]:
        with self._records("read") as db:
            try:
                return database.get_arrays(db, run_id, kind)
            except (TypeError, ValueError) as error:
                raise self._damaged(run_id, f"is damaged ({error})") from None

    def _damaged(self, run_id: str, what: str) -> DamagedError:
        fix = f"wb.Store({str(self.folder)!r}).delete({run_id!r}) forgets it, to compute it anew"
        return DamagedError(f"run {run_id} in {self.folder} {what}; {fix}")

    def _need_done(self, run_id: str) -> str:
        run_id = self.find(run_id)
        if not self.is_done(run_id):
            raise GameError(f"run {run_id} is not finished; start it again to resume it")
        return run_id

    def _record(self, run_id: str, column: str) -> Any:
        with self._records("read") as db:
            asked = f"SELECT {column} FROM runs WHERE id = ?"
            return db.execute(asked, (self.find(run_id),)).fetchone()[0]

    def _lock_path(self, run_id: str) -> Path:
        return self.folder / "locks" / f"{run_id}.lock"

    # ---- many runs -------------------------------------------------------------------

    def runs(self, **filters: Any) -> pd.DataFrame:
        """One row per run; keep those with equal values, e.g. runs(game="leduc", seed=0)."""
        with self._records("read") as db:
            return database.read_runs(db, **filters)

    def trace(self, *run_ids: str) -> pd.DataFrame:
        """The trace of some runs (all by default), one line per measurement."""
        with self._records("read") as db:
            table = database.select(db, "SELECT * FROM trace ORDER BY run, iteration")
        known = {self.find(run_id) for run_id in run_ids}
        return table[table["run"].isin(known)].reset_index(drop=True) if known else table

    def compare(self, by: str = "solver", **filters: Any) -> pd.DataFrame:
        """Finished runs in groups that differ in their seed alone: how many, and their
        exploitability (mean, lowest, highest). Further columns tell apart what `by` does not."""
        return database.compare_runs(self.runs(**{"status": "done", **filters}), by)

    def find(self, run_id: str) -> str:
        """The full id of a run, from its first letters."""
        if not (isinstance(run_id, str) and run_id):
            raise GameError(
                f"a run is found by the first letters of its id, not by {shown(run_id)}"
            )
        if not run_id.isascii():
            raise GameError(f"no run in {self.folder} begins with {shown(run_id)}")
        asked = "SELECT id FROM runs WHERE id BETWEEN ? AND ? || '~'"  # after letters and digits
        with self._records("read") as db:
            matches = db.execute(asked, (run_id, run_id)).fetchall()
        if len(matches) != 1:
            raise GameError(f"{len(matches)} runs in {self.folder} begin with {shown(run_id)}")
        if not (whole := str(matches[0][0])).isalnum():  # it becomes the name of a file
            raise DamagedError(f"{self.folder} holds a run with the id {shown(whole)}; leave it be")
        return whole

    def delete(self, run_id: str) -> None:
        """Forget a run; refused while somebody works on it."""
        run_id = self.find(run_id)
        try:
            with (
                self._records("delete a run from") as db,
                database.transaction(db),
                locked(self._lock_path(run_id), wait=False),
            ):
                db.execute("DELETE FROM runs WHERE id = ?", (run_id,))
        except BusyError:
            raise GameError(f"run {run_id} is being worked on; stop that first") from None
        with self._records("shrink") as db:
            db.execute("PRAGMA incremental_vacuum").fetchall()

    def export_csv(self, path: str | Path) -> Path:
        """All runs with their traces as one CSV file, one line per measurement."""
        runs = self.runs().drop(columns=["seconds", "exploitability", "infosets"])
        table = self.trace().merge(runs, left_on="run", right_on="id").drop(columns="id")
        return write_named(need_path(path), table.to_csv(index=False).encode())
