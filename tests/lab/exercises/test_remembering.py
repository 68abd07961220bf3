"""Notebook 06: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

import numpy as np
import pytest

import workbench as wb
from workbench.lab.exercises import remembering as exercise

rule = wb.hand_rule


@pytest.mark.parametrize(
    ("answer", "why"), [(52_600, "√2.63"), (2_900, "not fewer"), (32_400, "root")]
)
def test_blur(answer: float, why: str) -> None:
    assert exercise.check_blur(138_000)
    assert why in exercise.check_blur(answer).text


def test_stake() -> None:
    assert exercise.check_stake(rule(lambda hand, table: f"{hand.high} {table.calls}"))  # the same
    assert (
        "18 situations"
        in exercise.check_stake(
            rule(lambda hand, table: (hand.high, table.stake), by_kind=False)
        ).text
    )
    assert "forgets the stake" in exercise.check_stake(rule(lambda hand, table: hand.high)).text
    assert "forgets the high" in exercise.check_stake(rule(lambda hand, table: table.stake)).text
    assert exercise.check_stake(lambda hand, table: (hand.high, table.stake))  # not even a rule
    assert "65 situations" in exercise.check_stake(rule(lambda hand, table: hand.cards)).text


def test_mixed() -> None:
    """Count again, without the notebook's way: a label is mixed if cards and words meet in it."""
    tree = exercise._toepen()
    made = wb.abstract(tree, "simple-history")
    kinds: dict[int, set[bool]] = {}
    for infoset, first in enumerate(tree.first_choice[:-1]):
        place = int(np.searchsorted(made.coarse.first_choice, made.choice_map[first], "right"))
        kinds.setdefault(place, set()).add(tree.actions_at(infoset)[0][-1] in "♠♥♦")
    assert exercise.check_mixed(sum(len(found) == 2 for found in kinds.values()))
    assert "advanced-history" in exercise.check_mixed(48).text
    assert "several" in exercise.check_mixed(33).text


def test_few() -> None:
    assert "at most 300" in exercise.check_few(rule(lambda h, t: t.text)).text
    said = exercise.check_few(rule(lambda hand, table: hand.cards)).text
    assert said.startswith("65 situations cost 0.5")


def test_questions() -> None:
    tree = exercise._toepen()
    few, all_of_it = (
        exercise._trained(t, 1_000) for t in (wb.abstract(tree, "simple-history").coarse, tree)
    )
    lifted = wb.abstract(tree, "simple-history").lift(few)
    score = wb.tournament({"few": lifted, "all": all_of_it}).loc["few", "all"]
    assert score > 0.05
    assert exercise.BEGINNERS.answer == "simple-history"
    history = wb.abstract(tree, "advanced-history")
    plays = history.lift(exercise._trained(history.coarse))
    assert plays.at(("10♠ 9♠", ""), 0)["bet"] > 0.95
    assert str(exercise.BETTING.answer).startswith("bet")
    assert exercise.CLOCK.answer == "about a second"
