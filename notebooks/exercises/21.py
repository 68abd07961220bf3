"""Judges for lecture 21, *How does a program think at the table?*"""

from functools import cache

import numpy as np

import workbench as wb
from workbench.lab.exercises import right, wrong


@cache
def blueprint():
    leduc = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))
    return wb.solve(leduc, "cfr+", 20, checkpoints=20, progress=False).strategy


def check_better(answer):
    if not isinstance(answer, wb.search.Searcher):
        return wrong("A searcher is needed: wb.search.Searcher(blueprint, depth=2, leaves={…}).")
    given = answer.blueprint
    if not (isinstance(given, wb.Strategy) and given.tree.same_as(blueprint().tree)):
        return wrong("It must search in Leduc poker with merged suits.")
    if not np.allclose(given.probs, blueprint().probs, rtol=0, atol=1e-9):
        return wrong("It must start from the blueprint of 20 iterations of CFR+.")
    if answer.depth != 2 or answer.when != 0:
        return wrong("It must think two moves ahead, depth=2, from the first round on.")
    if isinstance(answer.leaves, str) or len(answer.leaves) > 3:
        return wrong("Give at most three continuations by name: leaves={'mine': strategy, …}.")
    lost = 1000 * wb.exploitability(answer.strategy())
    if lost >= 160:
        return wrong(f"It is exploitable for {lost:.0f} milli-antes; less than 160 is asked.")
    return right(
        f"{lost:.0f} milli-antes, with {len(answer.leaves)} continuations. What counts is not "
        "their number, but whether they pull where an opponent would."
    )
