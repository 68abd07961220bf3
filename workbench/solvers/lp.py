"""The exact answer by linear programming (Koller, Megiddo & von Stengel 1994).

Two players, zero-sum, perfect recall. Player 0 looks for the realization plan x that wins most
against player 1's best reply; in the letters of `linear_programs.py`

    maximise q[root] so that E x = e, x ≥ 0, F' q ≤ A' x

The multipliers of the last inequality are player 1's plan, so one program solves for both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from workbench.linear_programs import plan_constraints, scale_of, solve_program, sure_of
from workbench.sequence_form import SequenceForm, sequence_form
from workbench.solvers.base import State, need_zero_sum
from workbench.tree import FloatArray, GameTree


@dataclass(frozen=True)
class LP:
    """Sequence-form linear program, solved by HiGHS; one iteration is the whole answer."""

    name: ClassVar[str] = "lp"
    exact: ClassVar[bool] = True

    def check(self, tree: GameTree) -> None:
        need_zero_sum(self.name, tree)
        sequence_form(tree)

    def advance(self, tree: GameTree, state: State, iterations: int) -> State:
        if iterations < 1:
            return state
        plan = _solve(sequence_form(tree))
        return replace(state, iteration=state.iteration + iterations, strategy_sum=plan)


def _solve(form: SequenceForm) -> FloatArray:
    """(K,) realization plans of both players."""
    e, sure = plan_constraints(form, 0), sure_of(form, 0, scale_of(form))
    x, q = e.shape[1], sure.shape[1] - e.shape[1]  # variables: x ≥ 0, q free
    answer, multipliers = solve_program(
        np.eye(1, x + q, x)[0], at_most=sure, equal=e, low=np.r_[np.zeros(x), np.full(q, -np.inf)]
    )
    return np.asarray(np.maximum(np.r_[answer[: x - 1], multipliers[:-1]], 0.0))
