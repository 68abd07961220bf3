"""The ten small versions of Toepen in Tables 3.1 and 3.2 of Le (2021), and how they are named.

`3/3/2b` is a deck of 3 suits and 3 ranks, hands of 2 cards, with betting.

The text says that players must follow suit. With betting, the printed numbers are those of a
game in which they need not (`follow_suit=False`): that game gives all of them, the other none.
Without betting the printed numbers are those of the game as it is told.
"""

from __future__ import annotations

from dataclasses import replace
from math import comb, prod

from workbench.games.toepen.rules import Toepen

VARIANTS = {
    f"{suits}/{ranks}/{hand}{'b' * betting}": Toepen(suits, ranks, hand, betting, not betting)
    for suits, ranks, hand in [(2, 2, 2), (2, 3, 2), (3, 2, 2), (3, 3, 2), (3, 3, 3)]
    for betting in (False, True)
}
LARGEST = "3/3/3b"  # 6.8 million histories


def as_told(variant: Toepen) -> Toepen:
    """The variant with the rules of the text: follow suit if you can."""
    return replace(variant, follow_suit=True)


def hands(variant: Toepen) -> int:
    """How many hands a player can be dealt."""
    return comb(variant.suits * variant.ranks, variant.hand)


def upper_bound(variant: Toepen, players: int = 2) -> int:
    """Section 3.1.2: hands, times what may be played, times what may be bet.

    In every trick but the last the opponent's card is one of those unseen, the own card one of
    those held. With betting there is one doubling for each of the cards of both hands and one
    more, since the second player acts after the first one's first card; the table gives it to
    both players.

    >>> upper_bound(Toepen(3, 3, 3, betting=True))
    3870720
    """
    unseen = variant.suits * variant.ranks - variant.hand
    tricks = [(unseen - k) * (variant.hand - k) for k in range(variant.hand - 1)]
    bets = 2 ** (2 * variant.hand + 1) if variant.betting else 1
    return players * hands(variant) * prod(tricks) * bets
