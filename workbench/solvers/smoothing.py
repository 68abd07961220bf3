r"""Smoothed best responses: nearly the best answer, with a little of everything.

A best response jumps: change the opponent a little, and all weight moves to another choice. Add a
price for leaving a centre, and it glides. At an information set with choices of worth g:

    max over p of   Σ_a p(a) g(a) − μ β d(p)

    entropy      d(p) = Σ p ln(p / c)           p ∝ c · e^(g / μβ)
    euclidean    d(p) = ½ Σ (p − c)²            p = c + g / μβ, projected onto the probabilities

c is the centre, uniform play unless said. The larger μ, the nearer to c; μ → 0 is the best
response. Over a whole game the price of each information set counts as often as its player comes
there (a *dilated* function, Hoda et al. 2010), so the answer is found by one pass up, as the best
response is; and β, the *inertia* of an information set, is 1 plus the most that one of its choices
has below it (Kroer et al. 2020, up to a factor):

    β(I) = 1 + max_a Σ_{I' next after I, a} β(I')

This is all that first-order methods need of a game, and a form of game offers it as four passes
over plans x of all players (`Smooth` does for a tree, poker/engine/card_smoothing.py for cards):

    respond(i, μ, …, x, probs)      i's smoothed best response to x, and what it is worth
    towards(i, τ, x, probs, plan)   plan ← (1 − τ) x + τ (the plan of probs), i's part
    won(i, x, y)                    what i wins with her part of x against y
    read(x, probs)                  the probabilities of plans

A method is a loop over these, written once: for a tree it is compiled together with the passes; on
cards, where a pass takes long, Python runs the same lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from workbench.kernels import either, kernel, plain
from workbench.rules import GameError
from workbench.sequence_form import (
    SequenceForm,
    all_gradients,
    best_up,
    down,
    need_recall,
    sequence_form,
)
from workbench.settings import check
from workbench.solvers.base import State, average, need_zero_sum
from workbench.tree import FloatArray, GameTree, IndexArray, kept

ONE, TWO, LN2, LN3 = np.uint64(1), np.uint64(2), np.log(2.0), np.log(3.0)
LEAST = -746.0  # e to this is 0


class FirstOrder:
    """A solver that is a loop over these passes."""

    name: ClassVar[str]
    exact: ClassVar[bool] = False
    needs: ClassVar[str] = "smoothing"
    zero_sum: ClassVar[bool] = True  # whether it needs that
    warm: ClassVar[bool] = True  # whether it goes on from what another solver found
    remembers: ClassVar[int]  # the length of a state's memory
    leaves_room: ClassVar[bool] = False  # whether `other` is needed only within an iteration

    def __post_init__(self) -> None:
        check(self)

    def check(self, tree: Any) -> None:
        if self.zero_sum:
            need_zero_sum(self.name, tree)
        need_recall(tree)

    def run(
        self, game: Any, done: int, iterations: int, memory: FloatArray, *arrays: FloatArray
    ) -> FloatArray:
        """So many more iterations, in place, of x, other and probs. Before the first, memory is
        empty, x are plans, and probs their probabilities. Returns the memory."""
        raise NotImplementedError

    def knows(self, memory: FloatArray) -> bool:
        """Whether this is a memory of its own."""
        return len(memory) == self.remembers

    def begins(self, state: State) -> bool:
        """Whether no iteration of this solver has been done."""
        if self.knows(state.memory):
            return False
        if state.iteration and not self.warm:
            raise GameError(
                f"{self.name} begins at a point of its own, not where another solver stands"
            )
        return True

    def advance(self, tree: GameTree, state: State, iterations: int) -> State:
        """So many more iterations. Plans stand in strategy_sum; regret and probs hold what a
        method's own file says."""
        k, probs, memory = tree.num_choices, np.array(state.probs), state.memory.copy()
        x, other = np.ones((2, k + tree.num_players))
        x[:k], other[:k] = state.strategy_sum, state.regret
        if self.begins(state):
            probs[:], memory = average(tree, state).probs, memory[:0]
            x[:] = sequence_form(tree).plan(probs)
        memory = self.run(smooth(tree), state.iteration, iterations, memory, x, other, probs)
        return replace(
            state, iteration=state.iteration + iterations, regret=other[:k].copy(), probs=probs,
            strategy_sum=x[:k].copy(), memory=memory,
        )  # fmt: skip


# ---- at one information set ----------------------------------------------------------


@kernel(inline="always")
def exponential(x: float) -> float:
    """e^x of x ≤ 0. The best choice has 1, and as smoothing ends most others have 0: to ask the
    library only for the rest, here and in `logarithm`, makes an iteration on Leduc 5 % shorter."""
    return 1.0 if x == 0.0 else np.exp(x) if x > LEAST else 0.0


@kernel(inline="always")
def logarithm(x: float) -> float:
    """ln x of x ≥ 1."""
    return np.log(x) if x > 1.0 else 0.0


@kernel(forceinline=True)
def entropy_choice(
    c: np.uint64, size: Any, price: float, rate: float, g: FloatArray, probs: FloatArray
) -> float:
    """Choose among c, c + 1, … with this price and its reciprocal; returns what that is worth. Each
    exponential is taken of a difference from the best choice, whose own is 1."""
    if size == 2:  # known sizes are faster: see `sequence_form.up`
        one, two = g[c], g[c + ONE]
        more = one >= two
        less = exponential((two - one if more else one - two) * rate)
        total = 1.0 + less
        scale = 1.0 / total
        probs[c] = scale if more else less * scale
        probs[c + ONE] = less * scale if more else scale
        return float((one if more else two) + price * (logarithm(total) - LN2))
    if size == 3:
        one, two, three = g[c], g[c + ONE], g[c + TWO]
        most = one if one >= two else two
        most = most if most >= three else three
        one = exponential((one - most) * rate)
        two = exponential((two - most) * rate)
        three = exponential((three - most) * rate)
        total = one + two + three
        scale = 1.0 / total
        probs[c], probs[c + ONE], probs[c + TWO] = one * scale, two * scale, three * scale
        return float(most + price * (logarithm(total) - LN3))
    most, total = g[c], 0.0
    for j in range(1, size):
        most = max(most, g[c + np.uint64(j)])
    for j in range(size):
        probs[c + np.uint64(j)] = np.exp((g[c + np.uint64(j)] - most) * rate)
        total += probs[c + np.uint64(j)]
    for j in range(size):
        probs[c + np.uint64(j)] /= total
    return float(most + price * (np.log(total) - np.log(size)))


@kernel
def euclidean_choice(
    first: int, last: int, price: float, centre: FloatArray, g: FloatArray, probs: FloatArray
) -> float:
    """The same: whoever would be below zero leaves, until nobody does (Michelot 1986)."""
    rate, total, most = 1.0 / price, 0.0, g[first]
    for c in range(first + 1, last):
        most = max(most, g[c])
    for c in range(first, last):  # less the most: what may be large drops out at once
        probs[c] = centre[c] + (g[c] - most) * rate
        total += probs[c]
    left, before = last - first, last - first + 1
    level = (total - 1.0) / left
    while left < before:
        before, left, total = left, 0, 0.0
        for c in range(first, last):
            if probs[c] > level:
                left += 1
                total += probs[c]
        level = (total - 1.0) / left
    worth = most
    for c in range(first, last):
        probs[c] = max(probs[c] - level, 0.0)
        worth += probs[c] * (g[c] - most) - 0.5 * price * (probs[c] - centre[c]) ** 2
    return float(worth)


def largest(size: Any, inertia: Any) -> Any:
    """The largest prices at an information set with μ = 1, from uniform play: of both kinds."""
    return inertia * np.log(size), inertia * (1.0 - 1.0 / size) / 2.0


# ---- on a tree -----------------------------------------------------------------------


class Smooth(NamedTuple):
    """A tree in the sequence form, and what its choices cost."""

    form: SequenceForm
    inertia: FloatArray  # (M,) β
    ease: FloatArray  # (M,) 1 / β
    uniform: FloatArray  # (K,)
    spread: FloatArray  # (2, P) the largest price that a player can pay: entropy, Euclidean
    unit: float  # the largest payoff


@kept
def smooth(tree: GameTree) -> Smooth:
    """Made once for a tree."""
    form = sequence_form(tree)
    sizes, inertia = np.bincount(form.owner), np.empty(len(form.above))
    below = np.zeros((3, form.num_sequences))  # β and both prices
    _weigh(form.first_choice, form.above, inertia, below)
    spread, uniform = below[1:, len(form.owner) :].copy(), np.repeat(1.0 / sizes, sizes)
    return Smooth(form, inertia, 1.0 / inertia, uniform, spread, tree.largest_payoff or 1.0)


@kernel
def _weigh(first: IndexArray, above: IndexArray, inertia: FloatArray, below: FloatArray) -> None:
    """β of each information set; below: what is below a sequence, of β and of the largest prices
    (`largest`)."""
    most = np.empty(3)
    for infoset in range(len(above) - 1, -1, -1):
        size = first[infoset + 1] - first[infoset]
        for k in range(3):
            most[k] = 0.0
            for c in range(first[infoset], first[infoset + 1]):
                most[k] = max(most[k], below[k, c])
        inertia[infoset] = beta = 1.0 + most[0]
        below[0, above[infoset]] += beta
        below[1, above[infoset]] += beta * np.log(size) + most[1]
        below[2, above[infoset]] += beta * (1.0 - 1.0 / size) / 2.0 + most[2]


@kernel
def _respond(
    game: Smooth, player: int, mu: float, centre: FloatArray | None, x: FloatArray,
    probs: FloatArray,
) -> float:  # fmt: skip
    form, g = game.form, np.empty(len(x))
    low, high = form.first_infoset[player], form.first_infoset[player + 1]
    first, above = form.first_choice, form.above
    all_gradients(form, player, x, g)
    if mu == 0.0:
        best_up(form, low, high, g, probs)
    elif centre is not None:
        for infoset in range(high - 1, low - 1, -1):
            price = mu * game.inertia[infoset]
            g[above[infoset]] += euclidean_choice(
                first[infoset], first[infoset + 1], price, centre, g, probs
            )
    else:
        rate = 1.0 / mu
        for infoset in range(high - 1, low - 1, -1):
            price, size = mu * game.inertia[infoset], first[infoset + 1] - first[infoset]
            g[above[infoset]] += entropy_choice(
                np.uint64(first[infoset]), size, price, rate * game.ease[infoset], g, probs
            )
    return float(g[len(form.owner) + player])


@kernel
def _towards(
    game: Smooth, player: int, tau: float, x: FloatArray, probs: FloatArray, plan: FloatArray
) -> None:
    form, reach = game.form, np.empty(len(x))
    low, high = form.first_infoset[player], form.first_infoset[player + 1]
    reach[len(form.owner) + player] = 1.0
    down(form, probs, low, high, reach)
    for c in range(form.first_choice[low], form.first_choice[high]):
        plan[c] = (1.0 - tau) * x[c] + tau * reach[c]


@kernel
def _won(game: Smooth, player: int, x: FloatArray, y: FloatArray) -> float:
    form, g = game.form, np.empty(len(x))
    low, high = form.first_infoset[player], form.first_infoset[player + 1]
    all_gradients(form, player, y, g)
    total = g[len(form.owner) + player]
    for c in range(form.first_choice[low], form.first_choice[high]):
        total += x[c] * g[c]
    return float(total)


@kernel
def _read(game: Smooth, x: FloatArray, probs: FloatArray) -> None:
    first_choice = game.form.first_choice
    for infoset in range(len(first_choice) - 1):
        first, last, total = first_choice[infoset], first_choice[infoset + 1], 0.0
        for c in range(first, last):
            total += x[c]
        for c in range(first, last):
            probs[c] = x[c] / total if total > 0.0 else game.uniform[c]


# ---- as the loops call them ----------------------------------------------------------


def respond(
    game: Any, player: int, mu: float, centre: FloatArray | None, x: FloatArray, probs: FloatArray
) -> float:
    """Write a player's smoothed best response to the plans x of the others into probs, and return
    what it is worth, its price subtracted: Euclidean around a centre, without one entropy. μ = 0 is
    the best response."""
    return float(game.respond(player, mu, centre, x, probs))


def towards(
    game: Any, player: int, tau: float, x: FloatArray, probs: FloatArray, plan: FloatArray
) -> None:
    """A player's plan (1 − τ) x + τ (the plan of probs), which may be x itself."""
    game.towards(player, tau, x, probs, plan)


def won(game: Any, player: int, x: FloatArray, y: FloatArray) -> float:
    """What a player wins with her plan in x against those of the others in y."""
    return float(game.won(player, x, y))


def read(game: Any, x: FloatArray, probs: FloatArray) -> None:
    """The probabilities of all plans in x; uniform where nobody comes."""
    game.read(x, probs)


def blend(tau: float, x: FloatArray, z: FloatArray, into: FloatArray) -> None:
    """(1 − τ) x + τ z for all plans; kernels do it one by one (DECISIONS.md: compiling)."""
    into[:] = (1.0 - tau) * x + tau * z if tau else x


@kernel
def _blend(tau: float, x: FloatArray, z: FloatArray, into: FloatArray) -> None:
    for c in range(len(x)):
        into[c] = (1.0 - tau) * x[c] + tau * z[c]


either(blend, _blend)
for _pass, _kernel in ((respond, _respond), (towards, _towards), (won, _won), (read, _read)):
    either(_pass, _kernel)
    setattr(Smooth, _pass.__name__, _kernel)


def loop(function: Callable[..., Any], game: Any) -> Callable[..., Any]:
    """A loop over passes, compiled for a tree; else as Python reads it."""
    return function if isinstance(game, Smooth) else plain(function)
