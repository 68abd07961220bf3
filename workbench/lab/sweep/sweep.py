"""A sweep: many experiments, on all cores of a machine or on a Dask cluster.

    wb.sweep(experiments, workers=8)
    wb.sweep(experiments, dask="tcp://scheduler:8786")

From a laptop to a cluster it is one argument: the address of a Dask scheduler, or the Client of
a notebook. The workers need the same version of this package and nothing else, no shared disk:
each gets a piece of a run (a problem, how far it is, some seconds), and hands back how far it
came. The store stays where the sweep was started, and only its owner writes to it. So a lost
worker loses one piece, a killed owner loses the pieces that were out, and starting the same
sweep again goes on from there, on the laptop or on the cluster, with the same numbers.

Runs are claimed when their turn comes, so several sweeps may share a store: each takes what
nobody else works on, and what the others finish is read at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.lab.html import bare, table
from workbench.lab.sweep.scheduler import Owner
from workbench.lab.sweep.workers import open_pool
from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.run import Problem, Run
from workbench.runs.store import Store, open_store
from workbench.settings import as_tuple, need_whole
from workbench.solvers.registry import stored_name

if TYPE_CHECKING:
    import pandas as pd
    from distributed import Client


@dataclass(frozen=True, eq=False, repr=False)
class Sweep:
    """What became of each experiment, in the order in which they were given."""

    experiments: tuple[Experiment, ...]
    problems: tuple[Problem, ...]
    runs: tuple[Run | None, ...]  # None if it failed
    errors: tuple[str | None, ...]

    @property
    def table(self) -> pd.DataFrame:
        """One row per experiment: what was asked, in the columns of `Store.runs`; how it ended."""
        import pandas as pd

        return pd.DataFrame(
            problem.description()
            | {
                "done": run.iterations if run else None,
                "seconds": run.seconds if run else None,
                "exploitability": run.exploitability if run else None,
                "run": run.run_id if run else None,
                "error": error,
            }
            for problem, run, error in zip(self.problems, self.runs, self.errors, strict=True)
        )

    def __repr__(self) -> str:
        failed = sum(error is not None for error in self.errors)
        return f"Sweep of {len(self.runs)} experiments, {failed} failed"

    def _repr_html_(self) -> str:
        found = self.table
        both = zip(found["solver"], found.pop("settings"), strict=True)
        return bare(table(found.assign(solver=[stored_name(*one) for one in both])))


def sweep(
    experiments: Iterable[Experiment] | Experiment,
    store: Store | str | Path = "runs",
    workers: int = 2,
    dask: Client | str | None = None,
    *,
    retries: int = 2,
    progress: bool = True,
) -> Sweep:
    """Run all experiments that the store does not know yet; hand back all of them.

    `workers`: processes on this machine. `dask`: the address of a cluster or its Client, used
    instead. A run that fails is tried again `retries` times and then reported; the others go on.
    """
    asked = as_tuple(experiments) if isinstance(experiments, Iterable) else (experiments,)
    wrong = [type(one).__name__ for one in asked if not isinstance(one, Experiment)]
    if wrong:
        raise GameError(f"sweep needs Experiments (wb.Experiment or wb.grid), not {wrong[0]}")
    need_whole("workers", workers)
    need_whole("retries", retries, least=0)
    with open_store(store) as opened:
        owner = Owner(opened, asked, retries, progress)
        if owner.waiting:
            with open_pool(min(workers, len(owner.waiting)), dask) as pool:
                owner.drive(pool)
        return Sweep(
            experiments=asked,
            problems=tuple(task.problem for task in owner.tasks),
            runs=tuple(task.run(opened) for task in owner.tasks),
            errors=tuple(task.error for task in owner.tasks),
        )
