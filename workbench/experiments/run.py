"""A Run: what `solve` hands back. The strategy, the trace, and all it takes to go on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from workbench.abstraction import Abstraction
from workbench.solvers import Solver, State
from workbench.strategy import Strategy
from workbench.tree import GameTree

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Run"]


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """The result of one run of a solver."""

    tree: GameTree  # the game that was given
    solver: Solver
    seed: int
    abstraction: Abstraction | None
    strategy: Strategy  # of `tree`, lifted if there was an abstraction
    trace: pd.DataFrame  # iteration, seconds, exploitability, abstract_exploitability, infosets
    state: State  # where the solver stands: solve(..., start=run.state) goes on from here
    stopped: Literal["iterations", "target", "interrupted"]

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
        work = "exact" if self.solver.exact else f"{self.iterations:,} iterations"
        return (
            f"Run of {self.solver.name} on {self.tree.name}{within}: {work}, "
            f"exploitability {self.exploitability:.3g}{ended}"
        )
