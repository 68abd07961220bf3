"""How much work an entry may do: half a minute in a lecture, or a night that survives a crash.

An entry asks for numbers that fit (`pick`) and hands over its runs (`solve`). Whether they are
kept in a store, go on after a crash, and use one core, eight or a cluster is none of its business.

>>> from workbench.runs.experiment import Experiment
>>> effort = Effort(quick=True)
>>> iterations = effort.pick(1_000_000, 500)
>>> [run] = effort.solve([Experiment("kuhn", iterations=iterations)])
>>> run.iterations, run.exploitability < 0.01
(500, True)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

from workbench.rules import GameError

if TYPE_CHECKING:
    from distributed import Client

    from workbench.runs.experiment import Experiment
    from workbench.runs.run import Run
    from workbench.runs.store import Store

T = TypeVar("T")


@dataclass(frozen=True)
class Effort:
    """What `measure` receives."""

    quick: bool = False
    store: Store | str | Path | None = None  # a folder that keeps the runs, half done ones too
    workers: int = 1
    dask: Client | str | None = None
    progress: bool = False

    def pick(self, full: T, quick: T) -> T:
        """The first for the night, the second for a lecture."""
        return quick if self.quick else full

    def solve(self, experiments: Iterable[Experiment]) -> list[Run]:
        """A run for each experiment; what the store already has is not computed again."""
        from workbench.lab.sweep.sweep import sweep

        with TemporaryDirectory() as nowhere:
            done = sweep(
                experiments,
                nowhere if self.store is None else self.store,
                self.workers,
                self.dask,
                progress=self.progress,
            )
        if failed := [error for error in done.errors if error]:
            raise GameError(f"{len(failed)} of {len(done.runs)} runs failed, first: {failed[0]}")
        return [run for run in done.runs if run is not None]
