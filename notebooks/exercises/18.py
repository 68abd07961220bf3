"""Judges for lecture 18, *Can experts win with the same memory?*"""

import numpy as np

from workbench.lab.exercises import UnfitError, need_function, right, wrong

HANDS, BUCKETS, POT, BET = 40, 7, 3.0, 2.0


def check_river(answer):
    best = need_function(answer, "answer(W, N, reach, pot, bet)")
    rng = np.random.default_rng(0)
    meets = rng.integers(1, 30, (HANDS, BUCKETS)).astype(float)
    wins = np.round(meets * rng.uniform(-1, 1, (HANDS, 1)))
    reach = rng.random(BUCKETS)
    try:
        found = np.array(best(wins.copy(), meets.copy(), reach.copy(), POT, BET), float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (HANDS,):
        raise UnfitError("it must return one number for each hand")
    fold, call = -POT * meets @ reach, (POT + BET) * wins @ reach
    if np.allclose(found, np.maximum(fold, call)):
        return right(
            "The maximum is taken for each hand by itself: that is what seeing cards is worth."
        )
    if np.allclose(found, max(fold.sum(), call.sum()) / HANDS) or any(
        np.allclose(found, one) for one in (fold, call)
    ):
        return wrong("All hands do the same here. Each hand makes its own choice.")
    if np.allclose(found, np.maximum(0, call)):
        return wrong("A fold is not free: what you had put in before is lost.")
    if np.allclose(found, np.maximum(fold, POT * wins @ reach)):
        return wrong("A call plays for the bet as well: pot + bet.")
    if np.allclose(found, np.maximum(fold, (2 * POT + BET) * wins @ reach)):
        return wrong("You win what the other player has put in, pot + bet, not the whole pot.")
    if np.allclose(found, np.maximum(-POT * reach.sum(), call)):
        return wrong("At a fold, count the hands that the base may hold: N.")
    return wrong(
        "It is the larger of two numbers for each hand: what a fold loses, what a call wins."
    )
