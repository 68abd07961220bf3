"""Where everything stands in a card game: what its players tell apart at each node of the betting.

Players tell hands apart as far as the game's buckets do; without buckets, only the names of suits
are left out. Experts know other buckets where they play, seats may know buckets of their own, and a
player may be held to a strategy: all that is said node by node (`nodes`). Starts of a round at
which the same is said form a group, whose choices stand together, as lanes (card_passes.py).
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.poker.betting.betting import Round
from workbench.poker.betting.betting_tree import BettingTree, betting_tree
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.holdem_buckets import HoldemBuckets
from workbench.poker.buckets.mixed_buckets import MixedBuckets, SeatedBuckets
from workbench.poker.cards.boards import holdings, num_histories
from workbench.poker.engine.card_passes import Indices
from workbench.poker.engine.card_walk import view_of
from workbench.poker.engine.deal_walk import BUCKETS, COLUMNS, FIRST, Layout, add_up
from workbench.rules import GameError, shown
from workbench.tree import FloatArray, Form, hands_unlisted


class Nodes(NamedTuple):
    """The nodes of the flat tree, (N,) each."""

    kind: NDArray[np.int8]  # which of the game's buckets players know there; -1: not in the game
    fixed: NDArray[np.bool_]  # whether the player follows a given strategy


class Group(NamedTuple):
    """Starts of a round at which the same is known."""

    number: int  # of the round
    starts: Indices  # (S,)
    kind: Indices  # (nodes,) as in `Nodes`, where somebody decides
    fixed: NDArray[np.bool_]
    wide: Indices  # (nodes,) how many things players tell apart where they decide, else 0
    row: Indices  # (C,) where the lanes of a choice begin


class CardLayout(Form):
    """See the first lines of this file."""

    num_players = 2
    zero_sum = True
    offers = ("passes", "smoothing", "deals")
    saved_as = "strategy of public states"
    example = "'3333', or wb.cluster_hands(rules, (3, 3, 3, 3))"  # of buckets

    def __init__(self, rules: Any, buckets: Any = None) -> None:
        self.rules = self.origin = rules
        self.buckets, self.lossless = buckets, buckets is None
        self.name = rules.name if self.lossless else f"{rules.name} [{buckets.name}]"
        self.on_boards = not hands_unlisted(rules)
        self.judged = self.on_boards or not self.lossless  # an exact best response takes seconds
        kinds = HandBuckets if self.on_boards else HoldemBuckets | SeatedBuckets
        known = isinstance(buckets, kinds | MixedBuckets) and buckets.rules == rules
        if not self.lossless and not known:
            of_boards = "wb.cluster_hands(rules, (13, 50, 250))"
            raise GameError(
                f"{shown(buckets)} are of another game than {rules.name!r}, or no buckets; take "
                f"{of_boards if self.on_boards else self.example}"
            )

    @cached_property
    def known(self) -> tuple[Any, ...]:
        """The buckets that somebody uses somewhere."""
        buckets = self.buckets
        if isinstance(buckets, SeatedBuckets):
            seats = (type(self)(self.rules, one).known for one in buckets.seats)
            return tuple(chain.from_iterable(seats))
        if isinstance(buckets, MixedBuckets):
            return buckets.all
        if self.lossless:
            return (HandBuckets.lossless(self.rules),) if self.on_boards else ()
        return (buckets,)

    def __reduce__(self) -> Any:
        return type(self), (self.rules, self.buckets)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__} {self.name!r}: {self.num_players} players, "
            f"{self.num_infosets:,} infosets, {self.num_choices:,} choices"
        )

    @cached_property
    def nodes(self) -> Nodes:
        """What is known at each node of the betting."""
        tree, buckets, player = self.flat, self.buckets, self.flat.info & 3
        kind, fixed = np.zeros(len(player), np.int8), np.zeros(len(player), np.bool_)
        if isinstance(buckets, SeatedBuckets):
            before = 0
            for seat, one in enumerate(buckets.seats):
                alone, mine = type(self)(self.rules, one), player == seat
                kind[mine] = before + alone.nodes.kind[mine]
                before += len(alone.known)
        elif isinstance(buckets, MixedBuckets):
            kind = buckets.part.parts()
            if buckets.expert:
                inside = kind == buckets.expert
                fixed = ~inside & np.isin(player, buckets.players)
                if len(buckets.players) == self.num_players:  # only what leads there is left
                    begins = buckets.part.begins(buckets.part.names[buckets.expert - 1])
                    inside[[tree.node(begins[:k]) for k in range(len(begins))]] = True
                    kind[~inside] = -1
        return Nodes(kind, fixed)

    @cached_property
    def groups(self) -> list[Group]:
        """The starts of each round, those together at which the same is known."""
        found, at, limit, first = [], 0, self.rules.betting, self.flat.first
        for r, one in enumerate(limit.rounds):
            deciding, here = one.count > 0, slice(first[r], first[r + 1])
            alike = np.hstack([of[here].reshape(limit.starts[r], -1) for of in self.nodes])
            order = np.unique(alike, axis=0, return_inverse=True)[1].ravel()
            for k in range(order.max() + 1):
                starts = np.flatnonzero(order == k)
                kind, fixed = np.full(len(deciding), -1), np.zeros(len(deciding), np.bool_)
                kind[deciding], fixed[deciding] = np.split(alike[starts[0]], 2)
                if kind[0] < 0:
                    continue
                wide = np.array([self.known[g].classes[r] if g >= 0 else 0 for g in kind])
                lanes = len(starts) * wide[deciding].repeat(one.count[deciding])
                row = at + np.cumsum(lanes) - lanes
                found.append(Group(r, starts, kind, fixed, wide, row))
                at += int(lanes.sum())
        return found

    def deciding(self) -> Iterator[tuple[Group, Round, int, slice]]:
        """Each node of each group where somebody decides, and where its choices stand."""
        for group in self.groups:
            one = self.rules.betting.rounds[group.number]
            for d in np.flatnonzero(group.wide):
                lanes, low = len(group.starts) * group.wide[d], group.row[one.first[d]]
                yield group, one, int(d), slice(int(low), int(low + one.count[d] * lanes))

    @property
    def flat(self) -> BettingTree:
        """The betting of all rounds."""
        return betting_tree(self.rules.betting)

    @cached_property
    def kinds(self) -> list[Any]:
        """The buckets that somebody uses somewhere, each once; the kinds of a `layout`."""
        return [*{one.fingerprint: one for one in self.known}.values()]

    def kind_of(self, part: int) -> int:
        """Which of these the `known` buckets of a part are."""
        return [one.fingerprint for one in self.kinds].index(self.known[part].fingerprint)

    @cached_property
    def layout(self) -> Layout:
        """Where the choices of each node of the flat tree stand in an array over all choices."""
        tree = self.flat
        rows = np.zeros((len(tree.child), len(COLUMNS)), np.int64)  # each node is its own group
        for group, one, d, where in self.deciding():
            r, starts, n = group.number, len(group.starts), group.wide[d]
            nodes = self.nodes_at(r, group.starts, d)
            kind, fixed = self.kind_of(group.kind[d]), group.fixed[d]
            apart, step = (1, starts) if self.on_boards else (n, 1)
            whose = one.kind[d], r, group.kind[d], kind, n, fixed
            rows[nodes] = *whose, where.start, 0, step, starts * n
            rows[nodes, FIRST] += apart * np.arange(starts)
            if tree.child[nodes[0], 0] == 0:  # nobody can fold
                rows[nodes, FIRST] -= starts * n
        return Layout(tree.child, np.arange(len(rows), dtype=np.uint16), rows)

    def nodes_at(self, r: int, starts: Indices, d: int) -> Indices:
        """(S,) the nodes of the flat tree that are node d of some starts of round r."""
        deciding = self.rules.betting.rounds[r].count > 0
        return np.asarray(self.flat.first[r] + starts * deciding.sum() + deciding[:d].sum())

    def need_whole(self) -> None:
        """Refuse the game of an expert, which does not go everywhere."""
        if not (self.layout.groups[:, BUCKETS] > 0)[self.layout.group].all():
            raise GameError(f"{self.name!r} is part of a game; stitch its expert to a base first")

    @cached_property
    def num_choices(self) -> int:
        if not self.known:
            moves = np.add.reduceat((self.flat.child != 0).sum(axis=1), self.flat.first[:-1])
            return sum(map(mul, moves.tolist(), holdings(self.rules)))
        return max((where.stop for *_, where in self.deciding()), default=0)

    @cached_property
    def num_infosets(self) -> int:
        """Of all players together, where they decide."""
        if not self.known:
            return sum(map(mul, self.flat.sizes, holdings(self.rules)))
        nodes = self.deciding()
        return sum(
            len(group.starts) * int(group.wide[d]) for group, _, d, _ in nodes if not group.fixed[d]
        )

    @property
    def num_histories(self) -> int:
        """Of the tree that nobody builds."""
        return num_histories(self.rules)

    @property
    def perfect_recall(self) -> bool:
        return self.lossless or bool(self.buckets.nested)

    def views(self, values: FloatArray) -> list[FloatArray]:
        """The groups of an array over choices, (C, things, S) each."""
        return [
            view_of(values, one.row, int(one.wide[0]), len(one.starts), not self.on_boards)
            for one in self.groups
        ]

    def sums(self, values: FloatArray) -> FloatArray:
        """An array over choices, added up at each information set."""
        many = np.bincount(self.layout.group, minlength=len(self.layout.groups))
        found = np.zeros(int(many @ self.layout.groups[:, BUCKETS]))
        add_up(self.layout, values, found)
        return found
