"""Outcome sampling: play one game from beginning to end, and learn from how it ended.

That is how people learn at a table: they never see what another move would have brought. So now and
then a player must try something her strategy would not (ε), and what she learns there counts the
more, the more seldom she tries it. (Lanctot, Waugh, Zinkevich & Bowling 2009)

In iteration t each player i in turn plays one game. Chance deals, the others pick from σ, and i
picks from ξ = ε · uniform + (1 − ε) · σ. If it ends in z, then at each of her infosets I on the
way, where she picked a*:

    W = w_t · u_i(z) / Π ξ(a*)           over all her moves in this game
    T = Π σ(a*)                          over those she made after I
    R(I, a) ← R(I, a) + W · T · (1[a = a*] − σ(a*))

and then σ_i is matched to R there. The others' moves and chance need no correction, because they
are drawn as they are played. w_t is t, or always 1 with `linear=False`.

**The average** is taken in an averaging walk before each player's regrets are updated, in which the
others move blindly (see `sampling.py`): right on average for any number of players, all
weights 1. (Adding σ in the game itself needs weights that grow without bound, the paper's
stochastically-weighted averaging; with three players it would miss what the third one prevents.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import draw, kernel
from workbench.rules import GameError
from workbench.solvers.sampling import ONE, ZERO, Sampler, Sums, averaging_walk, deal, match, pick
from workbench.solvers.sampling_tree import UNEVEN, Walks
from workbench.tree import NOBODY, IndexArray


@dataclass(frozen=True, kw_only=True)
class OutcomeSampling(Sampler):
    """Outcome-sampling MCCFR; `linear`: iteration t counts t times."""

    name: ClassVar[str] = "outcome-sampling"

    epsilon: Annotated[float, "how often the learner tries anything"] = 0.6
    linear: Annotated[bool, "iteration t counts t times; False is the textbook's average"] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 < self.epsilon <= 1.0:
            raise GameError(
                f"epsilon must be above 0 (or some moves are never tried) and at most 1, "
                f"not {self.epsilon!r}"
            )

    def run(self, nodes: Walks, done: int, iterations: int, table: Sums) -> None:
        _run(done, iterations, float(self.epsilon), self.linear, nodes, table)


@kernel
def _run(
    done: int, iterations: int, epsilon: float, linear: bool, nodes: Walks, table: Sums
) -> None:
    touched, sizes = np.empty((2, nodes.depth + 1), np.uint32)
    taken = np.empty(nodes.depth + 1, np.uint64)
    for t in range(done + 1, done + iterations + 1):
        weight = float(t) if linear else 1.0
        for i in range(nodes.utility.shape[1]):
            averaging_walk(i, NOBODY, weight, nodes, table, taken)
            _walk(i, weight, epsilon, nodes, table, touched, sizes, taken)


@kernel
def _walk(
    i: int, weight: float, epsilon: float, nodes: Walks, table: Sums,
    touched: IndexArray,  # (D,) scratch, as all that follow: first choices of i's infosets
    sizes: IndexArray,  # (D,) how many choices there
    taken: NDArray[np.uint64],  # (D,) and the one she picked
) -> None:  # fmt: skip
    kind, first_child, row = nodes.kind, nodes.first_child, nodes.row
    regret, probs, rng = table.regret, table.probs, table.rng
    node, count, tried = ZERO, ZERO, 1.0
    while kind[node] != NOBODY:
        low, high = np.uint64(first_child[node]), np.uint64(first_child[node + ONE])
        first, size = np.uint64(row[node]), high - low
        if kind[node] == i:
            if draw(rng) < epsilon:
                move = np.uint64(draw(rng) * np.float64(size))
            else:
                move = pick(first, size, probs, rng)
            tried *= epsilon / np.float64(size) + (1.0 - epsilon) * probs[first + move]
            touched[count], sizes[count], taken[count] = first, size, first + move
            count += ONE
            node = low + move
        elif kind[node] >= 0:
            node = low + pick(first, size, probs, rng)
        else:
            node = deal(kind[node] != UNEVEN, low, high, nodes.below, rng)
    worth = weight * nodes.utility[np.uint64(row[node]), np.uint64(i)] / tried
    for back in range(count):  # the last move first
        here = count - ONE - back
        first, move = np.uint64(touched[here]), taken[here]
        for c in range(first, first + np.uint64(sizes[here])):
            regret[c] -= worth * probs[move]
        regret[move] += worth
        worth *= probs[move]
    match(touched, sizes, count, table)
