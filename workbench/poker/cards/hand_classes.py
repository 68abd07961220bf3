"""The 169 classes of two cards: "AA", "AKs" (one suit), "AKo" (two suits), as on a 13 × 13 chart.

Before the flop suits matter only as far as they are equal, so 1,326 pairs of cards fall into 13
pairs of 6, 78 suited hands of 4 and 78 offsuit hands of 12. A class is its place on the chart that
every player knows, aces first: `13 * row + column`, suited hands above the diagonal.

>>> [NAMES[k] for k in (0, 1, 13, 168)], CLASS["T9s"]
(['AA', 'AKs', 'AKo', '22'], 57)
>>> hand_class("ak")
Traceback (most recent call last):
workbench.rules.GameError: there is no hand 'ak'; two different ranks need s (suited) or o \
(offsuit): AKs or AKo
>>> hand_class("1Ks")
Traceback (most recent call last):
workbench.rules.GameError: there is no hand '1Ks'; a hand is two of AKQJT98765432 and, if they \
differ, s or o: AA, AKs, T9o
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from workbench.rules import GameError, shown

RANKS = "AKQJT98765432"
HANDS = 169


def _name(row: int, column: int) -> str:
    high, low = sorted((row, column))
    return RANKS[high] + RANKS[low] + ("" if row == column else "s" if row < column else "o")


NAMES = tuple(_name(row, column) for row in range(13) for column in range(13))
CLASS = {name: k for k, name in enumerate(NAMES)}


def hand_class(name: object) -> int:
    """The number of a class by its name; the order of the two ranks does not matter."""
    text = name.strip() if isinstance(name, str) else ""
    ranks = sorted(text[:2].upper(), key=RANKS.find)
    spelt = "".join(ranks) + text[2:].lower()
    if spelt in CLASS:
        return CLASS[spelt]
    fix = f"a hand is two of {RANKS} and, if they differ, s or o: AA, AKs, T9o"
    if len(spelt) == 2 and {*spelt} <= {*RANKS}:
        fix = f"two different ranks need s (suited) or o (offsuit): {spelt}s or {spelt}o"
    raise GameError(f"there is no hand {shown(name)}; {fix}")


def class_of_cards(cards: str) -> int:
    """The number of the class of two cards.

    >>> class_of_cards("K♥ A♥"), class_of_cards("2♥ 2♣"), NAMES[class_of_cards("9♠ 10♥")]
    (1, 168, 'T9o')
    """
    one, two = cards.replace("10", "T").split()
    return hand_class(one[0] + two[0] + ("" if one[0] == two[0] else "os"[one[1:] == two[1:]]))


def _of_pairs() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(1326,) the class of each pair of cards, numbered in order, and its cards as bits; a card is
    `rank * 4 + suit`, deuce 0."""
    one, two = np.array([*combinations(range(52), 2)]).T  # two is not the lower one
    low, high, suited = 12 - (one >> 2), 12 - (two >> 2), one & 3 == two & 3
    return 13 * np.where(suited, high, low) + np.where(suited, low, high), 1 << one | 1 << two


CLASS_OF_PAIR, _BITS = _of_pairs()
COMBOS = np.bincount(CLASS_OF_PAIR)  # (169,) 6, 4 or 12 pairs
FIRST_PAIR = np.append(0, np.cumsum(COMBOS))  # (170,) where each class begins in what follows
PAIR = np.argsort(CLASS_OF_PAIR, kind="stable")  # (1326,) the numbers of the pairs, class by class
CARDS = _BITS[PAIR]  # (1326,)
