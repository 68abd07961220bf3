"""Clustering: let a strategy say which information sets are alike.

Everyday example: a trainer who has watched a thousand games does not sort positions by the number
of cards left, but by what became of them. Here the thousand games are a strategy, trained for a
short while; what became of a set I is how often each action was taken there, and what it is worth,

    q(I, a) = Σ_{h ∈ I} π_-i(h) u_i(h·a) / Σ_{h ∈ I} π_-i(h)

where π_-i is the reach of chance and the others, and u_i what player i wins if all go on as the
strategy says (with a small tremble, so that everything is reached). Sets whose actions are worth
the same may be played the same.

`cluster` divides them into as many buckets as wanted by bisecting k-means, as a drawer of socks is
sorted by colour into four boxes: all go into one; as long as there are boxes left, the one with the
greatest mixture is divided.

    1.  error of a bucket = Σ w |x − mean|², the weighted squared distances to its mean
    2.  cut the bucket with the largest error across its longest axis, where most is gained
    3.  points move to the nearer of the two means, until none wants to
    4.  until there are enough buckets, or all points of each bucket are equal

Nothing is drawn at random.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> rule = cluster(tree, strength(wb.Strategy.uniform(tree)), buckets=66)
>>> wb.abstract(tree, rule)
Abstraction '66 buckets' of 'leduc': 936 -> 66 infosets
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.abstraction.abstraction import (
    AbstractionFunction,
    Chain,
    Rule,
    answers,
    chain,
    label_and_names,
    list_abstractions,
)
from workbench.passes import counterfactual
from workbench.rules import GameError
from workbench.settings import need_number, need_whole
from workbench.strategy import Strategy, need_numbers, need_strategy
from workbench.tree import FloatArray, GameTree, IntArray, frozen, need_tree

Group = tuple[IntArray, FloatArray]  # numbers of items, and a point for each


class Strength(NamedTuple):
    """What a strategy thinks of every choice, and how often it comes to every infoset."""

    values: FloatArray  # (K,) q(I, a)
    probs: FloatArray  # (K,) σ(I, a)
    weights: FloatArray  # (M,) π(I)


def strength(strategy: Strategy, *, tremble: float = 0.01) -> Strength:
    """The worth of every choice when all play `strategy`, but uniformly with chance `tremble`."""
    tree = need_strategy(strategy).tree
    if tree.num_infosets == 0:
        raise GameError(f"nobody decides anything in {tree.name!r}")
    if not 0 < need_number("tremble", tremble) <= 1:
        raise GameError(f"tremble must be above 0 and at most 1, not {tremble!r}")
    sizes = np.diff(tree.first_choice)
    probs = (1 - tremble) * strategy.probs + tremble / np.repeat(sizes, sizes)
    values, weights = np.zeros(tree.num_choices), np.zeros(tree.num_infosets)
    reached = np.zeros(tree.num_infosets)  # Σ π_-i(h)
    for i in range(tree.num_players):
        hers, others, own = counterfactual(tree, probs, i)
        values += hers
        mine = np.flatnonzero(tree.player == i)
        np.add.at(reached, tree.infoset[mine], others[mine])
        np.add.at(weights, tree.infoset[mine], others[mine] * own[mine])
    return Strength(values / np.repeat(reached, sizes), strategy.probs, weights)


@dataclass(frozen=True, eq=False)
class ClusterRule:
    """A rule that remembers what `within` does, and the bucket of an infoset; see `cluster`."""

    tree: GameTree
    within: Rule
    bucket: IntArray  # (M,)
    name: str

    def for_tree(self, tree: GameTree) -> AbstractionFunction:
        if not tree.same_as(self.tree):
            raise GameError(f"{self.name!r} was made for {self.tree!r}, not for {tree!r}")
        function = chain(self.within).for_tree(tree)
        where, bucket = tree.infoset_of, self.bucket.tolist()

        def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Hashable, list[Any]]:
            label, names = label_and_names(function(player, seen, actions), seen, actions)
            return (label, bucket[where[player, seen]]), names

        return rule


def decision_kinds(tree: GameTree) -> Rule | str:
    """The rule that forgets everything but what kind of decision it is."""
    return "naive-by-kind" if "naive-by-kind" in list_abstractions(tree) else same_actions


def same_actions(player: int, seen: Any, actions: tuple[Any, ...]) -> Hashable:
    """Whatever has the same actions may be merged."""
    return tuple(sorted(map(str, actions)))


def cluster(
    tree: GameTree,
    features: Strength | FloatArray,
    *,
    buckets: int,
    within: Rule | str | None = None,
    weights: FloatArray | None = None,
    name: str = "",
) -> ClusterRule:
    """The rule that merges infosets with similar features into `buckets` coarse ones.

    `features`: the `strength` of a strategy, or an array with one row for each infoset or for each
    choice; those of choices are lined up by the names that `within` gives to actions. `within`: a
    rule, and only what it merges may be merged; by default what has the same actions (in Toepen
    what is the same kind of decision, with cards from low to high). `weights`: (M,) how
    much each infoset counts. Where there are fewer different points, there are fewer buckets.
    """
    need_tree(tree)
    if isinstance(features, Strength):
        weights = features.weights if weights is None else weights
        features = np.column_stack([features.values, features.probs])
    within = decision_kinds(tree) if within is None else within
    rows = need_numbers("features", features, None, "a game")
    rows = rows[:, None] if rows.ndim == 1 else rows
    sizes = tree.num_infosets, tree.num_choices
    if rows.ndim != 2 or len(rows) not in sizes or not np.isfinite(rows).all():
        raise GameError(
            f"features must be finite numbers, one row for each of the {sizes[0]:,} infosets or of "
            f"the {sizes[1]:,} choices of {tree.name!r}; their shape is {np.shape(features)}"
        )
    heavy = np.ones(sizes[0]) if weights is None else np.asarray(weights, np.float64)
    if heavy.shape != sizes[:1] or not (np.isfinite(heavy).all() and (heavy >= 0).all()):
        raise GameError(f"weights must be {sizes[0]:,} numbers, one per infoset, none below 0")
    rule = chain(within)
    groups = _groups(tree, rule, rows)
    if need_whole("buckets", buckets) < len(groups):
        raise GameError(
            f"{buckets} buckets are too few: {rule.name!r} keeps {len(groups):,} kinds of infosets "
            "apart; ask for as many, or let it merge more"
        )
    heavy = heavy + 1e-12 * max(heavy.max(), 1e-300)  # also what is never reached is sorted
    return ClusterRule(tree, rule, divide(groups, heavy, buckets), name or f"{buckets:,} buckets")


def _groups(tree: GameTree, rule: Chain, rows: FloatArray) -> list[Group]:
    """The infosets that may be merged, with their points."""
    found: dict[Hashable, tuple[list[int], list[FloatArray]]] = {}
    for infoset, (player, label, names) in enumerate(answers(tree, rule.for_tree(tree))):
        key = player, label, tuple(sorted({str(name) for name in names if name is not None}))
        members, points = found.setdefault(key, ([], []))
        members.append(infoset)
        if len(rows) == tree.num_infosets:
            points.append(rows[infoset])
        else:  # a row for each choice: lined up by name, the mean of those with the same
            own = rows[slice(*tree.first_choice[infoset : infoset + 2])]
            lined = [[own[c] for c, n in enumerate(names) if str(n) == name] for name in key[2]]
            points.append(np.concatenate([np.mean(alike, axis=0) for alike in lined]))
    return [(np.array(members, np.int32), np.array(points)) for members, points in found.values()]


# ---- bisecting k-means ----------------------------------------------------------------


def divide(groups: list[Group], weights: FloatArray, buckets: int) -> IntArray:
    """(M,) the bucket of every item. Groups are never mixed.

    >>> x = np.array([[0.0], [0.1], [5.0], [5.2], [9.0]])
    >>> divide([(np.arange(5, dtype=np.int32), x)], np.ones(5), 3)
    array([0, 0, 1, 1, 2], dtype=int32)
    """
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
    return frozen(out)


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
