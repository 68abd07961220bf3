"""Linear programs over plans: what a two-player game looks like to a solver of inequalities.

A player's realization plans (see `sequence_form`) are the solutions of E x = e, x ≥ 0: her empty
sequence has probability one, and at each information set I the choices share what arrives,
Σ_a x[I, a] = x[sequence above I]. Against a plan y the other player's payoffs are linear, x' A y.
And what x is *sure of*, whatever the other one does, is linear programming again (its dual): the
largest q[root] such that F' q ≤ A' x, one number q[I] for each information set of the other one.

    columns   a player's sequences: her choices in order, then the empty sequence
    rows      'root', then her information sets in order

>>> from workbench.games.registry import load_game
>>> from workbench.compiling import compile_game
>>> form = sequence_form(compile_game(load_game("kuhn")))
>>> plan_constraints(form, 0).shape, payoff_matrix(form, 0).shape
((7, 13), (13, 13))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.rules import GameError
from workbench.sequence_form import SequenceForm, best_up, gradient, sequence_form
from workbench.tree import FloatArray, GameTree

if TYPE_CHECKING:
    from scipy.sparse import coo_matrix


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
    low, high = (int(form.first_choice[m]) for m in form.first_infoset[player : player + 2])
    return np.append(x[low:high], x[len(form.owner) + player])


def plan_constraints(form: SequenceForm, player: int) -> coo_matrix:
    """E of E x = (1, 0, 0, …): the plans of one player."""
    from scipy.sparse import coo_matrix

    low, high = (int(m) for m in form.first_infoset[player : player + 2])
    first, last = int(form.first_choice[low]), int(form.first_choice[high])
    column = _columns(form)
    own = np.arange(1, high - low + 1)
    rows = np.r_[0, np.repeat(own, np.diff(form.first_choice[low : high + 1])), own]
    columns = np.r_[last - first, np.arange(last - first), column[form.above[low:high]]]
    entries = np.r_[1.0, np.ones(last - first), -np.ones(high - low)]
    return coo_matrix((entries, (rows, columns)), shape=(high - low + 1, last - first + 1))


def payoff_matrix(form: SequenceForm, player: int) -> coo_matrix:
    """A, one row for each sequence of `player`, one column for each of the other: her payoffs."""
    from scipy.sparse import coo_matrix

    k, column = len(form.owner), _columns(form)
    low, high = (int(form.first_choice[m]) for m in form.first_infoset[player : player + 2])
    rows = np.repeat(np.arange(form.num_sequences), np.diff(form.row))
    mine = ((rows >= low) & (rows < high)) | (rows == k + player)
    return coo_matrix(
        (form.weight[mine], (column[rows[mine]], column[form.others[mine, 0]])),
        shape=(high - low + 1, k - (high - low) + 1),
    )


def best_reply_plan(form: SequenceForm, x: FloatArray, player: int) -> tuple[float, FloatArray]:
    """What `player` wins at best against the other's part of x, (S,), and her plan, empty last."""
    low, high = form.first_infoset[player : player + 2]
    first, last = int(form.first_choice[low]), int(form.first_choice[high])
    g, probs, empty = np.zeros(len(x)), np.zeros(len(form.owner)), len(form.owner) + player
    gradient(form.row, form.others, form.weight, first, last, x, g)
    gradient(form.row, form.others, form.weight, empty, empty + 1, x, g)
    best_up(form.first_choice, form.above, low, high, g, probs)
    return float(g[empty]), plan_of(form, form.plan(probs), player)


def solve_program(
    gain: FloatArray, *, at_most: Any, limit: FloatArray, equal: Any, value: FloatArray,
    low: FloatArray,
) -> tuple[FloatArray, FloatArray]:  # fmt: skip
    """Maximise gain · v so that at_most v ≤ limit, equal v = value, v ≥ low.

    Returns v and what one unit of each limit is worth (the multipliers, ≥ 0).
    """
    from scipy.optimize import linprog

    answer = linprog(
        c=-gain,
        A_ub=at_most,
        b_ub=limit,
        A_eq=equal,
        b_eq=value,
        bounds=[(bound, np.inf) for bound in low],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if answer.status == 2:
        raise InfeasibleError("no point satisfies all inequalities of the linear program")
    if answer.status != 0 or answer.x is None:
        raise GameError(f"the linear program was not solved: {answer.message}")
    return np.asarray(answer.x), -np.asarray(answer.ineqlin.marginals)


def _columns(form: SequenceForm) -> Any:
    """(S,) sequence -> its column among the sequences of its own player."""
    k, edge = len(form.owner), int(form.first_choice[form.first_infoset[1]])
    return np.r_[0:edge, 0 : k - edge, edge, k - edge]
