"""Judges for the lab about three-player Leduc poker: who sits where."""

from collections.abc import Iterable, Mapping
from itertools import combinations, permutations

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, nearly, numbers, right, wrong


def check_seats(four, answer):
    strategies = four_strategies(four)
    if any(np.array_equal(a.probs, b.probs) for a, b in combinations(strategies, 2)):
        return wrong("Two of the four are one and the same strategy.")
    given = numbers(answer, ("seatings", "third seat wins"))
    verdict = nearly(
        given["seatings"],
        24,
        tolerance=0,
        slips={
            4: "That is the number of *tables*; the three at a table can change seats.",
            6: "That is one table. One of the four can stay away, in four ways.",
            64: "That counts tables where a strategy sits twice.",
        },
    )
    if not verdict:
        return wrong(f"seatings: {verdict.text}")
    won = [float(wb.expected_values(list(who))[2]) for who in permutations(strategies, 3)]
    wins = sum(x > 0 for x in won)
    if given["third seat wins"] != wins:
        return wrong(
            f"third seat wins: Not {given['third seat wins']:g} times. Count the seatings in "
            "which the third value is above zero."
        )
    worst = f" Where it does not win, it has {1000 * min(won):.1f} milli-antes." * (wins < 24)
    return right(
        f"The third seat wins in {wins} of 24.{worst} That is a matter of the seat more than of "
        "the strategy, and the reason why all seatings have to be played."
    )


def four_strategies(answer):
    given = list(answer.values()) if isinstance(answer, Mapping) else answer
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UnfitError("four strategies with their names are needed here: {'null': …, …}")
    found = list(given)
    if len(found) != 4 or not all(isinstance(each, wb.Strategy) for each in found):
        raise UnfitError("four strategies are needed here, `three | {'real': real[-1]}`")
    if any(each.tree.num_players != 3 for each in found):
        raise UnfitError("strategies of a game for three are needed here")
    return found
