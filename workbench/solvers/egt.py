r"""The excessive gap technique (Nesterov 2005; for games Hoda, Gilpin, Peña & Sandholm 2010).

Everyday example: two players on a slope of ice lean on railings. As long as each leans hard enough
(μ₁, μ₂), what she can still win against the other's plan is at most what she is sure of, and both
may lean a little less. When nobody leans any more, they stand at an equilibrium.

Let R_i(x, μ) be player i's smoothed best response to the other's plan (`smoothing.py`), and w_i
what it is worth to her, its price subtracted. The plans x of both have an *excessive gap* if

    w_0(x, μ₀) + w_1(x, μ₁) ≤ 0        whereas without prices the sum is the gap, and ≥ 0

so the gap is at most μ₀ D₀ + μ₁ D₁, where D is the largest price with μ = 1. An iteration keeps the
excessive gap and multiplies μ_i of one player i by 1 − τ; j is the other:

    x̂_i = (1 − τ) x_i + τ R_i(x, μ_i)                what i would play
    x_j ← (1 − τ) x_j + τ R_j(x̂, μ_j)                j answers that
    x_i ← (1 − τ) x_i + τ R_i(x, (1 − τ) μ_i)        and i the new j, leaning less

That works as long as τ² / (1 − τ) ≤ μ₀ μ₁ / ‖A‖², for ‖A‖ in the norm in which prices are strongly
convex. (Hoda et al. find the last line as a projection from R_i. With entropy both are the same
point; the proof needs no more than strong convexity, so it holds for this one in general.)

    conservative    τ = 2 / (t + 3), players by turns: allowed in every game if μ begins large
                    (nobody checks that: it begins where the first plans have an excessive gap)
    aggressive      τ stays as it is until the excessive gap is lost; then it is halved, and the
                    iteration repeated (Gilpin et al. 2007)
    balanced        i is the player with the larger μ

Three gradients an iteration, of which each costs what half an iteration of CFR does: R_i(x, μ_i) is
known from the test of the iteration before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from workbench.kernels import kernel
from workbench.settings import Between
from workbench.solvers.smoothing import FirstOrder, blend, loop, respond, towards
from workbench.tree import FloatArray

EXACT = 1e-13  # of the largest payoff: excessive gaps of this size are rounding
SMALLEST = 1e-12  # a τ that is not worth trying


@dataclass(frozen=True, kw_only=True)
class EGT(FirstOrder):
    """The excessive gap technique, a first-order method with error O(1 / iterations)."""

    name: ClassVar[str] = "egt"
    remembers: ClassVar[int] = 4
    leaves_room: ClassVar[bool] = True
    warm: ClassVar[bool] = False

    prox: Annotated[Literal["entropy", "euclidean"], "what a smoothed response pays for"] = (
        "entropy"
    )
    aggressive: Annotated[bool, "large steps, halved when they were too large"] = True
    balanced: Annotated[bool, "smooth less whoever smooths more, instead of by turns"] = True
    mu: Annotated[
        float, Between(1e-9, 1e6), "smoothing to begin with, times the largest payoff; doubled "
        "until it is enough"
    ] = 0.01  # fmt: skip

    def knows(self, memory: FloatArray) -> bool:
        return super().knows(memory) and memory[3] == (self.prox == "euclidean")

    def run(
        self, game: Any, done: int, iterations: int, memory: FloatArray, *arrays: FloatArray
    ) -> FloatArray:
        """Memory: both μ, τ and the prox function; probs: the smoothed responses to x; other: room
        for a step."""
        euclidean = self.prox == "euclidean"
        centre, exact = game.uniform if euclidean else None, EXACT * game.unit
        if not len(memory):
            memory = np.array([self.mu * game.unit] * 2 + [0.5, euclidean])  # a first τ of a half
            _begin(game, centre, exact, memory, *arrays)
        loop(_run, game)(
            game, centre, exact, self.aggressive, self.balanced, done, iterations, memory, *arrays
        )
        return memory


def _begin(
    game: Any, centre: FloatArray | None, exact: float, mu: FloatArray, x: FloatArray,
    start: FloatArray, probs: FloatArray,
) -> None:  # fmt: skip
    """Plans with an excessive gap, and the smoothed responses to them; μ is doubled until then. A
    few passes: compiling this loop took 0.2 to 0.5 s."""
    blend(0.0, x, x, start)
    for _ in range(200):
        blend(0.0, start, start, x)
        gap = 0.0
        for k in range(4):  # both answer, 1 first; then both answers' worth
            i = (k + 1) % 2
            worth = respond(game, i, mu[i], centre, x, probs)
            if k < 2:
                towards(game, i, 1.0, x, probs, x)
            else:
                gap += worth
        if gap <= exact:
            break
        mu[0] *= 2.0
        mu[1] *= 2.0


@kernel
def _run(
    game: Any, centre: FloatArray | None, exact: float, aggressive: bool, balanced: bool,
    done: int, iterations: int, memory: FloatArray, x: FloatArray, new: FloatArray,
    probs: FloatArray,
) -> None:  # fmt: skip
    price = np.empty(2)
    for t in range(done + 1, done + iterations + 1):
        i = (t + 1) % 2
        if balanced:
            i = 0 if memory[0] >= memory[1] else 1
        j, tau = 1 - i, memory[2] if aggressive else 2.0 / (t + 3.0)
        while tau > SMALLEST:
            price[i], price[j], gap = (1.0 - tau) * memory[i], memory[j], 0.0
            for one, other in ((i, j), (j, i), (i, j)):  # one moves, and the other answers
                towards(game, one, tau, x, probs, new)
                before = gap
                gap = respond(game, other, price[other], centre, new, probs)
            if before + gap <= exact or not aggressive:
                memory[i] = price[i]
                blend(0.0, new, new, x)
                break
            tau /= 2.0
            respond(game, i, memory[i], centre, x, probs)
        memory[2] = tau
