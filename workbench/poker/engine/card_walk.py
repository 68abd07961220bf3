"""Walks over rounds of betting: down with a player's reach, up with what she wins.

A walk holds the blocks of some rounds (card_passes.py). Between two rounds lies one buffer for each
direction: the lanes of all ends of the blocks before, one end after the other. A block of the next
round finds there the things that its own come from.

Whoever wants the game from its beginning starts with one lane, in which everybody arrives. A part
of a game starts with a lane for each hand, in which players arrive as they are believed to.
"""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy as np

from workbench.poker.betting.betting import END, Limit, Round
from workbench.poker.cards import threads
from workbench.poker.engine.card_passes import (
    ABSENT,
    FIXED,
    KIND,
    LEARN,
    MATRIX,
    Block,
    Indices,
    Lessons,
    Space,
    down,
    leave,
    up,
)
from workbench.tree import FloatArray, frozen

NOTHING, EVERYBODY = np.zeros(0), np.ones(1)
NO_LESSONS = Lessons(NOTHING, NOTHING, NOTHING, np.zeros(3))
LANES = 2048  # of a unit of buckets: what a walk works on then stays in the processor's cache


def tree_of(one: Round) -> tuple[Indices, Indices]:
    """A round as kernels read it: `Block.tree` and `Block.moves`."""
    reach, zeros = np.zeros((len(one.text), 2), np.int64), np.zeros(len(one.text))
    moves = np.zeros(one.num_choices, np.int64)
    for d in range(1, len(reach)):
        above, choice = one.parent[d], one.choice[d]
        reach[d], moves[choice] = reach[above], d
        reach[d, one.kind[above]] = 1 + choice
    end = np.cumsum(one.kind == END) - 1
    columns = [one.kind, one.parent, one.first, one.count, end, zeros, zeros, reach]
    return np.column_stack(columns).astype(np.int64), moves


def make_block(
    limit: Limit, r: int, starts: Indices, row: Indices, space: Space, *,
    kinds: Indices | None = None, fixed: Any = 0,
) -> Block:  # fmt: skip
    """Some starts of round r; kinds: (nodes,) which matrix holds, -1 where nobody comes."""
    one, n = limit.rounds[r], len(space.above)
    tree, moves = tree_of(one)
    tree[:, FIXED] = fixed
    if kinds is not None:
        kinds = np.where(one.kind < 2, kinds, kinds[one.parent])
        tree[:, MATRIX] = np.maximum(kinds, 0)
        tree[kinds < 0, KIND] = ABSENT
    pay = np.ascontiguousarray(limit.pay(r)[:, starts])
    if len(space.meets):
        edges = [*range(0, len(starts), max(1, LANES // n)), len(starts)]
        units = np.array([(n * s, 0) for s in edges], np.int64)
    elif len(space.weight):
        units = np.array([(0, 0), (n * len(starts), len(space.first) - 1)], np.int64)
    else:  # each board by itself
        units = np.column_stack([space.first * len(starts), np.arange(len(space.first))])
    came, hop = np.arange(len(starts), dtype=np.int64), np.full(len(starts), len(starts))
    return Block(tree, moves, row, pay, came, hop, -1, units, space)


def view_of(
    values: FloatArray, row: Indices, things: int, starts: int, by_start: bool
) -> FloatArray:
    """(C, things, S) the lanes of a block in an array over choices."""
    mine = values[row[0] :][: len(row) * things * starts]
    shape = (len(row), starts, things) if by_start else (len(row), things, starts)
    return mine.reshape(shape).swapaxes(1, 1 + by_start)


class Walk:
    """Blocks of consecutive rounds, each with its starts; `leaves` says what the last ends are
    worth to a player whose opponent reaches them so, if they are no showdowns."""

    def __init__(
        self, limit: Limit, first: int, rounds: Sequence[Sequence[tuple[Indices, Block]]],
        num_choices: int, leaves: Callable[[int, FloatArray], FloatArray] | None = None,
    ) -> None:  # fmt: skip
        self.leaves, self.num_choices = leaves, num_choices
        (_, root), *_ = rounds[0]
        self.rounds = list[list[Block]]()
        self.room = [len(root.came) * (int(root.space.above.max()) + 1)]
        came: Any = None
        for r, blocks in enumerate(rounds, start=first):
            ends, goes, made = limit.rounds[r].num_ends, 0, []
            last, then = r + 1 == first + len(rounds), np.full((2, limit.starts[r] * ends), -1)
            for starts, block in blocks:
                S, n = len(starts), len(block.space.above)
                if came is not None:
                    block = block._replace(came=came[0, starts], hop=came[1, starts])
                goes_on = not last or leaves is not None
                made.append(block._replace(goes=goes if goes_on else -1))
                apart, hop = (n, 1) if len(block.space.meets) else (1, S)
                to = goes + np.arange(ends) * (S * n) + apart * np.arange(S)[:, None]
                after = starts[:, None] * ends + np.arange(ends)
                then[0, after], then[1, after] = to, hop
                goes += ends * S * n
            came = then
            self.rounds.append(made)
            self.room.append(goes)

    def rehearsal(self) -> "Walk":
        """The same on no lane at all, to load or compile the kernels."""
        made = copy(self)
        made.rounds = [[one._replace(units=one.units[:1]) for one in some] for some in self.rounds]
        return made

    def views(self, values: FloatArray) -> list[FloatArray]:
        """The blocks of an array over choices, (C, things, S) each."""
        return [
            view_of(values, one.row, len(one.space.above), len(one.came), len(one.space.meets) > 0)
            for some in self.rounds
            for one in some
        ]

    def down(
        self, player: int, plan: FloatArray, start: FloatArray = EVERYBODY, tau: float = 0.0,
        old: FloatArray = NOTHING, new: FloatArray = NOTHING,
    ) -> list[FloatArray]:  # fmt: skip
        """The reach of one player where each round begins; and at the ends, if these are leaves.
        tau, old, new: see `card_passes.down`."""
        plan, found = frozen(plan.view()), [start]  # kernels are compiled for what is only read
        for blocks, room in zip(self.rounds, self.room[1:], strict=True):
            if blocks[0].goes >= 0 or len(new):
                ends = np.zeros(room if blocks[0].goes >= 0 else 0)
                for block in blocks:
                    self._spread(down, block, player, plan, found[-1], ends, tau, old, new)
                found.append(ends)
        return found

    def up(
        self, player: int, how: int, theirs: FloatArray, reach: list[FloatArray],
        mine: FloatArray = NOTHING, own: list[FloatArray] | None = None,
        lessons: Lessons = NO_LESSONS, chosen: FloatArray = NOTHING,
    ) -> FloatArray:  # fmt: skip
        """What a player wins where the walk begins, if the opponent plays `theirs` and reaches each
        round so; see `card_passes.up`."""
        later = NOTHING if self.leaves is None else self.leaves(player, reach[-1])
        own, mine, theirs = own or reach, frozen(mine.view()), frozen(theirs.view())
        for r in reversed(range(len(self.rounds))):
            worth = np.zeros(self.room[r])
            for block in self.rounds[r]:
                won = np.zeros(len(block.came) * len(block.space.above))
                self._spread(
                    up, block, player, how, mine, theirs, reach[r], own[r], later, won, lessons,
                    chosen,
                )  # fmt: skip
                leave(block, won, worth)
            later = worth
        return later

    def iterate(
        self, solver: Any, lessons: Lessons,
        start: Callable[[int], FloatArray] = lambda player: EVERYBODY,
        after: Callable[[int, FloatArray], None] = lambda player, worth: None,
    ) -> None:  # fmt: skip
        """One iteration of the CFR family. `start` says how a player arrives, `after` is told what
        she wins, each time that she has learnt."""
        plan = lessons.predicted if solver.predictive else lessons.regret
        if not solver.alternating:
            plan = plan.copy()
        reach = [self.down(player, plan, start(player)) for player in (0, 1)]
        for i in (0, 1):
            after(i, self.up(i, LEARN, plan, reach[1 - i], plan, reach[i], lessons))
            if solver.alternating and i == 0:
                reach[0] = self.down(0, plan, start(0))

    def _spread(self, function: Callable[..., None], block: Block, *arguments: Any) -> None:
        """Call a kernel on the units of a block."""
        threads.spread(function, len(block.units) - 1, self.num_choices, block, *arguments)


def schedule_of(solver: Any, t: int) -> FloatArray:
    """What an iteration of a solver counts: positive and negative regrets, the average."""
    return np.array([float(one[0]) for one in solver.weights(np.array([float(t)]))])
