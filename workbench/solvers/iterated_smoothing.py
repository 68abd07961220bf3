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

    w = (1 − τ) x + τ z;   u = responses to w;   ū ← (1 − τ) ū + τ u
    z = the smoothed responses to ū, around the plans x⁰ where the descent began,
        with L / (a_0 + … + a_k) for μ
    x ← (1 − τ) x + τ z

Its promise, F(x) ≤ min over z of the mean of F linearised at all w so far, weighted by a, plus what
z costs, can be computed, since the right side is what z is worth; where it fails, L was too small
and is doubled.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from workbench.kernels import either, kernel
from workbench.solvers.smoothing import FirstOrder, blend, loop, read, respond, towards, won
from workbench.tree import FloatArray

EXACT = 1e-13  # of the largest payoff: promises broken by this much are rounding
STEEPEST = 1e12  # in the same unit, squared
STEP, WEIGHT, PROMISE, TARGET, STEEP = range(5)  # memory: k, Σ a, its right side's mean, ε, L μ


@dataclass(frozen=True, kw_only=True)
class IteratedSmoothing(FirstOrder):
    """Iterated smoothing: every stage divides the gap by e."""

    name: ClassVar[str] = "iterated-smoothing"
    remembers: ClassVar[int] = 5

    def run(
        self, game: Any, done: int, iterations: int, memory: FloatArray, *arrays: FloatArray
    ) -> FloatArray:
        """probs: where the stage began; other: the mean of all u."""
        if not len(memory):
            unit = min(max(game.unit, 1e-140), 1e140)  # its square is a number
            memory = np.array([0.0, 0.0, 0.0, math.inf, (1e-5 * unit) ** 2])
        exact, spread = EXACT * game.unit, float(game.spread[1].sum())
        loop(_run, game)(game, exact, spread, iterations, memory, *arrays)
        return memory


@either
def _both(game: Any, mu: float, centre: FloatArray, x: FloatArray, probs: FloatArray) -> float:
    """What smoothed responses win together; μ = 0: the gap."""
    total = 0.0
    for i in range(2):
        total += respond(game, i, mu, centre, x, probs)
    return total


@either
def _move(game: Any, tau: float, x: FloatArray, probs: FloatArray, plan: FloatArray) -> None:
    for i in range(2):
        towards(game, i, tau, x, probs, plan)


@kernel
def _run(
    game: Any, exact: float, spread: float, iterations: int, memory: FloatArray, x: FloatArray,
    mean: FloatArray, centre: FloatArray,
) -> None:  # fmt: skip
    z, w, u, new, probs = x.copy(), x.copy(), x.copy(), x.copy(), centre.copy()
    more, then, uniform, z_is_known = x.copy(), x.copy(), game.uniform, False
    if memory[TARGET] == np.inf:
        memory[TARGET] = _both(game, 0.0, uniform, x, probs) / np.e
    mu = memory[TARGET] / (2.0 * spread)
    for _ in range(iterations):
        if mu <= 1e-3 * exact:  # as good as it gets
            return
        a = (memory[STEP] + 1.0) / 2.0
        weight = memory[WEIGHT] + a
        tau = a / weight
        while True:
            if memory[WEIGHT] > 0.0 and not z_is_known:
                _both(game, memory[STEEP] / (mu * memory[WEIGHT]), centre, mean, probs)
                _move(game, 1.0, x, probs, z)
            blend(tau, x, z, w)
            promise = _both(game, mu, uniform, w, probs)
            _move(game, 1.0, w, probs, u)
            _move(game, tau, mean, probs, more)
            for i in range(2):
                promise += won(game, i, w, u)
            promise = (1.0 - tau) * memory[PROMISE] + tau * promise
            found = _both(game, memory[STEEP] / (mu * weight), centre, more, probs)
            _move(game, 1.0, x, probs, then)
            _move(game, tau, x, probs, new)
            if _both(game, mu, uniform, new, probs) - exact <= promise - found:
                break
            memory[STEEP], z_is_known = 2.0 * memory[STEEP], False
            if memory[STEEP] > STEEPEST * game.unit**2:  # rounding is all that is left
                memory[TARGET] = 0.0
                return
        z_is_known = True
        for now, next_one in ((z, then), (x, new), (mean, more)):
            blend(0.0, next_one, next_one, now)
        memory[STEP] += 1.0
        memory[WEIGHT], memory[PROMISE] = weight, promise
        gap = _both(game, 0.0, uniform, x, probs)
        if gap <= memory[TARGET]:  # the next stage
            memory[STEP] = memory[WEIGHT] = memory[PROMISE] = 0.0
            memory[TARGET] = max(gap, 0.0) / np.e
            mu = memory[TARGET] / (2.0 * spread)
            read(game, x, centre)
            blend(0.0, x, x, z)
