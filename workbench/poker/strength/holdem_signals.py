"""What a player sees of her hand in each round of Hold'em, as one small number, and who saw what.

A *signal* is how strong a hand is on a board, in 16 bits: the sums of holdem_tables.py without
their last bits (on the river, all of them). Before the flop it is the place of a hand among the
169 classes, from weak to strong.

    cuts     bucket = first[before] + how many cuts of row `before` are at most the signal
             (before: the bucket of the round before; equal rows forget it)

The order of cards matters for what a player remembers: on a river board of five cards ten flops
may have come, with two turns each. `bucket_orders` follows all 1,081 hands through these 20 orders.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.poker.cards.board_sets import CARDS, MOVED, PAIRS, Longs, board_sets, find, unpack
from workbench.poker.cards.hand_classes import CLASS_OF_PAIR
from workbench.poker.strength.holdem_tables import MOST, RIVERS, holdem_tables
from workbench.tree import FloatArray

METRICS = ("ehs", "ehs2")
Shorts = NDArray[np.uint16]


class Cards(NamedTuple):
    """What kernels read: boards and signals."""

    flops: Longs  # codes of the boards, increasing
    turns: Longs
    rivers: Longs
    weight: Longs  # of the rivers
    pairs: NDArray[np.int32]  # (1326, 2)
    moved: Shorts  # (24, 1326)
    preflop: Shorts  # (1326,) signals
    flop: Shorts  # (1755, 1326)
    turn: Shorts  # (16432, 1326)
    river: Shorts  # (134459, 1326)


@dataclass(frozen=True, eq=False)
class Signals:
    """The signals of one metric, and the value that each of them stands for."""

    cards: Cards
    values: tuple[FloatArray, ...]  # for each round (signals,)


class Cuts(NamedTuple):
    """Where buckets of one round begin."""

    first: Longs  # (buckets before,) the lowest bucket after each
    cuts: Longs  # (buckets before, most buckets after one - 1); beyond all signals if unused


@cache
def signals(metric: str) -> Signals:
    """The signals by E[HS] ("ehs") or E[HS²] ("ehs2")."""
    k, tables = METRICS.index(metric), holdem_tables()
    exact = tables.preflop[k]
    values, rank = np.unique(exact, return_inverse=True)
    found: list[Any] = [rank[CLASS_OF_PAIR].astype(np.uint16)]
    scale = [values / (MOST ** (k + 1) * RIVERS[0])]
    for public, table in ((3, tables.flop), (4, tables.turn)):
        largest = MOST ** (k + 1) * RIVERS[public]
        shift = max(0, largest.bit_length() - 16)
        found.append((table[k] >> shift).astype(np.uint16))
        scale.append((np.arange((largest >> shift) + 1) + 0.5) * 2.0**shift / largest)
    scale.append((np.arange(MOST + 1) / MOST) ** (k + 1))
    sets = [board_sets(n) for n in (3, 4, 5)]
    cards = Cards(
        sets[0].code, sets[1].code, sets[2].code, sets[2].weight, CARDS, MOVED,
        found[0], found[1], found[2], np.asarray(tables.river),
    )  # fmt: skip
    return Signals(cards, tuple(scale))


@kernel(forceinline=True)
def bucket_after(cut: Cuts, before: int, signal: int) -> int:
    """The bucket of a signal after a bucket."""
    found: int = cut.first[before]
    for j in range(cut.cuts.shape[1]):
        found += signal >= cut.cuts[before, j]
    return found


@kernel
def free_pairs(masks: Longs, free: Longs) -> int:
    """free: the pairs that a board leaves, in order; how many."""
    count, pair = 0, 0
    for one in range(52):
        taken = masks[one & 3] >> (one >> 2) & 1
        for two in range(one + 1, 52):
            if not (taken or masks[two & 3] >> (two >> 2) & 1):
                free[count] = pair
                count += 1
            pair += 1
    return count


@kernel
def cards_of(masks: Longs, public: Longs) -> None:
    """public: the cards of a board."""
    count = 0
    for card in range(52):
        if masks[card & 3] >> (card >> 2) & 1:
            public[count] = card
            count += 1


@kernel
def count_flops(
    low: int, high: int, cards: Cards, weight: Longs, before: Cuts, parents: int, sizes: int
) -> FloatArray:
    """(parents, sizes) how many hands on real boards low .. high have each signal on the flop."""
    out = np.zeros((parents, sizes))
    masks, free = np.empty(4, np.int64), np.empty(PAIRS, np.int64)
    for board in range(low, high):
        unpack(cards.flops[board], masks)
        for k in range(free_pairs(masks, free)):
            pair = free[k]
            z = bucket_after(before, 0, cards.preflop[pair])
            out[z, cards.flop[board, pair]] += weight[board]
    return out


@kernel
def count_turns(
    low: int, high: int, cards: Cards, weight: Longs, first: Cuts, second: Cuts, parents: int,
    sizes: int,
) -> FloatArray:  # fmt: skip
    """The same on the turn, with each of the four cards as the last one."""
    out = np.zeros((parents, sizes))
    masks, free, public = np.empty(4, np.int64), np.empty(PAIRS, np.int64), np.empty(4, np.int64)
    for board in range(low, high):
        unpack(cards.turns[board], masks)
        cards_of(masks, public)
        count = free_pairs(masks, free)
        for card in public:
            masks[card & 3] ^= 1 << (card >> 2)
            flop, renaming = find(cards.flops, masks)
            masks[card & 3] ^= 1 << (card >> 2)
            for k in range(count):
                pair = free[k]
                z = bucket_after(first, 0, cards.preflop[pair])
                z = bucket_after(second, z, cards.flop[flop, cards.moved[renaming, pair]])
                out[z, cards.turn[board, pair]] += weight[board]
    return out


@kernel
def bucket_orders(
    board: int, cards: Cards, first: Cuts, second: Cuts, third: Cuts, free: Longs, turns: Shorts,
    out: Shorts,
) -> None:  # fmt: skip
    """out: (20, 1081) the turn's bucket of each free pair of a river board, in each order of its
    cards; free: (1081,) the pairs; turns: (5, 1081) scratch."""
    masks, public = np.empty(4, np.int64), np.empty(5, np.int64)
    unpack(cards.rivers[board], masks)
    cards_of(masks, public)
    count = len(free)
    for last in range(5):
        card = public[last]
        masks[card & 3] ^= 1 << (card >> 2)
        turn, renaming = find(cards.turns, masks)
        masks[card & 3] ^= 1 << (card >> 2)
        for k in range(count):
            turns[last, k] = cards.turn[turn, cards.moved[renaming, free[k]]]
    order = 0
    for one in range(5):
        for two in range(one + 1, 5):  # these two are the turn and the river
            for card in (public[one], public[two]):
                masks[card & 3] ^= 1 << (card >> 2)
            flop, renaming = find(cards.flops, masks)
            for card in (public[one], public[two]):
                masks[card & 3] ^= 1 << (card >> 2)
            for k in range(count):
                pair = free[k]
                z = bucket_after(first, 0, cards.preflop[pair])
                z = bucket_after(second, z, cards.flop[flop, cards.moved[renaming, pair]])
                out[order, k] = bucket_after(third, z, turns[one, k])
                out[order + 1, k] = bucket_after(third, z, turns[two, k])
            order += 2


@kernel
def count_rivers(
    low: int, high: int, cards: Cards, first: Cuts, second: Cuts, third: Cuts, parents: int,
    sizes: int,
) -> FloatArray:  # fmt: skip
    """The same on the river, in each of the 20 orders of a board."""
    out = np.zeros((parents, sizes))
    masks, free = np.empty(4, np.int64), np.empty(1081, np.int64)
    turns, seen = np.empty((5, 1081), np.uint16), np.empty((20, 1081), np.uint16)
    for board in range(low, high):
        unpack(cards.rivers[board], masks)
        free_pairs(masks, free)
        if parents == 1:  # nobody remembers anything, so the order does not matter
            for pair in free:
                out[0, cards.river[board, pair]] += 20.0 * cards.weight[board]
            continue
        bucket_orders(board, cards, first, second, third, free, turns, seen)
        weight = float(cards.weight[board])
        for k in range(len(free)):
            signal = cards.river[board, free[k]]
            for order in range(20):
                out[seen[order, k], signal] += weight
    return out
