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
    aggressive      τ stays as it is until the excessive gap is lost; then it is halved, and the
                    iteration repeated (Gilpin et al. 2007)
    balanced        i is the player with the larger μ

Three gradients an iteration, of which each costs what half an iteration of CFR does: R_i(x, μ_i) is
known from the test of the iteration before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

import numpy as np

from workbench.kernels import kernel
from workbench.rules import GameError
from workbench.sequence_form import down, sequence_form
from workbench.settings import Between, check
from workbench.solvers.base import State, need_zero_sum
from workbench.solvers.smoothing import Smooth, respond, smooth, towards
from workbench.tree import FloatArray, GameTree

EXACT = 1e-13  # of the largest payoff: excessive gaps of this size are rounding
SMALLEST = 1e-12  # a τ that is not worth trying


@dataclass(frozen=True, kw_only=True)
class EGT:
    """The excessive gap technique, a first-order method with error O(1 / iterations)."""

    name: ClassVar[str] = "egt"
    exact: ClassVar[bool] = False

    prox: Annotated[Literal["entropy", "euclidean"], "what a smoothed response pays for"] = (
        "entropy"
    )
    aggressive: Annotated[bool, "large steps, halved when they were too large"] = True
    balanced: Annotated[bool, "smooth less whoever smooths more, instead of by turns"] = True
    mu: Annotated[
        float, Between(1e-9, 1e9), "smoothing to begin with, times the largest payoff; doubled "
        "until it is enough"
    ] = 0.01  # fmt: skip

    def __post_init__(self) -> None:
        check(self)

    def check(self, tree: GameTree) -> None:
        need_zero_sum(self.name, tree)
        sequence_form(tree)

    def advance(self, tree: GameTree, state: State, iterations: int) -> State:
        """So many more iterations. The plans stand in strategy_sum, the smoothed responses to them
        in probs; memory: both μ and τ."""
        if state.iteration and len(state.memory) != 3:
            raise GameError("egt begins at a point of its own, not where another solver stands")
        game, exact = smooth(tree), EXACT * tree.largest_payoff
        x, memory = np.ones(len(game.row) - 1), state.memory.copy()
        probs, euclidean = state.probs.copy(), self.prox == "euclidean"
        if state.iteration:
            x[: len(probs)] = state.strategy_sum
        else:
            mu = self.mu * (tree.largest_payoff or 1.0)
            memory = np.array([mu, mu, 0.5])  # a first τ of a half
            _begin(game, euclidean, exact, memory, x, probs)
        _run(
            game, euclidean, self.aggressive, self.balanced, exact, state.iteration, iterations,
            memory, x, probs,
        )  # fmt: skip
        return replace(
            state, iteration=state.iteration + iterations, probs=probs,
            strategy_sum=x[: len(probs)].copy(), memory=memory,
        )  # fmt: skip


@kernel
def _begin(
    game: Smooth, euclidean: bool, exact: float, mu: FloatArray, x: FloatArray, probs: FloatArray
) -> None:
    """Plans with an excessive gap, and the smoothed responses to them; μ is doubled until then."""
    first, above, g = game.first_choice, game.above, np.empty(len(x))
    edges = game.first_infoset
    for _ in range(200):
        down(first, above, game.uniform, edges[0], edges[1], x)
        for i in (1, 0):
            respond(game, i, euclidean, mu[i], game.uniform, x, g, probs)
            down(first, above, probs, edges[i], edges[i + 1], x)
        gap = respond(game, 0, euclidean, mu[0], game.uniform, x, g, probs)
        gap += respond(game, 1, euclidean, mu[1], game.uniform, x, g, probs)
        if gap <= exact:
            break
        mu[0] *= 2.0
        mu[1] *= 2.0


@kernel
def _run(
    game: Smooth, euclidean: bool, aggressive: bool, balanced: bool, exact: float, done: int,
    iterations: int, memory: FloatArray, x: FloatArray, probs: FloatArray,
) -> None:  # fmt: skip
    uniform = game.uniform
    here, answer = x.copy(), probs.copy()  # of the last iteration; new, found: of the next
    g, new, found = np.empty(len(x)), np.ones(len(x)), np.empty(len(probs))
    for t in range(done + 1, done + iterations + 1):
        i = (t + 1) % 2
        if balanced:
            i = 0 if memory[0] >= memory[1] else 1
        j, tau = 1 - i, memory[2] if aggressive else 2.0 / (t + 3.0)
        while tau > SMALLEST:
            mu, nu = (1.0 - tau) * memory[i], memory[j]
            towards(game, i, tau, here, answer, new)
            respond(game, j, euclidean, nu, uniform, new, g, found)
            towards(game, j, tau, here, found, new)
            gap = respond(game, i, euclidean, mu, uniform, new, g, found)
            towards(game, i, tau, here, found, new)
            gap += respond(game, j, euclidean, nu, uniform, new, g, found)
            if gap <= exact or not aggressive:
                memory[i] = mu
                here, new, answer, found = new, here, found, answer
                break
            tau /= 2.0
        memory[2] = tau
    x[:], probs[:] = here, answer
