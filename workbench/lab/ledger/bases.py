"""Base strategies: abstract games, several solvers, and how far each is from equilibrium.

An abstract game has one value but many equilibria, and a deterministic solver always ends at
the same one. So the range that a published number has to be compared with is the range over
solvers; seeds would change nothing.

The linear program is not among them. It stops at a corner of the set of equilibria, and which one
depends on how its numbers are scaled: 500 milli-antes in JQ-K with one scale, 570 with another.
The papers' strategies were learnt, and so are these.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.abstraction.abstraction import Abstraction
from workbench.evaluation.best_response import best_response
from workbench.lab.ledger.effort import Effort
from workbench.runs.experiment import Experiment
from workbench.solvers.base import Solver
from workbench.solvers.cfr import CFR, DCFR, CFRPlus, LinearCFR, PCFRPlus
from workbench.strategy import Strategy

SOLVERS: dict[str, Solver] = {
    "cfr+": CFRPlus(),
    "cfr": CFR(),
    "cfr, simultaneous": CFR(alternating=False),
    "linear-cfr": LinearCFR(),
    "dcfr": DCFR(),
    "pcfr+": PCFRPlus(),
}
CHOSEN = "cfr+"  # the default of `solve`: whose number is "ours"


@dataclass(frozen=True)
class Base:
    """A strategy of an abstract game, played in the full one; numbers in chips."""

    inside: float  # exploitability in the abstract game: the mean of the players' gains
    outside: float  # exploitability in the full game
    halfway: float  # the same after half of the iterations: is it still moving?


def bases(abstraction: Abstraction, iterations: int, effort: Effort) -> dict[str, Base]:
    """solver -> the base strategy it finds."""
    runs = effort.solve(
        Experiment(
            abstraction.full,
            abstraction=abstraction,
            solver=solver,
            iterations=iterations,
            checkpoints=[iterations // 2, iterations],
        )
        for solver in SOLVERS.values()
    )
    return {
        name: Base(
            run.abstract_exploitability,
            run.exploitability,
            float(run.trace["exploitability"].iloc[0]),
        )
        for name, run in zip(SOLVERS, runs, strict=True)
    }


def value_bounds(strategy: Strategy) -> tuple[float, float]:
    """The value of a two-player zero-sum game lies between these, whoever made the strategy.

    Player 2's best response shows what player 1's strategy is sure of, and the other way round.
    """
    return -best_response(strategy, 1).value, best_response(strategy, 0).value
