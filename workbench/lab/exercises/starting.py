"""Exercises of notebook 00, *Start here*: units, ways, and a player worse than a coin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.evaluation.best_response import exploitability
from workbench.lab.exercises.answers import chosen, nearly, strategy
from workbench.lab.exercises.core import Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import game
from workbench.strategy import Strategy

COINS = Question(
    "Somebody decides everything at Leduc poker by tossing coins. The ante is one chip. How many "
    "chips a game does an opponent win from her on average, who knows that she does?",
    2.3736,
    high=6,
    step=0.1,
    unit="chips",
    because="More than two antes, every game: she calls with nothing and folds a pair.",
)
YOUTH = Question(
    "Three solvers get 500 iterations of Kuhn poker: CFR of 2008, CFR+ of 2014, PCFR+ of 2021. "
    "Does youth show?",
    "yes: the younger, the closer to perfect play",
    options=(
        "no: all three end about equally close",
        "CFR+ leads, PCFR+ has to catch up",
        "yes: the younger, the closer to perfect play",
    ),
    because="Each is several times closer than the one before, and PCFR+ ends by far the closest. "
    "On Leduc the order is another one: choose it in the switch below.",
)
JACK = Question(
    "You hold the Jack at Kuhn poker, he bets, and you pay to see it. That loses two chips. How "
    "much did the decision cost?",
    "1 chip",
    options=("nothing: that was bad luck", "1 chip", "2 chips"),
    because="The other chip was gone before you could decide anything: a fold loses it, too. That "
    "was the cards, not you.",
)

WAY = {"12": ["08", "10"], "10": ["01", "02", "08"], "08": ["01", "02", "03"]}
NAMES = [f"{number:02}" for number in range(14)]


@exercise(
    "Look up *NashConv* and *exploitability* in the glossary. Which of the two does the thesis "
    "print?",
    "The thesis adds what both players could win, b1 + b2. `wb.exploitability` is the mean of the "
    "two.",
)
def check_points(answer: Any) -> Verdict:
    """A thesis says 0.9 points a hand, and means b1 + b2: what would `wb.exploitability` print?"""
    return nearly(
        answer,
        0.45,
        slips={
            0.9: "That is the thesis's own number, the *sum* over both players.",
            1.8: "The wrong way round: the thesis adds up, and we take the mean.",
            450: "That is in thousandths; `wb.exploitability` prints points.",
        },
        good="Half as much, and the same strategy. Before you compare two papers, ask whether they "
        "add up or take the mean, and what their unit is.",
    )


@exercise(
    "The map of section 4 says what 12 comes after. And what do those come after?",
    'Or let `way("12")` of section 4 walk for you.',
)
def check_way(answer: Any) -> Verdict:
    """The notebooks to read before notebook 12."""
    if isinstance(answer, Iterable) and not isinstance(answer, (str, Mapping)):
        answer = [f"{one:02}" if type(one) is int else one for one in answer]
    given = chosen(answer, NAMES) - {"00", "12"}
    needed = {"12"}
    for one, before in WAY.items():
        if one in needed:
            needed |= set(before)
            missing = [name for name in before if name not in given]
            if missing:
                return wrong(f"{missing[0]} is missing: {one} comes after {', '.join(before)}.")
    more = sorted(given - needed)
    if more:
        return wrong(f"{more[0]} is worth reading, but nothing on the way to 12 needs it.")
    return right("01, 02, 03, 08 and 10: with 12 itself a little over four hours.")


@exercise(
    "`wb.Strategy.from_function(kuhn, f)` asks `f(player, seen, actions)` at each information set. "
    "Let f return one of the actions, `p` or `b`.",
    "What would please an opponent most? One who never has to show his cards wins every pot.",
)
def check_worse(answer: Any) -> Verdict:
    """A strategy at Kuhn poker that is easier to exploit than tossing coins."""
    tree = game("kuhn")
    sigma = strategy(answer, tree)
    lost, coins = exploitability(sigma), exploitability(Strategy.uniform(tree))
    if lost > coins + 1e-9:
        return right(f"Yours loses {lost:.4f} chips a game, a coin only {coins:.4f}.")
    return wrong(
        f"Yours loses {max(lost, 0):.4f} chips a game, a coin {coins:.4f}: too well played."
    )
