"""Information sets as a figure shows them: which histories a player cannot tell apart.

>>> from workbench.compiling import compile_game
>>> from workbench.games.registry import load_game
>>> drawn(compile_game(load_game("figure1")), 0)
'{a} {b c}'
"""

from __future__ import annotations

from workbench.tree import GameTree


def drawn(tree: GameTree, player: int) -> str:
    """The player's information sets, each with its histories, in one order for all trees."""
    sets: dict[int, list[str]] = {}
    for history in range(tree.num_histories):
        infoset = int(tree.infoset[history])
        if infoset >= 0 and tree.infoset_player[infoset] == player:
            name = tree.history_label(history).replace(" ", "")
            sets.setdefault(infoset, []).append(name)
    shown = ["{" + " ".join(sorted(names)) + "}" for names in sets.values()]
    return " ".join(sorted(shown)) or "none"
