"""Which buckets meet, and who wins: two matrices over the buckets of both players.

Everyday example: if both have seen "weak, weak, strong, strong", how often does that happen in a
deal, and who is ahead? For each pair of sequences z, z' two numbers answer everything that a game
with buckets needs to know about cards:

    meets[z, z']   the probability that a deal gives the players z and z'
    wins[z, z']    the same, with the sign of the showdown: + where z wins, - where z' does

Earlier rounds are sums of `meets` over what comes later.

On a board of five cards all hands are sorted by strength, once for its 20 orders. Going upward, one
row of counters says how many hands of each bucket lie below or level, and one row for each card
how many of them hold it; so each hand adds one row to L[z, z'] (z' below or level, no card shared).
Then wins = L - Lᵀ, because ties cancel. `meets` counts all pairs of hands, without those that share
a card: S Sᵀ - Σ_card C Cᵀ, where a hand with itself was taken away twice.

Showdowns are decided by the strength of the hands, never by their signal: the sign of the
difference in E[HS] is another one in 1.5 % of deals, because each player's own cards change what
the others may hold. Nearly all of these are split pots; in 3 of 10,000 the better E[HS] loses.

Counted on every 8th board by default, 16,807 of 134,459 with 20 orders each (every 32nd for more
than 256 sequences); all of them give 55,627,620,048,000 deals. Measured on one core: 16 s for 16
sequences, 47 s for 81.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench import disk_cache
from workbench.kernels import kernel
from workbench.poker.buckets.holdem_buckets import HoldemBuckets
from workbench.poker.cards.board_sets import PAIRS, unpack
from workbench.poker.cards.threads import in_pieces
from workbench.poker.strength.holdem_counting import rank_hands
from workbench.poker.strength.holdem_signals import Cards, Cuts, bucket_after, bucket_orders
from workbench.progress import ProgressBar
from workbench.tree import FloatArray

DECIDED_BY = (
    "poker/buckets/joint_buckets",
    "poker/strength/holdem_counting",
    "poker/strength/holdem_signals",
)  # sources
EVERY = 8, 32  # boards are counted: with up to LARGE sequences, and with more
LARGE = 256


@dataclass(frozen=True, eq=False)
class JointBuckets:
    """Probabilities of the last round's buckets, both (K, K)."""

    meets: FloatArray
    wins: FloatArray
    deals: float  # how many were counted

    def rounds(self, buckets: HoldemBuckets) -> list[FloatArray]:
        """`meets` for each round."""
        found = [self.meets]
        for r in (3, 2, 1):
            parent = np.array(buckets.parents(r))
            size = buckets.classes[r - 1]
            rows = np.zeros((size, found[0].shape[1]))
            np.add.at(rows, parent, found[0])
            both = np.zeros((size, size))
            np.add.at(both.T, parent, rows.T)
            found.insert(0, both)
        return found


def joint_buckets(
    buckets: HoldemBuckets, every: int | None = None, progress: bool | None = None
) -> JointBuckets:
    """The matrices of nested buckets, from the cache or counted now."""
    every = every or EVERY[buckets.classes[-1] > LARGE]
    key = f"{buckets.fingerprint} every {every} {disk_cache.sources(*DECIDED_BY)}"
    kept = disk_cache.load("joint buckets", key, prepared=True)
    if kept is None:
        made = count(buckets, every, progress)
        disk_cache.save("joint buckets", key, vars(made))
        return made
    return JointBuckets(kept["meets"], kept["wins"], float(kept["deals"]))


def count(buckets: HoldemBuckets, every: int, progress: bool | None = None) -> JointBuckets:
    """Count the deals of every so-manieth board."""
    cards, size = buckets.cards, buckets.classes[-1]
    boards = np.arange(every // 2, len(cards.rivers), every)
    meets, lower, pieces = np.zeros((size, size)), np.zeros((size, size)), 100
    with ProgressBar("deals of buckets", pieces, shown=progress) as bar:
        arguments = (boards, cards, *buckets.cuts, size)
        for done, (some, below) in enumerate(
            in_pieces(_count, len(boards), pieces, *arguments), start=1
        ):
            meets += some
            lower += below
            bar.show(done)
    deals = float(meets.sum())
    return JointBuckets(meets / deals, (lower - lower.T) / deals, deals)


@kernel
def _count(
    low: int, high: int, boards: NDArray[np.int64], cards: Cards, first: Cuts, second: Cuts,
    third: Cuts, fourth: Cuts, size: int,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    meets, lower = np.zeros((size, size)), np.zeros((size, size))
    here, below = np.zeros((size, size), np.int32), np.zeros((size, size), np.int32)
    masks, order = np.empty(4, np.int64), np.empty(1081, np.int64)
    strength = np.empty(PAIRS, np.int32)
    turns, seen = np.empty((5, 1081), np.uint16), np.empty((20, 1081), np.uint16)
    bucket = np.empty(1081, np.int64)
    one, two = np.empty(1081, np.int64), np.empty(1081, np.int64)
    group = np.empty(1081, np.int64)  # where the hands end that are as strong
    so_far, held = np.empty(size, np.int32), np.empty((52, size), np.int32)
    for at in range(low, high):
        board = boards[at]
        unpack(cards.rivers[board], masks)
        rank_hands(masks, strength, order)
        bucket_orders(board, cards, first, second, third, order, turns, seen)
        for k in range(1080, -1, -1):
            pair = order[k]
            one[k], two[k] = cards.pairs[pair, 0], cards.pairs[pair, 1]
            same = k < 1080 and strength[order[k + 1]] == strength[pair]
            group[k] = group[k + 1] if same else k + 1
        here[:], below[:] = 0, 0
        for o in range(20):
            for k in range(1081):
                bucket[k] = bucket_after(fourth, seen[o, k], cards.river[board, order[k]])
            so_far[:], held[:] = 0, 0
            start = 0
            while start < 1081:
                end = group[start]
                for k in range(start, end):
                    z = bucket[k]
                    so_far[z] += 1
                    held[one[k], z] += 1
                    held[two[k], z] += 1
                for k in range(start, end):
                    z = bucket[k]
                    row, a, b = below[z], held[one[k]], held[two[k]]
                    for y in range(size):
                        row[y] += so_far[y] - a[y] - b[y]
                start = end
            for z in range(size):
                row, often = here[z], so_far[z]
                if often:
                    for y in range(size):
                        row[y] += often * so_far[y]
                    row[z] += often  # a hand shares both cards with itself
            for card in range(52):
                a = held[card]
                for z in range(size):
                    often = a[z]
                    if often:
                        row = here[z]
                        for y in range(size):
                            row[y] -= often * a[y]
        weight = float(cards.weight[board])
        for z in range(size):
            for y in range(size):
                meets[z, y] += weight * here[z, y]
                lower[z, y] += weight * below[z, y]
    return meets, lower
