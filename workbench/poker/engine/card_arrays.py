"""The CFR family on a card game as array operations, for a GPU: `engine="gpu"`.

A block is what card_passes.py says it is, and its rows over lanes are arrays here: (rows, S, n) for
buckets, (rows, n, S) for hands. All starts of a round are walked together, node by node, so an
iteration is some hundred operations however large the game is, on rows that are not copied.

A leaf is a product with a matrix in both cases: buckets meet by the matrices of their space, and
hands by a small matrix for each board.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from workbench.arrays import Array, Machine
from workbench.poker.betting.betting import END, FOLD
from workbench.poker.engine.card_passes import (
    COUNT,
    END_NUMBER,
    FIRST,
    FIXED,
    KIND,
    MATRIX,
    PARENT,
    REACH,
    Block,
    Space,
)
from workbench.poker.engine.card_walk import Walk, schedule_of
from workbench.solvers.regret import match_arrays


class Node(NamedTuple):
    """Where somebody decides. Row 1 + c of reach and of worth is where choice c leads."""

    player: int
    learns: bool
    here: int  # its row of worth; 0: where the round begins
    reach: int  # the row that holds for her here
    choices: slice
    below: slice  # the rows that they lead to
    kept: slice  # where they stand in an array over all choices


class ArrayBlock:
    """A block on a machine."""

    def __init__(self, block: Block, on: Machine) -> None:
        self.on, self.goes, tree = on, block.goes, block.tree
        starts, n, kind = len(block.came), len(block.space.above), tree[:, KIND]
        self.by_start = len(block.space.meets) > 0
        self.shape = (starts, n) if self.by_start else (n, starts)
        choices, self.lanes = len(block.moves), starts * n
        here = np.zeros(len(tree), int)
        here[block.moves] = 1 + np.arange(choices)
        self.nodes, self.of = list[Node](), (list[Node](), list[Node]())  # all; each player's
        for d in np.flatnonzero(kind < 2).tolist():
            player, low, high = int(kind[d]), tree[d, FIRST], tree[d, FIRST] + tree[d, COUNT]
            at = int(block.row[low])
            kept = slice(at, at + int(tree[d, COUNT]) * self.lanes)
            rows = int(here[d]), int(tree[d, REACH + player])
            some = slice(low, high), slice(1 + low, 1 + high), kept
            self.nodes.append(Node(player, not tree[d, FIXED], *rows, *some))
            self.of[player].append(self.nodes[-1])
        ends = np.flatnonzero(kind == END)
        self.ends = [on.put(one) for one in (here[ends], tree[ends, END_NUMBER])]
        self.last = [on.put(tree[ends, REACH + i]) for i in (0, 1)]
        self.num_ends = int(tree[:, END_NUMBER].max()) + 1
        place = block.came[:, None] + block.hop[:, None] * block.space.above
        self.enters = on.put(place if self.by_start else place.T)
        above, into = np.unique(block.space.above, return_inverse=True)
        adds = csr_array((block.space.share, (into, np.arange(n))), (len(above), n))
        self.adds = on.put(adds.toarray().T) if self.by_start else on.sparse(adds)
        back = block.came[:, None] + block.hop[:, None] * above
        self.leaves_to = on.put(back if self.by_start else back.T)
        self.leaves = [list[Any](), list[Any]()]
        for what in (FOLD,) if self.goes >= 0 else (FOLD, END):
            for m in np.unique(tree[kind == what, MATRIX]):
                leaves = np.flatnonzero((kind == what) & (tree[:, MATRIX] == m))
                meet = meeting(block.space, what == FOLD, int(m), on)
                for i in (0, 1):
                    folds = (what == FOLD) & (kind[tree[leaves, PARENT]] == i)
                    pay = block.pay[leaves] * np.where(folds, -1.0, 1.0)[:, None]
                    pay = pay[:, :, None] if self.by_start else pay[:, None] * block.space.chance
                    hers = on.put(tree[leaves, REACH + 1 - i])
                    self.leaves[i].append((here[leaves].tolist(), hers, on.put(pay), meet))
        self.sigma = on.zeros((choices, *self.shape))
        self.reach = [on.zeros((1 + choices, *self.shape)) for _ in (0, 1)]
        self.worth = on.zeros((1 + choices, *self.shape))

    def view(self, values: Array, node: Node) -> Array:
        return values[node.kept].reshape(-1, *self.shape)

    def buffer(self, values: Array) -> Array:
        """The part of what lies between two rounds that belongs to this block."""
        return values[self.goes :][: self.num_ends * self.lanes].reshape(-1, *self.shape)

    def match(self, player: int, plan: Array) -> None:
        for node in self.of[player]:
            found = match_arrays(self.on.xp.where, self.view(plan, node)[None])
            self.sigma[node.choices] = found[0]

    def down(self, player: int, before: Array, after: Array) -> None:
        reach = self.reach[player]
        reach[0] = before[self.enters]
        for node in self.of[player]:
            self.on.xp.multiply(reach[node.reach], self.sigma[node.choices], out=reach[node.below])
        if self.goes >= 0:
            self.buffer(after)[self.ends[1]] = reach[self.last[player]]

    def up(self, player: int, later: Array, before: Array) -> None:
        worth, xp = self.worth, self.on.xp
        for places, rows, pay, meet in self.leaves[player]:
            found = meet(self.reach[1 - player][rows])
            for k, here in enumerate(places):
                xp.multiply(found[k], pay[k], out=worth[here])
        if self.goes >= 0:
            worth[self.ends[0]] = self.buffer(later)[self.ends[1]]
        for node in reversed(self.nodes):
            below = worth[node.below]
            if node.player == player:
                below = self.sigma[node.choices] * below
            worth[node.here] = below.sum(0)
        won = worth[0] @ self.adds if self.by_start else self.adds @ worth[0]
        before[self.leaves_to] += won

    def learn(
        self, player: int, schedule: Array, regret: Array, total: Array, predicted: Array | None
    ) -> None:
        for node in self.of[player]:
            if node.learns:
                instant = self.worth[node.below] - self.worth[node.here]
                new, sums = self.view(regret, node), self.view(total, node)
                new += instant
                new *= self.on.xp.where(new > 0.0, schedule[0], schedule[1])
                sums += schedule[2] * self.reach[player][node.below]
                if predicted is not None:
                    self.view(predicted, node)[:] = new + instant


def meeting(space: Space, fold: bool, m: int, on: Machine) -> Any:
    """Who meets whom at a leaf, as a product."""
    if len(space.meets):
        matrix = on.put((space.meets if fold else space.wins)[m])
        return lambda x: x @ matrix
    boards = [slice(*pair) for pair in pairwise(space.first)]
    if len(space.weight):  # buckets, whose hands stand on many boards
        n = len(space.above)
        dense = np.zeros((n, n))
        for one in boards:
            hand, product = space.hand[one], _board(space, one, fold)
            np.add.at(dense, (hand[:, None], hand), space.weight[one][:, None] * product)
        matrix = on.put(dense)
        return lambda x: matrix @ x
    many = np.diff(space.first)
    wide = int(many.max())
    each = np.zeros((len(boards), wide, wide))
    place = np.full((len(boards), wide), len(space.above))  # behind the last: nobody
    for b, one in enumerate(boards):
        each[b, : many[b], : many[b]] = _board(space, one, fold)
        place[b, : many[b]] = np.arange(one.start, one.stop)
    matrices, taken = on.put(each), on.put(np.minimum(place, len(space.above) - 1).ravel())
    back = on.put(np.flatnonzero(place.ravel() < len(space.above)))

    def meet(x: Array) -> Array:
        rows, _, starts = x.shape
        found = matrices @ x[:, taken].reshape(rows, len(many), wide, starts)
        return found.reshape(rows, len(many) * wide, starts)[:, back]

    return meet


def _board(space: Space, one: slice, fold: bool) -> Any:
    """(hands, hands) what the hands of a board are worth against each: at a fold all but mine,
    at a showdown the weaker less the stronger."""
    size, strength = space.size[one], space.strength[one]
    if fold:
        return size[None, :] - np.eye(len(size))
    return size * np.sign(strength[:, None] - strength)


class CardArrays:
    """A walk on a machine, and what a solver keeps of it."""

    def __init__(self, walk: Walk, on: Machine) -> None:
        self.on, self.graphs = on, dict[Any, Any]()
        self.rounds = [[ArrayBlock(block, on) for block in blocks] for blocks in walk.rounds]
        self.regret, self.total = (on.put(np.zeros(walk.num_choices)) for _ in (0, 1))
        self.predicted: Array = None
        self.schedule = on.put(np.ones(3))
        self.between = [[on.put(np.ones(room)) for room in walk.room] for _ in (0, 1)]
        self.later = [on.put(np.zeros(room)) for room in walk.room]

    def down(self, player: int, plan: Array) -> None:
        for r, blocks in enumerate(self.rounds):
            for block in blocks:
                block.match(player, plan)
                block.down(player, self.between[player][r], self.between[player][r + 1])

    def up(self, player: int, predicted: Array | None) -> None:
        for r in reversed(range(len(self.rounds))):
            self.later[r][:] = 0.0
            for block in self.rounds[r]:
                block.up(player, self.later[r + 1], self.later[r])
                block.learn(player, self.schedule, self.regret, self.total, predicted)

    def iterate(self, alternating: bool, predictive: bool) -> None:
        """One iteration of the CFR family, as `Walk.iterate`; both players' reach is there."""
        plan, predicted = (self.predicted, self.predicted) if predictive else (self.regret, None)
        for player in (0, 1):
            self.up(player, predicted)
            if alternating:
                self.down(player, plan)
        for player in () if alternating else (0, 1):
            self.down(player, plan)

    def run(self, solver: Any, state: Any, iterations: int) -> None:
        """So many more iterations, of a state that is changed in place."""
        kept = {"regret": self.regret, "strategy_sum": self.total}
        how = solver.alternating, solver.predictive
        if solver.predictive:
            if self.predicted is None:
                self.predicted = self.on.put(state.probs)
            kept["probs"] = self.predicted
        for name, array in kept.items():
            array[:] = self.on.put(getattr(state, name))
        if how not in self.graphs:
            self.graphs[how] = self.on.repeated(lambda: self.iterate(*how), [*kept.values()])
        for player in (0, 1):
            self.down(player, self.predicted if solver.predictive else self.regret)
        for t in range(state.iteration + 1, state.iteration + iterations + 1):
            self.schedule[:] = self.on.put(schedule_of(solver, t))
            self.graphs[how]()
        for name, array in kept.items():
            self.on.read(array, getattr(state, name))
        object.__setattr__(state, "iteration", state.iteration + iterations)
