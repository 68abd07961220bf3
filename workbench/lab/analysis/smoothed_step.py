"""What the plans of the excessive gap technique are worth, by definition (`solvers/egt.py`).

    w_i = what the smoothed best response wins against the plan of the other − μ_i · its price

A state keeps the responses, so nobody has to find them again. The plans have an excessive gap if
w_0 + w_1 ≤ 0; with μ = 0 the sum is the gap.
"""

from __future__ import annotations

import numpy as np

from workbench.evaluation.values import expected_values
from workbench.rules import GameError
from workbench.sequence_form import sequence_form
from workbench.solvers.base import State, average
from workbench.solvers.egt import EGT
from workbench.solvers.smoothing import smooth
from workbench.strategy import Strategy
from workbench.tree import FloatArray, GameTree


def smoothed_worth(tree: GameTree, solver: EGT, state: State) -> FloatArray:
    """(2,) w of both players, after at least one iteration.

    >>> import workbench as wb
    >>> tree, solver = wb.compile_game(wb.load_game("kuhn")), wb.solvers.EGT()
    >>> state = next(wb.iterate(tree, solver, every=20))
    >>> bool(smoothed_worth(tree, solver, state).sum() <= 0.0)
    True
    """
    if len(state.memory) != 3:
        raise GameError("a state of egt is needed, after at least one iteration")
    form, inertia, first = sequence_form(tree), smooth(tree).inertia, tree.first_choice[:-1]
    probs, size = state.probs, np.diff(tree.first_choice)[tree.choice_infoset]
    if solver.prox == "euclidean":
        terms = (probs - 1.0 / size) ** 2 / 2.0
    else:
        terms = probs * np.log(np.where(probs > 0.0, probs * size, 1.0))
    price = inertia * form.plan(probs)[form.above] * np.add.reduceat(terms, first)
    plans, worth = average(tree, state).probs, np.empty(2)
    for i in (0, 1):
        hers, mixed = tree.choices_of(i), np.array(plans)
        mixed[hers.start : hers.stop] = probs[hers.start : hers.stop]
        won = expected_values(Strategy(tree, mixed))[i]
        worth[i] = won - state.memory[i] * price[tree.infoset_player == i].sum()
    return worth
