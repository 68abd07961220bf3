"""Judges for lecture 10, *Static or dynamic experts?*: Leduc in milli-antes."""

import numpy as np

import workbench as wb
from workbench.lab.exercises import game, milli, right, strategy, wrong


def check_cohesion(answer):
    tree = game("leduc", suit_isomorphism=True)
    sigma, made = strategy(answer, tree), wb.abstract(tree, "JQ-K")
    part = wb.betting_experts(tree, ["r", "cr", "ccr", "cccr"]).part
    outside = np.repeat(part == 0, np.diff(tree.first_choice))
    coarse = np.zeros(made.coarse.num_choices)
    coarse[made.choice_map] = sigma.probs
    if not np.allclose(coarse[made.choice_map][outside], sigma.probs[outside], rtol=0, atol=1e-6):
        return wrong("Before the first raise this strategy sees more than the base does.")
    lost = milli(sigma)
    if lost >= 150:
        return wrong(f"It loses {lost:.1f} milli-antes; it should be less than 150.")
    return right(
        f"{lost:.1f} milli-antes, and no computation was larger than 226 information sets. Our own "
        "rounds went 160, 149, 144: this cohesion costs time instead of memory."
    )
