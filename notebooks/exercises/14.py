"""Judges for lecture 14, *How does a computer find an abstraction?*"""

from itertools import product

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, right, wrong

BUCKETS, LIMIT, ITERATIONS = (6, 66, 120), 215, 100


def check_greed(answer):
    try:
        errors = np.array(answer, float)
    except (TypeError, ValueError):
        errors = np.empty(0)
    if errors.shape != (2, 3) or not np.isfinite(errors).all():
        raise UnfitError("two lists of three numbers are needed: errors with 1, 2, 3 children")
    if (errors < 0).any() or (np.diff(errors) > 0).any():
        return wrong("An error is never negative, and with more children it does not grow.")
    greedy = [1, 1]
    for _ in range(2):
        gains = [
            row[k - 1] - row[k] if k < 3 else -1 for row, k in zip(errors, greedy, strict=True)
        ]
        if gains[0] == gains[1]:
            return wrong("Two parents gain equally much at some step; let greed have no choice.")
        greedy[int(np.argmax(gains))] += 1
    total = {
        (a, b): errors[0, a - 1] + errors[1, b - 1]
        for a, b in product((1, 2, 3), repeat=2)
        if a + b <= 4
    }
    best = min(total, key=total.get)
    if total[best] >= total[tuple(greedy)] - 1e-12:
        return wrong(f"Greed gives {greedy[0]} and {greedy[1]} children, and that is the best.")
    return right(
        f"Greed ends with {greedy[0]} and {greedy[1]} children and an error of "
        f"{total[tuple(greedy)]:g}; {best[0]} and {best[1]} make {total[best]:g}. It fails where a "
        "later child helps more than an earlier one."
    )


def check_better(answer):
    if not isinstance(answer, wb.poker.HandBuckets):
        raise UnfitError("buckets are needed, such as wb.cluster_hands(deck, (6, 24, 120))")
    rules = wb.load_game("rhode_island", ranks=6)
    if answer.rules != rules:
        return wrong(f"These buckets are of {answer.rules.name}, not of the deck of 24 cards.")
    if any(own > most for own, most in zip(answer.classes, BUCKETS, strict=True)):
        return wrong(f"These are {answer.name} buckets; 6 in the first round and 120 in the last.")
    run = wb.solve(
        rules, "cfr+", ITERATIONS, abstraction=answer, checkpoints=ITERATIONS, progress=False
    )
    lost = 100 * run.exploitability
    if lost >= LIMIT:
        return wrong(f"They lose {lost:.0f} milli-small-bets; it should be less than {LIMIT}.")
    return right(
        f"They lose {lost:.0f} milli-small-bets. With 24 buckets in the middle it was 232 or more: "
        "how buckets are shared between rounds matters as much as the metric."
    )
