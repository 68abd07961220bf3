"""The tables that passes over public states read: rounds of betting, hands on boards; and counts.

The rules say everything: their `deck`, `private_cards`, `public_cards`, `betting`, and `strength`
of private and public cards together. Two players, every card is as likely as any other, and what
one wins the other loses.

>>> from workbench.games.registry import load_game
>>> rules = load_game("rhode_island")
>>> infosets_per_player(rules), infosets_per_player(rules, (13, 325, 9997)), lp_rows(rules)
(26064064, 1968564, 91224226)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.poker.betting import END, FOLD, Limit, Round
from workbench.poker.boards import CardGame, boards_of
from workbench.poker.public_passes import Betting, Hands
from workbench.tree import FloatArray, IntArray


class PublicRules(CardGame, Protocol):
    """What the engine needs to know of the rules of a game."""

    @property
    def name(self) -> str: ...

    @property
    def betting(self) -> Limit: ...

    def strength(self, cards: NDArray[np.integer], /) -> IntArray:
        """How strong private and public cards (…, cards) are at a showdown."""


def holdings(rules: PublicRules) -> tuple[int, ...]:
    """How many hands on real boards there are in each round: (52, 52 · 51, 52 · 51 · 50)."""
    counts = (int((one.weight * (one.classes >= 0).sum(axis=1)).sum()) for one in boards_of(rules))
    return tuple(counts)


def infosets_per_player(
    rules: PublicRules, classes: Sequence[int] | None = None, player: int = 0
) -> int:
    """Information sets of one player: all, or with so many classes of hands in each round."""
    per_round = zip(
        classes or holdings(rules), rules.betting.rounds, rules.betting.starts, strict=True
    )
    return sum(hands * starts * one.decisions(player) for hands, one, starts in per_round)


def lp_rows(rules: PublicRules, classes: Sequence[int] | None = None) -> int:
    """Rows of the linear program of Gilpin and Sandholm: one player's information sets, and one for
    each sequence of the other (with the empty ones)."""
    per_round = zip(
        classes or holdings(rules), rules.betting.rounds, rules.betting.starts, strict=True
    )
    choices = sum(
        hands * starts * int(one.count[one.kind == 1].sum()) for hands, one, starts in per_round
    )
    return infosets_per_player(rules, classes) + choices + 2


def num_histories(rules: PublicRules) -> int:
    """The histories of the game's tree, dealt card by card."""
    cards = rules.deck.size
    deals, total = 1, 0
    for _ in range(2 * rules.private_cards):
        total += deals
        deals *= cards
        cards -= 1
    for new, one, starts in zip(
        rules.public_cards, rules.betting.rounds, rules.betting.starts, strict=True
    ):
        for k in range(new):
            total += deals * starts * ((k > 0) - (cards == 1))  # a forced deal is no history
            deals *= cards
            cards -= 1
        total += deals * starts * len(one.text)
    return total


def chances(rules: PublicRules) -> FloatArray:
    """The probability of each deal of two hands and the board, in each round."""
    private, left = rules.private_cards, rules.deck.size
    deals = math.comb(left, private) * math.comb(left - private, private)
    left -= 2 * private
    found = []
    for new in rules.public_cards:
        deals *= math.comb(left, new)
        left -= new
        found.append(1.0 / deals)
    return np.array(found)


def make_betting(rules: PublicRules, number: int) -> Betting:
    """One round of betting as arrays."""
    limit, one = rules.betting, rules.betting.rounds[number]
    return betting_of(one, limit.paid(number), float(chances(rules)[number]))


def betting_of(one: Round, paid: FloatArray, chance: float = 1.0) -> Betting:
    """A round as arrays; `paid`: (S,) what both have put in at its starts."""
    nodes, choices = len(one.text), one.num_choices
    own, node = np.zeros(choices, np.int32), np.zeros(choices, np.int32)
    row = np.zeros((2, nodes), np.int32)
    counts = [0, 0]
    for d in range(nodes):
        if d:
            above, c = one.parent[d], one.choice[d]
            node[c] = d
            row[:, d] = row[:, above]
            row[one.kind[above], d] = 1 + own[c]
        if one.kind[d] < FOLD:
            mine, count = one.kind[d], one.count[d]
            own[one.first[d] : one.first[d] + count] = counts[mine] + np.arange(count)
            counts[mine] += count
    slot, adds = np.tile(np.arange(nodes, dtype=np.int32), (2, 1)), np.zeros((2, nodes), np.int32)
    for player in (0, 1):
        for d in np.flatnonzero(one.kind == 1 - player)[::-1]:  # there the worth of choices adds up
            *others, last = node[one.first[d] : one.first[d] + one.count[d]]
            slot[player, d] = slot[player, last]
            for leaf in others:
                if one.kind[leaf] >= FOLD:
                    slot[player, leaf], adds[player, leaf] = slot[player, d], 1
    pay = chance * (paid + one.paid.min(axis=1)[:, None])
    end = np.cumsum(one.kind == END) - 1
    tree = np.column_stack(
        [one.kind, one.parent, one.first, one.count, end, row.T, slot.T, adds.T]
    ).astype(np.int64)
    return Betting(tree, np.column_stack([node, own]).astype(np.int64), pay)


def make_hands(rules: PublicRules) -> tuple[Hands, ...]:
    """The hands of each round: one of each class, in the order of the classes."""
    boards = boards_of(rules)
    made: list[Hands] = []
    for number, one in enumerate(boards):
        place = np.unique(one.classes, return_index=True)[1][-one.num_classes :]
        board, hand = np.unravel_index(place, one.classes.shape)
        size = np.bincount(one.classes[one.classes >= 0]).astype(np.float64)
        above, strength = np.zeros((2, len(size)), np.int32)
        if number:
            above = boards[number - 1].classes[one.parent[board], hand]
        if number == len(boards) - 1:
            private = rules.deck.hands(rules.private_cards)[hand]
            cards = np.column_stack([private, one.cards[board]])
            strength = rules.strength(cards).astype(np.int64)
        order = np.lexsort((strength, board)).astype(np.int64)
        first = np.searchsorted(board, np.arange(len(one.cards) + 1)).astype(np.int64)
        nothing, nobody = np.zeros(0, np.int64), np.zeros((0, 0))
        begins = np.zeros(len(size) + 1, np.int64)
        if made:  # what follows the hands of the round before
            before = made[-1]
            below = np.argsort(above, kind="stable").astype(np.int64)
            firsts = np.searchsorted(above[below], np.arange(len(before.size) + 1))
            share = ((one.step[board] * size) / before.size[above])[below]
            made[-1] = before._replace(
                first_below=firsts.astype(np.int64), below=below, share=share
            )
        table = np.column_stack([above, order, strength]).astype(np.int64)
        made.append(Hands(first, size, table, begins, nothing, np.zeros(0), nobody, nobody))
    return tuple(made)
