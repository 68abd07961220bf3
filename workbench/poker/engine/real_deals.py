"""Real deals of Hold'em: cards from a deck, and what two or three players see in them.

Everyday example: matrices say what buckets win on average. To see whether that is so, deal cards
from a full deck, let each player look up her bucket, and let the better hand win the pot.

    deal        two cards for each player, and a board of five
    see         how strong each hand is in each round, one small number each (holdem_signals.py),
                and the bucket of such numbers for some kinds of buckets
    shares      which part of the pot a seat gets, whoever is left at the end

A deal costs three searches for its boards and three looks into the tables for each hand, about
3 µs, most of it waiting for memory. deal_walk.py learns from deals and plays them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import RandomState, draw, kernel
from workbench.poker.buckets.holdem_buckets import HoldemBuckets
from workbench.poker.cards.board_sets import Longs, find
from workbench.poker.cards.seven_cards import strength
from workbench.poker.strength.holdem_signals import Cards
from workbench.tree import FloatArray


class Deal(NamedTuple):
    """Scratch for one deal."""

    deck: Longs  # (52,) shuffled as far as needed: two cards for each of n hands, and five
    boards: Longs  # (3, 2) where the flop, turn and river are found, and under which renaming
    pairs: Longs  # (n,)
    masks: Longs  # (n + 1, 4) the board, and with each hand


def new_deal(hands: int) -> Deal:
    return Deal(
        np.arange(52), np.zeros((3, 2), np.int64), np.zeros(hands, np.int64),
        np.zeros((hands + 1, 4), np.int64),
    )  # fmt: skip


@kernel
def deal_hands(rng: RandomState, deal: Deal) -> None:
    """Shuffle the private cards."""
    deck = deal.deck
    for k in range(52):  # the same deck whatever was dealt before: a run may stop and go on
        deck[k] = k
    for hand in range(len(deal.pairs)):
        for k in (2 * hand, 2 * hand + 1):
            other = k + int(draw(rng) * (52 - k))
            deck[k], deck[other] = deck[other], deck[k]
        one, two = min(deck[2 * hand], deck[2 * hand + 1]), max(deck[2 * hand], deck[2 * hand + 1])
        deal.pairs[hand] = one * 51 - one * (one - 1) // 2 + two - one - 1


@kernel
def deal_board(cards: Cards, rng: RandomState, deal: Deal) -> None:
    """Shuffle five more cards, find the boards, and put each hand together with the last."""
    deck, masks, hands = deal.deck, deal.masks, len(deal.pairs)
    masks[:] = 0
    for n in range(5):
        k = 2 * hands + n
        other = k + int(draw(rng) * (52 - k))
        deck[k], deck[other] = deck[other], deck[k]
        masks[0, deck[k] & 3] |= 1 << (deck[k] >> 2)
        if n == 2:
            deal.boards[0, 0], deal.boards[0, 1] = find(cards.flops, masks[0])
        elif n == 3:
            deal.boards[1, 0], deal.boards[1, 1] = find(cards.turns, masks[0])
    deal.boards[2, 0], deal.boards[2, 1] = find(cards.rivers, masks[0])
    for hand in range(hands):
        for suit in range(4):
            masks[1 + hand, suit] = masks[0, suit]
        for card in (deck[2 * hand], deck[2 * hand + 1]):
            masks[1 + hand, card & 3] |= 1 << (card >> 2)


@kernel
def shares(deal: Deal, share: FloatArray) -> None:
    """share: (2^n, n) of the pot, by who is left (a bit a seat) and seat."""
    seats, strengths = len(deal.pairs), np.zeros(3, np.int64)
    for seat in range(seats):
        suits = deal.masks[1 + seat]
        strengths[seat] = strength(suits[0], suits[1], suits[2], suits[3])
    share_out(strengths[:seats], share)


@kernel
def share_out(strengths: Longs, share: FloatArray) -> None:
    """The same of hands that are so strong."""
    for left in range(1, len(share)):
        best, many = -1, 0
        for seat in range(len(strengths)):
            if left >> seat & 1:
                if strengths[seat] > best:
                    best, many = strengths[seat], 0
                many += strengths[seat] == best
        for seat in range(len(strengths)):
            won = left >> seat & 1 and strengths[seat] == best
            share[left, seat] = 1.0 / many if won else 0.0


@kernel(forceinline=True)
def won_at(code: int, seat: int, share: FloatArray) -> float:
    """What a seat wins at the end of a hand (see betting_tree.py), in units."""
    first, second, third = code >> 3 & 63, code >> 9 & 63, code >> 15 & 63
    paid = first if seat == 0 else second if seat == 1 else third
    return np.float64(share[code & 7, seat] * (first + second + third) - paid)


# ---- buckets ---------------------------------------------------------------------------


class Kinds(NamedTuple):
    """Some kinds of buckets, each cutting the signals of one of some tables."""

    table: Longs  # (G,) which
    row: Longs  # (G, rounds) of the first bucket before a round
    first: Longs  # (rows,) the lowest bucket after each
    begin: Longs  # (rows + 1,) the cuts of a row: begin[row] .. begin[row + 1]
    cuts: Longs


def kinds_of(known: Sequence[HoldemBuckets]) -> tuple[tuple[Cards, ...], Kinds]:
    """The tables that some buckets cut, each once, and these buckets as kernels read them."""
    tables: dict[Any, Cards] = {}
    for one in known:  # kernels want them all alike: none is written
        key = one.fingerprint if one.labels else one.metric
        tables.setdefault(key, Cards(*map(_frozen, one.cards)))
    order = [*tables]
    table = [order.index(one.fingerprint if one.labels else one.metric) for one in known]
    rows = [[len(cut.first) for cut in one.cuts] for one in known]
    row = (np.cumsum(rows) - np.ravel(rows)).reshape(len(known), -1)
    every = [cut for one in known for cut in one.cuts]
    wide = np.concatenate([np.full(len(cut.first), cut.cuts.shape[1]) for cut in every])
    return tuple(tables.values()), Kinds(
        np.array(table), row, np.concatenate([cut.first for cut in every]),
        np.append(0, np.cumsum(wide)), np.concatenate([cut.cuts.ravel() for cut in every]),
    )  # fmt: skip


def _frozen(array: Any) -> Any:
    found = array.view()
    found.flags.writeable = False
    return found


@kernel
def see(
    tables: tuple[Cards, ...], kinds: Kinds, deal: Deal, signal: Longs,
    seen: NDArray[np.signedinteger[Any]],
) -> None:  # fmt: skip
    """seen: (seats, kinds, 4) the buckets of each hand; signal: (tables, 4) scratch."""
    for seat in range(len(deal.pairs)):
        for table in range(len(tables)):
            _look(tables[table], deal.boards, deal.pairs[seat], signal[table])
        for kind in range(len(kinds.table)):
            own, bucket = signal[kinds.table[kind]], 0
            for r in range(len(own)):
                row = kinds.row[kind, r] + bucket
                bucket = kinds.first[row]
                for k in range(kinds.begin[row], kinds.begin[row + 1]):
                    bucket += own[r] >= kinds.cuts[k]
                seen[seat, kind, r] = bucket


@kernel
def _look(cards: Cards, boards: Longs, pair: int, signal: Longs) -> None:
    """signal: (4,) how strong two cards are in each round, by one of the tables."""
    signal[0] = cards.preflop[pair]
    signal[1] = cards.flop[boards[0, 0], cards.moved[boards[0, 1], pair]]
    signal[2] = cards.turn[boards[1, 0], cards.moved[boards[1, 1], pair]]
    signal[3] = cards.river[boards[2, 0], cards.moved[boards[2, 1], pair]]
