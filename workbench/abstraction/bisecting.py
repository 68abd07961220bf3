"""Bisecting k-means: cut the worst bucket in two, and again.

Everyday example: sort a drawer of socks by colour into four boxes. Put them all into one; as long
as there are boxes left, take the one with the greatest mixture and divide it.

    1.  error of a bucket = Σ w |x − mean|², the weighted squared distances to its mean
    2.  cut the bucket with the largest error across its longest axis, where most is gained
    3.  points move to the nearer of the two means, until none wants to
    4.  until there are enough buckets, or all points of each bucket are equal

Nothing is drawn at random. Points may come in groups that are never mixed.

>>> x = np.array([[0.0], [0.1], [5.0], [5.2], [9.0]])
>>> divide([(np.arange(5, dtype=np.int32), x)], np.ones(5), 3)
array([0, 0, 1, 1, 2], dtype=int32)
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from workbench.tree import FloatArray, IntArray

Group = tuple[IntArray, FloatArray]  # numbers of items, and a point for each


def divide(groups: list[Group], weights: FloatArray, buckets: int) -> IntArray:
    """(M,) the bucket of every item: cut the worst one until there are enough."""
    heap = [
        (-_error(points, weights[members]), number, members, points)
        for number, (members, points) in enumerate(groups)
    ]
    heapq.heapify(heap)
    number = len(heap)
    while len(heap) < buckets and heap[0][0] < 0:
        error, _, members, points = heapq.heappop(heap)
        right = _cut(points, weights[members])
        if right is None:  # all the same but for rounding
            heapq.heappush(heap, (0.0, number, members, points))
        else:
            for side in (~right, right):
                error = -_error(points[side], weights[members[side]])
                heapq.heappush(heap, (error, number, members[side], points[side]))
                number += 1
        number += 1
    out = np.empty(len(weights), np.int32)
    for bucket, (_, _, members, _) in enumerate(sorted(heap, key=lambda cut: int(cut[2][0]))):
        out[members] = bucket
    out.flags.writeable = False
    return out


def _error(points: FloatArray, weights: FloatArray) -> float:
    """Σ w |x − mean|²"""
    if len(points) < 2:
        return 0.0
    mean = weights @ points / weights.sum()
    return float(weights @ ((points - mean) ** 2).sum(axis=1))


def _cut(points: FloatArray, weights: FloatArray) -> NDArray[np.bool_] | None:
    """Which points go to the right half; None if they are all the same."""
    centred = points - weights @ points / weights.sum()
    axis = np.linalg.eigh((centred.T * weights) @ centred)[1][:, -1]  # the longest
    along = centred @ axis
    order = np.argsort(along, kind="stable")
    mass = np.cumsum(weights[order])[:-1]
    moment = np.cumsum((centred * weights[:, None])[order], axis=0)[:-1]
    between = (moment**2).sum(axis=1) * (1 / mass + 1 / (weights.sum() - mass))
    between[np.diff(along[order]) <= 1e-12 * np.abs(along).max()] = -1.0  # keep equals together
    best = int(np.argmax(between))
    if between[best] <= 0:
        return None
    right = np.zeros(len(points), np.bool_)
    right[order[best + 1 :]] = True
    for _ in range(20):
        means = [weights[side] @ centred[side] / weights[side].sum() for side in (~right, right)]
        middle, towards = (means[0] + means[1]) / 2, means[1] - means[0]
        moved = (centred - middle) @ towards > 0
        if moved.all() or not moved.any() or (moved == right).all():
            break
        right = moved
    return right
