"""The hands of one round, put into buckets within those of the round before.

How many children does each bucket get? That is the integer program of GS2 and GS3. Everyday
example: a school has twelve teachers for five year groups. A year is taught better in smaller
classes, but some years gain more from a third class than others. The program gives every year so
many classes that the total error is least:

    min  Σ_i Σ_k error_i(k) x_ik     x_ik = 1: bucket i of the round before gets k children
    s.t. Σ_k x_ik = 1                for each i
         Σ_i Σ_k k x_ik ≤ K          as many buckets as this round may have

`error_i(k)` is the error of cutting bucket i into k, weighted by the probability of the bucket.
HiGHS solves it: 100 buckets with 750 children on Rhode Island in a twentieth of a second.

>>> share_children([np.array([9.0, 1.0, 0.5]), np.array([4.0, 2.0, 1.0])], 4)
array([2, 2])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from workbench.poker.buckets.line_clusters import LineClusters, percentiles
from workbench.poker.buckets.point_clusters import PointClusters
from workbench.poker.strength.signals import Numbers
from workbench.rules import GameError
from workbench.tree import FloatArray

Method = Literal["percentile", "k-means"]
Distance = Literal["l1", "l2", "emd"]
Clusters = LineClusters | PointClusters  # for every count: what the integer program chooses from


@dataclass(frozen=True)
class Clustering:
    """How to put the hands of one round into buckets."""

    method: Method = "k-means"
    distance: Distance = "l2"

    def round(
        self, points: FloatArray, weights: FloatArray, parent: Numbers, buckets: int
    ) -> Numbers:
        """(n,) the bucket of every hand. `points`: (n,) numbers or (n, d) rows; `weights`: (n,)
        how much a hand counts; `parent`: (n,) its bucket in the round before, all 0 if nobody
        remembers it. Buckets of one parent are neighbours, from weak to strong."""
        groups = [np.flatnonzero(parent == one) for one in range(int(parent.max()) + 1)]
        if self.method == "percentile":
            found = [percentiles(points[own], weights[own], buckets) for own in groups]
        else:
            most = buckets - len(groups) + 1
            ways = [self.ways(points[own], weights[own], most) for own in groups]
            shares = share_children([way.errors for way in ways], buckets)
            found = [way.labels(int(k)) for way, k in zip(ways, shares, strict=True)]
        label, used = np.empty(len(points), np.int64), 0
        for own, of in zip(groups, found, strict=True):
            label[own] = of + used
            used += int(of.max()) + 1
        return label

    def ways(self, points: FloatArray, weights: FloatArray, most: int) -> Clusters:
        """The buckets of these hands for every count up to `most`."""
        if points.ndim == 1:
            return LineClusters(points, weights, max(most, 1))
        city = "l2" if self.distance == "l2" else "l1"
        return PointClusters(points, weights, max(most, 1), city)


def share_children(errors: Sequence[FloatArray], total: int) -> Numbers:
    """(parents,) how many children each gets; errors[i][k - 1] is the error of parent i with k."""
    sizes = np.array([len(of) for of in errors])
    if not len(errors) or not sizes.all() or not all(np.isfinite(of).all() for of in errors):
        raise GameError("errors: every parent needs its errors with 1, 2, … children, all finite")
    if total < len(errors):
        raise GameError(
            f"{total:,} buckets are too few for a round whose round before has {len(errors):,}: "
            "with perfect recall each of them needs at least one; ask for more, or for "
            'recall="imperfect"'
        )
    best = np.array([int(np.argmin(of)) + 1 for of in errors])
    if best.sum() <= total:  # there is enough for all
        return best
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix

    parent = np.repeat(np.arange(len(errors)), sizes)
    children = np.concatenate([np.arange(1, size + 1) for size in sizes])
    cost = np.concatenate([np.asarray(of, np.float64) for of in errors])
    columns = np.arange(len(parent))
    one_each = csr_matrix((np.ones(len(parent)), (parent, columns)))
    found = milp(
        cost / max(float(cost.max()), 1e-300),
        integrality=np.ones(len(cost), np.int64),
        bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(one_each, 1, 1),
            LinearConstraint(children[None, :], -np.inf, total),
        ],
        options={"mip_rel_gap": 0.0},
    )
    if found.x is None:
        raise GameError(f"HiGHS found no way to share {total:,} buckets: {found.message}")
    chosen = np.flatnonzero(found.x > 0.5)
    return children[chosen]
