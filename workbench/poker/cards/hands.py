"""How strong a hand is: one integer for three cards, larger is better, equal ones tie.

    8  straight flush     7 8 9 of one suit
    7  three of a kind
    6  straight           the ace also stands below the lowest rank: A 2 3
    5  flush
    4  pair
    3  high card

Three of a kind beats a straight, and a straight beats a flush: of the 22,100 hands of three cards
48 are straight flushes, 52 three of a kind, 720 straights, 1,096 flushes, 3,744 pairs. Within a
kind the cards decide, from the most important one down. A deck of three ranks has one straight,
a smaller one has none.

>>> from workbench.games.deck import Deck
>>> deck = Deck()
>>> hands = [deck.parse(text) for text in ("Ah2c3d", "AhAdKs", "4h2c3d")]
>>> three_cards(deck, np.array(hands)).argsort().tolist()
[1, 0, 2]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.games.deck import Deck
from workbench.tree import IntArray

BASE = 16  # one digit per rank


def three_cards(deck: Deck, cards: NDArray[np.integer]) -> IntArray:
    """The strength of hands of three cards, (…, 3) -> (…)."""
    ranks = np.sort(cards // deck.suits, axis=-1)[..., ::-1].astype(np.int32)  # highest first
    high, middle, low = ranks[..., 0], ranks[..., 1], ranks[..., 2]
    suits = cards % deck.suits
    flush = (suits == suits[..., :1]).all(axis=-1)
    wheel = (high == deck.ranks - 1) & (middle == 1) & (low == 0) & (deck.ranks > 3)
    straight = ((high - middle == 1) & (middle - low == 1)) | wheel
    three, pair = high == low, (high == middle) | (middle == low)
    kind = np.select([straight & flush, three, straight, flush, pair], [8, 7, 6, 5, 4], 3)
    kicker = np.where(high == middle, low, high)  # beside a pair, whose rank is the middle card's
    first = np.where(wheel, middle, np.where(pair, middle, high))
    second = np.where(straight, 0, np.where(pair, kicker, middle))
    third = np.where(straight | pair, 0, low)
    return np.asarray(((kind * BASE + first) * BASE + second) * BASE + third, np.int32)
