"""Notebook 13: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from workbench.lab import ledger as reproduce
from workbench.lab.exercises import published as exercise


def test_share() -> None:
    ledger = pd.DataFrame(reproduce.read_ledger())
    printed = ledger[ledger["published"].notna()]
    good = printed["verdict"].isin(["reproduced", "inside the range"])
    assert exercise.check_share(good.mean())
    assert "1000" not in exercise.check_share(100 * good.mean()).text
    for answer, why in (
        (100 * good.mean(), "100 times too large"),
        (good.sum(), "how many"),
        ((printed["verdict"] == "reproduced").mean(), "inside the range belong"),
        (good.sum() / len(ledger), "all rows"),
        (1 - good.mean(), "*not*"),
    ):
        assert why in exercise.check_share(answer).text


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("496.31", "495.07 is not in there"),
        ("496", "495.07 is not in there"),
        ("500", "zeros are promised"),
        ("4.9e2", "nobody would round"),
        ("5e2", "coarser than needed"),
        ("many", "no number"),
        (500.0, "in quotes"),
    ],
)
def test_rounding(answer: Any, why: str) -> None:
    assert exercise.check_rounding("5.0e2")
    assert exercise.check_rounding("50E1")
    assert why in exercise.check_rounding(answer).text


ROOM = {"null": 45.9, "JQ.K": 13.65, "J.Q.K": 11.95, "J.QK": -71.5}


@pytest.mark.parametrize(
    ("factor", "why"),
    [(3, "the sum"), (0.75, "against herself"), (2, "milli-antes"), (1 / 500, "chips")],
)  # fmt: skip
def test_room(factor: float, why: str) -> None:
    assert exercise.check_room(ROOM)
    assert why in exercise.check_room({name: factor * x for name, x in ROOM.items()}).text


def test_room_of_three() -> None:
    said = exercise.check_room(ROOM | {"JQ.K": 32.36}).text
    assert said.startswith("JQ.K: That is the room of three.")


def test_corner() -> None:
    lead = exercise._lead(exercise._room("lp"))
    assert lead > 10 > 0 > exercise._lead(exercise._room("cfr+"))
    match = ["J.QK", "JQ.K"]
    assert exercise.check_corner(lead, match)
    assert exercise.check_corner(lead, "JQ.K, J.QK")
    assert exercise.check_corner(exercise._lead(exercise._room("lp", True)), match)
    assert "two players" in exercise.check_corner(lead, ["JQ.K"]).text
    assert "another match" in exercise.check_corner(lead, ["J.Q.K", "J.QK"]).text
    assert "CFR+" in exercise.check_corner(-3, match).text
    assert "the mean" in exercise.check_corner(2 * lead, match).text


def test_questions() -> None:
    assert abs(2.6597 - 2.66) <= 0.005
    assert abs(2.6597 - 2.6600) > 0.00005
    assert exercise.DIGITS.answer == "with the first only"
    found = reproduce.read_result(exercise.TABLE)
    inside = found.settings["milli-antes from equilibrium inside"]
    parts = found.ours["2p exploitability Base"].parts
    six = [parts[name] for name in inside if name in parts]
    assert max(six) - min(six) > 20
    assert exercise.SPREAD.answer == "more than 20 milli-antes"
    lead = reproduce.read_result("waugh-2009-leduc").ours["winnings: J.Q.K is the best base"]
    assert lead.low is not None
    assert lead.low > 0
    assert exercise.FIELD.answer == "it changes sides: J.Q.K earns more"
