"""Matches on real deals: every deal is played in all seatings, by two (*duplicate*) or by three
(*triplicate*).

Everyday example: three players sit down with the same cards six times, until each has had every
hand from every seat. Whoever ends with more has played better, not been dealt better.

Three share their dice as well: in every seating of a deal the k-th decision uses the k-th random
number. So three equal strategies win exactly nothing, and strategies that differ in few places
differ in few hands, which makes intervals narrower. Two roll anew in each seating.

Deals are made, looked up and played in pieces: first the cards, then the buckets that each kind of
buckets sees in them, then the hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.evaluation.intervals import no_scores
from workbench.kernels import kernel
from workbench.poker.betting_tree import BettingTree, Longs
from workbench.poker.deal_walk import (
    BUCKET,
    CHOICE,
    FIRST,
    KIND,
    NODE,
    PLAYER,
    ROUND,
    Layout,
    Numbers,
)
from workbench.poker.holdem_signals import Cards
from workbench.poker.real_deals import (
    Deal,
    Kinds,
    deal_board,
    deal_hands,
    kinds_of,
    look,
    new_deal,
    shares,
    sort,
    won_at,
)
from workbench.progress import ProgressBar
from workbench.random import RandomState, draw, random_state
from workbench.tree import FloatArray

TOGETHER = 20_000  # deals in a piece

Whole = NDArray[np.signedinteger[Any]]


def match_scores(
    tree: BettingTree, strategies: Sequence[Any], *, deals: int, seed: int, duplicate: bool = True
) -> FloatArray:
    """(deals, n) what n strategies win from each deal, the mean over all seatings; without
    `duplicate` every seating gets cards and dice of its own."""
    n = len(strategies)
    seatings, scores = np.array([*permutations(range(n))], np.int64), no_scores(deals, n)
    known = {one.fingerprint: one for sigma in strategies for one in sigma.played.kinds}
    tables, kinds = kinds_of([*known.values()])
    own = np.zeros((n, max(len(sigma.played.kinds) for sigma in strategies)), np.int64)
    for member, sigma in enumerate(strategies):
        places = [[*known].index(one.fingerprint) for one in sigma.played.kinds]
        own[member, : len(places)] = places
    plans = tuple(np.ascontiguousarray(sigma.probs) for sigma in strategies)
    for plan in plans:  # kernels want them all alike: none is written
        plan.flags.writeable = False
    layouts = tuple(sigma.played.layout for sigma in strategies)
    cards, dice, deal = random_state(2 * seed), random_state(2 * seed + 1), new_deal(n)
    each = 1 if duplicate else len(seatings)
    with ProgressBar("hands in all seatings", deals) as bar:
        for done in range(0, deals, TOGETHER):
            here = scores[done : done + TOGETHER]
            seen = np.zeros((len(here) * each, n, len(known), 4), np.int32)
            share = np.zeros((len(seen), 1 << n, n))
            deal_many(tables, kinds, cards, deal, seen, share)
            play_many(seatings, plans, layouts, own, seen, share, tree.depth, n > 2, dice, here)
            here *= tree.unit
            bar.show(min(done + TOGETHER, deals))
    return scores


@kernel
def deal_many(
    tables: tuple[Cards, ...], kinds: Kinds, rng: RandomState, deal: Deal, seen: Whole,
    share: FloatArray,
) -> None:  # fmt: skip
    """For each of many deals: seen (n, seats, kinds, 4) buckets, share (n, 2^seats, seats)."""
    signal, found = np.zeros((len(tables), 4), np.int64), np.zeros(4, np.int64)
    for k in range(len(seen)):
        deal_hands(rng, deal)
        deal_board(tables[0], rng, deal)
        shares(deal, share[k])
        for seat in range(len(deal.pairs)):
            for table in range(len(tables)):
                look(tables[table], deal.boards, deal.pairs[seat], signal[table])
            for kind in range(len(kinds.table)):
                sort(kinds, kind, signal[kinds.table[kind]], found)
                seen[k, seat, kind] = found


@kernel
def play_many(
    seatings: Longs, plans: tuple[Numbers, ...], layouts: tuple[Layout, ...], own: Longs,
    seen: Whole, share: FloatArray, depth: int, shared: bool, dice: RandomState, scores: FloatArray,
) -> None:  # fmt: skip
    """scores: (n, members) what each member wins, the mean over seatings; in units.

    own: (members, kinds) where `seen` has the buckets that count for a member. There is a deal for
    each score, or one for each of its seatings. shared: every seating of a deal begins with the
    same dice.
    """
    each, luck = len(seen) // len(scores), np.zeros_like(dice)
    for k in range(len(scores)):
        for t in range(len(seatings)):
            here = k * each + (t if each > 1 else 0)
            for word in range(len(dice)):
                luck[word] = dice[word]
            node = 0
            while node >= 0:
                group = layouts[0].group[node]
                player = layouts[0].groups[group, PLAYER]
                member = seatings[t, player]
                layout, plan = layouts[member], plans[member]
                child, groups = layout.child, layout.groups
                group = layout.group[node]
                kind = own[member, groups[group, KIND]]
                bucket = seen[here, player, kind, groups[group, ROUND]]
                first = groups[group, FIRST] + node * groups[group, NODE]
                first += bucket * groups[group, BUCKET]
                number, taken = draw(luck), 0
                for a in range(0 if child[node, 0] != 0 else 1, 3 if child[node, 2] != 0 else 2):
                    p = plan[first + a * groups[group, CHOICE]]
                    if p > 0.0 and number >= 0.0:
                        taken = a
                        number -= p
                node = child[node, taken]
            for seat in range(len(seatings[t])):
                scores[k, seatings[t, seat]] += won_at(~node, seat, share[here])
            if not shared:
                for word in range(len(dice)):
                    dice[word] = luck[word]
            elif each > 1 or t == len(seatings) - 1:
                for _ in range(depth):
                    draw(dice)
        scores[k] /= len(seatings)
