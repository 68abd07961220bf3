"""Judges for lecture 07, *Which abstraction should a Toepen player use?*: 3/3/2 with betting."""

from functools import cache
from types import FunctionType

import workbench as wb
from workbench.games.toepen.hand_rules import HandRule
from workbench.lab.exercises import UnfitError, game, right, same_merging, wrong


def toepen():
    return game("toepen", suits=3, ranks=3, hand=2, suit_isomorphism=True)


def trained(tree, iterations=100_000, seed=0):
    solver = wb.solvers.ExternalSampling(linear=False)
    return wb.average(tree, next(wb.iterate(tree, solver, seed=seed, every=iterations)))


def cost(made):
    """b1 + b2 in the real game, after as much training as in the notebook."""
    return 2 * wb.exploitability(made.lift(trained(made.coarse)))


def abstraction(answer):
    """The abstraction of a rule: a `hand_rule`, a function that makes one, a label, or a name."""
    if isinstance(answer, FunctionType) and answer.__code__.co_argcount == 2:
        answer = wb.hand_rule(answer)
    if not (callable(answer) or isinstance(answer, (str, HandRule))):
        raise UnfitError("a rule is needed here: `wb.abstraction.hand_rule(lambda hand, table: …)`")
    return wb.abstract(toepen(), answer)


def check_stake(answer):
    made = abstraction(answer)

    def remembers(rule, by_kind=True):
        return same_merging(made, wb.abstract(toepen(), wb.hand_rule(rule, by_kind=by_kind)))

    for by_kind in (True, False):
        if remembers(lambda hand, table: (hand.high, table.stake), by_kind):
            kinds = "" if by_kind else " (With kinds kept apart: 40, and half the cost.)"
            return right(
                f"{made.coarse.num_infosets} situations cost {cost(made):.2f} (b₁ + b₂).{kinds} "
                "`simple-history`, by kind, has 65 and costs 0.5: cards tell more than the stake."
            )
    if remembers(lambda hand, table: hand.high):
        return wrong("It remembers the high cards and forgets the stake.")
    if remembers(lambda hand, table: table.stake):
        return wrong("It remembers the stake and forgets the high cards.")
    return wrong(
        f"{made.coarse.num_infosets} situations; high cards and stake alone leave 40 (18 with "
        "kinds mixed)."
    )


@cache
def buckets(count):
    """What so many buckets cost, found as in section 8."""
    teacher = trained(toepen(), 20_000, seed=7)
    return cost(wb.abstract(toepen(), wb.cluster(toepen(), wb.strength(teacher), buckets=count)))


def check_few(answer):
    made = abstraction(answer)
    sets = made.coarse.num_infosets
    if sets > 300:
        return wrong(f"{sets} situations; at most 300 are allowed. Forget something more.")
    ours, theirs = cost(made), buckets(300)
    said = f"{sets} situations cost {ours:.3f} (b₁ + b₂), 300 buckets {theirs:.3f}."
    return right(said) if ours < theirs else wrong(said)
