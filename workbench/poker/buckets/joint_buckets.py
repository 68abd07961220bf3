"""Which buckets meet, and who wins: two matrices over the buckets of both players.

Everyday example: if both have seen "weak, weak, strong, strong", how often does that happen in a
deal, and who is ahead? For each pair of sequences z, z' two numbers answer everything that a game
with buckets needs to know about cards:

    meets[z, z']   the probability that a deal gives the players z and z'
    wins[z, z']    the same, with the sign of the showdown: + where z wins, - where z' does

Earlier rounds are sums of `meets` over what comes later. Both players have the same buckets, unless
one of them sees others (real_response.py).

On a board of five cards all hands are sorted by strength, once for its 20 orders. Going upward, one
row of counters says for each bucket how many of its hands are weaker less how many are stronger,
and one row for each card the same of those that hold it; so each hand adds one row to wins[z], less
those of its two cards. `meets` counts all hands in the same way; a hand with itself was taken away
twice.

Showdowns are decided by the strength of the hands, never by their signal: the sign of the
difference in E[HS] is another one in 1.5 % of deals, because each player's own cards change what
the others may hold. Nearly all of these are split pots; in 3 of 10,000 the better E[HS] loses.

Counted on every 8th board by default, 16,807 of 134,459 with 20 orders each (every 32nd for more
than 256 sequences); all of them give 55,627,620,048,000 deals. Measured on one core: 20 s for 16
sequences, 55 s for 81.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench import disk_cache
from workbench.arrays import Torch, gpu
from workbench.kernels import kernel
from workbench.poker.buckets.holdem_buckets import HoldemBuckets
from workbench.poker.cards.board_sets import PAIRS, Longs, unpack
from workbench.poker.cards.seven_cards import rank_hands
from workbench.poker.cards.threads import in_pieces
from workbench.poker.strength import table_arrays
from workbench.poker.strength.holdem_signals import Cards, Cuts, bucket_after, bucket_orders
from workbench.progress import ProgressBar
from workbench.settings import need_kind
from workbench.tree import FloatArray

DECIDED_BY = "poker/buckets/joint_buckets", "poker/strength/holdem_signals"  # sources
EVERY = 8, 32  # boards are counted: with up to LARGE sequences, and with more
LARGE = 256


@dataclass(frozen=True, eq=False)
class JointBuckets:
    """Probabilities of the last round's buckets, both (K, K')."""

    meets: FloatArray
    wins: FloatArray
    deals: float  # how many were counted

    def rounds(self, mine: HoldemBuckets, theirs: HoldemBuckets | None = None) -> list[FloatArray]:
        """`meets` for each round."""
        found, theirs = [self.meets], theirs or mine
        for r in (3, 2, 1):
            rows = added(found[0], mine.parents(r), mine.classes[r - 1])
            found.insert(0, added(rows.T, theirs.parents(r), theirs.classes[r - 1]).T)
        return found


def added(rows: FloatArray, parents: Longs, count: int) -> FloatArray:
    """(count, …) the rows of a round's buckets, summed for those before."""
    found = np.zeros((count, rows.shape[1]))
    np.add.at(found, parents, rows)
    return found


def joint_buckets(
    buckets: HoldemBuckets, every: int | None = None, progress: bool | None = None, *,
    theirs: HoldemBuckets | None = None,
) -> JointBuckets:  # fmt: skip
    """The matrices of nested buckets, from the cache or counted now; the opponent has the same
    buckets, or `theirs`."""
    need_kind("buckets", buckets, HoldemBuckets)
    if theirs is not None:
        need_kind("theirs", theirs, HoldemBuckets)
    every = every or EVERY[buckets.classes[-1] > LARGE]
    against = "" if theirs is None else f" against {theirs.fingerprint}"
    key = f"{buckets.fingerprint}{against} every {every} {disk_cache.sources(*DECIDED_BY)}"
    kept = disk_cache.load("joint buckets", key, prepared=True)
    if kept is None:
        made = count(buckets, every, progress, theirs=theirs)
        disk_cache.save("joint buckets", key, vars(made))
        return made
    return JointBuckets(kept["meets"], kept["wins"], float(kept["deals"]))


def count(
    mine: HoldemBuckets, every: int, progress: bool | None = None, *,
    theirs: HoldemBuckets | None = None,
) -> JointBuckets:  # fmt: skip
    """Count the deals of every so-manieth board."""
    theirs = theirs or mine
    boards, pieces = np.arange(every // 2, len(mine.cards.rivers), every), 100
    both = np.zeros((2, mine.classes[-1], theirs.classes[-1]))
    if isinstance(machine := gpu(), Torch):
        both, pieces = table_arrays.joint(machine, mine, theirs, boards), 0
    with ProgressBar("deals of buckets", pieces, shown=progress) as bar:
        know = mine.cards, mine.cuts, theirs.cards, theirs.cuts, theirs is not mine
        work = in_pieces(_count, len(boards), pieces, boards, *know, both.shape) if pieces else ()
        for done, some in enumerate(work, start=1):
            both += some
            bar.show(done)
    deals = float(both[0].sum())
    return JointBuckets(both[0] / deals, both[1] / deals, deals)


@kernel
def _count(
    low: int, high: int, boards: Longs, cards: Cards, cuts: tuple[Cuts, ...], other: Cards,
    others: tuple[Cuts, ...], differ: bool, shape: tuple[int, int, int],
) -> FloatArray:  # fmt: skip
    """(2, mine, theirs) `meets` and `wins`, in deals."""
    found, here, wide = np.zeros(shape), np.zeros(shape, np.int32), shape[2]
    masks, order = np.empty(4, np.int64), np.empty(1081, np.int64)
    strength = np.empty(PAIRS, np.int32)
    turns, seen = np.empty((5, 1081), np.uint16), np.empty((1 + differ, 20, 1081), np.uint16)
    mine, theirs = np.empty(1081, np.int64), np.empty(1081, np.int64)
    one, two = np.empty(1081, np.int64), np.empty(1081, np.int64)
    held = np.empty((53, wide), np.int32)  # of each card, and of all hands
    so_far = held[52]
    for at in range(low, high):
        board = boards[at]
        unpack(cards.rivers[board], masks)
        rank_hands(masks, strength, order)
        bucket_orders(masks, cards, cuts, order, turns, seen[0])
        if differ:
            bucket_orders(masks, other, others, order, turns, seen[1])
        for k in range(1081):
            one[k], two[k] = cards.pairs[order[k], 0], cards.pairs[order[k], 1]
        for o in range(20):
            for card in range(53):
                for y in range(wide):
                    held[card, y] = 0
            for k in range(1081):
                mine[k] = bucket_after(cuts[3], seen[0, o, k], cards.river[board, order[k]])
                theirs[k] = bucket_after(others[3], seen[-1, o, k], other.river[board, order[k]])
                _add(one[k], two[k], theirs[k], held)
            for k in range(1081):
                row, a, b = here[0, mine[k]], held[one[k]], held[two[k]]
                for y in range(wide):
                    row[y] += so_far[y] - a[y] - b[y]
                row[theirs[k]] += 1  # a hand shares both cards with itself
            for card in range(53):
                for y in range(wide):
                    held[card, y] = -held[card, y]  # all are stronger
            start = 0
            while start < 1081:
                end = start
                while end < 1081 and strength[order[end]] == strength[order[start]]:
                    _add(one[end], two[end], theirs[end], held)  # level
                    end += 1
                for k in range(start, end):
                    row, a, b = here[1, mine[k]], held[one[k]], held[two[k]]
                    for y in range(wide):
                        row[y] += so_far[y] - a[y] - b[y]
                for k in range(start, end):
                    _add(one[k], two[k], theirs[k], held)  # weaker
                start = end
        weight = float(cards.weight[board])
        for which in range(2):
            for z in range(shape[1]):
                for y in range(wide):
                    found[which, z, y] += weight * here[which, z, y]
                    here[which, z, y] = 0
    return found


@kernel(inline="always")
def _add(one: int, two: int, z: int, held: NDArray[np.int32]) -> None:
    """One more hand, and one more that holds each of its cards."""
    held[52, z] += 1
    held[one, z] += 1
    held[two, z] += 1
