"""A store: runs that survive. SQLite for records and traces, npz files for arrays.

    runs/
      store.sqlite      what was asked, how far it is, every line of every trace
      states/           one npz per run: where its solver stands
      strategies/       one npz per finished run: the average strategy of the full game
      locks/            who is working on what; the operating system frees a dead one's lock

A checkpoint is two steps: the state file, which also holds the trace so far, is replaced in one
move; then the record is brought up to date from it. A crash between the two leaves a record that
is behind its file; the file counts, and the next one to open the run updates the record.

Only the process that holds a run's lock writes about it. A folder that may not be written can
still be listed and read: a `Store` shows its records as they were when it was opened.

Keep stores on a disk of the machine that writes them. On a network home neither SQLite's
write-ahead log nor locks can be trusted; a cluster needs none, its workers never touch the store.
"""

from __future__ import annotations

import errno
import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from workbench.files import DamagedError, load_arrays, save_arrays
from workbench.progress import StatusLine
from workbench.random import random_state
from workbench.rules import GameError
from workbench.runs.database import clear_errors, may_write, open_records, put, transaction
from workbench.runs.lock import BusyError, locked
from workbench.runs.resumable import COLUMNS, Partial, Problem, Row, Stopped, averages, begin
from workbench.runs.run_tables import compare_runs, read_runs, select
from workbench.solvers.base import State, start_state
from workbench.strategy import Strategy
from workbench.tree import GameTree

if TYPE_CHECKING:
    import pandas as pd


@contextmanager
def open_store(store: Store | str | Path) -> Iterator[Store]:
    """A store for a while: one that is open stays so, a folder is opened and closed again."""
    if isinstance(store, Store):
        yield store
    else:
        with Store(store) as opened:
            yield opened


class Store:
    """The runs in one folder; threads may share it."""

    def __init__(self, folder: str | Path = "runs") -> None:
        if not isinstance(folder, (str, PathLike)):
            raise GameError(f"a store is a folder, store='runs', not {folder!r}")
        self.folder = Path(folder)
        self._one_at_a_time = threading.RLock()
        with clear_errors("open", self.folder):
            self.read_only = not may_write(self.folder)
            for part in ("states", "strategies", "locks") if not self.read_only else ():
                (self.folder / part).mkdir(parents=True, exist_ok=True)
            self._db = open_records(self.folder)

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
        with clear_errors(what, self.folder), self._one_at_a_time:
            yield self._db

    def _need_writing(self) -> None:
        if self.read_only:
            raise PermissionError(errno.EACCES, "read-only")

    # ---- one run ---------------------------------------------------------------------

    @contextmanager
    def claim(
        self, problem: Problem, wait: bool = True, line: StatusLine | None = None
    ) -> Iterator[Partial]:
        """Work on a run alone: yields how far it is. If another process works on it, wait.

        A run that is finished is nobody's any more, and read without waiting.
        """
        if self.is_done(problem.run_id) and (ended := self.load(problem)).stopped:
            yield ended
            return
        with ExitStack() as held:
            with clear_errors("work in", self.folder):
                self._need_writing()
                held.enter_context(locked(self._lock_path(problem.run_id), wait, line))
                for path in self._array_paths(problem.run_id):
                    for unfinished in path.parent.glob(f".{path.name}.*.part"):
                        unfinished.unlink(missing_ok=True)  # its writer is dead, we have the lock
            yield self.load(problem)

    def load(self, problem: Problem) -> Partial:
        """How far a run is, from its state file; nothing done if there is none."""
        run_id = problem.run_id
        path, _ = self._array_paths(run_id)
        if not path.exists():
            return begin(problem)
        saved = load_arrays(path, "solver state", fix=f"delete it to compute run {run_id} anew")
        saved.setdefault("rng", random_state(problem.seed))  # older stores: nobody drew any yet
        saved.setdefault("game", np.asarray(problem.solved.checksum))
        _check_state(path, saved, problem)
        arrays: dict[str, Any] = {option.name: saved[option.name] for option in fields(State)}
        state = State(**arrays | {name: int(saved[name]) for name in ("iteration", "game")})
        rows = [_row(line) for line in saved["rows"].reshape(-1, len(COLUMNS)).tolist()]
        stopped = str(saved["stopped"]) or None
        partial = Partial(state, float(saved["seconds"]), tuple(rows), cast("Stopped", stopped))
        with self._records("work in") as db:
            if self.is_done(run_id) != (stopped is not None):
                put(db, problem, partial)  # a crash came between file and record
            if stopped and not self.read_only:
                self._mend_strategy(problem, partial)
        return partial

    def _mend_strategy(self, problem: Problem, partial: Partial) -> None:
        """The strategy follows from the state: a damaged or missing file is written again."""
        _, path = self._array_paths(problem.run_id)
        try:
            load_arrays(path, "strategy")
        except GameError:
            averages(problem, partial.state)[1].save(path)

    def save(self, problem: Problem, partial: Partial) -> None:
        """Keep a checkpoint. An interrupted run is kept as half done, to be resumed."""
        stopped = partial.stopped if partial.stopped != "interrupted" else None
        rows = [row for row in partial.rows if stopped or row[0] in problem.stops]
        partial = Partial(partial.state, partial.seconds, tuple(rows), stopped)
        state_path, strategy_path = self._array_paths(problem.run_id)
        with clear_errors("save a run in", self.folder):
            self._need_writing()
            if stopped:
                averages(problem, partial.state)[1].save(strategy_path)
            save_arrays(
                state_path,
                "solver state",
                **{option.name: getattr(partial.state, option.name) for option in fields(State)},
                run=problem.run_id,
                seconds=partial.seconds,
                rows=np.array(partial.rows, np.float64),
                stopped=stopped or "",
            )
            with self._records("save a run in") as db:
                put(db, problem, partial)

    def is_done(self, run_id: str) -> bool:
        """Whether the record says that a run is finished."""
        with self._records("read") as db:
            found = db.execute("SELECT status FROM runs WHERE id = ?", (run_id,)).fetchone()
        return found is not None and found[0] == "done"

    def provenance(self, run_id: str) -> dict[str, Any]:
        """The versions and the kind of machine that a run was begun with."""
        asked = "SELECT provenance FROM runs WHERE id = ?"
        with self._records("read") as db:
            found = db.execute(asked, (self.find(run_id),)).fetchone()
        return dict(json.loads(found[0]))

    def _lock_path(self, run_id: str) -> Path:
        return self.folder / "locks" / f"{run_id}.lock"

    def _array_paths(self, run_id: str) -> tuple[Path, Path]:
        name = f"{run_id}.npz"
        return self.folder / "states" / name, self.folder / "strategies" / name

    # ---- many runs -------------------------------------------------------------------

    def runs(self, **filters: Any) -> pd.DataFrame:
        """One row per run; keep those with equal values, e.g. runs(game="leduc", seed=0)."""
        with self._records("read") as db:
            return read_runs(db, **filters)

    def trace(self, *run_ids: str) -> pd.DataFrame:
        """The trace of some runs (all by default), one line per measurement."""
        with self._records("read") as db:
            table = select(db, "SELECT * FROM trace ORDER BY run, iteration")
        known = {self.find(run_id) for run_id in run_ids}
        return table[table["run"].isin(known)].reset_index(drop=True) if known else table

    def compare(self, by: str = "solver", **filters: Any) -> pd.DataFrame:
        """Finished runs in groups: how many, and their exploitability (mean, lowest, highest).

        A group is one experiment with different seeds. Where `by` leaves several in one, further
        columns tell them apart.
        """
        return compare_runs(self.runs(**{"status": "done", **filters}), by)

    def strategy(self, run_id: str, tree: GameTree) -> Strategy:
        """The strategy of a finished run."""
        run_id = self.find(run_id)
        if not self.is_done(run_id):
            raise GameError(f"run {run_id} is not finished; start it again to resume it")
        return Strategy.load(self._array_paths(run_id)[1], tree)

    def find(self, run_id: str) -> str:
        """The full id of a run, from its first letters."""
        if not (isinstance(run_id, str) and run_id):
            raise GameError(f"a run is found by the first letters of its id, not by {run_id!r}")
        with self._records("read") as db:
            known = [str(row[0]) for row in db.execute("SELECT id FROM runs")]
        matches = [one for one in known if one.startswith(run_id)]
        if len(matches) != 1:
            raise GameError(f"{len(matches)} runs in {self.folder} begin with {run_id!r}")
        return matches[0]

    def delete(self, run_id: str) -> None:
        """Forget a run and its files; refused while somebody works on it."""
        run_id = self.find(run_id)
        try:
            with self._records("delete a run from") as db, ExitStack() as held:
                self._need_writing()
                held.enter_context(locked(self._lock_path(run_id), wait=False))
                for path in self._array_paths(run_id):
                    path.unlink(missing_ok=True)
                with transaction(db):
                    db.execute("DELETE FROM runs WHERE id = ?", (run_id,))
        except BusyError:
            raise GameError(f"run {run_id} is being worked on; stop that first") from None

    def export_csv(self, path: str | Path) -> Path:
        """All runs with their traces as one CSV file, one line per measurement."""
        runs = self.runs().drop(columns=["seconds", "exploitability", "infosets"])
        table = self.trace().merge(runs, left_on="run", right_on="id").drop(columns="id")
        table.to_csv(path, index=False)
        return Path(path)


def _check_state(path: Path, saved: dict[str, Any], problem: Problem) -> None:
    """Refuse a state that is not of this run: kernels trust the shapes they are given."""
    wanted = {option.name for option in fields(State)} | {"run", "seconds", "rows", "stopped"}
    if missing := wanted - set(saved):
        raise DamagedError(f"{path} lacks {', '.join(sorted(missing))}; delete it to start anew")
    if str(saved["run"]) != problem.run_id:
        raise DamagedError(f"{path} belongs to run {saved['run']}, not to {problem.run_id}")
    start = start_state(problem.solved)
    for option in fields(State):
        array, need = saved[option.name], np.asarray(getattr(start, option.name))
        if array.shape != need.shape or array.dtype != need.dtype:
            raise DamagedError(
                f"{path}: {option.name} has shape {array.shape}, this run needs {need.shape}; "
                "delete the file to start anew"
            )
    if not 0 <= int(saved["iteration"]) <= problem.stops[-1]:
        raise DamagedError(f"{path} is at iteration {int(saved['iteration'])}, beyond the end")


def _row(line: list[float]) -> Row:
    iteration, seconds, real, within, infosets = line
    return int(iteration), seconds, real, within, int(infosets)
