"""Notebook 07: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

import numpy as np
import pytest

import workbench as wb
from workbench.lab.exercises import trust as exercise


@pytest.mark.parametrize(
    ("answer", "why"), [(45_000, "not even half"), (500_000, "T + N"), (55_556, "still there")]
)
def test_blind(answer: float, why: str) -> None:
    needed = 450_000
    assert needed / (needed + 50_000) == pytest.approx(0.9)
    assert exercise.check_blind(needed)
    assert why in exercise.check_blind(answer).text


def test_follow() -> None:
    assert exercise.check_follow("2/2/2b")
    assert exercise._factor("2/2/2b") == 496 / 336  # Table 3.1, and the same with following suit
    assert "1.17" in exercise.check_follow("3/2/2b").text
    assert "in quotes" in exercise.check_follow(222).text


@pytest.mark.parametrize(("answer", "why"), [(1.828, "the mean"), (0.457, "*seen*")])
def test_units(answer: float, why: str) -> None:
    assert exercise.check_units(0.914)
    assert why in exercise.check_units(answer).text


def test_linear() -> None:
    weights = np.arange(1, 60_001)
    assert exercise.check_linear(weights[50_000:].sum() / weights.sum())
    for slip, why in {
        1 / 6: "equal weights",
        25 / 36: "old average",
        1 / 36: "not the new",
    }.items():
        assert why in exercise.check_linear(slip).text


def test_enough() -> None:
    sets = 131_763 + 245_195
    enough = 100_000 * ((1 + np.sqrt(40)) * sets * np.sqrt(3) / np.sqrt(100_000)) ** 2
    assert exercise.check_enough(enough)
    assert exercise.check_enough("23e12")
    assert "square the three" in exercise.check_enough(7.6e12).text
    assert "ρ = 1" in exercise.check_enough(2.5e12).text


def test_questions() -> None:
    rules = wb.load_game("toepen", suits=4, ranks=8, hand=4)
    state = rules.next(rules.start(), "J♠ K♥ 10♦ 8♦ | A♥ 7♦ 9♣ K♣")
    moves = "check J♠ check K♣ check K♥ bet call A♥ 9♣ check 8♦ 7♦ bet call 10♦"
    for move in moves.split():
        state = rules.next(state, move)
    assert rules.node(state).payoffs == (exercise.ALICE.answer, -exercise.ALICE.answer)
    assert "nothing" in str(exercise.JUDGES.answer)
    assert exercise.GAIN.answer == 36
