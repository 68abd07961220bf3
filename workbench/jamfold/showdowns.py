"""How three hands can finish when all are all-in before the flop, and how often hands are dealt."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.poker.cards.hand_classes import CARDS, FIRST_PAIR, HANDS

ORDERS = tuple(  # (13) the places of three hands, 0 the best; equal places are ties
    places for places in product(range(3), repeat=3) if {*places} == {*range(max(places) + 1)}
)
# (3, 13) hands 0 and 1, 0 and 2, 1 and 2 of an order: 0 the first wins, 1 a tie, 2 the second
WINNER: NDArray[np.int64] = np.array(
    [
        [1 + (places[i] > places[j]) - (places[i] < places[j]) for places in ORDERS]
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
)


def free_pairs() -> NDArray[np.int64]:
    """(169, 169) in how many ways two hands of these classes can be dealt."""
    free = ((CARDS[:, None] & CARDS[None, :]) == 0).astype(np.int64)
    rows = np.add.reduceat(free, FIRST_PAIR[:-1], axis=0)
    return np.asarray(np.add.reduceat(rows, FIRST_PAIR[:-1], axis=1))


@kernel
def free_triples(first: NDArray[np.int64], cards: NDArray[np.int64]) -> NDArray[np.float32]:
    """(169, 169, 169) in how many ways three hands of these classes can be dealt.

    Suits can be renamed, so one pair of cards stands for its whole class, and the order of the
    hands does not matter: 50 million looks, 0.1 s."""
    classes = len(first) - 1
    out = np.zeros((classes, classes, classes), np.float32)
    for a in range(classes):
        mine, combos = cards[first[a]], first[a + 1] - first[a]
        for b in range(a, classes):
            for j in range(first[b], first[b + 1]):
                if mine & cards[j]:
                    continue
                taken = mine | cards[j]
                for c in range(b, classes):
                    free = 0
                    for k in range(first[c], first[c + 1]):
                        free += taken & cards[k] == 0
                    out[a, b, c] += combos * free
            for c in range(b, classes):
                ways = out[a, b, c]
                out[a, c, b], out[b, a, c], out[b, c, a] = ways, ways, ways
                out[c, a, b], out[c, b, a] = ways, ways
    return out


def triples() -> NDArray[np.int32]:
    """(818805, 3) the unordered triples of classes a ≤ b ≤ c, in lexicographic order."""
    k = np.arange(HANDS)
    rising = (k[:, None, None] <= k[:, None]) & (k[:, None] <= k)
    return np.argwhere(rising).astype(np.int32)
