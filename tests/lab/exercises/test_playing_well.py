"""Notebook 01: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from typing import Any

import pytest

import workbench as wb
from workbench.lab.exercises import playing_well as exercise

TRUE = {"J": -3 / 4, "Q": 1 / 4, "K": 7 / 4}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (TRUE | {"J": -0.5}, "J: that is after a pass"),
        (TRUE | {"Q": 0}, "Q: betting after a pass"),
        (TRUE | {"K": 2}, "K: that is after a bet"),
        (TRUE | {"Q": -0.25}, "sign"),
        ([value / 3 for value in TRUE.values()], "do not divide"),
    ],
)
def test_replies(answer: Any, why: str) -> None:
    assert why in exercise.check_replies(answer).text


def test_mine_accepts_whatever_is_good_enough(kuhn: wb.GameTree) -> None:
    assert exercise.check_mine(wb.solve(kuhn, "lp"))
    assert "mend player" in exercise.check_mine(lambda *asked: "b").text
    assert exercise.check_mine(wb.Strategy.uniform(kuhn)).kind == "wrong"


@pytest.mark.parametrize(
    ("answer", "why"),
    [(7 / 900, "NashConv"), (1 / 180, "player 1"), (1 / 450, "player 2"), (3.8889, "1000")],
)
def test_queen(answer: float, why: str) -> None:
    assert exercise.check_queen(7 / 1800)
    assert exercise.check_queen(0.00389)
    assert why in exercise.check_queen(answer).text


def test_any_alpha_is_right_where_it_does_not_matter() -> None:
    for alpha in (0, 0.1, 1 / 3):
        assert exercise.check_alphas({"uniform": 0.333, "honest": alpha, "bold": 1 / 3 - alpha})
    assert "uniform: α = 0.2" in exercise.check_alphas([0.2, 0, 0]).text
    assert "between 0 and 1/3" in exercise.check_alphas([1, 0, 0]).text


class Bank:
    """The right answer, with knobs for the wrong ones."""

    players, name = 2, "bank"
    bettor_gets, payers, ante = 0.0, (0,), 1

    def __init__(self, price: float) -> None:
        self.price = price

    def start(self) -> str:
        return ""

    def next(self, state: str, action: str) -> str:
        return state + action

    def node(self, state: str) -> Any:
        cards, betting = state[:2], state[2:]
        if len(cards) < 2:
            left = [card for card in "JQK" if card not in cards]
            return wb.Chance({card: 1 / len(left) for card in left})
        if betting in ("", "p", "b", "pb"):
            player = len(betting) % 2
            return wb.Decision(player, (cards[player], betting), "pbl" if "b" in betting else "pb")
        last = (len(betting) - 1) % 2
        sign = 1 if "JQK".index(cards[last]) > "JQK".index(cards[1 - last]) else -1
        wins = {"pp": sign * self.ante, "bp": -1, "bb": 2 * sign, "bl": 2 if sign > 0 else -1}
        both = [float(wins[betting[-2:]]), -float(wins[betting[-2:]])]
        if betting.endswith("l"):
            for payer in self.payers:
                both[payer] -= self.price
            both[1] += self.bettor_gets * self.price
        return wb.Terminal(tuple(both if last == 0 else both[::-1]))


@pytest.mark.parametrize(
    ("knobs", "why"),
    [
        ({"bettor_gets": 1.0}, "still cancel"),
        ({"payers": (0, 1)}, "both pay"),
        ({"payers": (1,)}, "should win"),
        ({"ante": 2}, "nobody looked"),
    ],
)
def test_bank(knobs: dict[str, Any], why: str) -> None:
    assert exercise.check_bank(Bank)
    assert "the class itself" in exercise.check_bank(Bank(0.5)).text
    assert why in exercise.check_bank(type("Wrong", (Bank,), knobs)).text


def test_questions(kuhn: wb.GameTree) -> None:
    assert exercise.HISTORIES.answer == kuhn.num_histories
    bold = wb.Strategy.from_function(kuhn, lambda *asked: "b")
    honest = wb.Strategy.from_function(kuhn, lambda _, seen, __: "b" if seen[0] == "K" else "p")
    uniform = wb.Strategy.uniform(kuhn)
    won = [wb.expected_values([sigma, uniform])[0] for sigma in (bold, honest)]
    lost = [wb.exploitability(sigma) for sigma in (bold, honest)]
    assert won == pytest.approx([1 / 2, 0])
    assert lost == pytest.approx([1 / 3, 1 / 4])
    assert exercise.JUDGED.answer == "bold wins more, honest is harder to exploit"
