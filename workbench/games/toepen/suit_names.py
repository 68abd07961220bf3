"""What a player calls the suits, where suits have no names of their own.

Everyday example: you hold the 10 and the 9 of one suit and the 9 of another. Which suits these are
does not matter; you call the first one ♠ and the second one ♥. When somebody plays a card of a
third suit, that one becomes ♦.

A *renaming* of the suits gives every card of the deck a new name. `Renamings` are all those that a
player cannot tell apart after all she has seen: those under which her hand comes first in the
order of the deck, then the first card on the table, then the next one. Cards which these renamings
exchange look alike to her. Such sets are made once and shared, there are only few of them.

>>> view = all_names(suits=3, ranks=3, isomorphism=True)
>>> len(view.ways)
6
>>> view.deck[3], view.deck[4], view.deck[7]
('10♥', '9♥', '9♦')
>>> held, view = view.of_hand((3, 4, 7))
>>> [view.deck[card] for card in held], len(view.ways)
(['10♠', '9♠', '9♥'], 1)
>>> view, name = view.after[0]
>>> name
'10♦'
>>> held, view = all_names(suits=3, ranks=3, isomorphism=True).of_hand((4, 7))
>>> alike(view, 1 << 4 | 1 << 7)
{'9♠': (4, 7)}
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from itertools import combinations, permutations

RANKS = ("10", "9", "8", "7", "A", "K", "Q", "J")  # from high to low, as in Toepen
SUITS = "♠♥♦♣"

Cards = tuple[int, ...]  # a card is its place in the deck: suit by suit, from high to low
Renaming = Cards  # a renaming: the new place of every card of the deck


class Renamings:
    """The renamings of a deck that a player cannot tell apart; see the first lines of this file."""

    def __init__(self, deck: tuple[str, ...], ways: tuple[Renaming, ...]) -> None:
        self.deck = deck
        self.ways = ways

    @cached_property
    def after(self) -> tuple[tuple[Renamings, str], ...]:
        """For every card: the view of a player who has seen it on the table, and its name."""
        return tuple(self._after(card) for card in range(len(self.deck)))

    def _after(self, card: int) -> tuple[Renamings, str]:
        place = min(way[card] for way in self.ways)
        return self._keep(tuple(way for way in self.ways if way[card] == place)), self.deck[place]

    def of_hand(self, cards: Cards) -> tuple[Cards, Renamings]:
        """The first hand, in the order of the deck, that the cards can be called; the view then."""
        if len(self.ways) == 1:
            return tuple(sorted([self.ways[0][card] for card in cards])), self
        renamed = [tuple(sorted([way[card] for card in cards])) for way in self.ways]
        least = min(renamed)
        ways = zip(self.ways, renamed, strict=True)
        return least, self._keep(tuple(way for way, hand in ways if hand == least))

    def hands(self, cards: Cards, size: int) -> Iterator[tuple[Cards, Renamings]]:
        """One out of all hands that can be called the same, and the view of who sees it."""
        for held in combinations(cards, size):
            least, view = self.of_hand(held)
            if least == held:
                yield held, view

    def _keep(self, ways: tuple[Renaming, ...]) -> Renamings:
        return self if len(ways) == len(self.ways) else _view(self.deck, ways)


@cache
def _view(deck: tuple[str, ...], ways: tuple[Renaming, ...]) -> Renamings:
    return Renamings(deck, ways)


@cache
def all_names(suits: int, ranks: int, isomorphism: bool) -> Renamings:
    """The view before any card is seen; without isomorphism every suit keeps its name."""
    orders = permutations(range(suits)) if isomorphism else [tuple(range(suits))]
    return _view(
        tuple(rank + suit for suit in SUITS[:suits] for rank in RANKS[:ranks]),
        tuple(
            tuple(order[suit] * ranks + rank for suit in range(suits) for rank in range(ranks))
            for order in orders
        ),
    )


@lru_cache(maxsize=1 << 16)
def alike(view: Renamings, hand: int) -> dict[str, Cards]:
    """The names of the cards of a hand (bit `card` of it is set), each with the cards called so."""
    called: dict[int, Cards] = {}
    for card in range(len(view.deck)):
        if hand >> card & 1:
            place = min([way[card] for way in view.ways])
            called[place] = (*called.get(place, ()), card)
    return {view.deck[place]: called[place] for place in sorted(called)}
