"""Which buckets meet and who wins, as array operations, for a GPU: many boards at a time.

The same whole numbers as the compiled kernels find (joint_buckets.py). The two matrices are sums
over boards and orders of Zᵀ · S · Z and Zᵀ · S² · Z (hand_arrays.py). Only sequences that a board
has take part: of 4,096 (k = 8) some hundreds.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from workbench.arrays import Machine
from workbench.poker.cards.board_sets import PAIRS, board_sets
from workbench.poker.strength.hand_arrays import HandArrays, cards_of

BOARDS = 64  # at a time, on a GPU


def joint(on: Machine, mine: Any, theirs: Any, boards: Any) -> Any:
    """(2, K, K') `meets` and `wins` in deals, on these of all boards of five."""
    shown, xp, sets = HandArrays(on), on.xp, board_sets(5)
    every, kinds = on.put(np.arange(PAIRS)), (mine,) if theirs is mine else (mine, theirs)
    firsts = [on.put(one.on(())) for one in kinds]
    orders = [[*{*range(5)} - {*late}, *late] for late in permutations(range(5), 2)]
    size = mine.classes[3] * theirs.classes[3]
    total = [on.zeros((size,)) for _ in (0, 1)]
    for low in range(0, len(boards), BOARDS // 2):
        some = boards[low : low + BOARDS // 2]
        five, weight = on.put(cards_of(sets.code[some])), on.put(sets.weight[some].astype(float))
        hands = xp.where(~shown.taken(five, every))[1].reshape(len(some), -1)  # (B, 1081)
        ordered, made = xp.concatenate([five[:, order] for order in orders]), list[Any]()
        many, held = len(orders), xp.concatenate([hands] * len(orders))
        for one, first in zip(kinds, firsts, strict=True):
            z = first[held]
            for m in (3, 4, 5):
                z = shown.buckets(one, ordered[:, :m], held, z)
            place, occur, occurring = shown.occurring(z, one.classes[3])
            wide = int(occurring.max())
            made.append((shown.within(place, wide), occur[:, :wide]))
        (one, rows), (two, columns) = made[0], made[-1]
        beside = xp.moveaxis(two.reshape(many, *hands.shape, -1), 0, 2)  # S meets all orders
        cell = rows[:, :, None] * theirs.classes[3] + columns[:, None, :]
        times = xp.concatenate([weight] * many)[:, None, None]
        for into, product in zip(
            total, shown.meeting(shown.strengths(five, hands), hands), strict=True
        ):
            met = (product @ beside.reshape(*hands.shape, -1)).reshape(beside.shape)
            deals = xp.swapaxes(one, 1, 2) @ xp.moveaxis(met, 2, 0).reshape(two.shape)
            deals = on.cast(deals, "float64") * times
            into += xp.bincount(cell.reshape(-1), deals.reshape(-1), size)
    found = np.empty((2, size))
    on.read(xp.stack(total), found)
    return found.reshape(2, mine.classes[3], theirs.classes[3])
