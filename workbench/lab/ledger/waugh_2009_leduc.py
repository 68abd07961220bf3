"""Waugh, Bard & Bowling (2009), Section 4.1: the Leduc tournament of nine, claim by claim.

The numbers of the paper's Tables 1 and 2 are lost in our text; what it says about them is not.

How: `leduc_grafts.py` builds the nine. They meet in a round robin of exact expected values, seats
averaged, in millibets (500 to the chip: a thousandth of the small bet of two chips), and are
ordered as in the paper: by mean winnings, and by wins. A claim holds if it is true of all fields.

The paper's strategies leave no player more than ε = 10⁻⁵ chips to gain in the game they were
computed for; ours neither, measured in the game of every base and every graft. Which equilibria
these are is another matter. So there are several fields, whose bases are made by one solver and
whose grafts by the same or another ("pcfr+ on cfr+": PCFR+ grafts on CFR+ bases). Fields that do
not come as close as the paper's do not count; the settings say how close each one came.
"""

from __future__ import annotations

from itertools import pairwise

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.games.registry import load_game
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.leduc_grafts import (
    BASES,
    FLOP,
    NAMES,
    PREFLOP,
    Nine,
    always_fold,
    play_nine,
)
from workbench.runs.experiment import Experiment
from workbench.tree import GameTree

MILLIBETS = 500.0  # in a chip
EPSILON = 1e-5  # chips that a player may gain, as in the paper
CHOSEN = "pcfr+ on pcfr+"  # grafts on bases; comes closest soonest
STEPS, GRAFTS = 300_000, {"pcfr+": 50_000, "cfr+": 300_000}  # iterations
ODD = FLOP[2]  # J.QK flop grafts, the text's exception


def leads(nine: Nine) -> dict[str, float]:
    """claim -> a number that is positive if it is true of this field: by how much, at least."""
    winnings = {name: MILLIBETS * x for name, x in nine.winnings.items()}
    lost = {name: MILLIBETS * x for name, x in nine.exploitability.items()}
    grafts = [(name, f"{name} {kind} grafts") for name in BASES for kind in ("preflop", "flop")]
    found: dict[str, float] = {}
    for order, by in (("winnings", winnings), ("wins", nine.wins)):
        found |= {
            f"{order}: J.Q.K is the best base": by["J.Q.K"] - max(by["JQ.K"], by["J.QK"]),
            f"{order}: JQ.K is better than J.QK": by["JQ.K"] - by["J.QK"],
            f"{order}: preflop grafts keep the bases' order": _steps(by, PREFLOP),
            f"{order}: flop grafts keep the bases' order": _steps(by, FLOP),
            f"{order}: JQ.K flop before JQ.K preflop grafts": by[FLOP[1]] - by[PREFLOP[1]],
            f"{order}: every graft improves on its base": min(by[g] - by[b] for b, g in grafts),
            f"{order}: preflop better than flop, usually": sorted(
                by[p] - by[f] for p, f in zip(PREFLOP, FLOP, strict=True)
            )[1],
        }
    return found | {
        "winnings: larger is better, but for J.QK flop": min(
            winnings[g] for _, g in grafts if g != ODD
        )
        - max(winnings[b] for b in BASES),
        "winnings: J.QK flop is the exception": max(winnings[b] for b in BASES) - winnings[ODD],
        "a graft can be more exploitable than its base": max(lost[g] - lost[b] for b, g in grafts),
        "always folding is less exploitable than a graft": max(lost[g] for _, g in grafts)
        - MILLIBETS,
        "always folding wins against nobody": -MILLIBETS * max(nine.folding.values()),
        "always folding would be last": min(
            (8 * winnings[name] - MILLIBETS * nine.folding[name]) / 9 for name in winnings
        )
        - MILLIBETS * sum(nine.folding.values()) / 9,
    }


def _steps(by: dict[str, float], names: tuple[str, ...]) -> float:
    """The smallest step down from one to the next."""
    return min(by[first] - by[second] for first, second in pairwise(names))


def measure(effort: Effort) -> Result:
    tree = compile_game(load_game("leduc", suit_isomorphism=True))
    learnt = {
        name: {key: run.strategy for key, run in zip(BASES, runs, strict=True)}
        for name in effort.pick(("pcfr+", "cfr+", "dcfr"), ("pcfr+",))
        for runs in [effort.solve(_experiment(tree, name, key) for key in BASES)]
    }
    fields = {
        f"{name} on {base}": play_nine(tree, three, name, steps)
        for name, steps in effort.pick(GRAFTS, {"pcfr+": GRAFTS["pcfr+"]}).items()
        for base, three in learnt.items()
    }
    epsilon = {name: nine.epsilon for name, nine in fields.items()}
    close = {name: leads(nine) for name, nine in fields.items() if epsilon[name] <= EPSILON}
    ours = _sizes(tree) | _theorem([fields[name] for name in close])
    ours["always folding, exploitability"] = Ours(
        MILLIBETS * exploitability(always_fold(tree)), note="one ante"
    )
    for item in close[CHOSEN]:
        parts = {name: found[item] for name, found in close.items()}
        ours[item] = Ours.lead(parts, CHOSEN, "by how much, at least")
    return Result(
        ours,
        {
            "game": tree.name,
            "iterations of bases": STEPS,
            "iterations of grafts": GRAFTS,
            "fields": list(close),
            "chips to gain, largest of all games": epsilon,
            f"{CHOSEN}: millibets won, wins, millibets of exploitability": {
                name: [
                    round(MILLIBETS * fields[CHOSEN].winnings[name], 2),
                    round(fields[CHOSEN].wins[name]),
                    round(MILLIBETS * fields[CHOSEN].exploitability[name], 2),
                ]
                for name in NAMES
            },
            "seeds": "none: nothing is drawn at random",
        },
    )


def _experiment(tree: GameTree, solver: str, name: str) -> Experiment:
    return Experiment(tree, solver=solver, iterations=STEPS, abstraction=name, checkpoints=STEPS)


def _sizes(tree: GameTree) -> dict[str, Ours]:
    size = {name: abstract(tree, name).coarse.num_infosets for name in BASES}
    return {
        "J.Q.K is the largest abstraction": Ours(
            size["J.Q.K"],
            note=", ".join(f"{name} {sets}" for name, sets in size.items()),
            holds=size["J.Q.K"] > max(size["JQ.K"], size["J.QK"]),
        ),
        "JQ.K and J.QK have the same size": Ours(
            size["JQ.K"], note="each", holds=size["JQ.K"] == size["J.QK"]
        ),
    }


def _theorem(fields: list[Nine]) -> dict[str, Ours]:
    """Both statements, for every player's grafts in every field."""
    grafted = [one for nine in fields for one in nine.theorem]
    apart = max(abs(one.gain - one.total) for one in grafted)
    spare = min(one.gain - one.bound for one in grafted)
    least, most = (f(one.gain for one in grafted) for f in (min, max))
    count = f"{len(grafted)} times three grafts"
    return {
        "Theorem 1: gains add up": Ours(
            apart, note=f"the largest difference; {count}", holds=apart < 1e-9
        ),
        "Theorem 1: no gain below its bound": Ours(
            spare, note=f"the smallest distance; {count} gain {least:.3g} to {most:.3g} chips",
            holds=spare > -1e-9,
        ),
    }  # fmt: skip
