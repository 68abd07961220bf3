"""Judges for lecture 06, *Which cards may you forget?*: suits of Toepen and their names."""

from collections.abc import Iterable, Mapping
from itertools import combinations, permutations

import numpy as np

import workbench as wb
from workbench.lab.exercises import (
    UnfitError,
    game,
    nearly,
    need_function,
    right,
    same_merging,
    wrong,
)

SUITS = "♠♥♦"


def toepen(betting):
    return game("toepen", suits=3, ranks=2, hand=2, betting=betting)


def rename(text, order):
    return text.translate(str.maketrans(order, SUITS))


def orders(seen):
    """The renamings that lead to the first name in the dictionary: as many as the stabiliser."""
    views = {
        order: (wb.toepen.in_order(rename(seen[0], order)), rename(seen[1], order))
        for order in map("".join, permutations(SUITS))
    }
    return [order for order, view in views.items() if view == min(views.values())]


def check_stabiliser(answer):
    cards = [rank + suit for suit in SUITS for rank in ("10", "9", "8")]
    hands = {frozenset(pair): wb.toepen.in_order(" ".join(pair)) for pair in combinations(cards, 2)}
    true = {hand for hand in hands.values() if len(orders((hand, ""))) == 2}
    good = (
        "18: nine pairs of equal rank (exchange their suits), and nine hands of one suit "
        "(exchange the two suits that are not in the hand)."
    )
    if isinstance(answer, Iterable) and not isinstance(answer, str):
        given = {a_hand(hand, hands) for hand in answer}
        if given == true:
            return right(good)
        odd = min(given ^ true)
        return wrong(
            f"{len(given)} hands, and {odd} is {'missing' if odd in true else 'too many'}."
        )
    return nearly(
        answer,
        len(true),
        tolerance=0,
        slips={
            12: "Count ranks and suits again: each kind has 3 times 3 hands.",
            9: "That is one kind. There is another: which suits are not in the hand?",
            27: "Do not count hands with two cards of different suits and ranks.",
            36: "10♠ 9♥ is changed by every exchange: its stabiliser has size 1.",
        },
        good=good,
        bad="List the 36 hands and exchange two suits in each.",
    )


def a_hand(answer, hands):
    """A hand as the deck orders it, from a text or from its cards."""
    words = answer if isinstance(answer, (tuple, list, set, frozenset)) else str(answer).split()
    cards = frozenset(map(str, words))
    if cards not in hands:
        raise UnfitError(f"{answer!r} is none of the 36 hands; write them like '10♠ 9♥'")
    return hands[cards]


def habit():
    """The blunder of the notebook, and with two tens he discards the first suit."""
    made = wb.abstract(toepen(betting=False), "thesis-suits")

    def play(player, seen, actions):
        if (player, seen) == (1, ("10♠ 10♥", "10♦")):
            return "10♠"
        if seen in [("9♠ 10♥", ""), ("9♠ 10♥", "9♦")]:
            return "9♠"
        return np.full(len(actions), 1 / len(actions))

    return made.lift(wb.Strategy.from_function(made.coarse, play))


def check_leads(answer):
    before = {"10♠ 9♥": "10♠", "10♠ 9♦": "9♦"}  # right against the habit of section 3
    if not isinstance(answer, Mapping) or set(answer) != set(before):
        raise UnfitError("a card for each of the two hands is needed here, such as '10♠'")
    sigma = habit()
    reply = wb.best_response(sigma, 0)
    for hand, old in before.items():
        card = str(answer[hand]).strip()
        if card not in hand.split():
            raise UnfitError(f"with {hand} she can lead {' or '.join(hand.split())}, not {card!r}")

        def play(player, seen, actions, hand=hand, card=card):
            return card if (player, seen) == (0, (hand, "")) else reply.strategy.at(seen, player)

        leads = wb.Strategy.from_function(sigma.tree, play)
        wins = wb.expected_values([leads, sigma])[0]
        if wins < reply.value - 1e-9:
            why = " That was right against the habit of section 3." if card == old else ""
            return wrong(
                f"With {hand} the {card} wins {30 * wins:.3g} thirtieths in all, and the other "
                f"card {30 * reply.value:.3g}.{why}"
            )
    return right("The mirror image: now she leads the ten if her nine is a diamond.")


def check_other_half(answer):
    rule = need_function(answer, "rule(player, seen, actions)")
    for betting in (False, True):
        tree = toepen(betting)
        made, asked = wb.abstract(tree, rule), wb.abstract(tree, other_half)
        where = f"In 3/2/2 {'with' if betting else 'without'} betting"
        sets, true = made.coarse.num_infosets, asked.coarse.num_infosets
        if sets != true:
            return wrong(f"{where} there are {sets} labels; the thesis's names make {true}.")
        if not same_merging(made, asked):
            plain = wb.abstract(tree, "thesis-suits")
            why = " The actions are not merged." if same_merging(made, plain) else ""
            return wrong(
                f"{where} {made.coarse.num_choices} choices are left; {asked.coarse.num_choices} "
                f"are right.{why}"
            )
    return right(
        "Without betting our search finds no loss any more. With betting it does: labels that keep "
        "equal situations apart do harm, too."
    )


def other_half(player, seen, actions):
    """The thesis's labels, with actions merged that its stabiliser exchanges."""
    label, names = wb.toepen.ThesisSuits(SUITS)(player, seen, actions)
    merged = [min(rename(action, order) for order in orders(seen)) for action in actions]
    return label, [
        min(name for name, other in zip(names, merged, strict=True) if other == one)
        for one in merged
    ]
