"""Accidents, for the tests of stores and sweeps: CFR+ that fails, and damaged arrays."""

import os
import signal
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from workbench.solvers.cfr import CFRPlus


@dataclass(frozen=True)
class Accident:
    """Until `times` are noted in `folder`: raise an error, call exit or kill the process."""

    name: ClassVar[str] = "accident"
    exact: ClassVar[bool] = False

    folder: str
    times: int
    how: Literal["raise", "exit", "kill"]
    owner: int  # this process must survive

    def check(self, tree):
        pass

    def advance(self, tree, state, iterations):
        if iterations and state.iteration >= 10:
            noted = len(list(Path(self.folder).iterdir()))
            if noted < self.times:
                (Path(self.folder) / str(noted)).touch()
                if self.how == "raise":
                    raise RuntimeError("an accident\nwith details")
                if self.how == "exit":
                    raise SystemExit("an accident")
                assert os.getpid() != self.owner
                os.kill(os.getpid(), signal.SIGKILL)
        return CFRPlus().advance(tree, state, iterations)


def damage(folder, run_id):
    """What a store has kept of a run is no longer what was written."""
    with sqlite3.connect(folder / "store.sqlite") as db:
        db.execute("UPDATE arrays SET content = x'00' WHERE run = ?", (run_id,))
    db.close()
