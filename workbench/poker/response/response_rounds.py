"""One round of Hold'em against an opponent whose strategy is known, for a responder who sees cards.

Everyday example: your opponent has told you how she plays every bucket of hands. You hold A♥ K♥ and
may do anything you like with it. What is the most you can win, and from where does it come?

With perfect recall the opponent's buckets of all rounds are one number z, and how likely she plays
her way to a node of the betting depends on z and on the betting alone, not on the board. So every
leaf d of a round has a *column* over z that is the same for all boards:

    column_d[z, s]   what the loser has paid at d, times the opponent's probability of playing
                     there (round begun in the s-th way); negative where the responder folds

    arrivals         the opponent's probabilities at all nodes of all rounds
    columns          those of one round as kernels read them, ends and folds apart
    backed_up        from leaves to the start of a round: the responder takes the best of her
                     moves, her probabilities are in the columns, so the opponent's moves
                     add up
    alike            starts whose columns, here and in later rounds, are multiples of each other
                     (as much is in the pot, and she goes on in the same way): one is worked out

At a fold a hand wins the column summed over all hands of the opponent that share no card with it:
all of them, less those with its first card, less those with its second, plus the one that was
taken away twice (itself). Rounds that go on take their ends from the round after (`answered`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from workbench.poker.betting.betting import END, FOLD
from workbench.poker.buckets.holdem_buckets import HoldemBuckets
from workbench.poker.cards.board_sets import CARDS, PAIRS, Longs
from workbench.poker.engine.card_passes import COUNT, FIRST, KIND, PARENT
from workbench.poker.engine.card_walk import tree_of
from workbench.poker.engine.deal_walk import PART
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.response.reach import played
from workbench.rules import GameError, shown
from workbench.tree import FloatArray


class OpponentReach(NamedTuple):
    """A round as the responder `player` meets it. Z buckets, S starts, E ends, F folds."""

    tree: Longs  # (nodes, 9) as in `Block`
    moves: Longs  # (C,)
    number: Longs  # (nodes,) which end or which fold a leaf is
    player: int
    folds: FloatArray  # (F, Z, S)
    ends: FloatArray  # (E, Z, S)
    starts: Longs  # (S,) which starts of the round these are


class Alike(NamedTuple):
    """Which starts of a round are worked out, and which of them stands for each start."""

    kept: Longs  # (S',)
    place: Longs  # (S,) in `kept`
    times: FloatArray  # (S,) how many times its value is won; 0: the opponent never comes here

    def following(self) -> Longs:
        """(S' · 9,) the starts of the next round that follow on those that are worked out."""
        return np.asarray((self.kept[:, None] * 9 + np.arange(9)).ravel())

    def among(self, of: OpponentReach) -> tuple[Longs, Longs]:
        """Which of the columns' starts are worked out, and where they stand in `kept`."""
        return np.intersect1d(of.starts, self.kept, True, return_indices=True)[1:]


def need_buckets(strategy: Any) -> None:
    """Refuse a strategy whose reach is no function of one bucket."""
    known = strategy.played.known if isinstance(strategy, PublicStrategy) else ()
    of_buckets = known and all(isinstance(one, HoldemBuckets) for one in known)
    if not of_buckets or strategy.played.num_players != 2:
        raise GameError(
            f"{shown(strategy)} is no strategy of limit Hold'em for two with buckets; solve one "
            "with abstraction=wb.cluster_hands(...)"
        )
    if not strategy.played.perfect_recall:
        raise GameError(
            f"in {strategy.played.name!r} players forget what they knew, so what the opponent "
            "brings to the river is no function of her bucket there; take buckets with "
            'recall="perfect"'
        )


def arrivals(strategy: Any, player: int) -> list[list[tuple[Longs, FloatArray]]]:
    """For each round and each kind of buckets: the starts at which `player` knows these, and
    (nodes, Z, S) the probability that she, who follows `strategy` with a hand of bucket z, plays to
    each node from there. (Experts know other buckets in later rounds only: in one round and start
    all buckets are numbered alike.)"""
    game, reach = strategy.played, [np.ones(1)]
    found: list[list[tuple[Longs, FloatArray]]] = []
    for r, one in enumerate(game.rules.betting.rounds):
        decides, ends = np.flatnonzero(one.kind == player)[0], np.flatnonzero(one.kind == END)
        every = np.arange(game.rules.betting.starts[r])
        nodes = game.nodes_at(r, every, int(decides))
        kind = game.layout.groups[game.layout.group[nodes], PART]
        found.append([])
        later = [np.zeros(0)] * (len(kind) * len(ends))
        for k, known in enumerate(game.known):
            starts, things = np.flatnonzero(kind == k), np.arange(known.classes[r])
            x = np.zeros((len(one.text), len(things), len(starts)))
            if len(starts):
                before = np.array([reach[s][known.parents(r)] for s in starts]).T
                same: Any = lambda _, things=things: things  # noqa: E731
                x = played(strategy, player, r, starts, same, before)
            found[-1].append((starts, x))
            for j, e in np.ndindex(len(starts), len(ends)):
                later[starts[j] * len(ends) + e] = x[ends[e], :, j]
        reach = later
    return found


def reach_by_kind(strategy: Any, player: int) -> list[list[OpponentReach]]:
    """The rounds as a responder in seat `player` meets them, for each kind of buckets that the
    opponent may know: one, or those of base and experts."""
    need_buckets(strategy)
    found: list[list[OpponentReach]] = []
    limit = strategy.played.rules.betting
    for r, kinds in enumerate(arrivals(strategy, 1 - player)):
        tree, choices = tree_of(limit.rounds[r])
        kind = tree[:, KIND]
        mine = kind[tree[:, PARENT]] == player  # whose move led here
        pay = np.where((kind == FOLD) & mine, -1.0, 1.0)[:, None] * limit.pay(r)
        number = np.where(kind == FOLD, np.cumsum(kind == FOLD), np.cumsum(kind == END)) - 1
        found.append([])
        for starts, x in kinds:
            paid = pay[:, None, starts] * x
            leaves = paid[kind == FOLD], paid[kind == END]
            found[-1].append(OpponentReach(tree, choices, number, player, *leaves, starts))
    return found


def columns(strategy: Any, player: int) -> list[OpponentReach]:
    """The same of a strategy with one kind of buckets."""
    found = reach_by_kind(strategy, player)
    if len(found[0]) > 1:
        raise GameError(
            f"{strategy!r} knows other buckets in other parts of the betting, so its columns do "
            "not make one matrix; its best response on a flop is wb.poker.answer_flop(strategy, …)"
        )
    return [of for (of,) in found]


def alike(rounds: Sequence[Sequence[OpponentReach]]) -> list[Alike]:
    """For each of the rounds after the first; an opponent who plays every move with the same
    probability has 4 kinds of starts among 7, 8 among 63 and 16 among 567."""
    found: list[Alike] = []
    rows = _rows([(of.starts, of.ends) for of in rounds[-1]])
    for kinds in rounds[:0:-1]:
        folds = _rows([(of.starts, of.folds) for of in kinds])
        starts = len(folds)
        rows = np.concatenate([folds, rows.reshape(starts, -1)], axis=1)
        size, first = np.maximum(rows.max(axis=1), -rows.min(axis=1)), dict[bytes, int]()
        place = np.full(starts, np.argmax(size > 0))
        for s in np.flatnonzero(size).tolist():
            shape = np.round(rows[s] / size[s], 12) + 0.0  # no negative zeros
            place[s] = first.setdefault(shape.tobytes(), s)
        kept, place = np.unique(place, return_inverse=True)
        found.append(Alike(kept, place, size / np.where(size > 0, size[kept[place]], 1.0)))
    return found[::-1]


def _rows(kinds: Sequence[tuple[Longs, FloatArray]]) -> FloatArray:
    """Columns of some starts each, as rows, one beside the other, 0 at the others; (S, …)."""
    count, made = sum(len(starts) for starts, _ in kinds), []
    for starts, given in kinds:
        if len(starts):
            made.append(np.zeros((count, given.shape[0] * given.shape[1])))
            made[-1][starts] = given.reshape(-1, len(starts)).T
    return np.concatenate(made, axis=1)


LARGEST: Any = partial(reduce, np.maximum)


def backed_up(
    of: OpponentReach, leaf: Callable[[int], FloatArray], node: int = 0,
    best: Callable[[list[FloatArray]], FloatArray] = LARGEST,
) -> FloatArray:  # fmt: skip
    """What the responder wins from a node on; `leaf(d)` says it for the leaves, any shape, and
    `best` which of her moves she makes."""
    if of.tree[node, KIND] >= FOLD:
        return leaf(node)
    first, count = of.tree[node, FIRST], of.tree[node, COUNT]
    moves = of.moves[first : first + count].tolist()
    below = [backed_up(of, leaf, child, best) for child in moves]
    return best(below) if of.tree[node, KIND] == of.player else reduce(add, below)


def answered(
    kinds: Sequence[OpponentReach], starts: Alike, buckets: Sequence[Longs], chance: float,
    later: FloatArray,
) -> FloatArray:  # fmt: skip
    """A round that is not the last: what each pair of cards wins from its starts, (1326, S).

    buckets: for each kind (1326,) the opponent's if she holds the pair, -1 where the board has one
    of its cards. chance: of each deal so far. later: (1326, S' · E) what pairs win in the next
    round, times its chance, after the starts that are worked out.
    """
    found = np.zeros((PAIRS, len(starts.kept)))
    later = later.reshape(PAIRS, len(starts.kept), -1)
    for of, bucket in zip(kinds, buckets, strict=True):
        kept, here = starts.among(of)
        if not len(here):
            continue
        free = np.flatnonzero(bucket >= 0)
        one, two, own = CARDS[free, 0], CARDS[free, 1], bucket[free]
        folds = chance * of.folds[:, :, kept]
        held = np.zeros((53, folds.shape[1]))  # hands by the card they hold; the last row: all
        for card in (one, two, np.full(len(free), 52)):
            np.add.at(held, (card, own), 1.0)
        sums, ends = held @ folds, later[np.ix_(free, here)]

        def leaf(d: int, of: OpponentReach = of) -> FloatArray:
            k = of.number[d]
            if of.tree[d, KIND] == END:
                return ends[:, :, k]  # noqa: B023
            met = sums[k, 52] - sums[k, one] - sums[k, two] + folds[k, own]  # noqa: B023
            return np.asarray(met)

        found[np.ix_(free, here)] = backed_up(of, leaf)
    return found[:, starts.place] * starts.times
