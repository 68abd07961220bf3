"""Notebook 05: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from typing import Any

import pytest

import workbench as wb
from workbench.games.toepen.suits import ThesisSuits
from workbench.lab.exercises import suits as exercise


def test_stabiliser() -> None:
    pairs = [f"{r}{a} {r}{b}" for r in ("10", "9", "8") for a, b in ("♠♥", "♠♦", "♥♦")]
    one_suit = [f"{a}{s} {b}{s}" for s in "♠♥♦" for a, b in (("10", "9"), ("10", "8"), ("9", "8"))]
    assert exercise.check_stabiliser(18)
    assert exercise.check_stabiliser(set(pairs + one_suit))
    assert exercise.check_stabiliser(
        [hand[::-1].split()[0][::-1] + " " + hand.split()[0] for hand in pairs + one_suit]
    )
    assert "one kind" in exercise.check_stabiliser(9).text
    assert "missing" in exercise.check_stabiliser(pairs).text
    assert "too many" in exercise.check_stabiliser([*pairs, *one_suit, "10♠ 9♥"]).text
    assert "size 1" in exercise.check_stabiliser(36).text
    assert exercise.check_stabiliser([tuple(hand.split()) for hand in pairs + one_suit])
    for odd in (1, "7♠ 8♠", "10♠", None):
        said = exercise.check_stabiliser([*pairs, odd]).text
        assert f"{odd!r} is none of the 36 hands" in said
        assert "stopped" not in said


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"10♠ 9♥": "10♠", "10♠ 9♦": "9♦"}, "habit of section 4"),
        ({"10♠ 9♥": "9♥", "10♠ 9♦": "9♦"}, "With 10♠ 9♦ the 9♦"),
        ({"10♠ 9♥": "9♠", "10♠ 9♦": "10♠"}, "she can lead 10♠ or 9♥"),
        ({"10♠ 9♥": "9♥"}, "each of the two hands"),
    ],
)
def test_leads(answer: Any, why: str) -> None:
    assert exercise.check_leads({"10♠ 9♥": "9♥", "10♠ 9♦": "10♠"})
    assert why in exercise.check_leads(answer).text


def test_yes_or_no() -> None:
    assert exercise.check_two_suits([True, True, True, False])
    assert "0.16" in exercise.check_two_suits([True] * 4).text
    assert "2/3/2: no equilibrium" in exercise.check_two_suits([True, False, True, False]).text
    assert "True (safe) or False" in exercise.check_two_suits([1, 1, 1, 0]).text
    assert exercise.check_one_sided({"player 2": True, "player 1": False})
    assert "other way round" in exercise.check_one_sided([True, False]).text
    assert "One of the two" in exercise.check_one_sided([True, True]).text


def test_other_half() -> None:
    def longer_names(player: int, seen: Any, actions: Any) -> Any:
        """The same rule under other names is the same rule."""
        label, names = exercise._other_half(player, seen, actions)
        return ("mine", label), [f"play {name}" for name in names]

    assert exercise.check_other_half(longer_names)
    assert "not merged" in exercise.check_other_half(ThesisSuits("♠♥♦")).text
    assert "51 labels" in exercise.check_other_half(lambda player, seen, actions: seen).text


def test_questions() -> None:
    smallest = wb.compile_game(wb.load_game("toepen", suits=2, ranks=2, hand=2, betting=False))
    assert wb.abstract(smallest, "lossless-suits").coarse.num_infosets == exercise.ORBITS.answer
    tree = wb.compile_game(wb.load_game("toepen", suits=3, ranks=2, hand=2))
    rules = {name: wb.abstract(tree, name) for name in ("thesis-suits", "lossless-suits")}
    assert [rule.coarse.num_infosets for rule in rules.values()] == [822, 528]
    loss = [wb.solve(tree, "lp", abstraction=rule).exploitability for rule in rules.values()]
    assert loss[0] > 0.01 > 1e-6 > loss[1]
    assert "528" in str(exercise.FINER.answer)
