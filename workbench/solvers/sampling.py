"""What walks are made of: deal, pick, add up.

*Deal* is what chance does, *pick* what a player does who plays a strategy. Both draw one number.

**Averaging.** The answer of a solver is Σ_t π_i^t(I) σ_i^t(I, a), normalised at each I, where π_i
is what i herself contributes to getting there. Whoever *adds* σ_i^t(I, ·) each time a walk comes to
I gets that sum in expectation, up to a factor that normalising removes, if walks come there with
probability κ(I) · π_i^t(I) and κ does not depend on t. In an *averaging walk* i plays σ_i^t, chance
deals, and everybody else moves blindly, all choices alike; of one other player the walk may try all
moves. So κ(I) is a constant of the game, for any number of players, and all weights are 1.

**Recall.** Regrets are added up during a walk, strategies change after it (`match`). With perfect
recall that hardly makes a difference, because a walk meets an infoset once, or once below each of
several merged actions; without, all parts of a walk meet the same strategies.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import RandomState, draw, kernel
from workbench.settings import check
from workbench.solvers.base import State
from workbench.solvers.regret import match_choices
from workbench.solvers.sampling_tree import UNEVEN, Walks, walks
from workbench.tree import NOBODY, FloatArray, GameTree, IndexArray

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)


class Sums(NamedTuple):
    """What a walk changes."""

    regret: FloatArray
    probs: FloatArray
    strategy_sum: FloatArray
    rng: RandomState


class Sampler:
    """What the solvers have in common that walk at random; each brings its own `run`."""

    exact: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check(self)

    def check(self, tree: GameTree) -> None:
        """Any game will do."""

    def advance(self, tree: GameTree, state: State, iterations: int) -> State:
        """So many more iterations, compiled."""
        table = Sums(*(getattr(state, name).copy() for name in Sums._fields))
        self.run(walks(tree), state.iteration, iterations, table)
        return State(state.iteration + iterations, *table, state.game)

    def run(self, nodes: Walks, done: int, iterations: int, table: Sums) -> None:
        """The iterations done + 1, done + 2, …, which change the table."""
        raise NotImplementedError


@kernel(forceinline=True)
def deal(
    even: bool, low: np.uint64, high: np.uint64, below: FloatArray, rng: RandomState
) -> np.uint64:
    """The child, of low .. high, that chance deals."""
    luck = draw(rng)
    if even:
        return low + np.uint64(luck * np.float64(high - low))
    high -= ONE
    while low < high:
        middle = (low + high) >> ONE
        if luck < below[middle]:
            high = middle
        else:
            low = middle + ONE
    return low


@kernel(forceinline=True)
def pick(
    first: np.uint64, size: np.uint64, probs: FloatArray, rng: RandomState, total: float = 1.0
) -> np.uint64:
    """Which of the choices first, first + 1, … is taken by one who plays `probs`, which have this
    sum: 0, 1, …"""
    luck, taken = draw(rng) * total, ZERO
    if size == TWO:  # by far the most common
        return np.uint64((luck >= probs[first]) & (probs[first + ONE] > 0.0))
    for j in range(size):  # to the end: leaving early is a branch that nobody can guess
        p = probs[first + j]
        if p > 0.0 and luck >= 0.0:  # rounding must not lead where nobody goes
            taken = np.uint64(j)
            luck -= p
    return taken


@kernel(forceinline=True)
def add(
    first: np.uint64, size: np.uint64, weight: float, probs: FloatArray, strategy_sum: FloatArray
) -> None:
    """S ← S + weight · σ at one infoset."""
    for j in range(size):
        strategy_sum[first + j] += weight * probs[first + j]


@kernel(forceinline=True)
def match(touched: IndexArray, sizes: IndexArray, count: np.uint64, table: Sums) -> None:
    """New strategies where a walk has been, so that the next one need only read."""
    for k in range(count):
        match_choices(np.uint64(touched[k]), np.uint64(sizes[k]), table.regret, table.probs)


@kernel
def averaging_walk(
    i: int,
    tried: int,  # the player whose moves are all tried, or NOBODY
    weight: float, nodes: Walks, table: Sums,
    waiting: NDArray[np.uint64],  # (depth · width,) scratch: nodes still to be visited
) -> None:  # fmt: skip
    """S ← S + weight · σ_i wherever i gets when she plays σ_i and the others do anything."""
    kind, first_child, probs, rng = nodes.kind, nodes.first_child, table.probs, table.rng
    node, count = ZERO, ZERO
    while True:
        while kind[node] != NOBODY:
            low, high = np.uint64(first_child[node]), np.uint64(first_child[node + ONE])
            if kind[node] == i:
                first, size = np.uint64(nodes.row[node]), high - low
                add(first, size, weight, probs, table.strategy_sum)
                node = low + pick(first, size, probs, rng)
            elif kind[node] == tried:
                for child in range(low + ONE, high):
                    waiting[count] = child
                    count += ONE
                node = low
            else:
                node = deal(kind[node] != UNEVEN, low, high, nodes.below, rng)
        if count == ZERO:
            break
        count -= ONE
        node = waiting[count]
