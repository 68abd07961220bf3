"""Waugh, Bard & Bowling (2009), Section 4.1: Leduc claims, checked with the bases alone.

The numbers of the paper's Tables 1 and 2 are lost in our text; what it says about them is not.
Its tournament has nine players: three base strategies and six that are grafted on them. We have
the three bases, so **this is not the paper's field**, and a claim about winnings that fails here
may well hold there. The grafted players come with grafting.

How: base strategies of J.Q.K, JQ.K and J.QK meet in a round robin of exact expected values,
seats averaged, in millibets (500 to the chip: a thousandth of the small bet of two chips). The
paper orders players in two ways: by wins (one beats another if it wins more than nothing from
it) and by mean winnings against all others.

The paper's strategies leave no player more than ε = 10⁻⁵ chips to gain in the abstract game.
CFR+, DCFR and PCFR+ come as close; CFR and linear CFR do not within a million iterations. They
are deterministic, so ranges are over these solvers; in a tournament all strategies are one's.
"""

from __future__ import annotations

import numpy as np

from workbench.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation import exploitability, tournament
from workbench.experiments.reproduce.bases import CHOSEN, bases
from workbench.experiments.reproduce.effort import Effort
from workbench.experiments.reproduce.ledger import Ours, Result
from workbench.games import load_game
from workbench.strategy import Strategy

MILLIBETS = 500.0  # in a chip
NAMES = ("J.Q.K", "JQ.K", "J.QK")
SOLVERS = ("cfr+", "dcfr", "pcfr+")
EPSILON = 1e-5  # chips that a player may gain inside, as in the paper
FIELD = "bases alone, without the six grafted players of the paper's field"


def measure(effort: Effort) -> Result:
    iterations = effort.pick(1_000_000, 100_000)
    tree = compile_game(load_game("leduc"))
    abstractions = {name: abstract(tree, name) for name in NAMES}
    found = bases(abstractions, iterations, effort, SOLVERS)
    gain = {solver: max(found[name][solver].gain for name in NAMES) for solver in SOLVERS}
    close = [solver for solver in SOLVERS if gain[solver] <= EPSILON]
    folder = Strategy.from_function(tree, lambda p, s, actions: "f" if "f" in actions else "c")
    duel: dict[str, float] = {}
    first: dict[str, float] = {}
    second: dict[str, float] = {}
    folding: dict[str, float] = {}
    for solver in close:
        players = {name: found[name][solver].strategy for name in NAMES}
        table = MILLIBETS * tournament({**players, "folder": folder}).to_numpy()
        won = table[:3, :3]
        bankroll = won.sum(axis=1) / 2  # nobody wins anything from herself
        duel[solver] = float(won[np.triu_indices(3, 1)].min())
        first[solver], second[solver] = map(float, -np.diff(bankroll))
        folding[solver] = float(table[3, :3].max())
    spread = (
        f"range over {', '.join(close)} after {iterations:,} iterations, no gain inside above "
        f"{max(gain[solver] for solver in close):.0e} chips"
    )
    if far := [solver for solver in SOLVERS if solver not in close]:
        spread += f" (not so close: {', '.join(far)})"
    size = {name: abstractions[name].coarse.num_infosets for name in NAMES}
    return Result(
        {
            "bases alone, wins: J.Q.K before JQ.K before J.QK": Ours.over(
                duel,
                CHOSEN,
                f"{FIELD}: the smallest of the three leads; {spread}",
                min(duel.values()) > 0,
            ),
            "bases alone, winnings: J.Q.K before JQ.K": Ours.over(
                first,
                CHOSEN,
                f"{FIELD}: J.Q.K beats both others, but JQ.K wins more from J.QK, which is half "
                f"of this field and an eighth of the paper's; {spread}",
                min(first.values()) > 0,
            ),
            "bases alone, winnings: JQ.K before J.QK": Ours.over(
                second, CHOSEN, f"{FIELD}: the lead; {spread}", min(second.values()) > 0
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
                f"{FIELD}: its best result against the three; {spread}",
                max(folding.values()) <= 0,
            ),
        },
        {
            "game": tree.name,
            "iterations": iterations,
            "solvers": list(SOLVERS),
            "chips to gain inside, largest of three": gain,
            "seeds": "none: the solvers are deterministic",
        },
    )
