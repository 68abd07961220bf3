"""Matches of three strategies: every deal is played in all six seatings (*triplicate*).

Everyday example: three players sit down with the same cards six times, until each has had every
hand from every seat. Whoever ends with more has played better, not been dealt better.

Dice are shared as well: in every seating of a deal the k-th decision uses the k-th random number.
So three equal strategies win exactly nothing, and strategies that differ in few places differ in
few hands, which makes intervals narrower.

Deals are made, looked up and played in pieces: first the cards, then the buckets that each set of
buckets sees in them, then the hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np

from workbench.evaluation.intervals import no_scores
from workbench.kernels import kernel
from workbench.poker.betting_tree import BettingTree, Longs
from workbench.poker.holdem_signals import Cards, signals
from workbench.poker.real_deals import (
    Deal,
    Four,
    deal_board,
    deal_hands,
    look,
    new_deal,
    strength_in,
)
from workbench.poker.three_deals import (
    BEGIN,
    BUCKETS,
    FROM,
    Child,
    Info,
    part_of,
    shares,
    won_at,
)
from workbench.progress import ProgressBar
from workbench.random import RandomState, draw, random_state
from workbench.tree import FloatArray

TOGETHER = 20_000  # deals in a piece


def match_scores(
    tree: BettingTree, strategies: Sequence[Any], *, deals: int, seed: int, duplicate: bool
) -> FloatArray:
    """(deals, 3) what three strategies win from each deal, the mean over the six seatings; without
    `duplicate` every seating gets cards and dice of its own."""
    seatings, scores = np.array([*permutations(range(3))], np.int64), no_scores(deals, 3)
    sets = {buckets.fingerprint: buckets for one in strategies for _, buckets in one.parts}
    order = list(sets)
    owners = np.zeros((3, max(len(one.parts) for one in strategies)), np.int64)
    for member, one in enumerate(strategies):
        owners[member, : len(one.parts)] = [order.index(b.fingerprint) for _, b in one.parts]
    plans = tuple(values for one in strategies for values in (one.outside, one.inside))
    spans = tuple(one.spans for one in strategies)
    cards, dice, deal = random_state(2 * seed), random_state(2 * seed + 1), new_deal(3)
    with ProgressBar("triplicate hands", deals) as bar:
        for done in range(0, deals, TOGETHER):
            here = scores[done : done + TOGETHER]
            for some in [seatings] if duplicate else np.split(seatings, len(seatings)):
                n, found = len(here), np.zeros_like(here)
                pairs, boards = np.zeros((n, 3), np.int64), np.zeros((n, 3, 2), np.int64)
                share, luck = np.zeros((n, 8, 3)), np.zeros((n, tree.depth))
                deal_many(signals("ehs2").cards, cards, dice, deal, pairs, boards, share, luck)
                seen = np.zeros((len(order), n, 3, 4), np.int64)
                for buckets, own in zip(sets.values(), seen, strict=True):
                    look_many(buckets.cards, buckets.cuts, deal, pairs, boards, own)
                play_many(
                    tree.child, tree.info, tree.first, some, plans, spans, owners, seen, share,
                    luck, found,
                )  # fmt: skip
                here += found * (tree.unit * len(some) / len(seatings))
            bar.show(min(done + TOGETHER, deals))
    return scores


@kernel
def deal_many(
    cards: Cards, rng: RandomState, dice: RandomState, deal: Deal, pairs: Longs, boards: Longs,
    share: FloatArray, luck: FloatArray,
) -> None:  # fmt: skip
    """For each of many deals: pairs (n, 3), boards (n, 3, 2), share (n, 8, 3), luck (n, D)."""
    strengths = np.zeros(3, np.int64)
    for k in range(len(pairs)):
        deal_hands(rng, deal)
        deal_board(cards, rng, deal)
        pairs[k], boards[k] = deal.pairs, deal.boards
        for seat in range(3):
            strengths[seat] = strength_in(deal, seat)
        shares(strengths, share[k])
        for d in range(luck.shape[1]):
            luck[k, d] = draw(dice)


@kernel
def look_many(
    cards: Cards, cuts: Four, deal: Deal, pairs: Longs, boards: Longs, seen: Longs
) -> None:
    """seen: (n, 3, 4) the buckets of all hands of many deals."""
    for k in range(len(pairs)):
        deal.pairs[:] = pairs[k]
        deal.boards[:] = boards[k]
        for hand in range(3):
            look(cards, cuts, deal, hand, seen[k, hand])


@kernel
def play_many(
    child: Child, info: Info, first: Longs, seatings: Longs, plans: Any, spans: Any, sets: Longs,
    seen: Longs, share: FloatArray, luck: FloatArray, scores: FloatArray,
) -> None:  # fmt: skip
    """scores: (n, 3) what each member wins, the mean over seatings; in units.

    plans: for each member the probabilities of its base and of its experts; sets: (members,
    parts) where `seen` (sets, n, 3, 4) has the buckets of a part. In every seating of a deal the
    k-th decision uses the k-th random number, so equal members play equal hands.
    """
    for k in range(len(scores)):
        for t in range(len(seatings)):
            node, d = 0, 0
            while node >= 0:
                player, r = info[node] & 3, info[node] >> 2
                member = seatings[t, player]
                own, place = spans[member], node - first[r]
                part = part_of(own, r, place)
                spot = own[part, r, BEGIN] + (place - own[part, r, FROM]) * own[part, r, BUCKETS]
                slot = 3 * (spot + seen[sets[member, part], k, player, r])
                plan = plans[2 * member + int(part > 0)]
                number, taken = luck[k, d], 0
                for a in range(3):
                    p = plan[slot + a]
                    if p > 0.0 and number >= 0.0:
                        taken = a
                        number -= p
                node = child[node, taken]
                d += 1
            for seat in range(3):
                scores[k, seatings[t, seat]] += won_at(~node, seat, share[k])
        scores[k] /= len(seatings)
