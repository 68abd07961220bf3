"""Waugh, Bard & Bowling (2009), Section 4.1: Leduc claims that need no grafts.

The numbers of the paper's Tables 1 and 2 are lost in our text; what it says about them is not.
How: base strategies of J.Q.K, JQ.K and J.QK meet in a round robin of exact expected values,
seats averaged, in millibets (500 to the chip: a thousandth of the small bet of two chips). The
paper orders players in two ways: by wins (one beats another if it wins more than nothing from
it) and by mean winnings against all others. Its tournament also has six grafted players; they
come with grafting.

The solvers are deterministic, so ranges are over six solvers; in each tournament all three
strategies are the same solver's.
"""

from __future__ import annotations

import numpy as np

from workbench.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation import expected_values, exploitability
from workbench.experiments.reproduce.bases import CHOSEN, SOLVERS, bases
from workbench.experiments.reproduce.ledger import Ours, Result
from workbench.games import load_game
from workbench.strategy import Strategy

MILLIBETS = 500.0  # in a chip
NAMES = ("J.Q.K", "JQ.K", "J.QK")
RANGE = "range over six deterministic solvers"
FIRST = (
    "lead; J.Q.K beats both others, but JQ.K wins more from J.QK; the paper's "
    "field has six grafted players as well, and comes with grafting"
)


def measure(quick: bool) -> Result:
    iterations = 20_000 if quick else 1_000_000
    tree = compile_game(load_game("leduc"))
    abstractions = {name: abstract(tree, name) for name in NAMES}
    found = {name: bases(abstractions[name], iterations) for name in NAMES}
    folder = Strategy.from_function(tree, lambda p, s, actions: "f" if "f" in actions else "c")
    duel: dict[str, float] = {}
    first: dict[str, float] = {}
    second: dict[str, float] = {}
    folding: dict[str, float] = {}
    inside: dict[str, float] = {}
    for solver in SOLVERS:
        players = [found[name][solver].strategy for name in NAMES]
        won = np.array([[_meet(one, other) for other in players] for one in players])  # (3, 3)
        bankroll = won.sum(axis=1) / 2  # nobody wins anything from herself
        duel[solver] = float(won[np.triu_indices(3, 1)].min())
        first[solver], second[solver] = map(float, -np.diff(bankroll))
        folding[solver] = max(_meet(folder, other) for other in players)
        inside[solver] = max(found[name][solver].inside for name in NAMES)
    size = {name: abstractions[name].coarse.num_infosets for name in NAMES}
    return Result(
        {
            "bases alone, wins: J.Q.K before JQ.K before J.QK": Ours.over(
                duel, CHOSEN, f"the smallest of the three leads; {RANGE}", min(duel.values()) > 0
            ),
            "bases alone, winnings: J.Q.K before JQ.K": Ours.over(
                first, CHOSEN, f"{FIRST}; {RANGE}", min(first.values()) > 0
            ),
            "bases alone, winnings: JQ.K before J.QK": Ours.over(
                second, CHOSEN, f"lead; {RANGE}", min(second.values()) > 0
            ),
            "J.Q.K is the largest abstraction": Ours(
                size["J.Q.K"],
                note=", ".join(f"{name} {sets}" for name, sets in size.items()),
                holds=size["J.Q.K"] > max(size["JQ.K"], size["J.QK"]),
            ),
            "JQ.K and J.QK have the same size": Ours(
                size["JQ.K"], note="each", holds=size["JQ.K"] == size["J.QK"]
            ),
            "always folding, exploitability": Ours(
                MILLIBETS * exploitability(folder), note="one ante"
            ),
            "always folding wins against nobody": Ours.over(
                folding,
                CHOSEN,
                f"its best result against the three bases; {RANGE}",
                max(folding.values()) <= 0,
            ),
        },
        {
            "game": tree.name,
            "iterations": iterations,
            "solvers": list(SOLVERS),
            "chips from equilibrium inside, largest of three": inside,
            "seeds": "none: the solvers are deterministic",
        },
    )


def _meet(one: Strategy, other: Strategy) -> float:
    """What `one` wins from `other`, seats averaged, in millibets."""
    first, second = expected_values([one, other])[0], expected_values([other, one])[1]
    return float(MILLIBETS * (first + second) / 2)
