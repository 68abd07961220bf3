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

from workbench.kernels import kernel
from workbench.solvers.base import State, start_state
from workbench.solvers.external_sampling import _walk
from workbench.solvers.sampling import Sums
from workbench.solvers.sampling_tree import Walks, walks
from workbench.tree import GameTree


def met(tree: GameTree, seed: int, stops: Sequence[int]) -> tuple[list[int], State]:
    """How many sets were met at each of the stops, and where training stands in the end."""
    nodes, begin = walks(tree), start_state(tree, seed)
    table = Sums(*(getattr(begin, name).copy() for name in Sums._fields))
    nothing, zeros = nodes._replace(utility=np.zeros_like(nodes.utility)), np.zeros_like
    idle = Sums(zeros(begin.regret), begin.probs.copy(), zeros(begin.regret), begin.rng.copy())
    counts = []
    for before, stop in pairwise((0, *stops)):
        _train(stop - before, nodes, table, nothing, idle)
        there = np.logical_or.reduceat(idle.strategy_sum > 0, tree.first_choice[:-1])
        counts.append(int(np.count_nonzero(there)))
    return counts, State(stops[-1], *table, begin.game)


@kernel
def _train(iterations: int, nodes: Walks, table: Sums, nothing: Walks, idle: Sums) -> None:
    """The thesis's external sampling (`toepen_program.THESIS`), with marks."""
    depth, played = nodes.depth, table.strategy_sum
    at, move = np.empty(depth + 1, np.uint64), np.empty(depth + 1, np.uint64)
    own, value = np.empty(depth + 1), np.empty((depth + 1, nodes.width))
    touched, sizes = np.empty((2, len(nodes.kind)), np.uint32)
    for _ in range(iterations):
        for i in range(nodes.utility.shape[1]):
            idle.rng[:] = table.rng
            _walk(i, 1.0, own, None, played, False, nodes, table, at, move, value, touched, sizes)
            _walk(i, 1.0, own, None, played, True, nothing, idle, at, move, value, touched, sizes)
