"""Equities: the share of the pot that a hand can expect when all are all-in before the flop.

Everyday example: aces against kings. Four times in five the aces hold up, exactly 0.81946 of the
pot. With a third hand in, or folded, the cards that are gone shift this a little.

    equity("AA", "KK")              two hands: exact, over all boards
    equity("AA")                    against a random hand: exact
    equity("AA", "KK", "QQ")        three hands: sampled, `equities().error` is the standard error

What is kept: wins and ties of two classes, and for each of the 818,805 unordered triples how often
its three hands finish in each of the 13 orders, in 255ths. Pots between two players use these
triples, too: the third player has folded *some* hand, and what is left of the deck depends on it.

The workbench brings a table along; `equities(boards=…, seed=…)` makes another one, two minutes on
one core, and keeps it in the cache. In a terminal: `workbench equities --boards 65536`.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench import disk_cache
from workbench.files import load_arrays, save_arrays
from workbench.jamfold.hands import CARDS, CLASS_OF_PAIR, FIRST_PAIR, HANDS, PAIR, hand_class
from workbench.jamfold.showdowns import (
    ORDERS,
    board_ranks,
    board_sample,
    count_three,
    count_two,
    free_pairs,
    free_triples,
    triples,
)  # fmt: skip
from workbench.kernels import kernel
from workbench.poker.board_sets import canonical_masks
from workbench.progress import ProgressBar
from workbench.random import random_state
from workbench.rules import GameError
from workbench.settings import need_whole
from workbench.shipped import shipped

BOARDS, SEED = 32_768, 0  # of the table that comes along
KIND = "equities"
FILE = "data/equities/jamfold.npz"
_BLOCK = 256  # boards on which a triple keeps its cards
_FREE = 0.527  # of all boards leave six given cards alone
_CHOOSE = 1_712_304  # boards of five from 48 cards


@dataclass(frozen=True, eq=False)
class Equities:
    """Two hands exactly, three hands by sampling."""

    win: NDArray[np.float64]  # (169, 169) the first hand of two wins
    tie: NDArray[np.float64]  # (169, 169)
    orders: NDArray[np.uint8]  # (818805, 13) 255ths, by `triples()` and `ORDERS`; 0: no deal
    boards: int
    seed: int

    @property
    def error(self) -> float:
        """The largest standard error of a probability among `orders`: sampling and rounding.

        All triples share their boards, so their errors do not cancel fully: summed over all hands,
        ties of two come out 0.0001 apart from the exact table."""
        return sqrt(0.25 / (_FREE * self.boards) + 0.25 / 255**2 / 3)

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
        out = np.zeros((HANDS, len(ORDERS), HANDS, HANDS), np.uint8)
        ways, moved = np.array([*_moved()]), np.array([*_moved().values()])
        _spread(triples(), self.orders, ways, moved, out)
        return out

    def save(self, path: str | Path) -> Path:
        """One file with a checksum, packed: about 6 MB."""
        return save_arrays(path, KIND, **self._arrays())

    def _arrays(self) -> dict[str, Any]:
        packed = lzma.compress(self.orders.T.tobytes(), preset=6)
        return {
            "win": self.win, "tie": self.tie, "orders": np.frombuffer(packed, np.uint8),
            "made": np.array([self.boards, self.seed]),
        }  # fmt: skip


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
    share = [places.count(0) ** -1 if places[0] == 0 else 0.0 for places in ORDERS]
    return float(order @ share / order.sum())


def equities(boards: int = BOARDS, seed: int = SEED, progress: bool | None = None) -> Equities:
    """The table that comes along, or another one: from the cache, or made now."""
    return _equities(need_whole("boards", boards, 1, 10_000_000), need_whole("seed", seed, 0),
                     progress)  # fmt: skip


@lru_cache(maxsize=2)
def _equities(boards: int, seed: int, progress: bool | None) -> Equities:
    file, key = shipped(FILE), f"{boards} boards, seed {seed}"
    kept = load_arrays(file, KIND) if file.exists() else None
    if kept is None or kept["made"].tolist() != [boards, seed]:
        kept = disk_cache.load(KIND, key)
    if kept is None:
        made = compute(boards, seed, progress)
        disk_cache.save(KIND, key, made._arrays())
        return made
    flat = np.frombuffer(lzma.decompress(kept["orders"].tobytes()), np.uint8)
    orders = np.ascontiguousarray(flat.reshape(len(ORDERS), -1).T)
    return Equities(kept["win"], kept["tie"], orders, boards, seed)


# ---- making a table --------------------------------------------------------------------


def compute(boards: int = BOARDS, seed: int = SEED, progress: bool | None = None) -> Equities:
    """Count two hands on all boards and three hands on `boards` of them."""
    with ProgressBar("equities", 100, shown=progress) as bar:
        win, tie = _count_two(bar)
        orders = _count_three(boards, seed, bar)
    return Equities(win, tie, orders, boards, seed)


def _count_two(bar: ProgressBar) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    every, weights = canonical_masks(5)
    lower = np.zeros((HANDS, HANDS))
    for weight in np.unique(weights):
        some = every[weights == weight]
        counts = np.zeros((HANDS, 176), np.int32)
        for start in range(0, len(some), 4096):
            count_two(some[start : start + 4096], CLASS_OF_PAIR, counts)
            bar.show(int(10 * start / len(some)))
        lower += counts[:, :HANDS] * float(weight)
    total = free_pairs() * float(_CHOOSE)
    tie = (lower + lower.T) / total - 1  # lower or equal, both ways round
    return lower / total - tie, tie


def _count_three(boards: int, seed: int, bar: ProgressBar) -> NDArray[np.uint8]:
    rng, shuffle = random_state(seed), np.random.default_rng(seed)
    sample = board_sample(boards, shuffle.random())
    shuffle.shuffle(sample)
    every = triples()
    counts = np.zeros((len(every), len(ORDERS)), np.int32)
    parts = np.array_split(np.arange(len(every)), 16)
    for start in range(0, boards, _BLOCK):
        ranks = board_ranks(sample[start : start + _BLOCK])
        for part in parts:  # short pieces, so that Ctrl-C is heard
            some = slice(part[0], part[-1] + 1)
            count_three(every[some], ranks, FIRST_PAIR, PAIR, CARDS, rng, counts[some])
        bar.show(10 + int(90 * start / boards))
    return _rounded(every, counts, shuffle)


def _rounded(
    every: NDArray[np.int32], counts: NDArray[np.int32], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Counts as 255ths. Their sums are rounded after a random shift, so small numbers are not lost
    on average; a triple with two equal classes is made symmetric first and rounded as it is."""
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    summed = np.cumsum(share, axis=1) * 255 + rng.random((len(share), 1))
    out = np.diff(np.floor(summed + 1e-9), axis=1, prepend=0.0)
    alike = (every[:, 0] == every[:, 1]) | (every[:, 1] == every[:, 2])
    moved = _moved()
    for t in np.flatnonzero(alike):
        same = [moved[p] for p in moved if all(every[t][list(p)] == every[t])]
        out[t] = np.round(255 * np.mean([share[t][to] for to in same], axis=0))
    return out.astype(np.uint8)


def _moved() -> dict[tuple[int, ...], NDArray[np.int64]]:
    """By permutation p: (13,) the order of hands p[0], p[1], p[2], from that of hands 0, 1, 2."""
    return {
        p: np.array([ORDERS.index(tuple(places[k] for k in p)) for places in ORDERS])
        for p in permutations(range(3))
    }


@kernel
def _spread(
    every: NDArray[np.int32], orders: NDArray[np.uint8], ways: NDArray[np.int64],
    moved: NDArray[np.int64], out: NDArray[np.uint8],
) -> None:  # fmt: skip
    """From unordered triples to all ordered ones."""
    for t in range(len(every)):
        for p in range(6):
            h, y, z = every[t, ways[p, 0]], every[t, ways[p, 1]], every[t, ways[p, 2]]
            for w in range(13):
                out[h, moved[p, w], y, z] = orders[t, w]
