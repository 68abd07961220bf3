"""Notebook 00: the exercises that have a check."""

from __future__ import annotations

import pytest

import workbench as wb
from workbench.lab.exercises import starting as exercise


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


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (["08", "10"], "01 is missing: 10 comes after 01, 02, 08"),
        ("01, 02, 10", "08 is missing: 12 comes after 08, 10"),
        ([1, 2, 8, 10], "03 is missing: 08 comes"),
        ([1, 2, 3, 8, 9, 10], "09 is worth reading"),
        (["regret"], "'regret' is none of them"),
    ],
)
def test_way(answer: object, why: str) -> None:
    assert exercise.check_way(["01", "02", "03", "08", "10"])
    assert exercise.check_way({1, 2, 3, 8, 10, 12})
    assert why in exercise.check_way(answer).text


def test_worse(kuhn: wb.GameTree) -> None:
    def meek(player: int, seen: object, actions: object) -> str:
        return "p"

    def bold(player: int, seen: object, actions: object) -> str:
        return "b"

    assert "1.0000" in exercise.check_worse(meek).text
    assert exercise.check_worse(wb.Strategy.from_function(kuhn, meek))
    assert "0.3333" in exercise.check_worse(bold).text
    assert not exercise.check_worse(wb.Strategy.uniform(kuhn))


def test_the_questions_tell_the_truth(kuhn: wb.GameTree) -> None:
    leduc = wb.compile_game(wb.load_game("leduc"))
    assert wb.exploitability(wb.Strategy.uniform(leduc)) == pytest.approx(
        exercise.COINS.answer, abs=1e-4
    )
    ends = [wb.solve(kuhn, name, 500).exploitability for name in ("cfr", "cfr+", "pcfr+")]
    assert ends == sorted(ends, reverse=True)
