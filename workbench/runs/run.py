"""A Run: what `solve` hands back. The strategy, the trace, and where it all comes from."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench._version import __version__
from workbench.abstraction.abstraction import Abstraction
from workbench.runs.resumable import COLUMNS, Partial, Problem, Stopped, averages
from workbench.solvers.base import Solver, State
from workbench.strategy import Strategy
from workbench.tree import GameTree

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """The result of one run of a solver.

    Example:

        run = wb.solve(wb.load_game("kuhn"), "cfr+", iterations=100)
        run.strategy         # the average strategy, of the game that was given
        run.trace            # a DataFrame: iteration, seconds, exploitability, …
        run.exploitability   # the last of them
        wb.solve(run.tree, run.solver, iterations=200, start=run.state)    # goes on from there
    """

    tree: GameTree  # the game that was given
    solver: Solver
    seed: int
    abstraction: Abstraction | None
    strategy: Strategy  # of `tree`, lifted if there was an abstraction
    trace: pd.DataFrame  # iteration, seconds, exploitability, abstract_exploitability, infosets
    state: State  # where the solver stands: solve(..., start=run.state) goes on from here
    stopped: Stopped
    run_id: str = ""  # equal problems, equal ids
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def iterations(self) -> int:
        return self.state.iteration

    @property
    def exploitability(self) -> float:
        """Of `strategy`, in the game that was given."""
        return float(self.trace["exploitability"].iloc[-1])

    @property
    def abstract_exploitability(self) -> float:
        """Of the strategy inside the abstraction; nan without one."""
        return float(self.trace["abstract_exploitability"].iloc[-1])

    @property
    def seconds(self) -> float:
        """Spent in the solver (measuring not counted)."""
        return float(self.trace["seconds"].iloc[-1])

    def __repr__(self) -> str:
        within = f" [{self.abstraction.name}]" if self.abstraction else ""
        ended = "" if self.stopped == "iterations" else f", stopped: {self.stopped}"
        several = "" if self.iterations == 1 else "s"
        work = "exact" if self.solver.exact else f"{self.iterations:,} iteration{several}"
        real = not np.isnan(self.exploitability) or np.isnan(self.abstract_exploitability)
        found = self.exploitability if real else self.abstract_exploitability
        judged = f", {'' if real else 'abstract '}exploitability {found:.3g}"
        return (
            f"Run of {self.solver.name} on {self.tree.name}{within}: {work}"
            f"{'' if np.isnan(found) else judged}{ended}"
        )


def finish(problem: Problem, partial: Partial, origin: dict[str, Any] | None = None) -> Run:
    """The run that a partial has become; `origin`: its provenance, if it is not from here."""
    import pandas as pd

    assert partial.stopped is not None
    return Run(
        tree=problem.tree,
        solver=problem.solver,
        seed=problem.seed,
        abstraction=problem.abstraction,
        strategy=replace(averages(problem, partial.state)[1], run_id=problem.run_id),
        trace=pd.DataFrame(partial.rows, columns=list(COLUMNS)),
        state=partial.state,
        stopped=partial.stopped,
        run_id=problem.run_id,
        provenance=provenance() if origin is None else origin,
    )


def provenance() -> dict[str, Any]:
    """Versions and the kind of machine (no names or paths of it)."""
    import numba
    import scipy

    return {
        "workbench": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "scipy": scipy.__version__,
        "machine": f"{platform.system()} {platform.machine()}",
        "byteorder": sys.byteorder,
    }
