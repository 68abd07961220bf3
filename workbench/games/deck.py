"""A deck of cards: each card is one integer, rank · suits + suit.

Rank 0 is the lowest, the highest rank is the ace. Suits are c, d, h, s (♣ ♦ ♥ ♠). A smaller deck
keeps the top: three ranks are Q K A, two suits are h and s.

A *hand* is an index into the private holdings in lexicographic order: one card each (52 of them),
or all pairs (1,326).

>>> deck = Deck()
>>> deck.parse("AhKh"), deck.name(50), Deck(3, 2).parse("Q♥")
((50, 46), 'A♥', (0,))
>>> deck.parse("ah 10s") == deck.parse("AH TS") == deck.parse("A♥ T♠")
True
>>> deck.parse("Ah1h")
Traceback (most recent call last):
    ...
workbench.rules.GameError: '1h' is no card of this deck; a card is a rank of 23456789TJQKA and a \
suit of cdhs, as in 'Ah'
>>> deck.hands(2).shape
(1326, 2)
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Annotated

import numpy as np

from workbench.rules import GameError, shown
from workbench.settings import Between, check, need_several, need_whole
from workbench.tree import IntArray, frozen

RANKS, LETTERS, SIGNS = "23456789TJQKA", "cdhs", "♣♦♥♠"


@dataclass(frozen=True)
class Deck:
    """So many ranks, up to the ace, in so many suits."""

    ranks: Annotated[int, Between(2, 13)] = 13
    suits: Annotated[int, Between(1, 4)] = 4

    def __post_init__(self) -> None:
        check(self, "deck")

    @property
    def size(self) -> int:
        return self.ranks * self.suits

    @property
    def rank_names(self) -> str:
        """The ranks from low to high."""
        return RANKS[-self.ranks :]

    def name(self, card: int) -> str:
        """What people call a card: 'A♥'."""
        return self.rank_names[card // self.suits] + SIGNS[-self.suits :][card % self.suits]

    def parse(self, text: str | Iterable[int]) -> tuple[int, ...]:
        """The cards that a text names ('AhKh', 'A♥ K♥'), or that are given as numbers."""
        if not isinstance(text, str):
            cards = tuple(need_several("cards", text, "numbers, or one text as 'AhKh'"))
            for card in cards:
                need_whole("a card of this deck", card, 0, self.size - 1)
        else:
            names = re.findall("10.?|..?", "".join(text.split()))
            known = _numbers(self)
            for name in names:
                if _plain(name) not in known:
                    raise GameError(
                        f"{shown(name)} is no card of this deck; a card is a rank of "
                        f"{self.rank_names} and a suit of {LETTERS[-self.suits :]}, as in 'Ah'"
                    )
            cards = tuple(known[_plain(name)] for name in names)
        if len(set(cards)) < len(cards):
            raise GameError(f"{shown(text)} names a card twice; a deck has each card once")
        return cards

    @cache  # noqa: B019  # there are few decks
    def hands(self, size: int) -> IntArray:
        """All holdings of so many cards in lexicographic order, (hands, size)."""
        return frozen(np.array([*itertools.combinations(range(self.size), size)], np.int32))

    def hand(self, cards: Iterable[int]) -> int:
        """The index of a holding."""
        held = tuple(sorted(int(card) for card in cards))
        return _places(self, len(held))[held]

    @cache  # noqa: B019
    def suit_orders(self) -> IntArray:
        """What each way to rename the suits makes of each card, (orders, cards); the first is
        the identity."""
        orders = np.array(list(itertools.permutations(range(self.suits))), np.int32)
        cards = np.arange(self.size, dtype=np.int32)
        return frozen(cards // self.suits * self.suits + orders[:, cards % self.suits])


@cache
def _numbers(deck: Deck) -> dict[str, int]:
    return {_plain(deck.name(card)): card for card in range(deck.size)}


def _plain(name: str) -> str:
    """A card's name in two small letters, whoever wrote it."""
    return name.translate(str.maketrans(SIGNS, LETTERS)).lower().replace("10", "t")


@cache
def _places(deck: Deck, size: int) -> dict[tuple[int, ...], int]:
    return {tuple(hand): place for place, hand in enumerate(deck.hands(size).tolist())}
