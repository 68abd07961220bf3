"""Base strategies: abstract games, several solvers, and how far each is from equilibrium.

An abstract game has one value but many equilibria, and a deterministic solver always ends at
the same one. So the range that a published number has to be compared with is the range over
solvers; seeds would change nothing.

The linear program is not among them. It stops at a corner of the set of equilibria, and which one
depends on how its numbers are scaled: 500 milli-antes in JQ-K with one scale, 570 with another.
The papers' strategies were learnt, and so are these.
"""

from __future__ import annotations

from workbench.lab.ledger.papers.graft_theorem import GraftGains

from workbench.lab.ledger.ledger import Ours
from workbench.solvers.base import Solver
from workbench.solvers.cfr import CFR, DCFR, CFRPlus, LinearCFR, PCFRPlus

SOLVERS: dict[str, Solver] = {
    "cfr+": CFRPlus(),
    "cfr": CFR(),
    "cfr, simultaneous": CFR(alternating=False),
    "linear-cfr": LinearCFR(),
    "dcfr": DCFR(),
    "pcfr+": PCFRPlus(),
}
CHOSEN = "cfr+"  # the default of `solve`: whose number is "ours"


def adds_up(grafted: list[GraftGains], unit: float = 1.0) -> Ours:
    """Theorem 1 of Waugh et al. (2009): grafts gain together what each gains alone."""
    apart = max(abs(one.gain - one.total) for one in grafted)
    facts = {"strategies": len(grafted), "grafts in each": len(grafted[0].gains)}
    return Ours(unit * apart, note="the largest difference", facts=facts, holds=apart < 1e-9)


def bounded(grafted: list[GraftGains], unit: float = 1.0, note: str = "") -> Ours:
    """And no less than the theorem's bound, −3pε: the smallest distance."""
    spare = min(one.gain - one.bound for one in grafted)
    gains = {
        "bounds down to": min(one.bound for one in grafted),
        "all grafts together gain at least": min(one.gain for one in grafted),
        "at most": max(one.gain for one in grafted),
        "one alone at least": min(min(one.gains.values()) for one in grafted),
    }
    facts = {"strategies": len(grafted), **{name: unit * x for name, x in gains.items()}}
    said = f"the smallest distance{f'; {note}' * bool(note)}"
    return Ours(unit * spare, note=said, facts=facts, holds=spare > -1e-9)
