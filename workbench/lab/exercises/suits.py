"""Exercises of notebook 05, *Which cards may you forget?*: suits of Toepen and their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations, permutations
from typing import Any

import numpy as np

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.best_response import best_response
from workbench.evaluation.values import expected_values
from workbench.games.registry import load_game
from workbench.games.toepen.suits import ThesisSuits
from workbench.games.toepen.view import in_order
from workbench.lab.exercises.answers import nearly, need_function, same_merging
from workbench.lab.exercises.core import UnfitError, Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.strategy import Strategy
from workbench.tree import GameTree

ORBITS = Question(
    "The game 2/2/2 without betting has ten information sets. Exchange the words ♠ and ♥ "
    "everywhere: how many different problems are left?",
    6,
    low=1,
    high=10,
    because="Four pairs differ by a name only; 10♠ 10♥ and 9♠ 9♥ are their own mirror images. "
    "4 + 2 = 6.",
)
FINER = Question(
    "One abstraction of 3/2/2 with betting keeps 822 information sets, the other 528, out of "
    "3,048. Both merge only what is equal. Which one plays better in the real game?",
    "the coarser one, with 528",
    options=("the finer one, with 822", "no difference", "the coarser one, with 528"),
    because="The finer one tells cards apart by the alphabet, and a habit that follows the "
    "alphabet can be exploited. Section 4 shows how.",
)
SHUFFLE = Question(
    "Three strategies learnt with the thesis's names lose 0.19, 0.56 and 0.07 points (b₁ + b₂). "
    "Before each hand we now shuffle the names of the suits in secret. What is left of the loss?",
    "almost nothing, of all three",
    options=(
        "about half, of all three",
        "almost nothing, of all three",
        "almost nothing, but only of the one learnt by CFR+",
        "all of it: the strategies are the same",
    ),
    because="A shuffled strategy has no habits, and its best opponent may as well be blind to "
    "names. Such an opponent was inside the abstract game, where the strategy is safe.",
)

_SUITS = "♠♥♦"


@cache
def _toepen(suits: int, ranks: int, betting: bool) -> GameTree:
    return compile_game(load_game("toepen", suits=suits, ranks=ranks, hand=2, betting=betting))


def _orders(seen: tuple[str, str]) -> list[str]:
    """The renamings that lead to the first name in the dictionary: as many as the stabiliser."""
    views = {}
    for order in map("".join, permutations(_SUITS)):
        names = str.maketrans(order, _SUITS)
        views[order] = in_order(seen[0].translate(names)), seen[1].translate(names)
    first = min(views.values())
    return [order for order, view in views.items() if view == first]


def _hand(answer: Any, known: Mapping[frozenset[str], str]) -> str:
    """A hand as the deck orders it, from a text or from its cards."""
    words = answer if isinstance(answer, (tuple, list, set, frozenset)) else str(answer).split()
    cards = frozenset(map(str, words))
    if cards not in known:
        raise UnfitError(f"{answer!r} is none of the 36 hands; write them like '10♠ 9♥'")
    return known[cards]


@exercise(
    "A stabiliser of size 2 is one exchange of two suits that nobody notices. When does the hand "
    "look the same after two suits were exchanged?",
    "Either both suits are in the hand with the same rank, or neither is in the hand at all.",
    "`sum(len(best_names((hand, ''))[1]) == 2 for hand in hands)`, with all 36 hands.",
)
def check_stabiliser(answer: Any) -> Verdict:
    """How many (or which) of the 36 hands of two cards in 3/3/2 have a stabiliser of size 2?"""
    cards = [rank + suit for suit in _SUITS for rank in ("10", "9", "8")]
    hands = [" ".join(pair) for pair in combinations(cards, 2)]
    true = {in_order(hand) for hand in hands if len(_orders((hand, ""))) == 2}
    if isinstance(answer, Iterable) and not isinstance(answer, str):
        known = {frozenset(hand.split()): in_order(hand) for hand in hands}
        given = {_hand(hand, known) for hand in answer}
        if given == true:
            return right(_two_kinds(len(true)))
        odd = sorted(given ^ true)[0] if given ^ true else ""
        return wrong(
            f"{len(given)} hands, and {odd} is {'missing' if odd in true else 'too many'}."
        )
    return nearly(
        answer,
        len(true),
        tolerance=0,
        slips={
            9: "That is one kind. There is another: which suits are not in the hand?",
            27: "Do not count hands with two cards of different suits and ranks.",
            36: "10♠ 9♥ is changed by every exchange: its stabiliser has size 1.",
        },
        good=_two_kinds(len(true)),
        bad="List the 36 hands and exchange two suits in each.",
    )


def _two_kinds(count: int) -> str:
    return (
        f"{count}: nine pairs of equal rank (exchange their suits), and nine hands of one suit "
        "(exchange the two suits that are not in the hand)."
    )


def _habit() -> Strategy:
    """The fair player of the notebook, but with two tens he throws the first suit."""
    made = abstract(_toepen(3, 2, False), "thesis-suits")

    def play(player: int, seen: Any, actions: Any) -> Any:
        if (player, seen) == (1, ("10♠ 10♥", "10♦")):
            return "10♠"
        if seen in [("9♠ 10♥", ""), ("9♠ 10♥", "9♦")]:
            return "9♠"
        return np.full(len(actions), 1 / len(actions))

    return made.lift(Strategy.from_function(made.coarse, play))


@exercise(
    "By the thesis's alphabet diamonds come before hearts. Which real ten goes away now?",
    "If he holds 10♥ 10♦ he throws the 10♦. Her ten is a good lead if the suit of her nine has "
    "lost its ten.",
)
def check_leads(answer: Any) -> Verdict:
    """What the best response leads with 10♠ 9♥ and with 10♠ 9♦ if he throws the first suit."""
    hands = ("10♠ 9♥", "10♠ 9♦")
    if not isinstance(answer, Mapping) or set(answer) != set(hands):
        raise UnfitError("a card for each of the two hands is needed here, such as '10♠'")
    sigma, tree = _habit(), _toepen(3, 2, False)
    reply = best_response(sigma, 0)
    for hand in hands:
        card = str(answer[hand]).strip()
        if card not in hand.split():
            raise UnfitError(f"with {hand} she can lead {' or '.join(hand.split())}, not {card!r}")

        def play(player: int, seen: Any, actions: Any, hand: str = hand, card: str = card) -> Any:
            return card if (player, seen) == (0, (hand, "")) else reply.strategy.at(seen, player)

        wins = expected_values([Strategy.from_function(tree, play), sigma])[0]
        if wins < reply.value - 1e-9:
            old = {"10♠ 9♥": "10♠", "10♠ 9♦": "9♦"}
            why = " That was right against the habit of section 4." if card == old[hand] else ""
            return wrong(
                f"With {hand} the {card} wins {30 * wins:.3g} thirtieths in all, and the other "
                f"card {30 * reply.value:.3g}.{why}"
            )
    return right(
        "Mirror-inverted: now hearts are safe, and the ten is led if her nine is a diamond."
    )


@exercise(
    "`2 * wb.equilibrium_range(wb.abstract(toepen('2/3/2'), 'thesis-suits'), tries=3).largest`; "
    "above 0.001 something can be lost.",
    "In 2/2/2 all four cards are dealt: what does a player not know?",
)
def check_two_suits(answer: Any) -> Verdict:
    """Which of 2/2/2 and 2/3/2, with and without betting, lose nothing with the thesis's names?"""
    truth = {"2/2/2": True, "2/3/2": True, "2/2/2 betting": True, "2/3/2 betting": False}
    given = _yes_or_no(answer, list(truth))
    off = [name for name in truth if given[name] != truth[name]]
    if off == ["2/3/2 betting"]:
        return wrong(
            "2/3/2 betting: a corner of its equilibria loses 0.16 points (b1 + b2). Climb."
        )
    if off:
        return wrong(f"{off[0]}: no equilibrium was found that loses anything.")
    return right(
        "Only 2/3/2 with betting can lose. In 2/2/2 no card is left over: whoever knows her own "
        "hand knows the other one. There is no secret that a habit could give away."
    )


@exercise(
    "`wb.best_response(sigma, 0)` plays against player 2, `wb.best_response(sigma, 1)` against "
    "player 1. Compare each with the value of the game.",
    "Player 1's opponent in training could not see names; player 2's could. Who has met the real "
    "opponent?",
)
def check_one_sided(answer: Any) -> Verdict:
    """Only player 2 uses the thesis's names. Whose play is safe in the real game?"""
    given = _yes_or_no(answer, ["player 1", "player 2"])
    if given == {"player 1": False, "player 2": True}:
        return right(
            "Player 2 has trained against a player 1 who sees all names, the real one. Player 1 "
            "has met a player 2 who is blind to some, and learnt habits that the real one sees."
        )
    if given == {"player 1": True, "player 2": False}:
        return wrong("The other way round: who is blind, and who has trained against the blind?")
    return wrong("One of the two is safe and one is not: ask both best responses.")


@exercise(
    "`ThesisSuits('♠♥♦')(player, seen, actions)` gives label and names; `best_names(seen)` gives "
    "the orders that lead to the same view.",
    "Two actions are exchanged by the stabiliser if some of these orders give them the same name: "
    "compare `min(rename(action, order) for order in orders)`.",
    "Keep the thesis's label; where two actions are exchanged, give both the smaller name.",
)
def check_other_half(answer: Any) -> Verdict:
    """The thesis's labels with actions merged under the stabiliser, as a rule."""
    rule = need_function(answer, "rule(player, seen, actions)")
    for betting in (False, True):
        tree = _toepen(3, 2, betting)
        made, asked = abstract(tree, rule), abstract(tree, _other_half)
        where = f"In 3/2/2 {'with' if betting else 'without'} betting"
        sets, true = made.coarse.num_infosets, asked.coarse.num_infosets
        if sets != true:
            return wrong(f"{where} there are {sets} labels; the thesis's names make {true}.")
        if not same_merging(made, asked):
            plain = abstract(tree, "thesis-suits")
            why = " The actions are not merged." if same_merging(made, plain) else ""
            return wrong(
                f"{where} {made.coarse.num_choices} choices are left; {asked.coarse.num_choices} "
                f"are right.{why}"
            )
    return right(
        "Without betting nothing can be lost any more. With betting it can, more than half a point "
        "in the worst corner that we found: unmerged labels alone do harm, too."
    )


def _other_half(player: int, seen: Any, actions: Any) -> Any:
    label, names = ThesisSuits(_SUITS)(player, seen, actions)
    orders = _orders(seen)
    merged = [min(a.translate(str.maketrans(o, _SUITS)) for o in orders) for a in actions]
    return label, [
        min(name for name, other in zip(names, merged, strict=True) if other == one)
        for one in merged
    ]


def _yes_or_no(answer: Any, names: list[str]) -> dict[str, bool]:
    asked = f"True (safe) or False is needed for each of {', '.join(names)}"
    if isinstance(answer, Mapping):
        values = [answer.get(name) for name in names]
    elif isinstance(answer, (list, tuple)) and len(answer) == len(names):
        values = list(answer)
    else:
        raise UnfitError(asked)
    if not all(isinstance(value, (bool, np.bool_)) for value in values):
        raise UnfitError(asked)
    return {name: bool(value) for name, value in zip(names, values, strict=True)}
