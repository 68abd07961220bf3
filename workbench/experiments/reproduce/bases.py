"""Base strategies: abstract games, several solvers, and how far each is from equilibrium.

An abstract game has one value but many equilibria, and a deterministic solver always ends at
the same one. So the range that a published number has to be compared with is the range over
solvers; seeds would change nothing.

The linear program is not among them. It stops at a corner of the set of equilibria, and which one
depends on how its numbers are scaled: 500 milli-antes in JQ-K with one scale, 570 with another.
The papers' strategies were learnt, and so are these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from workbench.abstraction import Abstraction
from workbench.evaluation import best_response, expected_values
from workbench.experiments.experiment import Experiment
from workbench.experiments.reproduce.effort import Effort
from workbench.solvers import CFR, DCFR, CFRPlus, LinearCFR, PCFRPlus, Solver, average
from workbench.strategy import Strategy

__all__ = ["CHOSEN", "SOLVERS", "Base", "bases", "largest_gain", "value_bounds"]

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

    strategy: Strategy  # of the full game
    gain: float  # the most that a player can gain by deviating inside the abstract game
    inside: float  # exploitability in the abstract game: the mean of the players' gains
    outside: float  # exploitability in the full game
    halfway: float  # the same after half of the iterations: is it still moving?


def bases(
    abstractions: Mapping[str, Abstraction],
    iterations: int,
    effort: Effort,
    solvers: Iterable[str] = tuple(SOLVERS),
) -> dict[str, dict[str, Base]]:
    """abstraction -> solver -> the base strategy it finds."""
    pairs = [(name, solver) for name in abstractions for solver in solvers]
    runs = effort.solve(
        Experiment(
            abstractions[name].full,
            abstraction=abstractions[name],
            solver=SOLVERS[solver],
            iterations=iterations,
            checkpoints=[iterations // 2, iterations],
        )
        for name, solver in pairs
    )
    found: dict[str, dict[str, Base]] = {name: {} for name in abstractions}
    for (name, solver), run in zip(pairs, runs, strict=True):
        found[name][solver] = Base(
            run.strategy,
            largest_gain(average(abstractions[name].coarse, run.state)),
            run.abstract_exploitability,
            run.exploitability,
            float(run.trace["exploitability"].iloc[0]),
        )
    return found


def largest_gain(strategy: Strategy) -> float:
    """ε of an ε-equilibrium: the most that one player wins by deviating alone."""
    values = expected_values(strategy)
    return float(max(best_response(strategy, i).value - values[i] for i in range(len(values))))


def value_bounds(strategy: Strategy) -> tuple[float, float]:
    """The value of a two-player zero-sum game lies between these, whoever made the strategy.

    Player 2's best response shows what player 1's strategy is sure of, and the other way round.
    """
    return -best_response(strategy, 1).value, best_response(strategy, 0).value
