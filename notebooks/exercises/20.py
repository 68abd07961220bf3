"""Judges for lecture 20, *What if any bet is allowed?*"""

from numbers import Real

import workbench as wb
from workbench.lab.exercises import right, wrong


def price(rules, sizes, mapping):
    """Of the equilibrium that the linear program finds."""
    tree = wb.compile_game(rules)
    cut = wb.abstract(tree, wb.abstraction.BetSizes(sizes, mapping))
    return wb.exploitability(cut.lift(wb.solve(cut.coarse, "lp", progress=False).strategy))


def is_size(value):
    return isinstance(value, Real) and not isinstance(value, bool) and value > 0


def check_heard(answer):
    if answer == "pot":
        answer = 1
    if not is_size(answer):
        return wrong("Give one size in pots, for instance `2`.")
    costs = price(wb.load_game("no_limit_kuhn", stack=13), [0.5, answer, "all-in"], "nearest")
    if costs > 1e-9:
        return wrong(f"With {answer:g} pots on the list the price is {costs:.4f}.")
    return right(f"With a bet of {answer:g} on the list nothing is left to rob.")


def check_own(answer):
    rules = wb.load_game("no_limit_kuhn", stack=9)
    harmonic = price(rules, [0.5, "all-in"], "pseudo-harmonic")
    try:
        costs = price(rules, [0.5, "all-in"], answer)
    except (wb.GameError, TypeError, ArithmeticError) as error:
        return wrong(f"That is no mapping yet: {error}")
    if costs >= harmonic:
        return wrong(f"Yours costs {costs:.4f}, the pseudo-harmonic mapping {harmonic:.4f}.")
    return right(
        f"{costs:.4f} against {harmonic:.4f}. In this game it is better; which mapping is best "
        "depends on the game."
    )


def check_two(answer):
    if not isinstance(answer, (list, tuple)) or not all(map(is_size, answer)) or len(answer) != 2:
        return wrong("Give two sizes in pots, for instance `[0.5, 1]`.")
    costs = price(wb.load_game("no_limit_leduc", stack=6), [*answer, "all-in"], "pseudo-harmonic")
    said = " and ".join(f"{size:g}" for size in answer)
    if costs >= 0.1:
        return wrong(f"With {said} pots the price is {costs:.4f}.")
    return right(f"With {said} pots the price is {costs:.4f}: one small size and one large.")
