"""Kuhn (1950), A simplified two-person poker: the value, and uniform play.

The text is not among the documents we hold, so its number is a claim to be checked and not a
published cell. How: the linear program gives a strategy; what its two best responses win
encloses the value of the game, with no trust in the solver. The payoffs of uniform play are
small fractions, and floating point meets them to rounding.
"""

from __future__ import annotations

from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.games.registry import load_game
from workbench.lab.ledger.bases import value_bounds
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.solvers.base import average
from workbench.solvers.iterate import iterate
from workbench.solvers.lp import LP
from workbench.strategy import Strategy


def measure(effort: Effort) -> Result:
    tree = compile_game(load_game("kuhn"))
    low, high = value_bounds(average(tree, next(iterate(tree, LP()))))
    value, uniform = (low + high) / 2, exploitability(Strategy.uniform(tree))
    return Result(
        {
            "value to player 1": Ours(
                value,
                low,
                high,
                "−1/18; the range is what best responses to the LP's strategies prove",
                holds=abs(low + 1 / 18) < 1e-12 and abs(high + 1 / 18) < 1e-12,
            ),
            "uniform exploitability": Ours(
                uniform, note="11/24", holds=abs(uniform - 11 / 24) < 1e-12
            ),
        },
        {"game": tree.name, "solver": "lp", "seeds": "none: nothing is drawn at random"},
    )
