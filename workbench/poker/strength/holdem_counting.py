"""Counting who beats whom on each board, and adding up over the cards to come.

Only the river looks at hands. On a board of five all free pairs are sorted by strength; going
upward, one count of all hands so far and one for each card say how many lie below a hand and share
no card with it. The rounds before are sums over one more card, found under its canonical board.

Every function works on boards low .. high and writes only what belongs to them. Blocked pairs get
the largest number of their type.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.poker.cards.board_sets import PAIRS, Longs, find, unpack
from workbench.poker.cards.seven_cards import strengths


@kernel
def rank_hands(masks: Longs, strength: NDArray[np.int32], order: Longs) -> None:
    """order: (1081,) the free pairs of a board of five from weak to strong; strength: (1326,).

    Ten bits of the strength after the other, the lowest first: a third of what `sort` takes."""
    strengths(masks, strength)
    moved, place, count = np.empty(1081, np.int64), np.zeros((3, 1024), np.int64), 0
    for pair in range(PAIRS):
        if strength[pair] >= 0:
            order[count] = np.int64(strength[pair]) << 11 | pair
            count += 1
            for digit in range(3):
                place[digit, strength[pair] >> 10 * digit & 1023] += 1
    for digit in range(3):
        begin = 0
        for value in range(1024):
            place[digit, value], begin = begin, begin + place[digit, value]
        for k in range(count):
            value = order[k] >> 11 + 10 * digit & 1023
            moved[place[digit, value]] = order[k]
            place[digit, value] += 1
        for k in range(count):
            order[k] = moved[k]
    for k in range(count):
        order[k] &= 2047


@kernel
def count_river(
    low: int, high: int, codes: Longs, cards: NDArray[np.int32], out: NDArray[np.uint16]
) -> None:
    """2 · wins + ties of each pair, (B, 1326)."""
    masks, order = np.empty(4, np.int64), np.empty(1081, np.int64)
    strength, below = np.empty(PAIRS, np.int32), np.empty(52, np.int64)
    for board in range(low, high):
        unpack(codes[board], masks)
        rank_hands(masks, strength, order)
        row = out[board]
        row[:], below[:], start = 65535, 0, 0
        while start < 1081:  # a group of equal hands: `start` hands lie below it
            end, own = start, strength[order[start]]
            while end < 1081 and strength[order[end]] == own:
                pair = order[end]
                one, two = cards[pair, 0], cards[pair, 1]
                row[pair] = start - below[one] - below[two]
                end += 1
            for k in range(start, end):
                below[cards[order[k], 0]] += 1
                below[cards[order[k], 1]] += 1
            for k in range(start, end):  # lower, and lower or equal without the hand itself
                pair = order[k]
                row[pair] += end + 1 - below[cards[pair, 0]] - below[cards[pair, 1]]
            start = end


@kernel
def sum_turn(
    low: int, high: int, codes: Longs, later_codes: Longs, moved: NDArray[np.uint16],
    river: NDArray[np.uint16], out: NDArray[np.uint32],
) -> None:  # fmt: skip
    """The sums of the river's numbers and of their squares over one more card, (2, B, 1326)."""
    masks = np.empty(4, np.int64)
    first, second = np.empty(PAIRS, np.int64), np.empty(PAIRS, np.int64)
    for board in range(low, high):
        first[:], second[:] = 0, 0
        unpack(codes[board], masks)
        for card in range(52):
            suit, bit = card & 3, 1 << (card >> 2)
            if masks[suit] & bit:
                continue
            masks[suit] |= bit
            at, renaming = find(later_codes, masks)
            masks[suit] ^= bit
            for pair in range(PAIRS):
                value = np.int64(river[at, moved[renaming, pair]])
                if value <= 1980:
                    first[pair] += value
                    second[pair] += value * value
        _keep(masks, first, second, 1, board, out)


@kernel
def sum_flop(
    low: int, high: int, codes: Longs, later_codes: Longs, moved: NDArray[np.uint16],
    turn: NDArray[np.uint32], out: NDArray[np.uint32],
) -> None:  # fmt: skip
    """The sums of the turn's sums over one more card, each board of five once, (2, B, 1326)."""
    masks = np.empty(4, np.int64)
    first, second = np.empty(PAIRS, np.int64), np.empty(PAIRS, np.int64)
    for board in range(low, high):
        first[:], second[:] = 0, 0
        unpack(codes[board], masks)
        for card in range(52):
            suit, bit = card & 3, 1 << (card >> 2)
            if masks[suit] & bit:
                continue
            masks[suit] |= bit
            at, renaming = find(later_codes, masks)
            masks[suit] ^= bit
            for pair in range(PAIRS):
                to = moved[renaming, pair]
                if turn[0, at, to] != 2**32 - 1:
                    first[pair] += np.int64(turn[0, at, to])
                    second[pair] += np.int64(turn[1, at, to])
        _keep(masks, first, second, 2, board, out)  # each board of five was met in two orders


@kernel
def _keep(
    masks: Longs, first: Longs, second: Longs, share: int, board: int, out: NDArray[np.uint32]
) -> None:
    pair = 0
    for one in range(52):
        taken = masks[one & 3] >> (one >> 2) & 1
        for two in range(one + 1, 52):
            if taken or masks[two & 3] >> (two >> 2) & 1:
                out[0, board, pair] = out[1, board, pair] = 2**32 - 1
            else:
                out[0, board, pair] = first[pair] // share
                out[1, board, pair] = second[pair] // share
            pair += 1
