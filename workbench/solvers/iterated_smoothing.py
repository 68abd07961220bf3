r"""Iterated smoothing (Gilpin, Peña & Sandholm 2008, 2012): smooth less, as often as it pays.

A single smoothing buys a gap ε for about 1/ε steps. But a gap that is a third of the one at hand
costs a number of steps that does not depend on ε, if one starts where one is:

    repeat   ε ← gap(x) / e;   μ ← ε / 2D        so that smoothing hides half of ε
             descend from x on the smoothed gap until gap(x) ≤ ε

so the number of steps grows with log(1/ε), times a constant of the game that is large where the
equilibrium is sharp only in small ways: Kuhn has a small one, Leduc a huge one.

The smoothed gap F(w) is what smoothed best responses u to the plans w win together, prices
subtracted (`smoothing.py`, Euclidean). A step downhill is for each player a step towards what does
well against the other's u. We descend by Nesterov's method (2005), with a_k = (k + 1) / 2 and
τ = a_k / (a_0 + … + a_k):

    w = (1 − τ) x + τ z;   u = responses to w;   G ← G + a_k · (gradients against u)
    z = the smoothed response to G itself, around the plans x⁰ where the descent began, with L for μ
    x ← (1 − τ) x + τ z

Its promise (a_0 + … + a_k) F(x) ≤ min over z of Σ a_k (F linearised at w)(z) + L · price(z) can be
computed, since the right side is what z is worth; where it fails, L was too small and is doubled.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from workbench.kernels import kernel
from workbench.sequence_form import best_up, down, gradient, sequence_form
from workbench.solvers.base import State, need_zero_sum
from workbench.solvers.smoothing import Smooth, euclidean_up, largest_price, smooth
from workbench.strategy import normalised
from workbench.tree import FloatArray, GameTree

EXACT = 1e-13  # of the largest payoff: promises broken by this much are rounding
STEEPEST = 1e12
STEP, WEIGHT, OFFSET, TARGET, STEEP = range(5)  # memory: k, Σ a, the sum's constant, ε, L μ


@dataclass(frozen=True, kw_only=True)
class IteratedSmoothing:
    """Iterated smoothing: every stage divides the gap by e."""

    name: ClassVar[str] = "iterated-smoothing"
    exact: ClassVar[bool] = False

    def check(self, tree: GameTree) -> None:
        need_zero_sum(self.name, tree)
        sequence_form(tree)

    def advance(self, tree: GameTree, state: State, iterations: int) -> State:
        """So many more steps of all stages. The plans stand in strategy_sum, those where the stage
        began in probs, G in regret; memory ends with what G has for empty sequences."""
        game, unit = smooth(tree), tree.largest_payoff or 1.0
        k, spread = len(game.uniform), sum(largest_price(game, i, True) for i in (0, 1))
        x, pull, memory = np.ones(k + 2), np.zeros(k + 2), state.memory.copy()
        centre = state.probs.copy()
        if len(memory) == STEEP + 3:
            x[:k], pull[:k], pull[k:] = state.strategy_sum, state.regret, memory[-2:]
        else:  # from uniform play, or from what another solver found
            if state.strategy_sum.any():
                centre = np.array(normalised(tree, state.strategy_sum).probs)
            x, memory = sequence_form(tree).plan(centre), np.zeros(STEEP + 3)
            memory[TARGET], memory[STEEP] = math.inf, (0.03 * unit) ** 2
        _run(game, spread or 1.0, EXACT * unit, iterations, memory, x, pull, centre)
        memory[-2:] = pull[k:]
        return replace(
            state, iteration=state.iteration + iterations, strategy_sum=x[:k].copy(),
            regret=pull[:k].copy(), probs=centre, memory=memory,
        )  # fmt: skip


@kernel
def _gradients(game: Smooth, x: FloatArray, g: FloatArray) -> None:
    gradient(game.row, game.others, game.weight, 0, len(x), x, g)


@kernel
def _worth(
    game: Smooth, mu: float, centre: FloatArray, g: FloatArray, scratch: FloatArray,
    probs: FloatArray,
) -> float:  # fmt: skip
    """What smoothed responses to these gradients win together; μ = 0: the gap."""
    scratch[:] = g
    everybody, k = game.first_infoset[2], len(probs)
    if mu == 0.0:
        best_up(game.first_choice, game.above, 0, everybody, scratch, probs)
    else:
        euclidean_up(game, 0, everybody, mu, centre, scratch, probs)
    return float(scratch[k] + scratch[k + 1])


@kernel
def _run(
    game: Smooth, spread: float, exact: float, iterations: int, memory: FloatArray, x: FloatArray,
    pull: FloatArray, centre: FloatArray,
) -> None:  # fmt: skip
    first, above, everybody, k = game.first_choice, game.above, len(game.above), len(centre)
    g, scratch, more = np.empty(k + 2), np.empty(k + 2), np.empty(k + 2)
    z, then, probs = np.ones(k + 2), np.ones(k + 2), np.empty(k)
    w, new = np.ones(k + 2), np.ones(k + 2)
    if memory[TARGET] == np.inf:
        _gradients(game, x, g)
        memory[TARGET] = _worth(game, 0.0, centre, g, scratch, probs) / np.e
    mu = memory[TARGET] / (2.0 * spread)
    if mu > 0.0:
        _worth(game, memory[STEEP] / mu, centre, pull, scratch, probs)
        down(first, above, probs, 0, everybody, z)
    for _ in range(iterations):
        if mu <= 1e-3 * exact:  # as good as it gets
            return
        a = (memory[STEP] + 1.0) / 2.0
        weight = memory[WEIGHT] + a
        tau = a / weight
        while True:
            for c in range(k):
                w[c] = (1.0 - tau) * x[c] + tau * z[c]
            _gradients(game, w, g)
            offset = memory[OFFSET] + a * _worth(game, mu, game.uniform, g, scratch, probs)
            down(first, above, probs, 0, everybody, new)
            _gradients(game, new, g)
            for c in range(k + 2):
                more[c] = pull[c] + a * g[c]
                offset += a * g[c] * w[c]
            promise = offset - _worth(game, memory[STEEP] / mu, centre, more, scratch, probs)
            down(first, above, probs, 0, everybody, then)
            for c in range(k):
                new[c] = (1.0 - tau) * x[c] + tau * then[c]
            _gradients(game, new, g)
            reached = _worth(game, mu, game.uniform, g, scratch, probs)
            if weight * (reached - exact) <= promise:
                break
            memory[STEEP] *= 2.0
            if memory[STEEP] > STEEPEST:  # rounding is all that is left
                memory[TARGET] = 0.0
                return
            _worth(game, memory[STEEP] / mu, centre, pull, scratch, probs)
            down(first, above, probs, 0, everybody, z)
        z[:] = then
        x[:], pull[:] = new, more
        memory[STEP] += 1.0
        memory[WEIGHT], memory[OFFSET] = weight, offset
        gap = _worth(game, 0.0, centre, g, scratch, probs)
        if gap <= memory[TARGET]:  # the next stage
            memory[STEP] = memory[WEIGHT] = memory[OFFSET] = 0.0
            memory[TARGET] = max(gap, 0.0) / np.e
            mu = memory[TARGET] / (2.0 * spread)
            pull[:] = 0.0
            for infoset in range(everybody):
                total = 0.0
                for c in range(first[infoset], first[infoset + 1]):
                    total += x[c]
                for c in range(first[infoset], first[infoset + 1]):
                    centre[c] = x[c] / total if total > 0.0 else game.uniform[c]
            if mu > 0.0:
                _worth(game, memory[STEEP] / mu, centre, pull, scratch, probs)
                down(first, above, probs, 0, everybody, z)
