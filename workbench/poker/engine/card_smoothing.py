"""Smoothed best responses of a card game: the passes that `solvers/smoothing.py` asks of a form.

Plans stand in arrays over choices, as reaches; whoever reads probabilities from them divides
(card_passes.py). No payoff matrix is ever stored. It is a sum of Kronecker products (betting of a
round) ⊗ (who meets whom), and a pass multiplies by these factors one after the other.

A lane counts what a thing wins each time that it is dealt (`Space.share`), a price counts once for
an information set: so the inertia of a lane is that of its information set over the chance of its
deal. Starts of a round look alike, and so do their inertias; where experts make them differ, the
largest counts.
"""

from copy import copy
from typing import Any

import numpy as np

from workbench.poker.betting.betting import END
from workbench.poker.cards.threads import one_blas_thread
from workbench.poker.engine.card_passes import (
    BEST,
    COUNT,
    END_NUMBER,
    ENTROPY,
    EUCLIDEAN,
    FIRST,
    FIXED,
    KIND,
    Block,
)
from workbench.poker.engine.card_walk import NO_LESSONS, NOTHING, Walk
from workbench.solvers.smoothing import largest
from workbench.tree import FloatArray


class SmoothCards:
    """A `CardGame` of two players who forget nothing, with its smoothed responses."""

    uniform = NOTHING  # the centre that need not be written down

    def __init__(self, game: Any) -> None:
        self.game, self.walk = game, copy(game.walk)
        self.walk.rounds, self.spread = _with_inertia(game.walk)
        limit = game.rules.betting
        self.unit = max(float(limit.pay(r).max()) for r in range(len(limit.rounds)))
        self.held = any(group.fixed.any() for group in game.groups)

    @one_blas_thread()
    def respond(
        self, player: int, mu: float, centre: FloatArray | None, x: FloatArray, probs: FloatArray
    ) -> float:
        how = BEST if mu == 0.0 else ENTROPY if centre is None else EUCLIDEAN
        around = NOTHING if centre is None else centre
        priced = NO_LESSONS._replace(regret=around, schedule=np.array([mu, 0.0, 0.0]))
        reach, mine = self.walk.down(1 - player, x), probs if self.held else NOTHING
        return float(self.walk.up(player, how, x, reach, mine, lessons=priced, chosen=probs)[0])

    def towards(
        self, player: int, tau: float, x: FloatArray, probs: FloatArray, plan: FloatArray
    ) -> None:
        self.walk.down(player, probs, tau=tau, old=x, new=plan)

    def won(self, player: int, x: FloatArray, y: FloatArray) -> float:
        return float(self.game.worth(player, y, x))

    def read(self, x: FloatArray, probs: FloatArray) -> None:
        probs[:] = self.game.matched(x)


def _with_inertia(walk: Walk) -> tuple[list[list[Block]], FloatArray]:
    """Blocks that know their inertia; and (2, 2) the largest price of each kind for each player."""
    luck = [np.ones(walk.room[0])]  # of what is dealt before each round
    for blocks, room in zip(walk.rounds, walk.room[1:], strict=True):
        luck.append(np.ones(room))
        for block in blocks if blocks[0].goes >= 0 else ():
            _ends(block, luck[-1])[:] = _luck(block, luck[-2])
    rounds, later = list[list[Block]](), np.zeros((2, 3, 0))
    for r in reversed(range(len(walk.rounds))):
        made, before = list[Block](), np.zeros((2, 3, walk.room[r]))
        for block in walk.rounds[r]:
            inertia, below = _upwards(block, later)
            made.append(block._replace(inertia=inertia / _luck(block, luck[r])))
            for k in np.ndindex(2, 3):
                sums = np.bincount(block.space.above, below[k])
                places = block.came[:, None] + block.hop[:, None] * np.arange(len(sums))
                before[k][places] += sums
        rounds.insert(0, made)
        later = before
    return rounds, later[:, 1:, 0].T.copy()


def _luck(block: Block, before: FloatArray) -> FloatArray:
    """(n,) how often each thing is dealt; as before any start."""
    arrives = before[block.came[0] + block.hop[0] * block.space.above]
    return np.asarray(block.space.share * arrives)


def _ends(block: Block, buffer: FloatArray) -> FloatArray:
    """(ends, S, n) a block's part of what lies between two rounds."""
    starts, n, ends = len(block.came), len(block.space.above), block.tree[:, END_NUMBER].max() + 1
    mine = buffer[block.goes :][: ends * starts * n]
    if len(block.space.meets):
        return mine.reshape(ends, starts, n)
    return mine.reshape(ends, n, starts).swapaxes(1, 2)


def _upwards(block: Block, later: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(nodes, n) β; and (2, 3, n) at the beginning of the round, for each player: how much inertia
    is below, and how much she can pay there at most."""
    nodes, n = len(block.tree), len(block.space.above)
    inertia, below = np.ones((nodes, n)), np.zeros((nodes, 2, 3, n))
    for d in reversed(range(nodes)):
        kind, first, count = block.tree[d, [KIND, FIRST, COUNT]]
        if kind == END and block.goes >= 0:
            number = block.tree[d, END_NUMBER]
            for k in np.ndindex(2, 3):
                below[(d, *k)] = _ends(block, later[k])[number].max(axis=0)
        elif kind < 2:
            next_ones = below[block.moves[first : first + count]]
            below[d] = next_ones.sum(axis=0)
            most = next_ones[:, kind].max(axis=0)
            if not block.tree[d, FIXED]:
                inertia[d] = 1.0 + most[0]
                most = np.array([inertia[d], *(most[1:] + largest(count, inertia[d]))])
            below[d, kind] = most
    return inertia, below[0]
