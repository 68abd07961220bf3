"""Decisions that decide nothing: where a game is over in all but name.

Everyday example: you hold the two highest cards of a suit and lead. Whatever you and your opponent
do now, you win; you may choose, but there is nothing to choose. Two readings, the first stricter:

    known     one payoff is possible at all: she knows it herself
    dealt     at each history of the information set one payoff is possible, perhaps another one at
              each: the cards have decided, she only does not know how

>>> import workbench as wb
>>> toepen = wb.compile_game(wb.load_game("toepen", suits=2, ranks=3, betting=False))
>>> coarse = wb.abstract(toepen, "thesis-suits").coarse
>>> found = predetermined(coarse)
>>> len(found), int(found.dealt.sum()), int(found.known.sum())
(21, 12, 8)

The thesis (Le 2021, section 4.1.4) counts 12 of 21 for this deck: the second reading.
"""

from __future__ import annotations

import numpy as np

from workbench.later import pd
from workbench.tree import FloatArray, GameTree, need_tree


def predetermined(tree: GameTree) -> pd.DataFrame:
    """For each information set: player (counted from 1), information set, dealt, known."""
    low, high = _payoffs_below(need_tree(tree))
    at = np.flatnonzero(tree.infoset >= 0)
    infoset, player = tree.infoset[at], tree.player[at]
    least, most = (np.full(tree.num_infosets, worst) for worst in (np.inf, -np.inf))
    np.minimum.at(least, infoset, low[at, player])
    np.maximum.at(most, infoset, high[at, player])
    dealt = np.ones(tree.num_infosets, np.bool_)
    np.logical_and.at(dealt, infoset, low[at, player] == high[at, player])
    return pd.DataFrame(
        {
            "player": tree.infoset_player.astype(int) + 1,
            "information set": [tree.infoset_label(m) for m in range(tree.num_infosets)],
            "dealt": dealt,
            "known": least == most,
        }
    )


def _payoffs_below(tree: GameTree) -> tuple[FloatArray, FloatArray]:
    """(N, P) each: the least and the most that a player can still win, whatever all do."""
    shape = tree.num_histories, tree.num_players
    low, high = np.full(shape, np.inf), np.full(shape, -np.inf)
    over = np.flatnonzero(tree.terminal >= 0)
    low[over] = high[over] = tree.utility[tree.terminal[over]]
    for level in reversed(list(tree.levels())):
        np.minimum.at(low, tree.parent[level], low[level])
        np.maximum.at(high, tree.parent[level], high[level])
    return low, high
