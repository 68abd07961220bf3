"""Notebook 00: the exercise that has a check."""

from __future__ import annotations

import pytest

import workbench as wb
from workbench.exercises import starting as exercise


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (0.9, "the *sum* over both"),
        (1.8, "wrong way round"),
        (450, "in thousandths"),
        (-0.45, "sign"),
        ("soon", "a number is needed"),
        (None, "a number is needed"),
    ],
)
def test_points(answer: object, why: str) -> None:
    assert exercise.check_points(0.45)
    assert exercise.check_points("9/20")
    assert exercise.check_points(...).kind == "open"
    assert why.lower() in exercise.check_points(answer).text.lower()


def test_the_package_takes_the_mean(kuhn: wb.GameTree) -> None:
    sigma = wb.Strategy.uniform(kuhn)
    both = sum(wb.best_response(sigma, player).value for player in (0, 1))
    assert wb.exploitability(sigma) == pytest.approx(both / 2)
