"""Chance sampling: one deal at a time, and everything the players can do with it.

Play tonight's cards only, but think through every bet and every reply. (So Zinkevich et al. 2007
solved poker; the name is Lanctot et al.'s, 2009)

In iteration t each player i in turn takes one walk from the root:

    chance's node       deal one outcome, at each node anew
    a player's node     walk on below every choice, which gives values v(a); v = Σ_a σ(a) v(a)
    and if it is i's    R(I, a) ← R(I, a) + w_t · π_o · (v(a) − v)
                        S(I, a) ← S(I, a) + w_t · π_i · σ(a)

where π_i is the probability that i's own moves lead here and π_o that the other players' do. After
the walk σ_i is matched to R wherever it has been. A walk comes to a history with chance's
probability, so the regrets are right on average, and so is the average strategy, for any number
of players. Where both π_i and π_o are 0 there is nothing to learn, and the walk turns back.
w_t is t, so that early mistakes are forgotten, or always 1 with `linear=False`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import RandomState, kernel
from workbench.solvers.sampling import ONE, ZERO, Sampler, Table, add, deal, match
from workbench.solvers.sampling_tree import UNEVEN, Walks
from workbench.tree import NOBODY, FloatArray, IndexArray


@dataclass(frozen=True, kw_only=True)
class ChanceSampling(Sampler):
    """Chance-sampled CFR; `linear`: iteration t counts t times."""

    name: ClassVar[str] = "chance-sampling"

    linear: Annotated[bool, "iteration t counts t times; False is the textbook's average"] = True

    def run(self, nodes: Walks, done: int, iterations: int, table: Table) -> None:
        depth, width = nodes.depth, nodes.width
        _run(done, iterations, self.linear, depth, width, *nodes.arrays, *table)


@kernel
def _run(
    done: int, iterations: int, linear: bool, depth: int, width: int, kind: NDArray[np.int8],
    first_child: IndexArray, row: IndexArray, below: FloatArray, utility: FloatArray,
    regret: FloatArray, probs: FloatArray, strategy_sum: FloatArray, rng: RandomState,
) -> None:  # fmt: skip
    at, move = np.empty(depth + 1, np.uint64), np.empty(depth + 1, np.uint64)
    own, others = np.empty(depth + 1), np.empty(depth + 1)
    value = np.empty((depth + 1, width))
    touched, sizes = np.empty(len(kind), np.uint32), np.empty(len(kind), np.uint32)
    for t in range(done + 1, done + iterations + 1):
        weight = float(t) if linear else 1.0
        for i in range(utility.shape[1]):
            _walk(
                i, weight, kind, first_child, row, below, utility, regret, probs, strategy_sum,
                rng, at, move, own, others, value, touched, sizes,
            )  # fmt: skip


@kernel
def _walk(
    i: int, weight: float, kind: NDArray[np.int8], first_child: IndexArray, row: IndexArray,
    below: FloatArray, utility: FloatArray, regret: FloatArray, probs: FloatArray,
    strategy_sum: FloatArray, rng: RandomState,
    at: NDArray[np.uint64],  # (D,) scratch, as all that follow: the decisions above this node
    move: NDArray[np.uint64],  # (D,) the choice there that is being tried: 0, 1, …
    own: FloatArray,  # (D,) π_i there
    others: FloatArray,  # (D,) π_o there
    value: FloatArray,  # (D, width) v(a) of the choices tried so far
    touched: IndexArray,  # (V,) first choices of the infosets met
    sizes: IndexArray,  # (V,) and how many
) -> None:  # fmt: skip
    node, top, count = ZERO, ZERO, ZERO
    mine, theirs = 1.0, 1.0
    while True:
        while kind[node] != NOBODY and (mine > 0.0 or theirs > 0.0):  # down
            low, high = np.uint64(first_child[node]), np.uint64(first_child[node + ONE])
            if kind[node] < 0:
                node = deal(kind[node] != UNEVEN, low, high, below, rng)
                continue
            first = np.uint64(row[node])
            at[top], move[top], own[top], others[top] = node, ZERO, mine, theirs
            top += ONE
            if kind[node] == i:
                add(first, high - low, weight * mine, probs, strategy_sum)
                mine *= probs[first]
            else:
                theirs *= probs[first]
            node = low
        worth = 0.0
        if kind[node] == NOBODY:
            worth = utility[np.uint64(row[node]), np.uint64(i)]
        while top > ZERO:  # up, to the next move to be tried
            here = top - ONE
            node, j = at[here], move[here]
            low, first = np.uint64(first_child[node]), np.uint64(row[node])
            size = np.uint64(first_child[node + ONE]) - low
            value[here, j] = worth
            mine, theirs = own[here], others[here]
            j += ONE
            if j < size:
                move[here] = j
                if kind[node] == i:
                    mine *= probs[first + j]
                else:
                    theirs *= probs[first + j]
                node = low + j
                break
            worth = 0.0
            for j in range(size):
                worth += probs[first + j] * value[here, j]
            if kind[node] == i and theirs > 0.0:
                for j in range(size):
                    regret[first + j] += weight * theirs * (value[here, j] - worth)
                touched[count], sizes[count] = first, size
                count += ONE
            top = here
        else:
            break
    match(touched, sizes, count, regret, probs)
