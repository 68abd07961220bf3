"""Equities: the share of the pot that a hand can expect when all are all-in before the flop.

Everyday example: aces against kings. Four times in five the aces hold up, exactly 0.81946 of the
pot. With a third hand in, or folded, the cards that are gone shift this a little.

    equity("AA", "KK")              two hands: exact, over all boards
    equity("AA")                    against a random hand: exact
    equity("AA", "KK", "QQ")        three hands: sampled, `equities().error` is the standard error

What is kept: wins and ties of two classes, and for each of the 818,805 unordered triples how often
its three hands finish in each of the 13 orders, in 255ths. Pots between two players use these
triples, too: the third player has folded *some* hand, and what is left of the deck depends on it.
Before it is rounded, the sampled table is fitted to the exact one (`raking.py`).

The error is measured while the table is made, from block to block of the boards, and rounding is
added: see `Equities.error` and `largest`. Deals from outside say that it is a sixth too large: the
blocks do not know that the boards are evenly spread, nor that the table is fitted afterwards.

The workbench brings a table along; `equities(boards=…, seed=…)` makes another one, three minutes on
one core, and keeps it in the cache; `solve(game, equities=…)` takes it. In a terminal:
`workbench equities --boards 131072`.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench import disk_cache
from workbench.files import load_arrays, save_arrays
from workbench.jamfold.raking import rake
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
from workbench.poker.hand_classes import CARDS, CLASS_OF_PAIR, FIRST_PAIR, HANDS, PAIR, hand_class
from workbench.progress import ProgressBar
from workbench.random import random_state
from workbench.rules import GameError
from workbench.settings import need_whole
from workbench.shipped import shipped

BOARDS, SEED = 32_768, 0  # of the table that comes along
FORM = 2  # of what is kept: 2 is fitted to the duels, and its error measured
KIND = "table of equities"
CACHE = "equities"
FILE = "data/equities/jamfold.npz"
_BLOCK = 64  # boards on which a triple keeps its cards
_LEAST = 64  # boards, in sixteen blocks
_MEASURED = 64  # the error is measured on every 64th triple
_CHOOSE = 1_712_304  # boards of five from 48 cards
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
            "made": np.array([FORM, self.boards, self.seed]),
            "errors": np.array([self.error, self.largest]),
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
    return float(order @ SHARE[:, 0] / order.sum())


_session: dict[tuple[int, int], Equities] = {}  # the last two that were asked for


def equities(boards: int = BOARDS, seed: int = SEED, progress: bool | None = None) -> Equities:
    """The table that comes along, or another one: from the cache, or made now."""
    key = need_whole("boards", boards, _LEAST, 10_000_000), need_whole("seed", seed, 0, None)
    if key not in _session:
        table = _kept(*key)
        if table is None:
            table = compute(*key, progress)
            disk_cache.save(CACHE, _name(*key), table._arrays())
        if len(_session) == 2:
            del _session[next(iter(_session))]
        _session[key] = table
    return _session[key]


def _name(boards: int, seed: int) -> str:
    return f"form {FORM}, {boards} boards, seed {seed}"


def _kept(boards: int, seed: int) -> Equities | None:
    """From the file that comes along, or from the cache."""
    file, made = shipped(FILE), [FORM, boards, seed]
    kept = load_arrays(file, KIND) if file.exists() else None
    if kept is None or kept["made"].tolist() != made:
        kept = disk_cache.load(CACHE, _name(boards, seed))
    if kept is None:
        return None
    flat = np.frombuffer(lzma.decompress(kept["orders"].tobytes()), np.uint8)
    orders = np.ascontiguousarray(flat.reshape(len(ORDERS), -1).T)
    return Equities(kept["win"], kept["tie"], orders, boards, seed, *kept["errors"].tolist())


# ---- making a table --------------------------------------------------------------------


def compute(boards: int = BOARDS, seed: int = SEED, progress: bool | None = None) -> Equities:
    """Count two hands on all boards and three hands on `boards` of them, and fit these to those."""
    every, shuffle = triples(), np.random.default_rng(seed)
    with ProgressBar("equities", 100, shown=progress) as bar:
        win, tie = _count_two(bar)
        counts, errors = _count_three(every, boards, seed, shuffle, bar)
        share = _symmetric(every, counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))
        found = Equities(win, tie, np.empty(0, np.uint8), boards, seed, 0.0, 0.0)
        rake(every, share, _chances(every), found.duels)
        bar.show(99)
    orders = _rounded(every, share, shuffle)
    lost = orders / np.maximum(orders.sum(axis=1, dtype=int), 1)[:, None] - share
    rounding = float(((lost @ SHARE) ** 2).mean())
    error, largest = (float(np.sqrt(square + rounding)) for square in (errors.mean(), errors.max()))
    return replace(found, orders=orders, error=error, largest=largest)


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


def _count_three(
    every: NDArray[np.int32], boards: int, seed: int, shuffle: np.random.Generator,
    bar: ProgressBar,
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:  # fmt: skip
    """(n, 13) counts, and (n / 64, 3) the squared standard error of each hand's share.

    A share is a ratio, won : dealt, over all blocks. Each block deals anew, so the differences
    between blocks, won − share · dealt, say how far the ratio may be off."""
    rng, block = random_state(seed), min(_BLOCK, boards // 16)
    sample = board_sample(boards, shuffle.random())
    shuffle.shuffle(sample)
    counts = np.zeros((len(every), len(ORDERS)), np.int32)
    parts = np.array_split(np.arange(len(every)), 16)
    some = counts[::_MEASURED]
    before, squares = some.copy(), np.zeros((3, len(some), 3))
    for start in range(0, boards, block):
        ranks = board_ranks(sample[start : start + block])
        for part in parts:  # short pieces, so that Ctrl-C is heard
            these = slice(part[0], part[-1] + 1)
            count_three(every[these], ranks, FIRST_PAIR, PAIR, CARDS, rng, counts[these])
        new, before = some - before, some.copy()
        won, dealt = new @ SHARE, new.sum(axis=1, keepdims=True)
        squares += won * won, won * dealt, dealt * dealt * np.ones(3)
        bar.show(10 + int(88 * start / boards))
    blocks, total = -(-boards // block), np.maximum(before.sum(axis=1, keepdims=True), 1)
    share = before @ SHARE / total
    spread = squares[0] - 2 * share * squares[1] + share**2 * squares[2]
    return counts, np.maximum(spread, 0) / total**2 * blocks / (blocks - 1)


def _chances(every: NDArray[np.int32]) -> NDArray[np.float64]:
    """(n,) the probability that three players hold these classes, whoever holds which."""
    a, b, c = every.T
    ways = free_triples(FIRST_PAIR, CARDS)[a, b, c].astype(float)
    ways *= np.array([6, 3, 1])[(a == b).astype(int) + (b == c)]
    return np.asarray(ways / ways.sum())


def _alike(
    every: NDArray[np.int32],
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.int64]]]:
    """Triples (n,) with equal classes, and (k, 13) to which orders these may move each order."""
    a, b, c = every.T
    moved = _moved()
    for some, kept in (
        ((a == b) & (b < c), ((0, 1, 2), (1, 0, 2))),
        ((a < b) & (b == c), ((0, 1, 2), (0, 2, 1))),
        ((a == b) & (b == c), tuple(moved)),
    ):
        yield some, np.array([moved[p] for p in kept])


def _symmetric(every: NDArray[np.int32], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Equal classes of a triple have equal chances."""
    for some, same in _alike(every):
        share[some] = np.mean([share[some][:, to] for to in same], axis=0)
    return share


def _rounded(
    every: NDArray[np.int32], share: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Shares as 255ths. Their sums are rounded after a random shift, so small numbers are not lost
    on average; with equal classes each share alone, orders that mirror each other alike."""
    summed = np.cumsum(share, axis=1) * 255 + rng.random((len(share), 1))
    out = np.diff(np.floor(summed + 1e-9), axis=1, prepend=0.0)
    for some, same in _alike(every):
        shift = rng.random((int(some.sum()), len(ORDERS)))[:, same.min(axis=0)]
        out[some] = np.floor(255 * share[some] + shift)
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
