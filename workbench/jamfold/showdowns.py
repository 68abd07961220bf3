"""Who wins when two or three hands are all-in before the flop, counted over the boards.

A *board* is five cards as four masks, one a suit. Boards that differ in the names of suits alone
decide nothing differently between classes of hands, so 134,459 stand for all 2,598,960.

Two hands: exact. On each board the pairs of cards are sorted by strength; going upward, a row of
counters per class and per card says how many hands of each class lie below or level and share no
card. One pass gives L + E (lower or equal) for all 169 × 169 pairs of classes, and from both orders
of a pair follow wins and ties. Measured: 18 s on one core.

Three hands: sampled. The 13 ways in which three hands can finish (`ORDERS`, ties included) are
counted for each of the 818,805 unordered triples. The boards are a systematic sample: equally
spaced in the list, so that every kind of board has its share, then shuffled and taken in blocks; in
each block a triple is dealt once. A board that would need a card twice is left out. Boards of one
block share their deal, so the error is measured from block to block (`equity_tables.py`).
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.poker.board_sets import canonical_masks
from workbench.poker.hand_classes import CARDS, FIRST_PAIR, HANDS
from workbench.poker.seven_cards import strengths
from workbench.random import RandomState, draw

ORDERS = tuple(  # (13) the places of three hands, 0 the best; equal places are ties
    places for places in product(range(3), repeat=3) if {*places} == {*range(max(places) + 1)}
)
# (3, 13) hands 0 and 1, 0 and 2, 1 and 2 of an order: 0 the first wins, 1 a tie, 2 the second
WINNER: NDArray[np.int64] = np.array(
    [
        [1 + (places[i] > places[j]) - (places[i] < places[j]) for places in ORDERS]
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
)
Ranks = NDArray[np.float32]
_WIDTH = 176  # 169 counters and a few that stay empty: whole vectors of the processor


@kernel
def count_two(boards: NDArray[np.int64], at: NDArray[np.int64], lower: NDArray[np.int32]) -> None:
    """lower: (169, 176), raised by the pairs of hands (a, b) in which b is lower or equal."""
    strength = np.empty(1326, np.int32)
    first, second = np.empty(1326, np.int64), np.empty(1326, np.int64)
    pair = 0
    for one in range(52):
        for two in range(one + 1, 52):
            first[pair], second[pair] = one, two
            pair += 1
    held = np.empty((52, _WIDTH), np.int32)  # the hands so far by card and class
    so_far = np.empty(_WIDTH, np.int32)
    for board in boards:
        strengths(board, strength)
        order = np.argsort(strength)
        held[:], so_far[:] = 0, 0
        start = 0
        while strength[order[start]] < 0:
            start += 1
        while start < 1326:
            end = start
            while end < 1326 and strength[order[end]] == strength[order[start]]:
                pair = order[end]
                so_far[at[pair]] += 1
                held[first[pair], at[pair]] += 1
                held[second[pair], at[pair]] += 1
                end += 1
            for k in range(start, end):
                pair = order[k]
                row, one, two = lower[at[pair]], held[first[pair]], held[second[pair]]
                for b in range(_WIDTH):
                    row[b] += so_far[b] - one[b] - two[b]
                row[at[pair]] += 1  # the hand itself was taken away twice and is there once
            start = end


def free_pairs() -> NDArray[np.int64]:
    """(169, 169) in how many ways two hands of these classes can be dealt."""
    free = ((CARDS[:, None] & CARDS[None, :]) == 0).astype(np.int64)
    rows = np.add.reduceat(free, FIRST_PAIR[:-1], axis=0)
    return np.asarray(np.add.reduceat(rows, FIRST_PAIR[:-1], axis=1))


@kernel
def free_triples(first: NDArray[np.int64], cards: NDArray[np.int64]) -> NDArray[np.float32]:
    """(169, 169, 169) in how many ways three hands of these classes can be dealt.

    Suits can be renamed, so one pair of cards stands for its whole class, and the order of the
    hands does not matter: 50 million looks, 0.1 s."""
    classes = len(first) - 1
    out = np.zeros((classes, classes, classes), np.float32)
    for a in range(classes):
        mine, combos = cards[first[a]], first[a + 1] - first[a]
        for b in range(a, classes):
            for j in range(first[b], first[b + 1]):
                if mine & cards[j]:
                    continue
                taken = mine | cards[j]
                for c in range(b, classes):
                    free = 0
                    for k in range(first[c], first[c + 1]):
                        free += taken & cards[k] == 0
                    out[a, b, c] += combos * free
            for c in range(b, classes):
                ways = out[a, b, c]
                out[a, c, b], out[b, a, c], out[b, c, a] = ways, ways, ways
                out[c, a, b], out[c, b, a] = ways, ways
    return out


def triples() -> NDArray[np.int32]:
    """(818805, 3) the unordered triples of classes a ≤ b ≤ c, in lexicographic order."""
    k = np.arange(HANDS)
    rising = (k[:, None, None] <= k[:, None]) & (k[:, None] <= k)
    return np.argwhere(rising).astype(np.int32)


def board_sample(size: int, start: float) -> NDArray[np.int64]:
    """(size, 4) boards, equally spaced over all 2,598,960; `start` in [0, 1) shifts them."""
    boards, weights = canonical_masks(5)
    places = (np.arange(size) + start) * weights.sum() / size
    return np.asarray(boards[np.searchsorted(np.cumsum(weights), places, side="right")])


@kernel
def board_ranks(boards: NDArray[np.int64]) -> NDArray[np.float32]:
    """(1326, boards) the strength of each pair of cards as its rank on the board; NaN: blocked."""
    out = np.empty((1326, len(boards)), np.float32)
    strength = np.empty(1326, np.int32)
    for k in range(len(boards)):
        strengths(boards[k], strength)
        order = np.argsort(strength)
        rank, before = 0, -1
        for pair in order:
            rank += strength[pair] > before
            before = strength[pair]
            out[pair, k] = np.nan if before < 0 else rank
    return out


@kernel(fastmath={"reassoc"})
def _count_orders(x: Ranks, y: Ranks, z: Ranks, counts: NDArray[np.int32]) -> None:
    """counts: (13,), raised by the boards on which three hands finish in each of `ORDERS`.

    Comparisons with NaN are false, so a board that blocks one of the hands counts nowhere."""
    one, zero = np.float32(1), np.float32(0)
    n0 = n1 = n2 = n3 = n4 = n5 = n6 = n7 = n8 = n9 = n10 = n11 = n12 = zero
    for k in range(len(x)):
        a, b, c = x[k], y[k], z[k]
        n0 += one if (a == b) & (b == c) else zero
        n1 += one if (a == b) & (b > c) else zero
        n2 += one if (a == c) & (a > b) else zero
        n3 += one if (b == c) & (a > b) else zero
        n4 += one if (a > b) & (b > c) else zero
        n5 += one if (a > c) & (c > b) else zero
        n6 += one if (b == c) & (b > a) else zero
        n7 += one if (a == c) & (b > a) else zero
        n8 += one if (b > a) & (a > c) else zero
        n9 += one if (a == b) & (c > a) else zero
        n10 += one if (c > a) & (a > b) else zero
        n11 += one if (b > c) & (c > a) else zero
        n12 += one if (c > b) & (b > a) else zero
    for k, n in enumerate((n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12)):
        counts[k] += int(n)


@kernel
def count_three(
    triples: NDArray[np.int32], ranks: NDArray[np.float32], first: NDArray[np.int64],
    pairs: NDArray[np.int64], cards: NDArray[np.int64], rng: RandomState,
    counts: NDArray[np.int32],
) -> None:  # fmt: skip
    """counts: (triples, 13), raised by one deal of each triple, shown down on all boards."""
    for t in range(len(triples)):
        a, b, c = triples[t]
        i = j = k = 0
        for _ in range(1000):  # at least one deal in fifteen fits, or none
            i = first[a] + int(draw(rng) * (first[a + 1] - first[a]))
            j = first[b] + int(draw(rng) * (first[b + 1] - first[b]))
            k = first[c] + int(draw(rng) * (first[c + 1] - first[c]))
            if not (cards[i] & cards[j] or (cards[i] | cards[j]) & cards[k]):
                _count_orders(ranks[pairs[i]], ranks[pairs[j]], ranks[pairs[k]], counts[t])
                break
