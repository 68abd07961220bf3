"""Buckets of points: hands described by a row of numbers, such as where they may lead.

Everyday example: a librarian shelves books by how often they are borrowed in each season. Shelf by
shelf she adds one more, starts it with the book that fits worst, and moves books until none fits
better elsewhere.

    l2    error Σ w |x − c|²,  centre c = mean
    l1    error Σ w |x − c|₁,  centre c = median of every coordinate

Best centres for k buckets are searched from those for k − 1: each of the points that fit worst is
tried as one more centre ("global k-means", Likas, Vlassis & Verbeek 2003), points and centres are
moved in turn until nothing changes (Lloyd 1957), and the best result is kept. Nothing is drawn at
random, and the error never grows with k. It is a heuristic: on small decks the tests compare it
with all partitions there are.

The *earth mover's distance* between histograms over buckets on a line is the l1 distance of their
running sums, times the gaps between the buckets: see `running_sums`.

>>> points = np.array([[0.0, 1], [0, 1.2], [5, 5], [5, 5.4], [9, 0]])
>>> shelves = PointClusters(points, np.ones(5), 3, "l2")
>>> shelves.labels(3).tolist(), shelves.errors.round(2).tolist()
([0, 0, 1, 1, 2], [83.65, 28.79, 0.1])
"""

from __future__ import annotations

import numpy as np

from workbench.abstraction.line_clusters import distinct
from workbench.abstraction.signals import Numbers
from workbench.kernels import kernel
from workbench.tree import FloatArray

CANDIDATES = 24  # points that are tried as one more centre; fewer where that is slow
WORK = 2_000_000  # numbers to compare for one more centre


class PointClusters:
    """Good buckets of points, for every count up to `most`."""

    def __init__(self, points: FloatArray, weights: FloatArray, most: int, distance: str) -> None:
        different, self.where = distinct(points)
        mass = np.asarray(np.bincount(self.where, weights), np.float64)
        most = min(most, len(different))
        self.errors, self.found = _global_means(different, mass, most, distance == "l1")

    def labels(self, buckets: int) -> Numbers:
        """(n,) the bucket of every point, numbered as they come."""
        label: Numbers = self.found[buckets - 1][self.where]
        _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
        return np.argsort(np.argsort(first))[inverse]


def running_sums(histograms: FloatArray, positions: FloatArray) -> FloatArray:
    """Rows whose l1 distance is the earth mover's distance between histograms over buckets at
    these positions on a line.

    >>> moved = running_sums(np.array([[1.0, 0, 0], [0, 0, 1]]), np.array([0.0, 0.5, 2.0]))
    >>> float(np.abs(moved[0] - moved[1]).sum())
    2.0
    """
    order = np.argsort(positions, kind="stable")
    gaps = np.diff(positions[order])
    sums: FloatArray = np.cumsum(histograms[:, order], axis=1)[:, :-1] * gaps
    return sums if sums.shape[1] else np.zeros((len(histograms), 1))


@kernel
def _global_means(
    points: FloatArray, mass: FloatArray, most: int, city: bool
) -> tuple[FloatArray, Numbers]:
    """(most,) errors and (most, n) buckets for 1, 2, … buckets."""
    n, d = points.shape
    errors = np.empty(most)
    found = np.zeros((most, n), np.int32)
    centres = np.zeros((most, d))
    _centre(points, mass, found[0], 0, city, centres)
    far = np.empty(n)
    for x in range(n):
        far[x] = _distance(points[x], centres[0], city)
    errors[0] = (mass * far).sum()
    trial = np.zeros((most, d))
    label = np.zeros(n, np.int32)
    for k in range(1, most):
        worst = np.argsort(-(mass * far))
        errors[k] = np.inf
        best = centres.copy()
        tried = max(1, min(CANDIDATES, n, WORK // (n * d * k)))
        for one in range(tried):
            if one > 0 and far[worst[one]] == 0.0:
                break
            trial[:k] = centres[:k]
            trial[k] = points[worst[one]]
            error = _lloyd(points, mass, k + 1, city, trial, label)
            if error < errors[k]:
                errors[k] = error
                best[: k + 1] = trial[: k + 1]
                found[k] = label
        centres[:] = best
        for x in range(n):
            far[x] = _distance(points[x], centres[found[k, x]], city)
    return errors, found


@kernel
def _lloyd(
    points: FloatArray, mass: FloatArray, k: int, city: bool, centres: FloatArray, label: Numbers
) -> float:
    """Move points to the nearest centre and centres into the middle, until the error stays."""
    n = len(points)
    error = np.inf
    count = np.zeros(k, np.int64)
    for _ in range(100):
        now = 0.0
        count[:] = 0
        for x in range(n):
            best, where = np.inf, 0
            for c in range(k):
                away = _distance(points[x], centres[c], city)
                if away < best:
                    best, where = away, c
            label[x] = where
            count[where] += 1
            now += mass[x] * best
        if now >= error:
            break
        error = now
        for c in range(k):
            if count[c] > 0:
                _centre(points, mass, label, c, city, centres)
    return error


@kernel
def _centre(
    points: FloatArray, mass: FloatArray, label: Numbers, c: int, city: bool, centres: FloatArray
) -> None:
    """Put the centre of bucket c where the error of its points is least."""
    members = np.flatnonzero(label == c)
    own = mass[members]
    total = own.sum()
    for axis in range(points.shape[1]):
        values = points[members, axis]
        if city:
            order = np.argsort(values)
            sofar = 0.0
            for x in order:
                sofar += own[x]
                if sofar >= total / 2:
                    centres[c, axis] = values[x]
                    break
        else:
            centres[c, axis] = (own * values).sum() / total


@kernel
def _distance(x: FloatArray, centre: FloatArray, city: bool) -> float:
    """|x − c|₁, or |x − c|²."""
    total = 0.0
    for axis in range(len(x)):
        gap = x[axis] - centre[axis]
        total += abs(gap) if city else gap * gap
    return total
