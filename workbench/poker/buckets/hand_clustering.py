"""Clustering hands: as many buckets as wanted in each round, by what hands are worth.

Everyday example: "strong", "middling" and "weak" are three buckets. How strong a hand is may be
said in three ways (`metric`):

    ehs         E[HS]: the probability to win at the showdown, against a random hand, ties half
    ehs2        E[HS²]: the mean of its square on the last round; a hand that will be either great
                or worthless counts for more than one that stays in the middle
    potential   where the hand may lead: its histogram over buckets of the next round, found bottom
                up; on the last round nothing is left to come, and E[HS] is used (GS3)

and hands are put into buckets in two ways (`method`):

    percentile  equally many hands in each (line_clusters.py)
    k-means     hands with similar worth, with the least error: exact on a line (line_clusters.py),
                a search among points for histograms (point_clusters.py), whose `distance` is l1,
                l2 or emd, the earth mover's

With perfect recall buckets are nested: a bucket is cut into children, and never mixed with
another. `buckets` are totals, and an integer program decides how many children each bucket gets
(round_clustering.py); percentiles cut each bucket into the same number, so there `buckets` says how
many. With imperfect recall a round is clustered as if there were none before it.

>>> from workbench.games.registry import load_game
>>> cluster_hands(load_game("rhode_island"), buckets=(13, 50, 250), metric="ehs")
HandBuckets 13-50-250 of 'rhode_island'

Where hands have fewer different strengths than buckets, there are fewer buckets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from workbench.poker.buckets.buckets import HandBuckets, by_class
from workbench.poker.buckets.gameshrink import gameshrink
from workbench.poker.buckets.holdem_clustering import CLASSES, STRENGTHS, cluster_holdem
from workbench.poker.buckets.line_clusters import distinct
from workbench.poker.buckets.point_clusters import running_sums
from workbench.poker.buckets.round_clustering import Clustering, Distance, Method
from workbench.poker.strength.hand_signals import hand_signals, need_card_game
from workbench.poker.strength.signals import Numbers, SignalTree, parents
from workbench.rules import GameError, shown
from workbench.settings import as_tuple, code, known_in, need_one_of, need_whole, unknown_name
from workbench.tree import FloatArray, hands_unlisted

Metric = Literal["ehs", "ehs2", "potential"]
Recall = Literal["perfect", "imperfect"]


def cluster_hands(
    rules: Any,
    buckets: Sequence[int],
    *,
    metric: Metric = "ehs",
    method: Method = "k-means",
    recall: Recall = "perfect",
    distance: Distance = "l2",
    strengths: Sequence[Any] | None = None,
) -> HandBuckets:
    """The buckets of a card game's hands, as many in each round as `buckets` says.

    `strengths`: for each round (boards, hands) numbers of your own instead of E[HS] or E[HS²].
    """
    found = _clustered(rules, buckets, metric, method, recall, distance, strengths)
    if strengths is None:
        how = {"metric": metric, "method": method, "recall": recall, "distance": distance}
        usual = ("ehs", "k-means", "perfect", "l2")
        said = {name: one for name, one in how.items() if one not in usual}
        found.made = code("cluster_hands", said, "rules", repr(tuple(map(int, buckets))))
    return found


def _clustered(
    rules: Any, buckets: Sequence[int], metric: Metric, method: Method, recall: Recall,
    distance: Distance, strengths: Sequence[Any] | None,
) -> HandBuckets:  # fmt: skip
    if not known_in(metric, ("ehs", "ehs2", "potential")):
        raise unknown_name("metric", metric, ("ehs", "ehs2", "potential"))
    need_one_of("method", method, ("k-means", "percentile"))
    need_one_of("recall", recall, ("perfect", "imperfect"))
    need_one_of("distance", distance, ("l1", "l2", "emd"))
    if metric != "potential" and distance != "l2":
        raise GameError(f'distance {distance!r} compares histograms: it goes with "potential"')
    if metric == "potential" and (method == "percentile" or strengths is not None):
        raise GameError(
            '"potential" compares histograms: it needs method="k-means" and no strengths'
        )
    if hands_unlisted(rules):
        how, perfect = Clustering(method, distance), recall == "perfect"
        if strengths is not None:
            raise GameError(f"{rules.name!r} has too many hands for strengths of one's own")
        wanted = _wanted(rules, buckets, [*CLASSES])
        whole = wanted if method == "k-means" and perfect else (1, 1, 1)  # totals, or of each
        many = [a * b for a, b in zip((1, *whole), STRENGTHS[metric], strict=False)]
        wanted = _wanted(rules, wanted, many)
        if metric == "potential" and perfect:
            raise GameError(
                f"{rules.name!r} has too many hands to compare histograms bucket by bucket; take "
                'recall="imperfect"'
            )
        return cluster_holdem(rules, wanted, metric, how, perfect)  # type: ignore[return-value]
    boards = need_card_game(rules)
    wanted = _wanted(rules, buckets, [one.num_classes for one in boards])
    weights = [one.sizes for one in boards]
    how = Clustering(method, distance)
    tree = hand_signals(rules)
    potential = _Potential(tree, weights, wanted, how)
    if metric == "potential" and recall == "imperfect":
        return HandBuckets(rules, potential.imperfect())
    own = potential.worth
    if metric == "ehs2":
        own = expected(tree, leaf_strengths(tree) ** 2)
    if strengths is not None:
        own = _given(rules, strengths)
    labels: list[Numbers] = []
    for r, count in enumerate(wanted):
        group: Numbers = np.zeros(tree.nodes[r], np.int64)
        if r and recall == "perfect":
            group = parents(tree.edges[r - 1], labels[-1])
        points = potential.points(r, group) if metric == "potential" else own[r]
        labels.append(how.round(points, weights[r], group, count))
    return HandBuckets(rules, labels)


def leaf_strengths(tree: SignalTree) -> FloatArray:
    """(leaves,) HS: the share of opponents that lose, ties half; outcomes are 0, 1, 2."""
    won = np.bincount(tree.leaf, tree.count * tree.outcome / 2)
    return won / np.bincount(tree.leaf, tree.count)


def expected(tree: SignalTree, values: FloatArray) -> list[FloatArray]:
    """For each round the mean of what a hand is worth on the last round, given by `values`."""
    found = [values]
    for edges in reversed(tree.edges):
        total = np.bincount(edges.parent, edges.count * found[0][edges.child])
        found.insert(0, total / np.bincount(edges.parent, edges.count))
    return found


class _Potential:
    """Buckets by where hands may lead. With perfect recall a hand is compared only with hands that
    were in its bucket before (its *group*), also in the bottom-up pass that leads to its round."""

    def __init__(
        self, tree: SignalTree, weights: list[FloatArray], wanted: Sequence[int], how: Clustering
    ) -> None:
        self.tree, self.weights, self.wanted, self.how = tree, weights, wanted, how
        self.worth = expected(tree, leaf_strengths(tree))

    def imperfect(self) -> list[Numbers]:
        """For each round (nodes,) the buckets, from the last round up."""
        labels: list[Numbers] = []
        for r in reversed(range(len(self.wanted))):
            alone = np.zeros(self.tree.nodes[r], np.int64)
            points = self._histograms(r, alone, labels[0]) if labels else self.worth[r]
            labels.insert(0, self._separately(r, points, alone))
        return labels

    def points(self, r: int, group: Numbers) -> FloatArray:
        """(nodes, …) a point for every hand of round r: the bottom-up pass."""
        if r == len(self.wanted) - 1:
            return self.worth[r]
        below = parents(self.tree.edges[r], group)
        buckets = self._separately(r + 1, self.points(r + 1, below), below)
        return self._histograms(r, group, buckets)

    def _separately(self, r: int, points: FloatArray, group: Numbers) -> Numbers:
        """(nodes,) buckets of round r, in each group as many as the whole round may have."""
        label = np.empty(len(points), np.int64)
        for one in range(int(group.max()) + 1):
            own = np.flatnonzero(group == one)
            different, where = distinct(points[own])
            if len(different) > self.wanted[r]:
                way = self.how.ways(points[own], self.weights[r][own], self.wanted[r])
                where = way.labels(len(way.errors))
            label[own] = where
        return label

    def _histograms(self, r: int, group: Numbers, buckets: Numbers) -> FloatArray:
        """(nodes, buckets) with which probability a hand of round r leads to each bucket of the
        next round; running sums for emd, with buckets at their mean worth."""
        edges, size = self.tree.edges[r], int(buckets.max()) + 1
        table = np.zeros((self.tree.nodes[r], size))
        np.add.at(table, (edges.parent, buckets[edges.child]), edges.count)
        table /= table.sum(axis=1, keepdims=True)
        if self.how.distance != "emd":
            return table
        below = parents(edges, group)
        moved = np.zeros((len(table), max(size - 1, 1)))
        for one in range(int(group.max()) + 1):
            own = below == one
            mass = np.bincount(buckets[own], self.weights[r + 1][own])
            worth = np.bincount(buckets[own], (self.weights[r + 1] * self.worth[r + 1])[own]) / mass
            rows = running_sums(table[group == one, : len(worth)], worth)
            moved[group == one, : rows.shape[1]] = rows
        return moved


def named_buckets(rules: Any, name: str) -> HandBuckets:
    """The buckets of a name: "3333", a digit for each round, are nested percentiles of E[HS²];
    "13-50-250", numbers with dashes, are totals for k-means by E[HS], and on Hold'em ("169-3-3-3")
    percentiles of E[HS²] that forget the rounds before. "gameshrink" is `wb.gameshrink(rules)`.

    >>> from workbench.games.registry import load_game
    >>> named_buckets(load_game("rhode_island", ranks=4, suits=2), "2-5-9")
    HandBuckets 2-5-9 of 'rhode_island(ranks=4, suits=2)'
    """
    by_signal = hands_unlisted(rules)
    if name == "gameshrink" and not by_signal:
        return gameshrink(rules)  # type: ignore[no-any-return]
    counts = name.split("-") if "-" in name else list(name)
    if len(counts) != len(rules.public_cards) or not all(
        one.isascii() and one.isdecimal() for one in counts
    ):
        raise unknown_name("abstraction", name, rules.bucket_names)
    wanted = [*map(int, counts)]
    if "-" not in name:
        return cluster_hands(rules, wanted, metric="ehs2", method="percentile")
    if by_signal:
        forget: Any = {"metric": "ehs2", "method": "percentile", "recall": "imperfect"}
        return cluster_hands(rules, wanted, **forget)
    return cluster_hands(rules, wanted)


def _wanted(rules: Any, buckets: Any, most: list[int]) -> tuple[int, ...]:
    """Refuse what is not one possible number of buckets for each round."""
    if isinstance(buckets, (str, int, float)) or not hasattr(buckets, "__iter__"):
        raise GameError(
            f"buckets must be a number for each of the {len(most)} rounds of {rules.name!r}, such "
            f"as {tuple(min(there, 3) for there in most)}, not {shown(buckets)}"
        )
    wanted = as_tuple(buckets)
    if len(wanted) != len(most):
        raise GameError(
            f"buckets {shown(wanted)} are for {len(wanted)} rounds, but {rules.name!r} has "
            f"{len(most)}; give a number for each"
        )
    for r, (count, there) in enumerate(zip(wanted, most, strict=True), start=1):
        if need_whole(f"buckets of round {r}", count) > there:
            raise GameError(
                f"{count:,} buckets are too many for round {r} of {rules.name!r}: it has "
                f"{there:,} hands that can be told apart; ask for at most so many"
            )
    return wanted


def _given(rules: Any, strengths: Any) -> list[FloatArray]:
    """For each round (classes,) the strengths that somebody gave for boards and hands."""
    boards, tables = need_card_game(rules), as_tuple(strengths)
    if len(tables) != len(boards):
        raise GameError(
            f"strengths are a table, boards by hands, for each of the {len(boards)} rounds of "
            f"{rules.name!r}, not {shown(strengths)}"
        )
    return [
        by_class("strengths", table, one, f"round {r} of {rules.name!r}")
        for r, (table, one) in enumerate(zip(tables, boards, strict=True), start=1)
    ]
