r"""Fictitious play: answer the average of all that the other has done (Brown 1951; Robinson 1951).

Everyday example: you always play the best reply to the habits that you have seen so far, and so
does your opponent. In rock, paper, scissors both run in ever longer laps, and the averages settle.

    x̄_i ← x̄_i + (plan of a best response of i to the averages of the others)

In zero-sum games for two the averages come to an equilibrium. How fast is an old question: Karlin
guessed 1/√t, and Daskalakis and Pan (2014) refuted it for replies that break ties badly. The mean
of *plans* is what counts; a mean of probabilities would be another strategy (lecture 02).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.sequence_form import best_up, down, gradient, sequence_form
from workbench.settings import check
from workbench.solvers.base import State
from workbench.tree import FloatArray, GameTree, IndexArray


@dataclass(frozen=True, kw_only=True)
class FictitiousPlay:
    """Fictitious play: everybody answers the others' averages as well as possible."""

    name: ClassVar[str] = "fictitious-play"
    exact: ClassVar[bool] = False

    alternating: Annotated[bool, "a player answers averages that have just been renewed"] = True

    def __post_init__(self) -> None:
        check(self)

    def check(self, tree: GameTree) -> None:
        sequence_form(tree)

    def advance(self, tree: GameTree, state: State, iterations: int) -> State:
        """So many more iterations; the first answers uniform play, or what another solver found."""
        form, total = sequence_form(tree), state.strategy_sum.copy()
        if not total.any():
            total = form.plan(state.probs)[: len(total)].copy()
        probs = state.probs.copy()
        _run(
            form.first_infoset, form.first_choice, form.above, form.row, form.others, form.weight,
            self.alternating, iterations, probs, total,
        )  # fmt: skip
        return replace(
            state, iteration=state.iteration + iterations, probs=probs, strategy_sum=total
        )


@kernel
def _run(
    first_infoset: NDArray[np.int64], first_choice: IndexArray, above: IndexArray, row: IndexArray,
    others: IndexArray, weight: FloatArray, alternating: bool, iterations: int, probs: FloatArray,
    total: FloatArray,
) -> None:  # fmt: skip
    players, k = len(first_infoset) - 1, len(total)
    plan, g, x = np.ones(k + players), np.empty(k + players), np.ones(k + players)
    for i in range(players):  # all plans are sums of as many
        _average(first_infoset, first_choice, above, i, total, x)
    for _ in range(iterations):
        for i in range(players):
            low, high = first_infoset[i], first_infoset[i + 1]
            gradient(row, others, weight, first_choice[low], first_choice[high], x, g)
            best_up(first_choice, above, low, high, g, probs)
            down(first_choice, above, probs, low, high, plan)
            for c in range(first_choice[low], first_choice[high]):
                total[c] += plan[c]
            if alternating:
                _average(first_infoset, first_choice, above, i, total, x)
        if not alternating:
            for i in range(players):
                _average(first_infoset, first_choice, above, i, total, x)


@kernel
def _average(
    first_infoset: NDArray[np.int64], first_choice: IndexArray, above: IndexArray, i: int,
    total: FloatArray, x: FloatArray,
) -> None:  # fmt: skip
    """The mean of the plans that add up to total."""
    low, high, root = first_infoset[i], first_infoset[i + 1], len(total) + i
    count = 0.0
    for infoset in range(low, high):
        if above[infoset] == root:
            count = 0.0
            for c in range(first_choice[infoset], first_choice[infoset + 1]):
                count += total[c]
            break
    scale = 1.0 / count if count > 0.0 else 0.0
    for c in range(first_choice[low], first_choice[high]):
        x[c] = total[c] * scale
