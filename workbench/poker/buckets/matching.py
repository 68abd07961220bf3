"""Matching futures: how different two signals are, and merging those that hardly differ.

Everyday example: two travellers compare their itineraries. Each city of the one is paired with a
city of the other so that as few days as possible are spent in different weather; that smallest
share of different days is how different the journeys are.

    penalty of two leaves        half the L1 distance between their histograms of outcomes: the
                                 share of opponents against whom they end differently
    penalty of two inner nodes   the smallest mean penalty of a perfect matching between their
                                 children (a weighted bipartite matching)

Matching two nodes costs time, so easy necessary conditions come first: the mean histograms below
two nodes never differ by more than the penalty, and children both have are paired with each other.
Nodes are compared by type; there are far fewer types than nodes.
"""

from __future__ import annotations

import math
from itertools import combinations, product

import numpy as np
from scipy.cluster.hierarchy import DisjointSet
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from workbench.poker.strength.signals import Numbers, SignalTree, number, parents
from workbench.tree import FloatArray


def merge_similar(
    tree: SignalTree, types: tuple[Numbers, ...], threshold: float
) -> tuple[Numbers, ...]:
    """For each round (nodes,) the classes: from the top, siblings with a penalty of at most
    `threshold` are merged, and their children become siblings."""
    penalties = Penalties(tree, types)
    above: Numbers = np.zeros(tree.nodes[0], np.int64)
    classes: list[Numbers] = []
    for r, kinds in enumerate(types):
        if r:
            above = parents(tree.edges[r - 1], classes[-1])
        merged = np.empty(len(kinds), np.int64)
        for siblings in np.split(
            np.argsort(above, kind="stable"), np.cumsum(np.bincount(above))[:-1]
        ):
            alike = penalties.merge(r, kinds[siblings], threshold)
            merged[siblings] = alike
        classes.append(number(merged + (int(merged.max()) + 1) * above))
    return tuple(classes)


class Penalties:
    """The penalty of any two types of a round, each computed once."""

    def __init__(self, tree: SignalTree, types: tuple[Numbers, ...]) -> None:
        sizes = [int(kinds.max()) + 1 for kinds in types]
        nodes = [np.unique(kinds, return_index=True)[1] for kinds in types]  # one of each type
        self.children: list[Numbers] = []  # for each round but the last (types, types below)
        for r, edges in enumerate(tree.edges):
            table = np.zeros((sizes[r], sizes[r + 1]), np.int64)
            mine = np.isin(edges.parent, nodes[r])
            at = types[r][edges.parent[mine]], types[r + 1][edges.child[mine]]
            np.add.at(table, at, edges.count[mine])
            self.children.append(table)
        histograms = np.zeros((sizes[-1], int(tree.outcome.max()) + 1))
        mine = np.isin(tree.leaf, nodes[-1])
        np.add.at(histograms, (types[-1][tree.leaf[mine]], tree.outcome[mine]), tree.count[mine])
        self.means: list[FloatArray] = [_shares(histograms)]  # for each round (types, outcomes)
        for below in reversed(self.children):
            self.means.insert(0, _shares(below) @ self.means[0])
        self.known = [np.full((many, many), np.nan) for many in sizes[:-1]]  # penalties so far

    def of(self, r: int, one: int, two: int) -> float:
        """The penalty of two types of round r."""
        return float(self.costs(r, np.array([one]), np.array([two]))[0, 0])

    def costs(self, r: int, left: Numbers, right: Numbers) -> FloatArray:
        """(left, right) the penalties between types of round r."""
        found: FloatArray
        if r == len(self.children):
            found = cdist(self.means[r][left], self.means[r][right], "cityblock") / 2
            return found
        known = self.known[r]
        for one, two in product(np.unique(left).tolist(), np.unique(right).tolist()):
            if np.isnan(known[one, two]):
                known[one, two] = known[two, one] = self._match(r, one, two)
        found = known[np.ix_(left, right)]
        return found

    def bound(self, r: int, one: int, two: int) -> float:
        """No penalty is below this; that of leaves is just this."""
        return float(np.abs(self.means[r][one] - self.means[r][two]).sum()) / 2

    def _match(self, r: int, one: int, two: int) -> float:
        first, second = self.children[r][one], self.children[r][two]
        common = math.lcm(int(first.sum()), int(second.sum()))
        more = first * (common // int(first.sum())) - second * (common // int(second.sum()))
        left = np.repeat(np.arange(len(more)), np.maximum(more, 0))  # what only the first has
        right = np.repeat(np.arange(len(more)), np.maximum(-more, 0))
        cost = self.costs(r + 1, left, right)
        return float(cost[linear_sum_assignment(cost)].sum()) / common

    def merge(self, r: int, kinds: Numbers, threshold: float) -> Numbers:
        """(nodes,) a type for each of these siblings: one for all that are merged."""
        there = np.unique(kinds).tolist()
        sets = DisjointSet(there)
        limit = threshold + 1e-12  # histograms are divided: rounding
        for one, two in combinations(there, 2):
            hopeless = self.bound(r, one, two) > limit or sets.connected(one, two)
            if not hopeless and self.of(r, one, two) <= limit:
                sets.merge(one, two)
        return np.array([sets[kind] for kind in there])[np.searchsorted(there, kinds)]


def _shares(table: FloatArray | Numbers) -> FloatArray:
    shares: FloatArray = table / table.sum(axis=1, keepdims=True)
    return shares
