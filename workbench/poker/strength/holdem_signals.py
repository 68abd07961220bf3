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
from workbench.poker.cards.board_sets import (
    CARDS,
    MOVED,
    PAIRS,
    Longs,
    board_sets,
    find,
    free_pairs,
    unpack,
)
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
def next_buckets(
    masks: Longs, codes: Longs, table: Shorts, moved: Shorts, pairs: NDArray[np.int32], cut: Cuts,
    before: Longs, out: Longs,
) -> None:  # fmt: skip
    """out: (1326,) the bucket of each pair on a board, -1 where they share a card."""
    board, renaming = find(codes, masks)
    for pair in range(len(pairs)):
        one, two = pairs[pair, 0], pairs[pair, 1]
        taken = masks[one & 3] >> (one >> 2) & 1 or masks[two & 3] >> (two >> 2) & 1
        if taken or before[pair] < 0:
            out[pair] = -1
        else:
            out[pair] = bucket_after(cut, before[pair], table[board, moved[renaming, pair]])


@kernel
def cards_of(masks: Longs, public: Longs) -> int:
    """public: the cards of a board; how many."""
    count = 0
    for card in range(52):
        if masks[card & 3] >> (card >> 2) & 1:
            public[count] = card
            count += 1
    return count


@kernel(inline="always")
def _flip(masks: Longs, card: int) -> None:
    """Take a card off a board, or put it back."""
    masks[card & 3] ^= 1 << (card >> 2)


@kernel
def _on_flop(masks: Longs, cards: Cards, cuts: tuple[Cuts, ...], free: Longs, out: Shorts) -> None:
    """out: the bucket of each free pair on three cards."""
    flop, renaming = find(cards.flops, masks)
    for k in range(len(free)):
        z = bucket_after(cuts[0], 0, cards.preflop[free[k]])
        out[k] = bucket_after(cuts[1], z, cards.flop[flop, cards.moved[renaming, free[k]]])


@kernel
def bucket_orders(
    masks: Longs, cards: Cards, cuts: tuple[Cuts, ...], free: Longs, turns: Shorts, out: Shorts
) -> int:
    """out: (20, hands) the bucket, in the round before, of each free pair of a board, in each order
    of its cards; how many orders. free: (hands,) the pairs; turns: (5, hands) scratch."""
    public = np.empty(5, np.int64)
    count = cards_of(masks, public)
    if count == 3:
        for k in range(len(free)):
            out[0, k] = bucket_after(cuts[0], 0, cards.preflop[free[k]])
        return 1
    for last in range(count):
        _flip(masks, public[last])
        if count == 4:
            _on_flop(masks, cards, cuts, free, out[last])
        else:
            turn, renaming = find(cards.turns, masks)
            for k in range(len(free)):
                turns[last, k] = cards.turn[turn, cards.moved[renaming, free[k]]]
        _flip(masks, public[last])
    order = count if count == 4 else 0
    for one in range(count if count == 5 else 0):
        for two in range(one + 1, 5):  # these two are the turn and the river
            _flip(masks, public[one])
            _flip(masks, public[two])
            _on_flop(masks, cards, cuts, free, out[order])
            _flip(masks, public[one])
            _flip(masks, public[two])
            for k in range(len(free)):
                z = out[order, k]
                out[order, k] = bucket_after(cuts[2], z, turns[one, k])
                out[order + 1, k] = bucket_after(cuts[2], z, turns[two, k])
            order += 2
    return order


@kernel
def count_hands(
    low: int, high: int, codes: Longs, weight: Longs, table: Shorts, cards: Cards,
    cuts: tuple[Cuts, ...], parents: int, sizes: int,
) -> FloatArray:  # fmt: skip
    """(parents, sizes) how many hands on real boards low .. high, in each order of their cards,
    have each signal of the table, by their bucket in the round before."""
    out, masks, pairs = np.zeros((parents, sizes)), np.empty(4, np.int64), np.empty(PAIRS, np.int64)
    turns, seen = np.empty((5, PAIRS), np.uint16), np.empty((20, PAIRS), np.uint16)
    for board in range(low, high):
        unpack(codes[board], masks)
        free = pairs[: free_pairs(masks, pairs)]
        if parents == 1 and len(free) == 1081:  # the river, and nobody remembers anything
            for pair in free:
                out[0, table[board, pair]] += 20.0 * weight[board]
            continue
        orders = bucket_orders(masks, cards, cuts, free, turns, seen)
        for k in range(len(free)):
            signal = table[board, free[k]]
            for order in range(orders):
                out[seen[order, k], signal] += float(weight[board])
    return out
