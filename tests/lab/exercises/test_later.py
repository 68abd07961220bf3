"""Notebook 12: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from typing import Any

import pytest

import workbench as wb
from workbench.lab.exercises import later as exercise


@pytest.fixture(scope="module")
def tree() -> wb.GameTree:
    return wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))


@pytest.mark.parametrize(
    ("loss", "cards", "why"),
    [
        (770, "K", "two experts of section 3"),
        (150.8, "K", "*before* its base"),
        (154.1, "K", "one's own experts"),
        (2118, "K", "sum over both"),
        (1.06, "K", "the unit is not"),
        (1060, "J, K", "cards: Look"),
        (1060, [], "cards: Look"),
    ],
)
def test_confession(loss: float, cards: Any, why: str) -> None:
    assert exercise.check_confession(1064, ["K"])
    assert exercise.check_confession("1059", "K")
    assert why in exercise.check_confession(loss, cards).text


def test_laps() -> None:
    assert exercise.check_laps(8)
    assert "if *l* begins" in exercise.check_laps(5).text
    assert "it is 0.274" in exercise.check_laps(7).text
    assert "not first" in exercise.check_laps(9).text
    assert "too many" in exercise.check_laps(40).text


def in_turns(tree: wb.GameTree, base: wb.Strategy, laps: int, iterations: int) -> wb.Strategy:
    part, hands = exercise._part(), [base, base]
    for name in exercise.FIRST * laps:
        hands = [
            wb.static_experts(
                tree, hands[i], part.only(name), i, outside="null", iterations=iterations
            )
            for i in (0, 1)
        ]
    return wb.seated(hands)


@pytest.mark.parametrize("trained", [5_000, 10_000])
def test_patience(tree: wb.GameTree, trained: int) -> None:
    base = wb.solve(tree, "cfr+", trained, abstraction="JQ-K", checkpoints=trained).strategy
    assert exercise.check_patience(in_turns(tree, base, 6, 2_000))
    assert "less than 100" in exercise.check_patience(in_turns(tree, base, 1, 500)).text
    assert "not the base" in exercise.check_patience(wb.solve(tree, "cfr+", 500)).text


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (["rc", "crc"], "has 118 information sets"),
        (["rccr", "crccr"], "74 sets, and it loses 48"),
        (["ccr"], "52 sets, and it loses 4"),
        (["rcr", "rcrr"], "parts must be disjoint"),
        (["rxr"], "obody ever bets 'rxr'"),
        ([], "at least one"),
    ],
)
def test_eyes(answer: Any, why: str) -> None:
    assert exercise.check_eyes(["rcr", "crcr"])
    assert exercise.check_eyes("rcr, crcr")
    assert why in exercise.check_eyes(answer).text


def test_settle() -> None:
    bases, truth = exercise._seesaw()
    assert truth == pytest.approx((1012, 416, 1054, 415, 1054), rel=0.03)
    assert exercise.check_settle(truth)
    assert exercise.check_settle(dict(zip(exercise.LAPS, truth, strict=True)))
    assert "*base's* move" in exercise.check_settle(bases).text
    assert "lap 1: That is `early`" in exercise.check_settle([220, 416, 1054, 415, 1054]).text
    assert "lap 2: " in exercise.check_settle([1012, 500, 1054, 415, 1054]).text
    assert "there are 4" in exercise.check_settle(truth[:4]).text


def test_questions(tree: wb.GameTree) -> None:
    found = exercise._confession()
    assert exercise.REBUILT.answer == pytest.approx(found["two"], rel=0.01)
    lost = {}
    for name, where in (("call", ["rc", "crc"]), ("raise", ["rr", "crr"])):
        rule = wb.expert_rule(tree, wb.betting_experts(tree, where), "JQ-K")
        sewn = wb.static_experts(
            tree, exercise._base(), exercise._part(exercise.PRE), {0, 1}, abstraction=rule,
            iterations=2_000,
        )  # fmt: skip
        lost[name] = 1000 * wb.exploitability(sewn)
    assert lost["call"] < 300 < 450 < lost["raise"]
    assert exercise.EYES.answer.startswith("after a call")  # type: ignore[union-attr]
    talks = exercise._talk("rl"), exercise._talk("lr")
    assert all(talk[-1] < 0.25 for talk in talks)  # with CFR+; `lp` stops at 2/5 if r begins
    assert exercise.TALK.answer == exercise.TALK.options[1]
