"""Values of abstract Leduc: what the games JQ-K, J-QK and J.Q.K are worth to player 1.

No text prints them. Published here means: another linear program, written for our tests from the
definition and without this package's trees. How: the linear program of this package, enclosed by
best responses inside the abstract game, so that nothing depends on either solver. JQ.K and J.QK
of Waugh et al. are the same games as JQ-K and J-QK.
"""

from __future__ import annotations

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.games.registry import load_game
from workbench.lab.ledger.bases import value_bounds
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.solvers.base import average
from workbench.solvers.iterate import iterate
from workbench.solvers.lp import LP

PROOF = "the range is what best responses to the LP's strategies prove"


def measure(effort: Effort) -> Result:
    tree = compile_game(load_game("leduc"))
    ours = {}
    for name in ("JQ-K", "J-QK", "J.Q.K"):
        coarse = abstract(tree, name).coarse
        low, high = value_bounds(average(coarse, next(iterate(coarse, LP()))))
        ours[f"value of {name} to player 1"] = Ours((low + high) / 2, low, high, PROOF)
    return Result(ours, {"game": tree.name, "solver": "lp", "seeds": "none: nothing is drawn"})
