"""A tournament in the terminal: chips are kept, decisions are priced, it ends."""

from __future__ import annotations

import re

import pytest

import workbench as wb
from workbench.jamfold.found import Found
from workbench.lab.play.tournament_table import TournamentTable, hand_name


@pytest.fixture(scope="module")
def found() -> Found:
    game = wb.jamfold.Tournament(units=4, players=2, prizes=(1, 0))
    return wb.jamfold.solve(game, "pi-fp", iterations=2)


def test_names_of_hands() -> None:
    assert hand_name([51, 50]) == "AA"
    assert hand_name([51, 47]) == "AKs"
    assert hand_name([46, 51]) == "AKo"
    assert hand_name([0, 21]) == "72o"


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("answer", ["j", "f"])
def test_a_tournament_ends_and_keeps_its_chips(found: Found, seed: int, answer: str) -> None:
    lines: list[str] = []
    table = TournamentTable(found, lines.append, seed=seed)
    assert table.run(lambda prompt: answer) is False
    assert sum(table.stacks) == 4
    assert sorted(table.won.values()) == [0, 1]
    assert table.cost >= 0
    hands = "1 hand" if table.hands == 1 else f"{table.hands} hands"
    assert lines[-1].startswith(f"{hands}; your decisions cost")
    assert lines[-2] == ("You win 1." if table.won[0] else "You win nothing.")
    out = "Ann is out." if table.won[0] else "You are out."
    assert lines.count(out) == 1
    assert not any(re.search(r"-\d", line) for line in lines)


def test_help_and_stop(found: Found) -> None:
    answers, lines = iter(["?", "x", "q"]), list[str]()
    table = TournamentTable(found, lines.append, seed=1)
    assert table.run(lambda prompt: next(answers)) is False
    assert sum("j goes all-in" in line for line in lines) == 3
