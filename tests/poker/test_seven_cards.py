"""The evaluator of seven cards against a naive one, and against the known counts."""

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest

from workbench.kernels import kernel
from workbench.poker.cards.board_sets import masks_of
from workbench.poker.cards.seven_cards import strength, strength_of, strengths

KNOWN = {  # by `CATEGORIES`: https://en.wikipedia.org/wiki/Poker_probability
    5: (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40),
    7: (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584),
}


def naive_five(cards):
    """What a person does: count the ranks, look for a flush and a straight."""
    ranks = sorted((card >> 2 for card in cards), reverse=True)
    counted = sorted(Counter(ranks).items(), key=lambda one: (-one[1], -one[0]))
    shape = tuple(count for _, count in counted)
    order = tuple(rank for rank, _ in counted)
    flush = len({card & 3 for card in cards}) == 1
    straight = len(order) == 5 and ranks[0] - ranks[4] == 4
    if ranks == [12, 3, 2, 1, 0]:
        straight, order = True, (3,)
    if straight:
        return (8 if flush else 4), order[0]
    named = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return (5 if flush else named.get(shape, 0)), *order


def naive(cards):
    return max(map(naive_five, combinations(cards, 5)))


@kernel
def count_categories(cards, counts):
    """Every choice of five or seven cards, in lexicographic order."""
    chosen = np.arange(cards)
    while True:
        m = np.zeros(4, np.int64)
        for card in chosen:
            m[card & 3] |= 1 << (card >> 2)
        counts[strength(m[0], m[1], m[2], m[3]) >> 26] += 1
        k = cards - 1
        while k >= 0 and chosen[k] == 52 - cards + k:
            k -= 1
        if k < 0:
            return
        chosen[k] += 1
        for rest in range(k + 1, cards):
            chosen[rest] = chosen[rest - 1] + 1


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_the_order_is_that_of_a_naive_evaluator(cards):
    rng = np.random.default_rng(cards)
    hands = [tuple(map(int, rng.choice(52, cards, replace=False))) for _ in range(1500)]
    few = [tuple(map(int, rng.choice(20, cards, replace=False))) for _ in range(1500)]  # 2 to 6
    hands += few  # straights, flushes and full houses come often
    fast, slow = [strength_of(hand) for hand in hands], [naive(hand) for hand in hands]
    assert [f >> 26 for f in fast] == [s[0] for s in slow]
    order = sorted(range(len(hands)), key=lambda k: slow[k])
    for one, two in pairwise(order):
        assert (fast[one] < fast[two]) == (slow[one] < slow[two])


@pytest.mark.parametrize("cards", [5, pytest.param(7, marks=pytest.mark.slow)])
def test_the_categories_of_all_hands(cards):
    counts = np.zeros(9, np.int64)
    count_categories(cards, counts)
    assert tuple(counts) == KNOWN[cards]


def test_all_pairs_with_one_board():
    board = [4 * 10 + 3, 4 * 9 + 3, 4 * 8 + 3, 4 * 2 + 2, 4 * 2]
    out = np.zeros(1326, np.int32)
    strengths(masks_of(board), out)
    for pair, (one, two) in enumerate(combinations(range(52), 2)):
        blocked = one in board or two in board
        assert out[pair] == (-1 if blocked else strength_of([one, two, *board]))
