"""External sampling: try all of one's own moves, let the others and the cards happen.

You want to know what you should have played. You need not think through every hand that could have
been dealt and everything the others could have done: think through *this* deal and *these* replies,
try each of your own moves, and do it again tomorrow. (Lanctot, Waugh, Zinkevich & Bowling 2009)

In iteration t each player i in turn takes one walk from the root:

    chance's node      deal one outcome
    another's node     she picks a move from her σ
    i's node (I)       walk on below every choice, which gives values v(a); then
                       v = Σ_a σ(a) v(a),  R(I, a) ← R(I, a) + w_t · (v(a) − v)

and after it σ_i is matched to R wherever the walk has been. It comes to I with the probability with
which chance and the others let it, so its regrets are right on average without any division.
(Where one choice of i's stands for m real actions, as with merged suits, the walk goes on below
each of them and counts 1/m there. That costs little and takes luck out: 50,000 iterations on Toepen
3/3/2 with betting and merged suits end at 0.066 instead of 0.070, mean of ten seeds.)
w_t is t, so that early mistakes are forgotten (linear MCCFR, Brown & Sandholm 2019), or always 1
with `linear=False`, as in the first paper.

**The average**, two players: S ← S + w_t · σ at each of the *other* one's nodes on the walk. All of
i's moves are tried, so the walk gets there with a probability that depends on chance and that
player's own σ only, as `sampling.py` asks. With three players it would depend on the third one's
σ too, and alone there is no other: then each player takes an averaging walk of her own before her
regrets are updated; the next one's moves are all tried, as with two.

**The thesis's variant** (Le 2021, section 3.2.1). `average_at="traverser"` adds w_t · π_i · σ at
i's own nodes, as equation 2.6 reads. But walks come there more often the more the others let them,
so iterations do not count alike. `opponent="average"` lets the others play their average so far
instead of σ. Together, with `linear=False`, they are the variant. Neither has the guarantee; they
are here to be measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import RandomState, draw, kernel
from workbench.solvers.sampling import (
    ONE,
    ZERO,
    Sampler,
    Sums,
    add,
    averaging_walk,
    deal,
    match,
    pick,
)
from workbench.solvers.sampling_tree import NATURE, UNEVEN, Walks
from workbench.tree import NOBODY, FloatArray, IndexArray


@dataclass(frozen=True, kw_only=True)
class ExternalSampling(Sampler):
    """External-sampling MCCFR.

    `linear=False` is the textbook's, and its regret per iteration vanishes with high probability;
    so it does with linear weights, the default, as good or better on all games we have measured.
    `average_at` and `opponent` other than the defaults have no guarantee.
    """

    name: ClassVar[str] = "external-sampling"

    linear: Annotated[bool, "iteration t counts t times; False is the textbook's average"] = True
    average_at: Annotated[
        Literal["opponent", "traverser"], "whose strategy a walk adds to the average"
    ] = "opponent"
    opponent: Annotated[Literal["current", "average"], "what the others play while one learns"] = (
        "current"
    )

    @property
    def needs(self) -> str:
        """Deals, which a game may make itself; other variants walk a tree."""
        usual = self.average_at == "opponent" and self.opponent == "current"
        return "deals" if usual else "tree"

    def run(self, nodes: Walks, done: int, iterations: int, table: Sums) -> None:
        own = np.empty(nodes.depth + 1) if self.average_at == "traverser" else None
        played = table[2] if self.opponent == "average" else None
        waiting = None  # then no walks apart are compiled
        if own is None and nodes.utility.shape[1] != 2:
            waiting = np.empty(nodes.depth * nodes.width + 1, np.uint64)
        _run(done, iterations, self.linear, own, None, played, waiting, nodes, table)


@dataclass(frozen=True, kw_only=True)
class ChanceSampling(Sampler):
    """Chance-sampled CFR: one deal at a time, and everything the players can do with it.

    Play tonight's cards only, but think through every bet and every reply. (So Zinkevich et al.
    2007 solved poker; the name is Lanctot et al.'s, 2009.) A walk goes on below every choice of
    every player, and

        R(I, a) ← R(I, a) + w_t · π_o · (v(a) − v)          at i's infosets
        S(I, a) ← S(I, a) + w_t · π_i · σ(a)

    where π_i is the probability that i's own moves lead here and π_o that the other players' do. A
    walk comes to a history with chance's probability, so regrets and average are right on average,
    for any number of players. Where both π_i and π_o are 0 there is nothing to learn, and the walk
    turns back. `linear`: iteration t counts t times.
    """

    name: ClassVar[str] = "chance-sampling"

    linear: Annotated[bool, "iteration t counts t times; False is the textbook's average"] = True

    def run(self, nodes: Walks, done: int, iterations: int, table: Sums) -> None:
        own, others = np.empty((2, nodes.depth + 1))
        _run(done, iterations, self.linear, own, others, None, None, nodes, table)


@kernel
def _run(
    done: int, iterations: int, linear: bool, own: FloatArray | None, others: FloatArray | None,
    played: FloatArray | None, waiting: NDArray[np.uint64] | None, nodes: Walks, table: Sums,
) -> None:  # fmt: skip
    """Walks in which the others pick; with `others`, see `_walk`, all their moves are tried; with
    `waiting`, the average is taken on walks of its own."""
    depth, width, players = nodes.depth, nodes.width, nodes.utility.shape[1]
    at_opponent = own is None and waiting is None
    at, move = np.empty(depth + 1, np.uint64), np.empty(depth + 1, np.uint64)
    value = np.empty((depth + 1, width))
    touched, sizes = np.empty((2, len(nodes.kind)), np.uint32)
    for t in range(done + 1, done + iterations + 1):
        weight = float(t) if linear else 1.0
        for i in range(players):
            if waiting is not None:
                averaging_walk(i, (i + 1) % players, weight, nodes, table, waiting)
            _walk(
                i, weight, own, others, played, at_opponent, nodes, table, at, move, value,
                touched, sizes,
            )  # fmt: skip


@kernel(forceinline=True)
def _walk(
    i: int, weight: float,
    own: FloatArray | None,  # (D,) scratch, if the average is taken at i's own nodes: π_i there
    others: FloatArray | None,  # (D,) scratch, if all moves of all players are tried: π_o there
    played: FloatArray | None,  # (K,) if the others play their average so far: S
    at_opponent: bool,  # whether the average is taken at the others' nodes
    nodes: Walks, table: Sums,
    at: NDArray[np.uint64],  # (D,) scratch, as all that follow: nodes above whose moves are tried
    move: NDArray[np.uint64],  # (D,) the choice there that is being tried: 0, 1, …
    value: FloatArray,  # (D, width) v(a) of the choices tried so far
    touched: IndexArray,  # (V,) first choices of the infosets met
    sizes: IndexArray,  # (V,) and how many
) -> None:  # fmt: skip
    kind, first_child, row = nodes.kind, nodes.first_child, nodes.row
    probs, strategy_sum, rng = table.probs, table.strategy_sum, table.rng
    node, top, count = ZERO, ZERO, ZERO
    mine, theirs = 1.0, 1.0
    merged = NATURE - i  # below a choice of i's that stands for several actions
    while True:
        # down, to an end of the game, or as long as there is something to learn
        while kind[node] != NOBODY and (others is None or mine > 0.0 or theirs > 0.0):
            low, high = np.uint64(first_child[node]), np.uint64(first_child[node + ONE])
            first, size, hers = np.uint64(row[node]), high - low, kind[node] == i
            if hers or (others is not None and kind[node] >= 0):
                at[top], move[top] = node, ZERO
                if others is not None:
                    others[top] = theirs
                    if not hers:
                        theirs *= probs[first]
                if own is not None:
                    own[top] = mine
                    if hers:
                        add(first, size, weight * mine, probs, strategy_sum)
                        mine *= probs[first]
                top += ONE
                node = low
            elif kind[node] >= 0:
                if played is None:
                    taken = pick(first, size, probs, rng)
                else:
                    taken = _pick_average(first, size, played, rng)
                if at_opponent:
                    add(first, size, weight, probs, strategy_sum)
                node = low + taken
            elif kind[node] == merged and others is None:
                at[top], move[top] = node, ZERO
                if own is not None:
                    own[top] = mine
                top += ONE
                weight /= np.float64(size)
                node = low
            else:
                node = deal(kind[node] != UNEVEN, low, high, nodes.below, rng)
        worth = 0.0
        if kind[node] == NOBODY:
            worth = nodes.utility[np.uint64(row[node]), np.uint64(i)]
        while top > ZERO:  # up, to the next move to be tried
            here = top - ONE
            node, j = at[here], move[here]
            low, first, hers = np.uint64(first_child[node]), np.uint64(row[node]), kind[node] == i
            size = np.uint64(first_child[node + ONE]) - low
            value[here, j] = worth
            if own is not None:
                mine = own[here]
            if others is not None:
                theirs = others[here]
            j += ONE
            if j < size:
                move[here] = j
                if own is not None and hers:
                    mine *= probs[first + j]
                if others is not None and not hers:
                    theirs *= probs[first + j]
                node = low + j
                break
            top, worth = here, 0.0
            if kind[node] < 0:
                for j in range(size):
                    worth += value[here, j] / np.float64(size)
                weight *= np.float64(size)
                continue
            for j in range(size):
                worth += probs[first + j] * value[here, j]
            if hers and theirs > 0.0:
                for j in range(size):
                    table.regret[first + j] += weight * theirs * (value[here, j] - worth)
                touched[count], sizes[count] = first, size
                count += ONE
        else:
            break
    match(touched, sizes, count, table)


@kernel
def _pick_average(
    first: np.uint64, size: np.uint64, strategy_sum: FloatArray, rng: RandomState
) -> np.uint64:
    """As `pick`, from the average so far; all alike if there is none."""
    total = 0.0
    for j in range(size):
        total += strategy_sum[first + j]
    if total <= 0.0:
        return np.uint64(draw(rng) * np.float64(size))
    return pick(first, size, strategy_sum, rng, total)
