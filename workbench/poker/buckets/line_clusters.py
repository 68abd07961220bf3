"""Buckets on a line: cut numbers into groups, by equal shares or with the least error.

Everyday example: shirts come in four sizes. Either a quarter of all people wears each size
(percentiles), or sizes are chosen so that shirts fit as well as possible (k-means).

    percentile   bucket b holds the values whose mass lies between b/k and (b+1)/k; equal values
                 stay together, where the middle of their mass falls
    k-means      the cuts with the least Σ w (x − mean of its bucket)², exactly. With values
                 sorted, a bucket is an interval, and the best cuts for k buckets of the first i
                 values follow from those for k − 1 (dynamic programming):
                     E(k, i) = min_j E(k − 1, j) + error of the values j … i − 1
                 The best j does not fall as i grows, so each row is filled by halving:
                 O(k n log n) instead of O(k n²).

>>> sizes = LineClusters(np.array([1.0, 2, 3, 11, 12, 30]), np.ones(6), 3)
>>> sizes.errors.round(1).tolist(), sizes.labels(3).tolist()
([598.8, 110.8, 2.5], [0, 0, 0, 1, 1, 2])
>>> percentiles(np.array([1.0, 2, 3, 11, 12, 30]), np.ones(6), 3).tolist()
[0, 0, 1, 1, 2, 2]
"""

from __future__ import annotations

import numpy as np

from workbench.kernels import kernel
from workbench.poker.strength.signals import Numbers
from workbench.rules import GameError, shown
from workbench.settings import need_whole
from workbench.tree import FloatArray


def percentiles(values: FloatArray, weights: FloatArray, buckets: int) -> Numbers:
    """(n,) the bucket of every value; where one value is too heavy, there are fewer buckets."""
    need_whole("buckets", buckets)
    _, where = distinct(values)
    mass = np.bincount(where, weights)
    middle = (np.cumsum(mass) - mass / 2) / mass.sum()
    bucket = np.minimum((middle * buckets).astype(np.int64), buckets - 1)
    return np.unique(bucket, return_inverse=True)[1][where]


def distinct(points: FloatArray) -> tuple[FloatArray, Numbers]:
    """The different numbers or rows among points, and (n,) which of them each one is. What differs
    by less than a part in 10¹¹ of the largest differs by rounding."""
    if not len(points) or not np.isfinite(points).all():
        raise GameError(f"buckets are cut from finite numbers, at least one, not {shown(points)}")
    unit = float(np.abs(points).max()) * 1e-11 or 1.0
    different, where = np.unique(np.round(points / unit), axis=0, return_inverse=True)
    return different * unit, where.ravel()


class LineClusters:
    """The best buckets of numbers on a line, for every count up to `most`."""

    def __init__(self, values: FloatArray, weights: FloatArray, most: int) -> None:
        need_whole("most", most)
        different, self.where = distinct(values)
        mass = np.bincount(self.where, weights)
        most = min(most, len(different))
        centred = different - (mass @ different) / mass.sum()  # small numbers lose no digits
        sums = [np.concatenate([[0.0], np.cumsum(mass * centred**p)]) for p in (0, 1, 2)]
        self.errors, self.start = _best_cuts(np.array(sums), most)  # (most,), (most, n + 1)

    def labels(self, buckets: int) -> Numbers:
        """(n,) the bucket of every value, 0 for the lowest."""
        end = self.start.shape[1] - 1
        label = np.empty(end, np.int64)
        for k in range(buckets - 1, -1, -1):
            begin = int(self.start[k, end])
            label[begin:end] = k
            end = begin
        return label[self.where]


@kernel
def _best_cuts(sums: FloatArray, most: int) -> tuple[FloatArray, Numbers]:
    """(most,) the error with 1, 2, … buckets; (most, n + 1) where the last bucket of the first i
    values begins."""
    n = sums.shape[1] - 1
    start = np.zeros((most, n + 1), np.int32)
    errors = np.empty(most)
    before, after = np.empty(n + 1), np.empty(n + 1)
    for i in range(n + 1):
        before[i] = _error(sums, 0, i)
    errors[0] = before[n]
    for k in range(1, most):
        step = 1 << 30
        while step > 0:  # each i lies between two whose cuts are known, or at an edge
            for i in range(step, n + 1, 2 * step):
                if i <= k:
                    continue
                least = start[k, i - step] if i - step > k else k
                largest = start[k, i + step] if i + step <= n else n - 1
                best, where = np.inf, least
                for j in range(least, min(i - 1, largest) + 1):
                    cost = before[j] + _error(sums, j, i)
                    if cost < best:
                        best, where = cost, j
                after[i], start[k, i] = best, where
            step //= 2
        before, after = after, before
        errors[k] = before[n]
    return errors, start


@kernel
def _error(sums: FloatArray, begin: int, end: int) -> float:
    """Σ w (x − mean)² of the values begin … end − 1, from running sums of w, w x and w x²."""
    mass = sums[0, end] - sums[0, begin]
    if mass <= 0.0:
        return 0.0
    moment = sums[1, end] - sums[1, begin]
    error: float = sums[2, end] - sums[2, begin] - moment * moment / mass
    return max(0.0, error)
