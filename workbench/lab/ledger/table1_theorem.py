"""Theorem 1 of Waugh et al. (2009) on the experts of Gibson & Szafron's Table 1.

Grafts gain together what each gains alone, and no less than −3pε (`lab/analysis/graft_theorem.py`
has the theorem). The experts of Static.S={i} are grafts, with one difference: in the table's recipe
the opponent, too, sees everything inside an expert's part. Against a coarse base such an opponent
could gain a lot, so ε is large and the bound says nothing; an expert may then lose. Waugh et al.'s
opponents stay in the base's abstraction, ε is next to nothing, and the bound bites. Both are here.
"""

from __future__ import annotations

from collections.abc import Mapping

from workbench.lab.analysis.graft_theorem import GraftGains, graft_gains
from workbench.lab.ledger.ledger import Ours
from workbench.lab.ledger.leduc_experts import first_raises
from workbench.strategy import Strategy
from workbench.tree import GameTree

MILLI_ANTES = 1000.0


def theorem_1(
    tree: GameTree, bases: Mapping[str, Strategy], solver: str, iterations: int
) -> dict[str, Ours]:
    """item -> whether it holds, for each player's experts on each base."""
    part = first_raises(tree)
    seeing, coarse = (
        [
            graft_gains(
                tree, base, part if sees else part.of(i), i, outside=name, solver=solver,
                iterations=iterations,
            )
            for name, base in bases.items()
            for i in (0, 1)
        ]
        for sees in (True, False)
    )  # fmt: skip
    apart = MILLI_ANTES * max(abs(one.gain - one.total) for one in (*seeing, *coarse))
    count = f"{len(seeing) + len(coarse)} times {len(part.names)} experts"
    return {
        "2p Theorem 1: gains of experts add up": Ours(
            apart, note=f"the largest difference; {count}, {solver}", holds=apart < 1e-6
        ),
        "2p Theorem 1: no gain below its bound, S={i}": _above(
            seeing, "the bound says nothing where the opponent sees more than the base's did"
        ),
        "2p Theorem 1: no gain below its bound, grafts": _above(
            coarse, "opponents in the base's abstraction, as in the theorem"
        ),
    }


def _above(grafted: list[GraftGains], says: str) -> Ours:
    """The smallest distance between gain and bound."""
    spare = MILLI_ANTES * min(one.gain - one.bound for one in grafted)
    least, most = (MILLI_ANTES * f(one.gain for one in grafted) for f in (min, max))
    single = MILLI_ANTES * min(min(one.gains.values()) for one in grafted)
    bound = MILLI_ANTES * min(one.bound for one in grafted)
    return Ours(
        spare,
        note=f"the smallest distance; {says}: bounds down to {_short(bound)}; {len(grafted)} times "
        f"all experts together gain {_short(least)} to {_short(most)}, one alone {_short(single)} "
        "or more",
        holds=spare > -1e-6,
    )


def _short(x: float) -> str:
    """
    >>> _short(-7340.71), _short(-0.0007)
    ('-7,340.7', '0.0')
    """
    return f"{round(x, 1) + 0.0:,.1f}"
