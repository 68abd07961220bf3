"""The wrong sign of the thesis's program, walked through as the program does and as a game."""

from typing import Any

import numpy as np
import pytest
from workbench.lab.ledger.papers.toepen_program import (
    as_evaluated,
    as_trained,
    judged_as_told,
    miscounted,
)
from workbench.lab.ledger.papers.toepen_training import THESIS

import workbench as wb
from workbench.games.toepen.rules import Toepen
from workbench.rules import Chance, GameError, Terminal

# Uniform play to player 1, computed by the public program itself (github.com/DaanLe/Toepen, both
# versions of June 2021, `MCCFR(game, identity).evaluate()` before any training).
PROGRAM = {(2, 2): 0.417318, (2, 3): 0.271549, (3, 2): 0.466276}


def by_name(action: str) -> tuple[int, int]:
    """The program's order: suits by their English names, ranks from low to high."""
    return "♣♦♥♠".find(action[-1]), -["10", "9", "8", "7"].index(action[:-1])


def walked(rules: Toepen, state: Any, reset: bool) -> float:
    """What uniform play is worth to the player who acts; the sign is set back in time, or not."""
    node = rules.node(state)
    if isinstance(node, Chance):
        return sum(
            p * walked(rules, rules.next(state, a), reset) for a, p in node.probabilities.items()
        )
    if isinstance(node, Terminal):
        return max(node.payoffs)  # to the winner, who "acts" at the end
    actions, total, sign = list(node.actions), 0.0, -1.0
    if actions[0][-1] in "♠♥♦♣":
        actions.sort(key=by_name)
    for action in actions:
        after = rules.next(state, action)
        if reset:
            sign = -1.0
        if after[0].player == node.player:
            sign = 1.0
        total += sign * walked(rules, after, reset) / len(actions)
    return total


@pytest.mark.parametrize("deck", PROGRAM)
def test_uniform_play_is_worth_what_the_program_says(deck):
    rules = Toepen(*deck, follow_suit=False)
    tree = wb.compile_game(rules)
    right, uniform = walked(rules, rules.start(), reset=True), wb.Strategy.uniform(tree)
    wrong = walked(rules, rules.start(), reset=False)
    assert wrong == pytest.approx(PROGRAM[deck], abs=1e-6)
    assert wb.expected_values(uniform)[0] == pytest.approx(right, abs=1e-12)
    for game in (as_evaluated(tree), as_evaluated(wb.abstract(tree, "thesis-suits").coarse)):
        assert wb.expected_values(wb.Strategy.uniform(game))[0] == pytest.approx(wrong, abs=1e-12)


@pytest.mark.parametrize("betting", [False, True])
def test_nothing_is_miscounted_where_suits_must_be_followed(betting):
    tree = wb.compile_game(Toepen(betting=betting))
    assert not miscounted(tree).any()
    assert as_evaluated(tree).same_as(tree)


def test_training_miscounts_ones_own_moves_only():
    tree = wb.compile_game(Toepen(suits=2, follow_suit=False))
    trained, evaluated, wrong = as_trained(tree), as_evaluated(tree), miscounted(tree)
    assert evaluated.zero_sum
    assert not trained.zero_sum
    first = tree.infoset_player[tree.choice_infoset[np.flatnonzero(wrong)]]
    assert set(first) == {1}, "with two cards each only the first answer is a choice"
    assert np.array_equal(trained.utility[:, 0], tree.utility[:, 0])
    assert np.array_equal(trained.utility[:, 1], evaluated.utility[:, 1])


def test_the_wrong_sign_makes_the_estimate_smaller():
    """2/3/2b with the thesis's suits, short training; without the error it is the ledger's way."""
    tree = wb.compile_game(Toepen(suits=2, follow_suit=False))
    coarse = wb.abstract(tree, "thesis-suits").coarse
    right, wrong = (
        np.mean(
            [judged_as_told(coarse, 2000, 2000, sign_error=e, seed=k) for k in range(5)], axis=0
        )
        for e in (False, True)
    )
    state = next(wb.iterate(coarse, THESIS, seed=0, every=2000))
    usual = wb.judge.trained_exploitability(
        wb.average(coarse, state), THESIS, iterations=2000, seeds=[0], start=state,
        keep_average=True,
    )  # fmt: skip
    first = judged_as_told(coarse, 2000, 2000, sign_error=False)
    assert first == pytest.approx((usual.estimate[0], usual.exact[0]), abs=1e-12)
    assert wrong[0] < right[0] - 0.05, "an estimate from below, lowered once more"
    assert right[1] < wrong[1] + 0.1, "though what was learnt is no better"


@pytest.mark.slow
def test_the_wrong_sign_is_enough_for_the_printed_number():
    """3/3/3b, T = N = 100,000: the thesis prints 0.914; lecture 08 shows five seeds."""
    tree = wb.compile_game(Toepen(hand=3, follow_suit=False))
    estimate, exact = judged_as_told(
        wb.abstract(tree, "thesis-suits").coarse, 100_000, 100_000, seed=0
    )
    assert estimate == pytest.approx(0.827, abs=0.01)
    assert exact == pytest.approx(3.572, abs=0.02)


def test_suits_need_names():
    with pytest.raises(GameError, match="suits with names"):
        miscounted(wb.compile_game(Toepen(2, 2, suit_isomorphism=True)))
    with pytest.raises(GameError, match="does not show its players"):
        as_evaluated(wb.compile_game(wb.load_game("kuhn")))
