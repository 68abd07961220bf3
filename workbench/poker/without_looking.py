"""The river against an opponent who does not look at her cards: a list that holds on every board.

Everyday example: she tosses a coin for every move. Whatever was bet, she may hold any of the 990
hands that are left, so all that counts is how many of them yours beats: with 2 · wins + ties = 1980
you raise, with 0 you fold. There are 1,981 such numbers, and the table of all hands has the one of
every hand on every board (holdem_tables.py). So instead of sorting hands and multiplying matrices
(river_response.py) the betting of the river is settled once for each number:

    worth[2 · wins + ties, start]     what a hand of this strength wins, the same on all boards

and the rivers of a flop are looked up. Measured on one core of a busy machine: 0.4 s a flop, and 12
minutes for the exact best response to one who always calls (all 1,755 flops: 1163.48 mbb).

>>> import workbench as wb
>>> from workbench.poker.flop_response import Opponent
>>> opponent = Opponent(wb.poker.opponent_named(wb.load_game("limit_holdem"), "uniform"))
>>> [len(starts.kept) for starts in opponent.starts[0]]  # kinds of 7, 63 and 567 ways to begin
[4, 8, 16]
>>> [worth.shape for worth in opponent.worth]
[(1981, 16), (1981, 16)]
"""

from __future__ import annotations

import numpy as np

from workbench.kernels import kernel
from workbench.poker.betting import FOLD
from workbench.poker.board_sets import Longs, find
from workbench.poker.card_passes import KIND
from workbench.poker.holdem_signals import Cards
from workbench.poker.holdem_tables import MOST
from workbench.poker.response_rounds import Columns, settled
from workbench.poker.river_response import RiverColumns, Singles
from workbench.tree import FloatArray


def river_worth(of: Columns, river: RiverColumns) -> Singles:
    """(1981, T · L) by 2 · wins + ties: what a hand wins from each start that is worked out."""
    ahead, met = np.arange(MOST + 1)[:, None] - MOST / 2, np.full((MOST + 1, 1), MOST / 2)
    out = np.zeros((MOST + 1, len(river.ends) * river.ends.shape[3]), np.float32)

    def leaf(d: int) -> FloatArray:
        folds = of.tree[d, KIND] == FOLD
        column = (of.folds if folds else of.ends)[of.number[d], 0, river.kept]
        return np.asarray((met if folds else ahead) * column)

    out[:, : len(river.kept)] = settled(of, leaf)
    return out


@kernel
def look_up_rivers(
    rivers: Longs, weight: FloatArray, turn: Longs, cards: Cards, first: Singles, second: Singles,
    one: Singles, two: Singles,
) -> None:  # fmt: skip
    """Add up over rivers, for both seats: one, two (1326, T · L); first, second: their worths."""
    masks = np.empty(4, np.int64)
    for k in range(len(rivers)):
        masks[:] = turn
        masks[rivers[k] & 3] |= 1 << (rivers[k] >> 2)
        board, renaming = find(cards.rivers, masks)
        times = np.float32(weight[k])
        for pair in range(len(one)):
            wins = cards.river[board, cards.moved[renaming, pair]]
            if wins < len(first):  # the pair has no card of the board
                for s in range(one.shape[1]):
                    one[pair, s] += times * first[wins, s]
                for s in range(two.shape[1]):
                    two[pair, s] += times * second[wins, s]
