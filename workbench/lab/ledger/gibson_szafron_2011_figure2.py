"""Gibson & Szafron (2011), Figure 2: who still decides in the game of a static expert.

How (Definition 3.2): in the game of Figure 1a the expert's part is G = {al, bl, cl}, player 2
after l. Every other decision of a player in S becomes a move of chance, with the probabilities
of the base strategy. (a) S = {2}; (b) S = {1, 2}. Each row compares whole sets of histories;
its number is how many information sets are left to decide.

The base strategy is an equilibrium of Figure 1a's abstraction; which one does not matter here.
If the caption is right, giving the decisions away changes nobody's winnings as long as the
expert plays what the base would play: the last two rows.
"""

from __future__ import annotations

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.values import expected_values
from workbench.games.registry import load_game
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.figure_partition import drawn
from workbench.lab.ledger.gibson_szafron_2011_figure1 import PLAYER_1, PLAYER_2, blind
from workbench.lab.ledger.ledger import Ours, Result
from workbench.solvers.base import average
from workbench.solvers.iterate import iterate
from workbench.stitching.builders import betting_experts
from workbench.stitching.sewing import expert_game

ITERATIONS = 1000
GAMES = {"2a": {PLAYER_2}, "2b": {PLAYER_1, PLAYER_2}}  # the players in S
CAPTION = {
    "2a player 1 decides": ("2a", PLAYER_1, "{a} {b c}"),
    "2a player 2 decides": ("2a", PLAYER_2, "{al bl} {cl}"),
    "2b player 1 decides": ("2b", PLAYER_1, "none"),
    "2b player 2 decides": ("2b", PLAYER_2, "{al bl} {cl}"),
}


def measure(effort: Effort) -> Result:
    tree = compile_game(load_game("figure1"))
    blinded = abstract(tree, blind)
    state = next(iterate(blinded.coarse, "cfr+", every=ITERATIONS))
    base = blinded.lift(average(blinded.coarse, state))
    part = betting_experts(tree, ["l"])
    games = {name: expert_game(base, part, "l", players) for name, players in GAMES.items()}
    ours = {}
    for item, (name, player, caption) in CAPTION.items():
        found = drawn(games[name].tree, player)
        ours[item] = Ours(found.count("{"), note=found, holds=found == caption)
    value = expected_values(base)[0]
    for name, game in games.items():
        change = float(expected_values(game.restrict(base))[0] - value)
        ours[f"{name} with the base as expert"] = Ours(
            change, note="change of player 1's value", holds=abs(change) < 1e-12
        )
    return Result(
        ours, {"game": tree.name, "solver": "cfr+", "iterations": ITERATIONS, "seeds": "none"}
    )
