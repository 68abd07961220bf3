"""Gibson & Szafron (2011), Table 1: sizes and exploitability of Leduc strategies, rows "Base".

How: the base abstraction is JQ-K with two players and J-QK with three; its size is the number
of information sets. The base strategy is an equilibrium of the abstract game, played in real
Leduc; exploitability is the mean of what the two best responses win, in milli-antes (1000 to
the chip). The paper ran chance-sampled CFR for 100 million iterations, to within a milli-ante
of equilibrium. We run six solvers and keep those that come as close.

The earnings need the stitched opponents, and the other rows are stitched themselves.
"""

from __future__ import annotations

from workbench.abstraction import abstract
from workbench.compiling import compile_game
from workbench.experiments.reproduce.bases import CHOSEN, bases
from workbench.experiments.reproduce.effort import Effort
from workbench.experiments.reproduce.ledger import Ours, Result
from workbench.games import load_game

MILLI_ANTES = 1000.0  # in a chip: the ante is one
CLOSE = 1.0  # milli-antes from equilibrium in the abstract game, as in the paper


def measure(effort: Effort) -> Result:
    iterations = effort.pick(1_000_000, 50_000)
    two = abstract(compile_game(load_game("leduc")), "JQ-K")
    three = abstract(compile_game(load_game("leduc", players=3, suit_isomorphism=True)), "J-QK")
    found = bases({"JQ-K": two}, iterations, effort)["JQ-K"]
    inside = {name: MILLI_ANTES * base.inside for name, base in found.items()}
    halfway = {name: MILLI_ANTES * base.halfway for name, base in found.items()}
    outside = {
        name: MILLI_ANTES * base.outside for name, base in found.items() if inside[name] <= CLOSE
    }
    far = [name for name in found if name not in outside]
    note = (
        f"ours is {CHOSEN} after {iterations:,} iterations; the solvers are deterministic, so the "
        f"range is over {len(outside)} of them, each within {CLOSE:g} milli-ante of equilibrium "
        "inside"
    )
    if far:
        note += f" (not yet so close: {', '.join(far)})"
    return Result(
        {
            "2p size Base": Ours(two.coarse.num_infosets, note="JQ-K"),
            "3p size Base": Ours(three.coarse.num_infosets, note="J-QK"),
            "2p exploitability Base": Ours.over(outside, CHOSEN, note),
        },
        {
            "game": "leduc",
            "abstractions": {"2p": two.name, "3p": three.name},
            "iterations": iterations,
            "solvers": list(found),
            "milli-antes from equilibrium inside": inside,
            "milli-antes outside after half of the iterations": halfway,
            "seeds": "none: the solvers are deterministic",
        },
    )
