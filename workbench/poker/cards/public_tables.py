"""How large card games are, and how likely their deals.

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
from typing import Any

import numpy as np

from workbench.tree import FloatArray


def holdings(rules: Any) -> tuple[int, ...]:
    """How many hands on real boards there are in each round: (52, 52 · 51, 52 · 51 · 50)."""
    left, found = rules.deck.size - rules.private_cards, []
    hands = math.comb(rules.deck.size, rules.private_cards)
    for new in rules.public_cards:
        hands *= math.comb(left, new)
        left -= new
        found.append(hands)
    return tuple(found)


def infosets_per_player(rules: Any, classes: Sequence[int] | None = None, player: int = 0) -> int:
    """Information sets of one player: all, or with so many classes of hands in each round."""
    per_round = zip(
        classes or holdings(rules), rules.betting.rounds, rules.betting.starts, strict=True
    )
    return sum(hands * starts * one.decisions(player) for hands, one, starts in per_round)


def lp_rows(rules: Any, classes: Sequence[int] | None = None) -> int:
    """Rows of the linear program of Gilpin and Sandholm: one player's information sets, and one for
    each sequence of the other (with the empty ones)."""
    per_round = zip(
        classes or holdings(rules), rules.betting.rounds, rules.betting.starts, strict=True
    )
    choices = sum(
        hands * starts * int(one.count[one.kind == 1].sum()) for hands, one, starts in per_round
    )
    return int(infosets_per_player(rules, classes) + choices + 2)


def num_histories(rules: Any) -> int:
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


def chances(rules: Any) -> FloatArray:
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
