"""What the stepper shows of methods that have no regrets: smoothing, its steps, and answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.evaluation.values import exploitability
from workbench.lab.html import Html, quiet, signed, table
from workbench.lab.text import number
from workbench.solvers.base import State, average
from workbench.solvers.smoothing import respond, smooth
from workbench.tree import FloatArray, GameTree

COLUMNS = {  # instead of regrets, what is played next, and the average
    "egt": ("smoothed best response", "plan"),
    "iterated-smoothing": ("where the stage began", "plan"),
    "fictitious-play": ("best response", "average"),
}


def smoothed_worth(tree: GameTree, solver: Any, state: State) -> FloatArray:
    """(2,) w of both players, after at least one iteration of the excessive gap technique."""
    game, plans = smooth(tree), np.concatenate([state.strategy_sum, np.ones(2)])
    how, scratch = solver.prox == "euclidean", np.empty(tree.num_choices)
    asked = [(game, i, how, state.memory[i], game.uniform, plans, scratch) for i in (0, 1)]
    return np.array([respond(*one) for one in asked])


def first_order_table(tree: GameTree, solver: Any, before: State, after: State) -> Html:
    """The numbers of the last iteration, which are of no single information set."""
    if solver.name == "fictitious-play":
        return quiet(
            "Everybody plays a best response to the average of what the others have played, and "
            f"{after.iteration + 1:,} plans, uniform play the first of them, make the new average."
        )
    gap = number(2.0 * exploitability(average(tree, after)))
    if solver.name == "iterated-smoothing":
        step, target = after.memory[0], after.memory[3]
        where = f"Step {number(int(step))} of a stage" if step else "A new stage begins"
        return quiet(
            f"{where}: it descends on the smoothed gap, from the strategies in the first column, "
            f"until the gap is {number(target)}. Now it is {gap}. Then the target is divided by e."
        )
    worth, mu, tau = smoothed_worth(tree, solver, after), after.memory[:2], after.memory[2]
    old = before.memory[:2] if len(before.memory) else mu  # before the first, μ was being found
    rows = [
        ["μ before", *map(number, old)],
        ["μ", *map(number, mu)],
        ["w", *map(signed, worth, (6, 6))],
    ]
    kept = "≤ 0: the plans have an excessive gap" if worth.sum() <= 1e-12 else "> 0"
    return table(rows, "Smoothing", head=("", "player 1", "player 2"), named=True) + quiet(
        f"τ = {number(tau)}: one player's smoothing μ was multiplied by 1 − τ. w: what her "
        "smoothed best response to the other's plan is worth, its price subtracted. Together "
        f"{signed(float(worth.sum()), 6)} {kept}. Without prices the sum is the gap, {gap}."
    )
