"""The verdicts: what counts as reproduced, inside the range, a claim, and what is refused."""

from __future__ import annotations

import math

import pytest

from workbench.lab.ledger.ledger import Ours, Published, judge
from workbench.rules import GameError


def said(published: str, says: str = "") -> Published:
    return Published("item", "chips", published, "Table 1", says)


VERDICTS = {
    "equal": ("132", Ours(132), "reproduced"),
    "rounds to the printed digits": ("496.31", Ours(496.3149), "reproduced"),
    "half a digit still rounds": ("0.5", Ours(0.55), "reproduced"),
    "one digit off": ("496.31", Ours(496.316), "not reproduced"),
    "zeros at the end count": ("0.50", Ours(0.51), "not reproduced"),
    "powers of ten": ("3e14", Ours(3.2e14), "reproduced"),
    "powers of ten, too far": ("3e14", Ours(3.6e14), "not reproduced"),
    "inside": ("496.31", Ours(489.8, 470.0, 510.0), "inside the range"),
    "at the edge": ("496.31", Ours(489.8, 470.0, 496.31), "inside the range"),
    "outside": ("496.31", Ours(480.0, 470.0, 490.0), "not reproduced"),
    "equal and with a range": ("2", Ours(2.1, 1.0, 3.0), "reproduced"),
    "negative": ("-0.0856", Ours(-0.08561), "reproduced"),
    "claim": ("", Ours(3.0, holds=True), "claim holds"),
    "false claim": ("", Ours(3.0, holds=False), "claim does not hold"),
}


@pytest.mark.parametrize(("published", "ours", "verdict"), VERDICTS.values(), ids=VERDICTS)
def test_verdict(published: str, ours: Ours, verdict: str) -> None:
    row = judge("source", said(published, "something"), ours)
    assert row.verdict == verdict
    assert row.ours == ours.value
    assert row.published == (float(published) if published else None)


def test_what_is_not_reproduced_says_by_how_much_and_why() -> None:
    row = judge("source", said("10"), Ours(12.0, note="another deck"))
    assert row.note == "off by +2; another deck"
    assert judge("source", said("10"), Ours(12.0)).note == "off by +2; why is open"


def test_a_range_that_hangs_on_one_solver_says_so() -> None:
    parts = {"a": 8.0, "b": 9.0, "c": 12.5}
    row = judge("source", said("10"), Ours.over(parts, "a", "three solvers", left={"c": 0.71}))
    assert row.verdict == "inside the range"
    assert row.note == (
        "inside only with c: 12.5 (mean gain 0.71 left), without it 8 to 9; three solvers"
    )
    firm = judge("source", said("10"), Ours.over(parts | {"d": 11.0}, "a", "four"))
    assert firm.note == "four"
    both = judge("source", said("10"), Ours.over({"a": 9.0, "b": 12.0, "c": 9.0}, "a"))
    assert both.note == "inside only with b: 12, without it 9"
    two = judge("source", said("10"), Ours.over({"a": 9.0, "b": 12.0}, "a", "of two"))
    assert two.note == "of two"  # of two each is needed


def test_a_range_is_made_of_its_parts() -> None:
    ours = Ours.over({"cfr": 3.0, "lp": 1.0, "cfr+": 2.0}, "cfr+", "over solvers")
    assert (ours.value, ours.low, ours.high) == (2.0, 1.0, 3.0)
    assert ours.parts == {"cfr": 3.0, "lp": 1.0, "cfr+": 2.0}


REFUSED = {
    "not a number": lambda: Ours(math.nan),
    "no number at all": lambda: Ours(1.0, math.inf, math.inf),
    "one bound": lambda: Ours(1.0, low=0.5),
    "outside its own range": lambda: Ours(4.0, 1.0, 3.0),
    "published words": lambda: said("about ten"),
    "published nan": lambda: said("nan"),
    "neither number nor claim": lambda: said(""),
    "no source": lambda: Published("item", "chips", "1", ""),
    "claim without an answer": lambda: judge("source", said("", "something"), Ours(1.0)),
    "answer without a claim": lambda: judge("source", said("1"), Ours(1.0, holds=True)),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(GameError):
        make()
