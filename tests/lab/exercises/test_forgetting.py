"""Notebook 03: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from typing import Any

import pytest

import workbench as wb
from workbench.lab.exercises import forgetting as exercise

SEATS = (-0.22360553, 0.11583184)  # tests/exercises: the LP on both lopsided games


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (SEATS[::-1], "wrong seats"),
        ((-223.6, 115.8), "1000 times"),
        ((0.138, 0.2014), "what blindness costs"),
        ((-0.0856, 0.1158), "nobody is blind"),
        ((-0.1074, 0.1158), "both are blind"),
        ((0.2236, -0.1158), "value to player 2"),
    ],
)
def test_seats(answer: Any, why: str) -> None:
    assert exercise.check_seats(SEATS)
    assert why in exercise.check_seats(answer).text


def test_small() -> None:
    assert "936 information sets" in exercise.check_small(lambda player, seen, actions: seen).text

    def base(player: int, seen: Any, actions: Any) -> Any:
        private, board, betting = seen
        return private[0] == "K", board and private[0] == board[0], betting

    said = exercise.check_small(base).text
    assert "132 information sets, 489 milli-antes" in said  # JQ.K
    assert "answered" not in said


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((2005.6, 122.87), "missing answers"),
        ((240.97, 2005.6), "before the flop: That includes"),
        ((0.24097, 0.12287), "milli-antes"),
        ((481.95, 122.87), "the mean"),
    ],
)
def test_silence(answer: Any, why: str) -> None:
    assert exercise.check_silence((241, 122.9))
    assert why in exercise.check_silence(answer).text


@pytest.mark.parametrize(
    ("answer", "why"),
    [((107.7, 644.4), "CFR+"), ((0, 639.5), "see the board"), ((107.7, 518.2), "go on")],
)
def test_tradeoff(answer: Any, why: str) -> None:
    assert exercise.check_tradeoff((639.5, 107.7))
    assert exercise.check_tradeoff((107.7, 639.5))
    assert why in exercise.check_tradeoff(answer).text


def test_cruel(leduc: wb.GameTree) -> None:
    made = wb.abstract(leduc, "JQ.K")
    kind = wb.solve(made.coarse, "cfr+", 3_000)
    assert "There are worse" in exercise.check_cruel(kind).text
    assert "There are worse" in exercise.check_cruel(made.lift(kind.strategy)).text
    assert "no equilibrium" in exercise.check_cruel(wb.Strategy.uniform(made.coarse)).text
    said = exercise.check_cruel(wb.solve(leduc, "cfr+", 200)).text
    assert "tells hands apart" in said


def test_questions(leduc: wb.GameTree) -> None:
    rule = wb.abstraction.restrict_actions(
        lambda player, seen, action: not (action == "r" and seen[2].endswith("r"))
    )
    lost = 1000 * wb.solve(leduc, "cfr+", 3_000, abstraction=rule).exploitability
    assert exercise.RERAISE.answer == pytest.approx(lost, abs=15)
    steps = [
        1000 * wb.solve(leduc, "cfr+", 2_000, abstraction=name).exploitability
        for name in ("JQ.K", "J.Q.K", "null")
    ]
    assert 480 < steps[0] < 500
    assert steps[1] > steps[0] + 100
    assert steps[2] < 1
    assert exercise.LADDER.answer == "it goes up once, then down to 0"
    assert "490" in exercise.OUTSIDE.because
