"""Information sets that training meets, as the public program of Le (2021) counts them.

The program writes an information set down as soon as a walk comes to it, and asks afterwards whose
turn it is to learn. So it counts sets of the player who learns and of the other one, whether
anything is learnt there or not; `toepen_abstractions.reached` counts only what training has left
something in.

Each walk of the thesis's sampling is taken twice with the same random numbers: once to learn, and
once more without payoffs, which leaves a mark wherever it comes. The cards are the same, and so are
the other player's moves, because he plays his average and a walk changes only the learner's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import RandomState, kernel
from workbench.solvers.base import State, start_state
from workbench.solvers.external_sampling import _walk
from workbench.solvers.sampling_tree import walks
from workbench.tree import FloatArray, GameTree, IndexArray


def met(tree: GameTree, seed: int, stops: Sequence[int]) -> tuple[list[int], State]:
    """How many sets were met at each of the stops, and where training stands in the end."""
    nodes, begin = walks(tree), start_state(tree, seed)
    regret, probs, sums = (x.copy() for x in (begin.regret, begin.probs, begin.strategy_sum))
    table = regret, probs, sums, begin.rng.copy()
    idle = np.zeros_like(begin.regret), begin.probs.copy(), np.zeros_like(begin.regret)
    counts = []
    for before, stop in pairwise((0, *stops)):
        _train(stop - before, nodes.depth, nodes.width, *nodes.arrays, *table, *idle)
        there = np.logical_or.reduceat(idle[-1] > 0, tree.first_choice[:-1])
        counts.append(int(np.count_nonzero(there)))
    return counts, State(stops[-1], *table, begin.game)


@kernel
def _train(
    iterations: int, depth: int, width: int, kind: NDArray[np.int8], first_child: IndexArray,
    row: IndexArray, below: FloatArray, utility: FloatArray,
    regret: FloatArray, probs: FloatArray, strategy_sum: FloatArray, rng: RandomState,
    no_regret: FloatArray, uniform: FloatArray, marks: FloatArray,
) -> None:  # fmt: skip
    """The thesis's external sampling (`toepen_training.THESIS`), with marks."""
    at, move = np.empty(depth + 1, np.uint64), np.empty(depth + 1, np.uint64)
    own, value = np.empty(depth + 1), np.empty((depth + 1, width))
    touched, sizes = np.empty(len(kind), np.uint32), np.empty(len(kind), np.uint32)
    nothing, again = np.zeros_like(utility), np.empty_like(rng)
    for _ in range(iterations):
        for i in range(utility.shape[1]):
            again[:] = rng
            _walk(
                i, 1.0, own, None, strategy_sum, False, kind, first_child, row, below, utility,
                regret, probs, strategy_sum, rng, at, move, value, touched, sizes,
            )  # fmt: skip
            _walk(
                i, 1.0, own, None, strategy_sum, True, kind, first_child, row, below, nothing,
                no_regret, uniform, marks, again, at, move, value, touched, sizes,
            )  # fmt: skip
