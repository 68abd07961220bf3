"""Judges for lecture 03, *Which solver should you use?*"""

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, game, numbers, right, wrong


def check_exception(answer):
    tree = as_tree(answer)
    if tree.num_players != 2 or np.abs(tree.utility.sum(axis=1)).max() > 1e-9:
        return wrong("This game is not zero-sum for two players; regret promises nothing there.")
    plain, plus = (
        wb.solve(tree, name, 1_000, checkpoints=1_000, progress=False).exploitability
        for name in ("cfr", "cfr+")
    )
    if not plain < plus:
        return wrong(f"`cfr` ends at {plain:.2e} on {tree.name}, `cfr+` at {plus:.2e}.")
    if plus < 1e-9:
        return wrong(f"Both have solved {tree.name} up to rounding; that is no race.")
    return right(
        f"{plain:.2e} against {plus:.2e} on {tree.name}. A rule of thumb from two kinds of poker "
        "need not hold anywhere else."
    )


def as_tree(answer):
    if isinstance(answer, wb.GameTree):
        return answer
    return wb.compile_game(wb.load_game(answer) if isinstance(answer, str) else answer)


def check_exponents(answer):
    dcfr = wb.solvers.DCFR()
    if isinstance(answer, type):
        raise UnfitError(
            "exponents are needed here, such as (1.5, 0, 2) or wb.solvers.DCFR(alpha=1.5)"
        )
    if not isinstance(answer, wb.solvers.DCFR):
        answer = wb.solvers.DCFR(**numbers(answer, ("alpha", "beta", "gamma")))
    if answer == dcfr:
        return wrong("These are the exponents of `dcfr` itself.")
    trees = game("leduc", suit_isomorphism=True), game("kuhn")
    (ours, kuhn), (theirs, other) = (
        [
            wb.solve(tree, one, 1_000, checkpoints=1_000, progress=False).exploitability
            for tree in trees
        ]
        for one in (answer, dcfr)
    )
    if not ours < theirs:
        return wrong(f"{ours:.2e} after 1,000 iterations on Leduc; `dcfr` has {theirs:.2e}.")
    worse = "What wins on one may lose on another."
    moral = "Better on both; on a third game?" if kuhn < other else worse
    return right(
        f"{ours:.2e} against {theirs:.2e} on Leduc. On Kuhn: {kuhn:.2e} against {other:.2e}. "
        f"{moral}"
    )
