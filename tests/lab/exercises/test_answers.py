"""Answers are read as people write them, and near misses are explained."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import workbench as wb
from workbench.lab.exercises.answers import equilibrium, nearly, number, numbers, strategy
from workbench.lab.exercises.core import UnfitError


@pytest.mark.parametrize(
    "answer",
    [5 / 12, "5/12", " 5 / 12", Fraction(5, 12), np.float32(5 / 12),
     np.array(5 / 12), np.array([5 / 12])],
)  # fmt: skip
def test_a_number_in_any_writing(answer):
    assert number(answer) == pytest.approx(5 / 12)
    assert nearly(answer, 5 / 12)


@pytest.mark.parametrize("answer", [None, True, "five", "1/0", [1], np.zeros(2), 1j, float("inf")])
def test_what_is_no_number(answer):
    with pytest.raises(UnfitError, match="number is needed"):
        number(answer)


@pytest.mark.parametrize(
    ("answer", "why"),
    [(49, "100 times too large"), (0.5, "Close"), (0.6, "too large"), (0.1, "too small. Think")],
)
def test_why_a_number_is_wrong(answer, why):
    verdict = nearly(answer, 0.49, slips={0.98: "That is the sum."}, bad="Think again.")
    assert verdict.kind == "wrong"
    assert why in verdict.text


def test_rounding_is_forgiven_counting_is_not():
    assert nearly(0.491, 0.49)
    assert nearly(58, 58, tolerance=0)
    assert not nearly(58.2, 58, tolerance=0)
    assert nearly(0, 0)
    assert not nearly(0.01, 0)


def test_several_numbers():
    asked = {"J": -0.75, "Q": 0.25}
    fine = [list(asked.values()), ("-3/4", "1/4"), asked, pd.Series(asked), np.array([-0.75, 0.25])]
    assert all(numbers(answer, "JQ") == asked for answer in fine)
    for bad in ([1], {"J": 1}, 3, "JQ", None, {"J": 1, "Q": "two"}):
        with pytest.raises(UnfitError, match="needed"):
            numbers(bad, "JQ")


def test_any_equilibrium_is_accepted(kuhn):
    for solver in ("lp", "cfr+"):
        run = wb.solve(kuhn, solver, 2_000)
        assert equilibrium(run, kuhn)
        assert equilibrium(run.strategy, kuhn)
    said = equilibrium(wb.Strategy.uniform(kuhn), kuhn).text
    assert "0.4583" in said  # 11/24
    assert "player 2 alone could still gain 0.5417" in said  # 5/12 + 1/8


def test_a_strategy_of_another_game_is_refused(kuhn):
    four = wb.compile_game(wb.load_game("kuhn", cards=4))
    with pytest.raises(UnfitError, match="strategy of 'kuhn"):
        strategy(wb.Strategy.uniform(four), kuhn)
    with pytest.raises(wb.GameError, match="none of the actions"):
        strategy(lambda player, seen, actions: "x", kuhn)
