"""What a player of Toepen knows, taken apart: her hand, the table, the deck.

The rules show (the hand she was dealt, the table), two lines of text:
("10♠ 9♥", "check 9♠ bet") is a player who was dealt two cards and faces a bet after the 9♠.
"""

from __future__ import annotations

from typing import Any

from workbench.rules import GameError
from workbench.tree import GameTree

__all__ = ["RANKS", "SUITS", "deck_of", "in_order"]

RANKS = ("10", "9", "8", "7", "A", "K", "Q", "J")  # from high to low, as in games/toepen.py
SUITS = "♠♥♦♣"


def in_order(hand: str) -> str:
    """Cards in the order of the deck: suit by suit, from high to low.

    >>> in_order("9♥ 8♠ 10♥")
    '8♠ 10♥ 9♥'
    """
    place = {suit: number for number, suit in enumerate(SUITS)}
    return " ".join(
        sorted(hand.split(), key=lambda card: (place[card[-1]], RANKS.index(card[:-1])))
    )


def deck_of(tree: GameTree) -> tuple[str, tuple[str, ...], bool]:
    """The suits, the ranks, and whether suits have no names in this tree.

    >>> from workbench.games import load_game
    >>> from workbench.compiling import compile_game
    >>> deck_of(compile_game(load_game("toepen", suits=3, ranks=2)))
    ('♠♥♦', ('10', '9'), False)

    Without names every player calls her first suit ♠. With them some hand has no ♠, because two
    hands fit into the deck.
    """
    try:
        shown: Any = tree.seen
        hands = {hand for hand, _ in shown}
        cards = {card for hand in hands for card in hand.split()}
        suits = "".join(suit for suit in SUITS if any(card[-1] == suit for card in cards))
        ranks = tuple(rank for rank in RANKS if any(card[:-1] == rank for card in cards))
        understood = {rank + suit for rank in ranks for suit in suits} >= cards
    except (TypeError, ValueError, AttributeError, IndexError):
        understood = False
    if not understood:
        raise GameError(
            f"{tree.name!r} does not show its players (hand, table) as Toepen does; this rule is "
            'for trees of load_game("toepen", ...)'
        )
    return suits, ranks, len(suits) > 1 and all(SUITS[0] in hand for hand in hands)
