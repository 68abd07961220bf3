"""A lower bound in seconds: a responder who sees finer buckets than the strategy does.

Everyday example: the strategy knows two strengths of hands a round, you know five. Whatever you win
from it with your five, somebody who sees cards wins as well and more. So this is a lower bound on
how bad the strategy is, and a loose one: 187 of 426 mbb for k = 2.

Who meets whom is counted as in joint_buckets.py, but between two different bucketings:

    meets[y, z]   the probability that a deal gives the responder bucket y and the opponent z
    wins[y, z]    the same, with the sign of the showdown

On a board, both are sums over the responder's hands of y of the rows that river_response.py makes.
Counted on every 64th board by default, 2,101 of them with their 20 orders; the responder's moves
are chosen and judged on the same boards, a bias upward that is small beside how loose the bound is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench import disk_cache
from workbench.kernels import kernel
from workbench.poker.betting.betting import END
from workbench.poker.buckets.holdem_buckets import HoldemBuckets
from workbench.poker.cards.board_sets import PAIRS, Longs, unpack
from workbench.poker.cards.threads import in_pieces
from workbench.poker.engine.card_passes import KIND
from workbench.poker.response.response_rounds import Columns, columns, settled
from workbench.poker.response.river_response import HANDS, showdown
from workbench.poker.strength.holdem_signals import (
    Cards,
    Cuts,
    bucket_after,
    bucket_orders,
    free_pairs,
)
from workbench.progress import ProgressBar
from workbench.rules import GameError, shown
from workbench.tree import FloatArray

DECIDED_BY = (
    "poker/response/bucket_response",
    "poker/strength/holdem_signals",
)  # sources, for `meetings`
EVERY = 64


def bucket_response(
    strategy: Any, finer: HoldemBuckets, *, every: int = EVERY, progress: bool | None = None
) -> tuple[float, float]:
    """What the best responder with these buckets wins in each seat, in mbb a hand."""
    if not isinstance(finer, HoldemBuckets) or not finer.nested:
        raise GameError(
            f"{shown(finer)} are no buckets with perfect recall; take wb.cluster_hands(rules, "
            "(5, 5, 5, 5), metric='ehs2', method='percentile')"
        )
    seats = [columns(strategy, seat) for seat in (0, 1)]
    meets, wins = meetings(finer, strategy.played.buckets, every, progress)
    rounds = [meets]
    for r in (3, 2, 1):
        rows = _added(rounds[0], finer.parents(r), finer.classes[r - 1])
        both = _added(rows.T, strategy.played.buckets.parents(r), seats[0][r - 1].folds.shape[1])
        rounds.insert(0, both.T)
    return _answered(seats[0], rounds, wins, finer), _answered(seats[1], rounds, wins, finer)


def _answered(
    seat: list[Columns], meets: list[FloatArray], wins: FloatArray, finer: HoldemBuckets
) -> float:
    """From the river up to the first move."""
    later = wins  # nothing follows the last round
    for r in (3, 2, 1, 0):

        def leaf(
            d: int, of: Columns = seat[r], r: int = r, later: FloatArray = later
        ) -> FloatArray:
            k = of.number[d]
            if of.tree[d, KIND] != END:
                return np.asarray(meets[r] @ of.folds[k])
            return np.asarray(wins @ of.ends[k] if r == 3 else later[:, :, k])

        won = settled(seat[r], leaf)
        if r:
            up = _added(won, finer.parents(r), finer.classes[r - 1])
            later = up.reshape(len(up), seat[r - 1].folds.shape[2], -1)
    return float(won.sum())


def _added(rows: FloatArray, parents: list[int], count: int) -> FloatArray:
    found = np.zeros((count, rows.shape[1]))
    np.add.at(found, np.array(parents), rows)
    return found


def meetings(
    mine: HoldemBuckets, theirs: HoldemBuckets, every: int, progress: bool | None = None
) -> tuple[FloatArray, FloatArray]:
    """The matrices between two bucketings, from the cache or counted now."""
    asked = f"{mine.fingerprint} against {theirs.fingerprint} every {every}"
    key = f"{asked} {disk_cache.sources(*DECIDED_BY)}"
    kept = disk_cache.load("joint buckets", key, prepared=True)
    if kept is not None:
        return kept["meets"], kept["wins"]
    boards = np.arange(every // 2, len(mine.cards.rivers), every)
    size = mine.classes[-1], theirs.classes[-1]
    meets, wins, pieces = np.zeros(size), np.zeros(size), 100
    with ProgressBar("meetings of buckets", pieces, shown=progress) as bar:
        arguments = (boards, mine.cards, theirs.cards, *mine.cuts, *theirs.cuts, *size)
        for done, (some, won) in enumerate(
            in_pieces(_count, len(boards), pieces, *arguments), start=1
        ):
            meets += some
            wins += won
            bar.show(done)
    deals = meets.sum()
    disk_cache.save("joint buckets", key, {"meets": meets / deals, "wins": wins / deals})
    return meets / deals, wins / deals


@kernel
def _count(
    low: int, high: int, boards: Longs, cards: Cards, other: Cards, first: Cuts, second: Cuts,
    third: Cuts, fourth: Cuts, one: Cuts, two: Cuts, three: Cuts, four: Cuts, size: int, wide: int,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    meets, wins = np.zeros((size, wide)), np.zeros((size, wide))
    masks, free = np.empty(4, np.int64), np.empty(HANDS, np.int64)
    turns = np.empty((5, HANDS), np.uint16)
    mine, theirs = np.empty((20, HANDS), np.uint16), np.empty((20, HANDS), np.uint16)
    own, bucket = np.full(PAIRS, -1), np.full(PAIRS, -1)
    for at in range(low, high):
        board = boards[at]
        unpack(cards.rivers[board], masks)
        free_pairs(masks, free)
        bucket_orders(board, cards, first, second, third, free, turns, mine)
        bucket_orders(board, other, one, two, three, free, turns, theirs)
        weight = float(cards.weight[board])
        for order in range(20):
            for k in range(HANDS):
                signal = cards.river[board, free[k]]
                own[free[k]] = bucket_after(fourth, mine[order, k], signal)
                signal = other.river[board, free[k]]
                bucket[free[k]] = bucket_after(four, theirs[order, k], signal)
            found = showdown(masks, bucket, cards.pairs)
            for k in range(HANDS):
                pair = found.order[k]
                y, i, j = own[pair], found.rows[k, 0], found.rows[k, 1]
                a, b = cards.pairs[pair, 0], cards.pairs[pair, 1]
                for n in range(len(found.occur)):
                    z = found.occur[n]
                    wins[y, z] += weight * (found.ahead[i, n] + found.ahead[j, n])
                    meets[y, z] += weight * (found.meets[a, n] + found.meets[b, n])
                meets[y, found.occur[found.bucket[k]]] += weight
    return meets, wins
