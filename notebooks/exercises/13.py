"""Judges for lecture 13, *How was Rhode Island Hold'em solved?*"""

import tracemalloc
from itertools import combinations

import numpy as np

from workbench.lab.exercises import UnfitError, need_function, right, wrong

DECK = 52


def check_two_cards(answer):
    showdown = need_function(answer, "showdown_two(strength, reach, cards)")
    rng = np.random.default_rng(0)
    cards = np.array(list(combinations(range(DECK), 2)))
    strength, reach = rng.integers(0, 200, len(cards)), rng.random(len(cards))
    tracemalloc.start()
    try:
        given = showdown(strength.copy(), reach.copy(), cards.copy())
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    try:
        found = np.array(given, float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != strength.shape:
        raise UnfitError("it must return one number for each hand")
    signs = np.sign(strength[:, None] - strength)
    shares = (cards[:, None, :, None] == cards[:, None, :]).any(axis=(2, 3))
    if np.allclose(found, np.where(shares, 0, signs) @ reach):
        if most > len(cards) ** 2:  # bytes
            return wrong("The numbers are right, but it makes a table of all pairs of hands.")
        return right(
            "Each hand holds two cards, so it is added up three times: once with all hands, once "
            "for each of its cards. That is still linear, up to the sorting."
        )
    if np.allclose(found, signs @ reach):
        return wrong("Opponents who share a card with you still count.")
    if np.allclose(found, -(np.where(shares, 0, signs) @ reach)):
        return wrong("The sign is wrong: weaker minus stronger.")
    return wrong("It does not agree with adding up over all opponents, one by one.")
