"""A lower bound in seconds: a responder who sees finer buckets than the strategy does.

Everyday example: the strategy knows two strengths of hands a round, you know five. Whatever you win
from it with your five, somebody who sees cards wins as well and more. So this is a lower bound on
how bad the strategy is, and a loose one: 187 of 426 mbb for k = 2.

Who meets whom is counted between two different bucketings (joint_buckets.py), on every 64th board
by default, 2,101 of them with their 20 orders; the responder's moves are chosen and judged on the
same boards, a bias upward that is small beside how loose the bound is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.poker.betting.betting import END
from workbench.poker.buckets.holdem_buckets import HoldemBuckets
from workbench.poker.buckets.joint_buckets import added, joint_buckets
from workbench.poker.engine.card_passes import KIND
from workbench.poker.response.response_rounds import Columns, columns, settled
from workbench.rules import GameError, shown
from workbench.tree import FloatArray

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
    theirs = strategy.played.buckets
    joint = joint_buckets(finer, every, progress, theirs=theirs)
    meets = joint.rounds(finer, theirs)
    first, second = (_answered(seat, meets, joint.wins, finer) for seat in seats)
    return first, second


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
            up = added(won, finer.parents(r), finer.classes[r - 1])
            later = up.reshape(len(up), seat[r - 1].folds.shape[2], -1)
    return float(won.sum())
