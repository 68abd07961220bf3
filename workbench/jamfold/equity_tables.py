"""Equities: the share of the pot that a hand can expect when all are all-in before the flop.

Everyday example: aces against kings. Four times in five the aces hold up, exactly 0.81946 of the
pot. With a third hand in, or folded, the cards that are gone shift this a little.

    equity("AA", "KK")              two hands: exact, over all boards
    equity("AA")                    against a random hand: exact
    equity("AA", "KK", "QQ")        three hands: sampled, `equities().error` is the standard error

What is kept: wins and ties of two classes, and for each of the 818,805 unordered triples how often
its three hands finish in each of the 13 orders, in 255ths. Pots between two players use these
triples, too: the third player has folded *some* hand, and what is left of the deck depends on it.
Before it is rounded, the sampled table is fitted to the exact one.

The workbench brings a table along, made by `data/equities/make.py`, which makes others, too:
`solve(game, equities=equities("other.npz"))` takes one.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workbench.files import load_arrays
from workbench.kernels import kernel
from workbench.poker.cards.hand_classes import CARDS, FIRST_PAIR, HANDS, hand_class
from workbench.rules import GameError
from workbench.shipped import shipped

FORM = 2  # of what is kept: 2 is fitted to the duels, and its error measured
KIND = "table of equities"
FILE = "data/equities/jamfold.npz"
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
SHARE = np.array(  # (13, 3) of the pot, by hand
    [[(one == 0) / places.count(0) for one in places] for places in ORDERS]
)


@dataclass(frozen=True, eq=False)
class Equities:
    """Two hands exactly, three hands by sampling."""

    win: NDArray[np.float64]  # (169, 169) the first hand of two wins
    tie: NDArray[np.float64]  # (169, 169)
    orders: NDArray[np.uint8]  # (818805, 13) 255ths, by `triples()` and `ORDERS`; 0: no deal
    boards: int
    seed: int
    error: float  # of a hand's share of a pot of three: root of the mean squared standard error
    largest: float  # the largest such standard error, of 12,794 triples

    @cached_property
    def deals(self) -> NDArray[np.float32]:
        """(169, 169, 169) the probability that three players hold these classes."""
        free = free_triples(FIRST_PAIR, CARDS)
        return free / np.float32(free.sum(dtype=np.float64))

    @cached_property
    def duels(self) -> NDArray[np.float64]:
        """(3, 169, 169) the probability of two classes, and of win, tie, loss for the first."""
        free = free_pairs()
        return np.asarray(np.stack([self.win, self.tie, self.win.T]) * (free / free.sum()))

    @cached_property
    def finishes(self) -> NDArray[np.uint8]:
        """(169, 13, 169, 169) 255ths: hand h against y and z finishes in each of `ORDERS`."""
        out, every = np.zeros((HANDS, HANDS, HANDS, len(ORDERS)), np.uint8), triples()
        for way, moved in moved_orders().items():
            h, y, z = every.T[list(way)]
            out[h, y, z] = self.orders[:, np.argsort(moved)]
        return np.ascontiguousarray(np.moveaxis(out, 3, 1))


def equity(*hands: str) -> float:
    """The first hand's share of the pot against one or two others, or against a random hand.

    >>> round(equity("AA", "KK"), 5), round(equity("AA"), 5)
    (0.81946, 0.85204)
    """
    if not 1 <= len(hands) <= 3:
        raise GameError(f"an equity is that of one, two or three hands, not of {len(hands)}")
    first, *others = (hand_class(hand) for hand in hands)
    table = equities()
    if not others:
        win, tie, loss = table.duels[:, first].sum(axis=1)
        return float((win + tie / 2) / (win + tie + loss))
    if len(others) == 1:
        return float(table.win[first, others[0]] + table.tie[first, others[0]] / 2)
    order = table.finishes[first, :, others[0], others[1]].astype(float)
    if not order.sum():
        raise GameError(f"the deck has not enough cards for {', '.join(hands)}; change one of them")
    return float(order @ SHARE[:, 0] / order.sum())


@cache
def equities(path: str | Path | None = None) -> Equities:
    """The table that comes along, or the one in a file."""
    kept = load_arrays(shipped(FILE) if path is None else path, KIND)
    form, boards, seed = kept["made"].tolist()
    if form != FORM:
        raise GameError(f"{path} is a table of another version; make it again")
    flat = np.frombuffer(lzma.decompress(kept["orders"].tobytes()), np.uint8)
    orders = np.ascontiguousarray(flat.reshape(len(ORDERS), -1).T)
    return Equities(kept["win"], kept["tie"], orders, boards, seed, *kept["errors"].tolist())


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


def moved_orders() -> dict[tuple[int, ...], NDArray[np.int64]]:
    """By permutation p: (13,) the order of hands p[0], p[1], p[2], from that of hands 0, 1, 2."""
    return {
        p: np.array([ORDERS.index(tuple(places[k] for k in p)) for places in ORDERS])
        for p in permutations(range(3))
    }
