"""Buckets of points: hands described by a row of numbers, such as where they may lead.

Everyday example: a librarian shelves books by how often they are borrowed in each season. Shelf by
shelf she adds one more, starts it with the book that fits worst, and moves books until none fits
better elsewhere.

    l2    error Σ w |x − c|²,  centre c = mean
    l1    error Σ w |x − c|₁,  centre c = median of every coordinate

Best centres for k buckets are searched from those for k − 1: each of the points that fit worst is
tried as one more centre ("global k-means", Likas, Vlassis & Verbeek 2003), points and centres are
moved in turn until nothing changes (Lloyd 1957), and the best result is kept. Among few points each
is then moved alone as long as that helps (Hartigan & Wong 1979). Nothing is drawn at random, and
the error never grows with k. It is a heuristic: on small decks the tests compare it with all
partitions there are.

The *earth mover's distance* between histograms over buckets on a line is the l1 distance of their
running sums, times the gaps between the buckets: see `running_sums`.

>>> points = np.array([[0.0, 1], [0, 1.2], [5, 5], [5, 5.4], [9, 0]])
>>> shelves = PointClusters(points, np.ones(5), 3, "l2")
>>> shelves.labels(3).tolist(), shelves.errors.round(2).tolist()
([0, 0, 1, 1, 2], [83.65, 28.79, 0.1])
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.kernels import kernel
from workbench.poker.buckets.line_clusters import distinct
from workbench.poker.strength.signals import Numbers, number
from workbench.settings import need_one_of, need_whole
from workbench.tree import FloatArray

CANDIDATES = 24  # points that are tried as one more centre; fewer where that is slow
WORK = 2_000_000  # numbers to compare for one more centre
FEW = 64  # points that are also moved one by one


class Cloud(NamedTuple):
    """Points to be put into buckets."""

    points: FloatArray  # (n, d)
    order: Numbers  # (d, n) the points sorted by each coordinate, for l1; empty for l2
    mass: FloatArray  # (n,)


class PointClusters:
    """Good buckets of points, for every count up to `most`."""

    def __init__(self, points: FloatArray, weights: FloatArray, most: int, distance: str) -> None:
        need_whole("most", most)
        need_one_of("distance", distance, ("l1", "l2"))
        different, self.where = distinct(points)
        mass = np.asarray(np.bincount(self.where, weights), np.float64)
        most = min(most, len(different))
        sorted_by = np.argsort(different.T, axis=1) if distance == "l1" else np.zeros((0, 0), int)
        self._cloud = Cloud(different, sorted_by, mass)
        self.errors, self.found = _global_means(self._cloud, most)

    def labels(self, buckets: int) -> Numbers:
        """(n,) the bucket of every point, numbered as they come."""
        return number(self.found[buckets - 1][self.where])

    def nearest(self, points: FloatArray, buckets: int) -> Numbers:
        """(n,) for other points the bucket whose centre is nearest; numbered anyhow."""
        found = np.zeros(len(points), np.int32)
        _nearest(points, self._cloud, self.found[buckets - 1], buckets, found)
        return found


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
def _global_means(cloud: Cloud, most: int) -> tuple[FloatArray, Numbers]:
    """(most,) errors and (most, n) buckets for 1, 2, … buckets."""
    points, order, mass = cloud
    n, d = points.shape
    errors = np.empty(most)
    found = np.zeros((most, n), np.int32)
    centres, trial, best = np.zeros((most, d)), np.zeros((most, d)), np.zeros((most, d))
    label = np.zeros(n, np.int32)
    misfit = np.empty(n)
    errors[0] = _error(cloud, label, 0, centres)
    for k in range(1, most):
        for x in range(n):
            misfit[x] = mass[x] * _distance(points, x, centres, found[k - 1, x], order)
        errors[k] = np.inf
        for one in range(max(1, min(CANDIDATES, n, WORK // (n * d * k)))):
            worst = np.argmax(misfit)
            if one > 0 and misfit[worst] <= 0.0:
                break
            misfit[worst] = -1.0
            for c in range(k + 1):  # to compile a slice would take four seconds
                for j in range(d):
                    trial[c, j] = centres[c, j] if c < k else points[worst, j]
            error = _lloyd(cloud, k + 1, trial, label)
            if n <= FEW:
                error = _move_alone(cloud, k + 1, trial, label)
            if error < errors[k]:
                errors[k] = error
                best, trial = trial, best
                for x in range(n):
                    found[k, x] = label[x]
        centres, best = best, centres
    return errors, found


@kernel
def _nearest(points: FloatArray, cloud: Cloud, label: Numbers, k: int, found: Numbers) -> None:
    """found: the buckets of `points`, by the centres of a cloud with these labels."""
    centres = np.zeros((k, points.shape[1]))
    for c in range(k):
        _centre(cloud, label, c, centres)
    for x in range(len(points)):
        _to_nearest(points, x, k, centres, cloud.order, found)


@kernel
def _to_nearest(
    points: FloatArray, x: int, k: int, centres: FloatArray, order: Numbers, label: Numbers
) -> float:
    """label[x]: the nearest of k centres; how far it is."""
    nearest = np.inf
    for c in range(k):
        away = _distance(points, x, centres, c, order)
        if away < nearest:
            nearest = away
            label[x] = c
    return nearest


@kernel
def _lloyd(cloud: Cloud, k: int, centres: FloatArray, label: Numbers) -> float:
    """Move points to the nearest centre and centres into the middle, until the error stays."""
    points, order, mass = cloud
    error = np.inf
    for _ in range(100):
        now = 0.0
        for x in range(len(points)):
            now += mass[x] * _to_nearest(points, x, k, centres, order, label)
        if now >= error:
            break
        error = now
        for c in range(k):
            _centre(cloud, label, c, centres)
    return error


@kernel
def _move_alone(cloud: Cloud, k: int, centres: FloatArray, label: Numbers) -> float:
    """Move one point to another bucket, as long as the error of both buckets falls."""
    errors = np.empty(k)
    for c in range(k):
        errors[c] = _error(cloud, label, c, centres)
    moved = True
    while moved:
        moved = False
        for x in range(len(label)):
            for c in range(k):
                old = label[x]
                label[x] = c
                here = _error(cloud, label, c, centres)
                there = _error(cloud, label, old, centres)
                if c != old and here + there < (errors[c] + errors[old]) * (1 - 1e-9):
                    errors[c], errors[old] = here, there
                    moved = True
                else:
                    label[x] = old
    total = 0.0
    for c in range(k):
        total += _error(cloud, label, c, centres)
    return total


@kernel
def _error(cloud: Cloud, label: Numbers, c: int, centres: FloatArray) -> float:
    """The error of one bucket, with its centre where that is least."""
    points, order, mass = cloud
    _centre(cloud, label, c, centres)
    total = 0.0
    for x in range(len(points)):
        if label[x] == c:
            total += mass[x] * _distance(points, x, centres, c, order)
    return total


@kernel
def _centre(cloud: Cloud, label: Numbers, c: int, centres: FloatArray) -> None:
    """Put the centre of bucket c where the error of its points is least."""
    points, order, mass = cloud
    total = 0.0
    for x in range(len(points)):
        if label[x] == c:
            total += mass[x]
    if total == 0.0:
        return
    for axis in range(points.shape[1]):
        sofar = 0.0
        if len(order) == 0:
            for x in range(len(points)):
                if label[x] == c:
                    sofar += mass[x] * points[x, axis]
            centres[c, axis] = sofar / total
        else:
            for place in range(len(points)):
                x = order[axis, place]
                if label[x] == c:
                    sofar += mass[x]
                    if sofar >= total / 2:
                        centres[c, axis] = points[x, axis]
                        break


@kernel
def _distance(points: FloatArray, x: int, centres: FloatArray, c: int, order: Numbers) -> float:
    """|x − c|₁, or |x − c|² without an order."""
    total = 0.0
    for axis in range(points.shape[1]):
        gap = points[x, axis] - centres[c, axis]
        total += gap * gap if len(order) == 0 else abs(gap)
    return total
