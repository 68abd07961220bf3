"""GameShrink: find out which signals are the same thing in other colours.

Everyday example: nobody has to be told that in poker the ace of hearts is as good as the ace of
spades. GameShrink finds it by itself. It reads the signal tree (signals.py) and merges two nodes
when every future of the one can be paired with a future of the other that ends the same way:

    type    of a leaf: how often it meets each outcome, its win/loss/draw histogram
            of an inner node: how often each type is among its children
    class   two nodes of one round are one class if their types are equal and their parents are
            one class: they are *ordered game isomorphic* (Gilpin & Sandholm, EC'06, JACM'07)

Their theorem, that an equilibrium of the smaller game is one of the game, makes two assumptions:
everybody observes every action, and the players' payoffs rank the signals in the same order.

Isomorphism is an equivalence, so a perfect matching between two sets of children exists just when
both have equally many of each type. A type is therefore a sum: Σ count · hash(type of the child),
a bottom-up pass of additions; a top-down pass hands out the classes.

`lossless="published"` does this with histograms of wins, losses and draws as types, which is our
inference: on Rhode Island it gives 13 / 205 / 1,774 classes and exactly the published size of the
linear program. These classes lose information: a histogram counts the opponents a hand beats and
forgets *what these opponents knew*, and they bet on what they knew. (The talk calls the histograms
conditions that are necessary; the theorem asks for more.) So
`lossless="refined"` repeats it with histograms over (outcome, the other players' classes), until
nothing changes: every class then wins the same against every opponent who plays by classes. That
is enough: a best response among strategies that play by classes is a best response. The published
classes are the first step of this refinement, which starts with everything in one class.

With a `threshold` two nodes are merged already if the best matching between their futures pairs at
most this share of them with a different outcome (the *penalty*; a weighted bipartite matching on
each level, below). Merging is transitive, so long chains of small penalties may end in one
class: on Rhode Island 0.01 leaves 13 / 191 / 1,683 classes, 0.05 leaves 13 / 82 / 529, 0.06 only
2 / 7 / 40 and 0.07 one.

Signals need not be cards. Two firms bid for an oil field. Each has drilled and knows its own guess,
1 to 6; then a report is published: the field holds at most 2, 3 or 4. The firm whose guess is
higher after the report wins. Guesses of 4, 5 and 6 are the same thing, and GameShrink sees it:

>>> from itertools import product
>>> guesses, reports = range(1, 7), (2, 3, 4)
>>> deals = [((a, most), (b, most)) for a, b, most in product(guesses, guesses, reports)]
>>> def higher(mine, yours):
...     (guess, most), (other, _) = mine, yours
...     return min(guess, most) - min(other, most) > 0, min(guess, most) == min(other, most)
>>> gameshrink(deals, outcome=higher)
Partition of 6 / 18 signals into 4 / 9 classes
>>> gameshrink(deals, outcome=higher, lossless="refined")
Partition of 6 / 18 signals into 4 / 12 classes

The published histograms merge a guess of 1 with all reports, because it never wins; but whether
the others know that they have drawn level matters for how they bid.

**Penalties.** Everyday example: two travellers compare their itineraries. Each city of the one is
paired with a city of the other so that as few days as possible are spent in different weather; that
smallest share of different days is how different the journeys are.

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
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import DisjointSet
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.strength.hand_signals import hand_signals
from workbench.poker.strength.signals import Numbers, SignalTree, number, parents, signal_tree
from workbench.rules import GameError, shown
from workbench.settings import need_number, need_one_of
from workbench.tree import FloatArray

Hash = NDArray[np.uint64]
Lossless = Literal["published", "refined"]


@dataclass(frozen=True, eq=False, repr=False)
class Partition:
    """Which signals are one class."""

    names: tuple[dict[tuple[Hashable, ...], int], ...]  # for each round: signals -> node
    class_of: tuple[Numbers, ...]  # for each round (nodes,)

    @cached_property
    def classes(self) -> tuple[int, ...]:
        """How many there are in each round."""
        return tuple(int(of.max()) + 1 for of in self.class_of)

    def __call__(self, *signals: Hashable) -> int:
        """The class of a player who was told this so far."""
        known = self.names[len(signals) - 1] if 0 < len(signals) <= len(self.names) else {}
        if signals not in known:
            raise GameError(f"nobody is ever told {shown(signals)} in these deals")
        return int(self.class_of[len(signals) - 1][known[signals]])

    def __repr__(self) -> str:
        before = " / ".join(f"{len(known):,}" for known in self.names)
        after = " / ".join(f"{count:,}" for count in self.classes)
        return f"Partition of {before} signals into {after} classes"


def gameshrink(
    game: Any,
    *,
    outcome: Callable[..., Hashable] | None = None,
    lossless: Lossless = "published",
    threshold: float = 0.0,
) -> Any:
    """The classes of signals in a game: of hands, for the rules of a card game, as `HandBuckets`;
    else given by its deals and an outcome function, as a `Partition`.

    >>> from workbench.games.registry import load_game
    >>> gameshrink(load_game("leduc")).classes, gameshrink(load_game("leduc"), lossless="refined")
    ((3, 7), HandBuckets refined GameShrink of 'leduc')
    """
    if outcome is not None:
        tree, names = signal_tree(game, outcome)
        return Partition(names, shrink(tree, lossless=lossless, threshold=threshold))
    classes = shrink(hand_signals(game), lossless=lossless, threshold=threshold)
    limit = f", penalties up to {threshold:g}" if threshold else ""
    return HandBuckets(game, classes, f"{lossless} GameShrink{limit}")


def shrink(
    tree: SignalTree, *, lossless: Lossless = "published", threshold: float = 0.0
) -> tuple[Numbers, ...]:
    """For each round (nodes,) the class of every node."""
    need_one_of("lossless", lossless, ("published", "refined"))
    if need_number("threshold", threshold, most=1.0) > 0:
        if lossless == "refined":
            raise GameError(
                "a threshold merges what is not the same: it goes with lossless='published'; "
                "leave it out to refine"
            )
        return merge_similar(tree, types(tree), threshold)
    classes = _hand_out(tree, types(tree))
    counts: tuple[int, ...] = ()
    while lossless == "refined" and counts != (counts := tuple(int(c.max()) for c in classes)):
        classes = _hand_out(tree, types(tree, classes[-1]))
    return classes


def types(tree: SignalTree, known: Numbers | None = None) -> tuple[Numbers, ...]:
    """For each round (nodes,) the type of every node, bottom up. `known`: (leaves,) what the other
    players are known by; nothing by default."""
    label = _mix(tree.outcome.astype(np.uint64))
    if known is not None:
        for seat in range(tree.others.shape[1]):
            label = _mix(label + _mix(known[tree.others[:, seat]].astype(np.uint64)))
    found = [_sums(tree.leaf, label, tree.count)]
    for edges in reversed(tree.edges):
        found.append(_sums(edges.parent, _mix(found[-1])[edges.child], edges.count))
    return tuple(number(of) for of in reversed(found))


def _hand_out(tree: SignalTree, kinds: tuple[Numbers, ...]) -> tuple[Numbers, ...]:
    """Classes, top down: equal types below one class of parents."""
    classes = [kinds[0]]
    for edges, kind in zip(tree.edges, kinds[1:], strict=True):
        classes.append(number(kind + (int(kind.max()) + 1) * parents(edges, classes[-1])))
    return tuple(classes)


def _sums(owner: Numbers, label: Hash, count: Numbers) -> Hash:
    """(owners,) Σ count · label for every owner, scaled to the same number of deals; modulo 2⁶⁴.

    Two different multisets have the same sum with a probability of about 2⁻⁶⁴ a pair: less than
    10⁻⁸ for all pairs among half a million nodes.
    """
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    total = np.add.reduceat(count, starts)
    each = [int(one) for one in np.unique(total)]
    scale = {one: (math.lcm(*each) // one) % 2**64 for one in each}
    factor = np.array([scale[one] for one in each], np.uint64)[np.searchsorted(each, total)]
    return _mix(np.add.reduceat(label * count.astype(np.uint64), starts) * factor)


def _mix(x: Hash) -> Hash:
    """A hash of 64 bits: SplitMix64 (Steele, Lea & Flood 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


# ---- signals that hardly differ ------------------------------------------------------------


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
        order, ends = np.argsort(above, kind="stable"), np.cumsum(np.bincount(above))
        for siblings in np.split(order, ends[:-1]):
            merged[siblings] = penalties.merge(r, kinds[siblings], threshold)
        classes.append(number(merged + (int(merged.max()) + 1) * above))
    return tuple(classes)


class Penalties:
    """The penalty of any two types of a round, each computed once."""

    def __init__(self, tree: SignalTree, types: tuple[Numbers, ...]) -> None:
        below = zip(tree.edges, types[1:], strict=True)
        leads = [(edges.parent, kinds[edges.child], edges.count) for edges, kinds in below]
        leads.append((tree.leaf, tree.outcome, tree.count))
        tables = list[Numbers]()  # for each round (types, types below); the last: outcomes
        for kinds, (node, to, count) in zip(types, leads, strict=True):
            mine = np.isin(node, np.unique(kinds, return_index=True)[1])  # one of each type
            tables.append(np.zeros((int(kinds.max()) + 1, int(to.max()) + 1), np.int64))
            np.add.at(tables[-1], (kinds[node[mine]], to[mine]), count[mine])
        self.children, self.means = tables[:-1], [_shares(tables[-1])]
        for table in reversed(self.children):
            self.means.insert(0, _shares(table) @ self.means[0])  # (types, outcomes)
        self.known = [np.full(2 * table.shape[:1], np.nan) for table in self.children]  # so far

    def of(self, r: int, one: int, two: int) -> float:
        """The penalty of two types of round r."""
        return float(self.costs(r, np.array([one]), np.array([two]))[0, 0])

    def costs(self, r: int, left: Numbers, right: Numbers) -> FloatArray:
        """(left, right) the penalties between types of round r."""
        if r == len(self.children):
            return np.asarray(cdist(self.means[r][left], self.means[r][right], "cityblock") / 2)
        known = self.known[r]
        for one, two in product(np.unique(left).tolist(), np.unique(right).tolist()):
            if np.isnan(known[one, two]):
                known[one, two] = known[two, one] = self._matching_cost(r, one, two)
        return np.asarray(known[np.ix_(left, right)])

    def bound(self, r: int, one: int, two: int) -> float:
        """No penalty is below this; that of leaves is just this."""
        return float(np.abs(self.means[r][one] - self.means[r][two]).sum()) / 2

    def _matching_cost(self, r: int, one: int, two: int) -> float:
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
    return np.asarray(table / table.sum(axis=1, keepdims=True))
