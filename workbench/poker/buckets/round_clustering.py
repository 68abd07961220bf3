"""The hands of one round, put into buckets within those of the round before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from workbench.poker.buckets.children import share_children
from workbench.poker.buckets.line_clusters import LineClusters, percentiles
from workbench.poker.buckets.point_clusters import PointClusters
from workbench.poker.strength.signals import Numbers
from workbench.tree import FloatArray

Method = Literal["percentile", "k-means"]
Distance = Literal["l1", "l2", "emd"]


class Clusters(Protocol):
    """Buckets for every count: what the integer program chooses from."""

    errors: FloatArray  # with 1, 2, … buckets

    def labels(self, buckets: int) -> Numbers: ...


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
