"""The exact answer by linear programming (Koller, Megiddo & von Stengel 1994).

Two players, zero-sum, perfect recall. In the sequence form, player 0 looks for the
realization plan x that wins most against player 1's best reply:

    maximise q[root of player 1]
    so that  x[root] = 1,  Σ_a x[I, a] = x[sequence above I]      for each infoset I of player 0
             q[sequence s] + ... :  Σ_{I below s} q[I] − q[infoset of s] + Σ_s' A[s', s] x[s'] ≥ 0

where A holds player 0's payoffs and q[I] is what I is worth to player 0 when player 1
replies best. The multipliers of the last line are player 1's plan, so one program solves
for both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from workbench.rules import GameError
from workbench.sequence_form import SequenceForm, sequence_form
from workbench.solvers.base import State
from workbench.tree import FloatArray, GameTree

__all__ = ["LP"]


@dataclass(frozen=True)
class LP:
    """Sequence-form linear program, solved by HiGHS; one iteration is the whole answer."""

    name: ClassVar[str] = "lp"
    exact: ClassVar[bool] = True

    def check(self, tree: GameTree) -> None:
        if tree.num_players != 2 or not tree.zero_sum:
            kind = "not zero-sum" if tree.num_players == 2 else f"for {tree.num_players} players"
            raise GameError(
                f"lp solves two-player zero-sum games; {tree.name!r} is {kind}: try cfr+"
            )
        sequence_form(tree)

    def advance(self, tree: GameTree, state: State, iterations: int) -> State:
        if iterations < 1:
            return state
        plan = _solve(sequence_form(tree), tree.num_choices)
        return replace(state, iteration=state.iteration + iterations, strategy_sum=plan)


def _solve(form: SequenceForm, k: int) -> FloatArray:
    """(K,) realization plans of both players."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix, hstack

    split = int(form.first_infoset[1])  # infosets of player 0 come first
    infosets = len(form.above)
    # sequence -> column: player 0's choices then her empty sequence; likewise player 1
    edge = int(form.first_choice[split])
    column = np.r_[0:edge, 0 : k - edge, edge, k - edge]

    def tree_constraints(low: int, high: int) -> coo_matrix:
        """Rows: 'root', then one for each infoset; columns: sequences of that player."""
        first, last = int(form.first_choice[low]), int(form.first_choice[high])
        sizes = np.diff(form.first_choice[low : high + 1])
        rows = np.r_[
            0, np.repeat(np.arange(1, high - low + 1), sizes), np.arange(1, high - low + 1)
        ]
        columns = np.r_[last - first, np.arange(last - first), column[form.above[low:high]]]
        entries = np.r_[1.0, np.ones(last - first), -np.ones(high - low)]
        return coo_matrix((entries, (rows, columns)), shape=(high - low + 1, last - first + 1))

    e, f = tree_constraints(0, split), tree_constraints(split, infosets)
    rows = np.repeat(np.arange(form.num_sequences), np.diff(form.row))
    mine = (rows < edge) | (rows == k)  # payoffs seen from player 0
    payoff = coo_matrix(
        (form.weight[mine], (column[rows[mine]], column[form.others[mine, 0]])),
        shape=(e.shape[1], f.shape[1]),
    )
    # variables: x ≥ 0, q free. F' q ≤ A' x
    largest = np.abs(form.weight).max(initial=0.0)
    scale = 1.0 / largest if largest > 0.0 else 1.0  # payoffs of any size become at most 1
    answer = linprog(
        c=np.r_[np.zeros(e.shape[1]), -1.0, np.zeros(f.shape[0] - 1)],
        A_ub=hstack([-scale * payoff.T, f.T], format="csc"),
        b_ub=np.zeros(f.shape[1]),
        A_eq=hstack([e, coo_matrix((e.shape[0], f.shape[0]))], format="csc"),
        b_eq=np.r_[1.0, np.zeros(e.shape[0] - 1)],
        bounds=[(0, None)] * e.shape[1] + [(None, None)] * f.shape[0],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if answer.status != 0 or answer.x is None:
        raise GameError(f"the linear program was not solved: {answer.message}")
    x, y = answer.x[: e.shape[1]], -answer.ineqlin.marginals
    return np.asarray(np.maximum(np.r_[x[:-1], y[:-1]], 0.0))
