"""Gibson & Szafron (2011), Figure 1: what its caption says about who can tell what apart.

How: `data/games/figure1.txt` is the game of the figure (the payoffs are ours, the paper gives
none). (a) is the abstraction that forgets chance's move. (b), the game of a dynamic expert, is
that abstraction except in the part of the l-expert, G = {al, bl, cl}: there nothing is forgotten.
Each row compares whole sets of histories; its number is how many there are.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.games.registry import load_game
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.figure_partition import drawn
from workbench.lab.ledger.ledger import Ours, Result
from workbench.stitching.builders import betting_experts
from workbench.stitching.expert_rules import expert_rule

PLAYER_1, PLAYER_2 = 0, 1
CAPTION = {
    "1a game, player 1": ("game", PLAYER_1, "{a} {b c}"),
    "1a game, player 2": ("game", PLAYER_2, "{al bl} {ar br} {cl} {cr}"),
    "1a abstraction, player 1": ("blind", PLAYER_1, "{a b c}"),
    "1a abstraction, player 2": ("blind", PLAYER_2, "{al bl cl} {ar br cr}"),
    "1b dynamic expert, player 1": ("dynamic", PLAYER_1, "{a b c}"),
    "1b dynamic expert, player 2": ("dynamic", PLAYER_2, "{al bl} {ar br cr} {cl}"),
}


def blind(player: int, seen: Any, actions: Sequence[Hashable]) -> Hashable:
    """Forget what chance drew: player 1 knows nothing, player 2 only player 1's move."""
    return "nothing" if player == PLAYER_1 else seen[-1]


def measure(effort: Effort) -> Result:
    tree = compile_game(load_game("figure1"))
    games = {
        "game": tree,
        "blind": abstract(tree, blind).coarse,
        "dynamic": abstract(tree, expert_rule(tree, betting_experts(tree, ["l"]), blind)).coarse,
    }
    ours = {}
    for item, (game, player, caption) in CAPTION.items():
        found = drawn(games[game], player)
        ours[item] = Ours(found.count("{"), note=found, holds=found == caption)
    return Result(ours, {"game": tree.name, "seeds": "none: nothing is drawn at random"})
