"""Suits without names: what a player of Toepen may forget, and what she only seems to.

Everyday example: 10♠ 9♠ 8♥ is the same hand as 10♦ 9♦ 8♣, as long as the cards of the other
player are renamed in the same way. No suit is worth more than another one.

    thesis-suits      The suit of the lowest card in the hand is the first, the suit of the
                      next lowest card the second, and so on. Ties in rank, and suits that are
                      not in the hand, keep the alphabetical order of their real names
                      (Le 2021, section 3.3.1).
    lossless-suits    Suits are ordered by the cards in the hand, then by their first card on the
                      table. If two suits look alike even so, their cards are one action.

The thesis calls its translation lossless, but a real name that breaks a tie is information, and
it is used unevenly. Who holds 9♥ 9♦ and sees the 8♥ faces the same problem as with the 8♦, yet
these two stay apart, while 9♠ 9♦ and the 8♠ is merged with 9♥ 9♦ and the 8♥. In equilibrium
she may play the two differently, and the other player, who names the suits in another way, does
not notice; in the real game he would. The lossless names depend on nothing but the situation: all
that can be renamed into each other is merged, and an equilibrium stays one.

Sizes count what a player can tell apart. When all her cards are one action (she leads from 9♠ 9♥)
nothing is left to decide; such sets are counted, and `Abstraction.forced` says how many they are.
`load_game("toepen", suit_isomorphism=True)` plays the lossless names and leaves these sets out.

>>> lossless_suits(0, ("9♥ 9♦", ""), ("9♥", "9♦"))
(('9♠ 9♥', ''), ['9♠', '9♠'])
>>> lossless_suits(0, ("9♥ 9♦", "8♦"), ("9♥", "9♦"))
(('9♠ 9♥', '8♠'), ['9♥', '9♠'])
>>> ThesisSuits("♠♥♦")(0, ("9♥ 9♦", "8♥"), ("9♥", "9♦"))
(('9♠ 9♥', '8♥'), ['9♥', '9♠'])
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

from workbench.games.toepen.suit_names import RANKS, SUITS, all_names
from workbench.games.toepen.view import deck_of, in_order
from workbench.rules import GameError
from workbench.tree import GameTree

Seen = tuple[str, str]  # the hand she was dealt, the table
Answer = tuple[Seen, list[str]]  # the same in other words, and words for the actions

ALPHABETICAL = "♣♦♥♠"  # clubs, diamonds, hearts, spades


@dataclass(frozen=True)
class ThesisSuits:
    """The translation of the thesis, for a deck with these suits (by default the tree's)."""

    reads_all: ClassVar[bool] = True  # see `hand_rules`

    suits: str = SUITS
    name: str = "thesis-suits"

    def for_tree(self, tree: GameTree) -> ThesisSuits:
        suits, _, nameless = deck_of(tree)
        if nameless:
            raise GameError(
                f"{self.name!r} orders suits by their real names, and {tree.name!r} has none; "
                "compile it with suit_isomorphism=False, or use 'lossless-suits'"
            )
        return ThesisSuits(suits)

    def __call__(self, player: int, seen: Seen, actions: tuple[str, ...]) -> Answer:
        return _renamed(_translated(seen[0], self.suits), seen[1], actions)


def lossless_suits(player: int, seen: Seen, actions: tuple[str, ...]) -> Answer:
    """Names that depend on the situation alone; cards that look alike get the same name."""
    hand, table = seen
    met = "".join(sorted([suit for suit in SUITS if suit in table], key=table.index))
    return _renamed(_canonical(hand, met), table, actions)


lossless_suits.reads_all = True  # type: ignore[attr-defined]


class Renaming(NamedTuple):
    """How a player calls what she sees; made once for each hand."""

    hand: str  # her hand, renamed
    cards: dict[str, str]  # what she calls each of her cards
    steps: tuple[tuple[str, str], ...]  # replace these in the text, one after the other


def _renamed(names: Renaming, table: str, actions: tuple[str, ...]) -> Answer:
    for old, new in names.steps:  # ten times as fast as str.translate
        table = table.replace(old, new)
    return (names.hand, table), [names.cards.get(action, action) for action in actions]


@lru_cache(maxsize=100_000)
def _translated(hand: str, suits: str) -> Renaming:
    """The names of the thesis."""
    low_to_high = sorted(
        hand.split(), key=lambda card: (-RANKS.index(card[:-1]), ALPHABETICAL.index(card[-1]))
    )
    others = sorted(suits, key=ALPHABETICAL.index)
    order = dict.fromkeys([card[-1] for card in low_to_high] + others)
    names = dict(zip(order, SUITS, strict=False))
    return _renaming(hand, names, names)


@lru_cache(maxsize=100_000)
def _canonical(hand: str, met: str) -> Renaming:
    """The lossless names. `met`: the suits on the table, in the order in which they came."""
    view = all_names(len(SUITS), len(RANKS), isomorphism=True)
    _, view = view.of_hand(tuple(map(view.deck.index, hand.split())))
    tens = {suit: view.deck.index(RANKS[0] + suit) for suit in SUITS}
    for suit in met:
        view, _ = view.after[tens[suit]]
    names = {suit: view.deck[view.ways[0][ten]][-1] for suit, ten in tens.items()}
    spoken = {suit: view.after[ten][1][-1] for suit, ten in tens.items()}
    return _renaming(hand, names, spoken)


def _renaming(hand: str, names: dict[str, str], spoken: dict[str, str]) -> Renaming:
    """`names`: what suits are called in what she sees; `spoken`: in what she does."""
    cards = hand.split()
    moved = [suit for suit in names if names[suit] != suit]
    away = [(suit, chr(place)) for place, suit in enumerate(moved)]  # no suit meets its new name
    back = [(chr(place), names[suit]) for place, suit in enumerate(moved)]
    return Renaming(
        in_order(" ".join(card[:-1] + names[card[-1]] for card in cards)),
        {card: card[:-1] + spoken[card[-1]] for card in cards},
        (*away, *back),
    )
