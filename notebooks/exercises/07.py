"""Judges for lecture 07, *Which abstraction should a Toepen player use?*: 3/3/2 with betting."""

from functools import cache
from types import FunctionType

import workbench as wb
from workbench.lab.exercises import UnfitError, game, right, same_merging, wrong


def toepen():
    return game("toepen", suits=3, ranks=3, hand=2, suit_isomorphism=True)


def trained(tree, iterations=100_000, seed=0):
    solver = wb.solvers.ExternalSampling(linear=False)
    return wb.average(tree, next(wb.iterate(tree, solver, seed=seed, every=iterations)))


def price(made):
    """Exploitability in the real game, after as much training as in the notebook."""
    return wb.exploitability(made.lift(trained(made.coarse)))


def abstraction(answer):
    """The abstraction of a rule: a `hand_rule`, a function that makes one, a label, or a name."""
    if isinstance(answer, FunctionType) and answer.__code__.co_argcount == 2:
        answer = wb.toepen.hand_rule(answer)
    if not (callable(answer) or isinstance(answer, (str, wb.toepen.HandRule))):
        raise UnfitError("a rule is needed here: `wb.toepen.hand_rule(lambda hand, table: …)`")
    return wb.abstract(toepen(), answer)


def check_order(answer):
    made = abstraction(answer)
    sets = made.coarse.num_infosets

    def remembers(rule, by_kind=True):
        return same_merging(made, wb.abstract(toepen(), wb.toepen.hand_rule(rule, by_kind=by_kind)))

    def asked(hand, table):
        return hand.cards, frozenset(table.cards), table.stake

    if remembers(asked):
        return right(
            f"{sets:,} information sets, exploitability {price(made):.3f} points per hand. With "
            "the order there are 2,520, and it is about 0.026. What is lost is which card was "
            "led in this trick: a rule that adds `table.led` is as good as one that keeps "
            "the order."
        )
    if remembers(asked, by_kind=False):
        return wrong("This merges bets with cards. Leave `by_kind` as it is, True.")
    for rule, why in {
        lambda hand, table: (hand.cards, table.cards, table.stake): "It remembers the order.",
        lambda hand, table: (hand.cards, frozenset(table.cards)): "It forgets the stake.",
        lambda hand, table: (frozenset(table.cards), table.stake): "It forgets the hand.",
    }.items():
        if remembers(rule):
            return wrong(why)
    return wrong(f"{sets:,} information sets; the hand, the cards played and the stake make 1,773.")


@cache
def buckets(count):
    """The exploitability of so many buckets, found as in section 5."""
    teacher = trained(toepen(), 20_000, seed=7)
    return price(
        wb.abstract(toepen(), wb.cluster(toepen(), wb.abstraction.strength(teacher), buckets=count))
    )


def check_few(answer):
    made = abstraction(answer)
    sets = made.coarse.num_infosets
    if sets > 300:
        return wrong(f"{sets:,} information sets; at most 300 are allowed. Forget something more.")
    ours, theirs = price(made), buckets(300)
    said = f"{sets} information sets have exploitability {ours:.3f}, 300 buckets {theirs:.3f}."
    if ours < theirs:
        return right(said)
    return wrong(said + " What else decides a trick, and does she know it? See `hint(3)`.")
