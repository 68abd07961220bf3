"""Notebook 09: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.lab.exercises import experts as exercise

N = (0, 1)


@pytest.fixture(scope="module")
def tree() -> wb.GameTree:
    return wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((132, 450, 246, 186), "base: That is the size with JQ-K"),
        ((198, 630, 246, 186), "dynamic: Where an expert"),
        ((198, 450, 306, 186), "*opponent*"),
        ((198, 450, 246, 432), "only the largest"),
    ],
)
def test_sizes(leduc: wb.GameTree, answer: Any, why: str) -> None:
    cut = wb.betting_experts(leduc, exercise.FIRST)
    rule = wb.expert_rule(leduc, cut, "J.Q.K")
    assert exercise.check_sizes(
        [
            wb.abstract(leduc, "J.Q.K").coarse.num_infosets,
            wb.abstract(leduc, rule).coarse.num_infosets,
            max(wb.expert_sizes(leduc, cut, players=0, outside="J.Q.K").values()),
            max(wb.expert_sizes(leduc, cut, players={0, 1}).values()),
        ]
    )
    assert why in exercise.check_sizes(answer).text


def test_joined(tree: wb.GameTree) -> None:
    base, how = exercise._base(), {"iterations": 200}
    sewn = [
        wb.static_experts(tree, base, exercise._part(name), players={0, 1}, **how)  # type: ignore[arg-type]
        for name in ("four", "one")
    ]
    assert np.array_equal(sewn[0].probs, sewn[1].probs)
    assert exercise.check_joined("S=N", 163)
    assert "Frozen players" in exercise.check_joined("S={i}", 163).text
    assert "four experts" in exercise.check_joined(["S=N"], 158).text
    assert "sum over both" in exercise.check_joined(["S=N"], 326).text


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((90, 162.8), "S = N"),
        ((226, 162.8), "first raise"),
        ((144, 325.6), "loses: That is the sum"),
        ((144, 0.1628), "milli-antes"),
    ],
)
def test_cut(answer: Any, why: str) -> None:
    assert exercise.check_cut({"size": 144, "loses": 162.8})
    assert why in exercise.check_cut(answer).text


def test_tremble() -> None:
    assert exercise.check_tremble(exercise._trembling)
    assert "loss(0.5)" in exercise.check_tremble(lambda often: 154.1).text
    assert "the mean" in exercise.check_tremble(lambda often: 2 * exercise._trembling(often)).text


def test_cohesion(tree: wb.GameTree) -> None:
    part, seats = exercise._part(), [exercise._base()] * 2
    for name in exercise.FIRST * 3:
        seats = [
            wb.static_experts(
                tree, seats[i], part.only([name]), players=i, outside="JQ-K", iterations=2_000
            )
            for i in N
        ]
    assert exercise.check_cohesion(wb.seated(seats))
    assert "less than 150" in exercise.check_cohesion(exercise._base()).text
    assert "sees more" in exercise.check_cohesion(wb.solve(tree, "cfr+", 200)).text


def test_questions(tree: wb.GameTree) -> None:
    rule = wb.expert_rule(tree, exercise._part(), "JQ-K")
    found = wb.equilibrium_range(wb.abstract(tree, rule), seed=0)
    assert exercise.CRUELLEST.answer == pytest.approx(1000 * found.largest, abs=5)
    some = wb.dynamic_experts(tree, "JQ-K", exercise._part().only(["r", "cccr"]), iterations=2_000)
    assert 1000 * some.exploitability == pytest.approx(341, abs=5)
    assert exercise._trembling(0.01) < 170 < 220
    assert exercise.BUDGET.answer == "static ones, all four"
