"""Linear programs over plans: what a two-player game looks like to a solver of inequalities.

A player's realization plans (see `sequence_form`) are the solutions of E x = e, x ≥ 0: her empty
sequence has probability one, and at each information set I the choices share what arrives,
Σ_a x[I, a] = x[sequence above I]. Against a plan y the other player's payoffs are linear, x' A y.
And what x is *sure of*, whatever the other one does, is linear programming again (its dual): the
largest q[root] such that F' q ≤ A' x, one number q[I] for each information set of the other one.

    columns   a player's sequences: her choices in order, then the empty sequence
    rows      'root', then her information sets in order

>>> import workbench as wb
>>> form = sequence_form(wb.compile_game(wb.load_game("kuhn")))
>>> plan_constraints(form, 0).shape, payoff_matrix(form, 0).shape
((7, 13), (13, 13))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.rules import GameError
from workbench.sequence_form import SequenceForm, sequence_form
from workbench.tree import FloatArray, GameTree

if TYPE_CHECKING:
    from scipy.sparse import coo_matrix, csr_matrix


class InfeasibleError(GameError):
    """No point satisfies all inequalities of a linear program."""


def need_two_players(tree: GameTree, what: str) -> SequenceForm:
    """The sequence form of a game for two with perfect recall; others are refused."""
    if tree.num_players != 2:
        raise GameError(f"{what} is for two players; {tree.name!r} is for {tree.num_players}")
    return sequence_form(tree)


def need_zero_sum(tree: GameTree, what: str) -> SequenceForm:
    """The same for games where one wins what the other loses."""
    form = need_two_players(tree, what)
    if not tree.zero_sum:
        raise GameError(f"{what} is for zero-sum games; {tree.name!r} is not zero-sum")
    return form


def plan_of(form: SequenceForm, x: FloatArray, player: int) -> FloatArray:
    """The part of a plan of all sequences, (S,), that belongs to one player, empty one last."""
    return np.append(x[_choices(form, player)], x[len(form.owner) + player])


def plan_constraints(form: SequenceForm, player: int) -> coo_matrix:
    """E of E x = (1, 0, 0, …): the plans of one player."""
    from scipy.sparse import coo_matrix

    low, high = (int(m) for m in form.first_infoset[player : player + 2])
    hers, own = _choices(form, player), np.arange(1, high - low + 1)
    size = hers.stop - hers.start
    rows = np.r_[0, np.repeat(own, np.diff(form.first_choice[low : high + 1])), own]
    columns = np.r_[size, np.arange(size), _columns(form)[form.above[low:high]]]
    entries = np.r_[1.0, np.ones(size), -np.ones(len(own))]
    return coo_matrix((entries, (rows, columns)), shape=(len(own) + 1, size + 1))


def payoff_matrix(form: SequenceForm, player: int) -> coo_matrix:
    """A, one row for each sequence of `player`, one column for each of the other: her payoffs."""
    from scipy.sparse import coo_matrix

    k, column, hers = len(form.owner), _columns(form), _choices(form, player)
    rows = np.repeat(np.arange(form.num_sequences), np.diff(form.row))
    mine = ((rows >= hers.start) & (rows < hers.stop)) | (rows == k + player)
    size = hers.stop - hers.start
    return coo_matrix(
        (form.weight[mine], (column[rows[mine]], column[form.others[mine, 0]])),
        shape=(size + 1, k - size + 1),
    )


def sure_of(form: SequenceForm, player: int, scale: float = 1.0) -> csr_matrix:
    """The rows of F' q ≤ A' x for the variables x, q, payoffs multiplied by `scale`."""
    from scipy.sparse import csr_matrix, hstack

    payoff, theirs = payoff_matrix(form, player), plan_constraints(form, 1 - player)
    return csr_matrix(hstack([-scale * payoff.T, theirs.T]))


def scale_of(form: SequenceForm) -> float:
    """What to multiply payoffs by so that the largest is 1: tolerances are absolute."""
    largest = float(np.abs(form.weight).max(initial=0.0))
    if 0.0 < largest < 1e-300:
        raise GameError(
            f"the largest payoff, times its chance, is {largest:.3g}: numbers this small have few "
            "digits left; multiply all payoffs by the same number"
        )
    return 1.0 / largest if largest > 0.0 else 1.0


def solve_program(
    gain: FloatArray, *, at_most: Any, equal: Any, low: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Maximise gain · v so that at_most v ≤ 0, equal v = (1, 0, 0, …), v ≥ low.

    If `equal` has fewer columns than v has numbers, it leaves the last ones free. Returns v, and
    what one unit of each inequality is worth (the multipliers, ≥ 0).
    """
    from scipy.optimize import linprog
    from scipy.sparse import csc_matrix

    equal = csc_matrix(equal)
    equal.resize(equal.shape[0], len(gain))
    answer = linprog(
        c=-gain,
        A_ub=at_most,
        b_ub=np.zeros(at_most.shape[0]),
        A_eq=equal,
        b_eq=np.r_[1.0, np.zeros(equal.shape[0] - 1)],
        bounds=[(bound, np.inf) for bound in low],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if answer.status == 2:
        raise InfeasibleError("no point satisfies all inequalities of the linear program")
    if answer.status != 0 or answer.x is None:
        raise GameError(f"the linear program was not solved: {answer.message}")
    return np.asarray(answer.x), -np.asarray(answer.ineqlin.marginals)


def _choices(form: SequenceForm, player: int) -> slice:
    """A player's choices among all sequences."""
    low, high = form.first_infoset[player : player + 2]
    return slice(int(form.first_choice[low]), int(form.first_choice[high]))


def _columns(form: SequenceForm) -> Any:
    """(S,) sequence -> its column among the sequences of its own player."""
    k, edge = len(form.owner), _choices(form, 0).stop
    return np.r_[0:edge, 0 : k - edge, edge, k - edge]
