"""Judges for lecture 19, *Is there a third road between the linear program and CFR?*"""

import numpy as np

import workbench as wb
from workbench.lab.exercises import right, wrong


def check_ahead(answer):
    if isinstance(answer, wb.GameTree):
        tree = answer
    else:
        tree = wb.compile_game(wb.load_game(answer) if isinstance(answer, str) else answer)
    if tree.num_players != 2 or np.abs(tree.utility.sum(axis=1)).max() > 1e-9:
        return wrong("This game is not zero-sum for two players; EGT refuses it.")
    solvers = ((wb.solvers.EGT(), 2_000), (wb.solvers.CFRPlus(), 3_000))
    egt, plus = (
        wb.solve(tree, solver, many, checkpoints=many, progress=False).exploitability
        for solver, many in solvers
    )
    if not egt < plus:
        return wrong(f"`egt` ends at {egt:.2e} on {tree.name}, `cfr+` at {plus:.2e}.")
    if plus < 1e-9:
        return wrong(f"Both have solved {tree.name} up to rounding; that is no race.")
    return right(
        f"{egt:.2e} against {plus:.2e} on {tree.name}. Who is ahead depends on the game, and Leduc "
        "is one game."
    )
