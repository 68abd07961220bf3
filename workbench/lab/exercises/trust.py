"""Exercises of notebook 07, *Can you trust a published exploitability?*"""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import Any

from workbench.compiling import compile_game
from workbench.games.registry import load_game
from workbench.lab.exercises.answers import nearly
from workbench.lab.exercises.core import UnfitError, Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question

ALICE = Question(
    "The thesis defines the payoff of a hand as the number of calls in it. Alice and Beth play a "
    "hand with two calls, and Alice takes the last trick. How many points does she win?",
    3,
    low=0,
    high=6,
    because="One point is in the game before anybody bets. The thesis's example says three as "
    "well; its definition says two.",
)
JUDGES = Question(
    "A strategy was trained for 50,000 iterations. Three judges train against it for 10,000 more. "
    "Who finds most of what can be won?",
    "(a), who starts from nothing",
    options=(
        "(a), who starts from nothing",
        "(b), who goes on from the trained regrets with a fresh average",
        "(c), who goes on with everything",
        "all find about the same",
    ),
    because="(a) finds 92 %, (b) 72 %, (c) 14 %. What is measured is an average, and five sixths "
    "of (c)'s average are old.",
)
GAIN = Question(
    "You may give up a hundredth of a point of safety. How much of what could be won from the "
    "trained opponent do you get for it?",
    36,
    low=0,
    high=100,
    unit="per cent",
    because="At p = 0.25 more than a third of the possible gain, for 0.005 points. A little "
    "attention is nearly free.",
)


@exercise(
    "She sees N / (T + N) at most. Set that equal to 0.9.",
    "N = 0.9 (T + N), so 0.1 N = 0.9 T.",
)
def check_blind(answer: Any) -> Verdict:
    """T = 50,000: how long must a judge who keeps the average train to see 90 % at most?"""
    return nearly(
        answer,
        450_000,
        unit="iterations",
        slips={
            45_000: "With N = 0.9 T she sees 0.9 / 1.9, not even half.",
            50_000: "With N = T she sees one half.",
            55_556: "N = T / 0.9 gives 0.53: the old average is still there.",
            500_000: "That is T + N, the training included.",
            5_556: "N = T / 9 gives one tenth; it is the other way round.",
        },
        good="Nine times the training itself. A judge who starts afresh finds 92 % with 10,000.",
    )


@cache
def _factor(name: str) -> float:
    """By how much fewer information sets there are if suits must be followed."""
    suits, ranks, hand = map(int, name.rstrip("b").split("/"))
    sets = [
        compile_game(
            load_game("toepen", suits=suits, ranks=ranks, hand=hand, follow_suit=must)
        ).num_infosets
        for must in (False, True)
    ]
    return sets[0] / sets[1]


@exercise(
    "Divide the column `need not` by the column `must follow suit`.",
    "The fewer suits, the more often one has to follow.",
)
def check_follow(answer: Any) -> Verdict:
    """Of 2/2/2b, 2/3/2b, 3/2/2b and 3/3/2b: where does following suit change the count most?"""
    names = ("2/2/2b", "2/3/2b", "3/2/2b", "3/3/2b")
    if not isinstance(answer, str) or answer.strip() not in names:
        raise UnfitError(f"one of {', '.join(names)} is needed here, in quotes")
    given, best = answer.strip(), max(names, key=_factor)
    if given != best:
        return wrong(f"{given}: a factor of {_factor(given):.2f}. There is one with more.")
    return right(
        f"A factor of {_factor(best):.2f}, in the smallest deck. A count from a toy version is the "
        "quickest test of which game was programmed."
    )


@exercise(
    "The thesis's number is a sum, seen by a judge with T = N. First: what is the sum in truth?",
    "She sees one half at most, so the sum is twice as large; and the mean is half of the sum.",
)
def check_units(answer: Any) -> Verdict:
    """The thesis's 0.914 (T = N = 100,000) as `wb.exploitability`, if its judge saw N / (T + N)."""
    return nearly(
        answer,
        0.914,
        unit="points per hand",
        slips={
            1.828: "That is b1 + b2, the sum; `wb.exploitability` is the mean over both players.",
            0.457: "That is the mean of what was *seen*; the judge saw half of what is there.",
            3.656: "Twice doubled: the judge saw half, but the mean is half of the sum again.",
        },
        good="Two factors of two that happen to cancel: twice what was seen, and half of the sum. "
        "(Ours, trained as the text tells, was exploitable by 1.4 in this unit.)",
    )


@exercise(
    "Iteration t counts t times. What share of 1 + 2 + … + (T + N) belongs to the last N?",
    "The sum up to n is about n²/2. So the old part is (T / (T + N))².",
)
def check_linear(answer: Any) -> Verdict:
    """The share that a judge with linear weights can see: T = 50,000, N = 10,000, all kept."""
    return nearly(
        answer,
        11 / 36,
        slips={
            1 / 6: "That is with equal weights.",
            25 / 36: "That is the share of the old average; asked is the new one.",
            1 / 36: "Square the old share, T / (T + N), not the new one.",
            5 / 6: "That is the old share, with equal weights.",
            1 / 3: "Nearly: 2 N / (T + N) is right for small N only.",
        },
        good="1 − (5/6)², almost twice as much as with equal weights, and still blind.",
        bad="Late iterations count more: it must be more than 1/6.",
    )


@exercise(
    "The bound grows like 1 + √(2/ρ) and falls like 1/√T. What do three times the factor cost?",
    "(1 + √40) / (1 + √2) is 3.03; T grows by its square, from 2.5 · 10¹².",
)
def check_enough(answer: Any) -> Verdict:
    """How many iterations until the repaired bound says anything, with 95 % confidence?"""
    factor, surer = 1 + sqrt(2), 1 + sqrt(2 / 0.05)
    bound = (131_763 + 245_195) * sqrt(3)  # over √T, in ranges of payoffs
    truth = (surer * bound) ** 2
    return nearly(
        answer,
        truth,
        tolerance=0.1,
        unit="iterations",
        slips={
            (factor * bound) ** 2: "That is for ρ = 1, a promise that holds with probability zero.",
            surer / factor * (factor * bound) ** 2: "The bound is three times as large, but it "
            "falls with √T: square the three.",
            surer * bound: "That is √T. Square it.",
        },
        good="2.3 · 10¹³ iterations. At a million a second that is most of a year.",
    )
