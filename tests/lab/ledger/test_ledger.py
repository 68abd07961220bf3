"""The verdicts and the notes: what counts as reproduced, what a reader is told, what is refused."""

import math
from collections.abc import Callable, Mapping, Sequence

import pytest
from workbench.lab.ledger.papers.claims import NOTHING, Claim, pairs

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
    "inside": ("496.31", Ours(489.8, 470.0, 510.0), "inside the range"),
    "at the edge": ("496.31", Ours(489.8, 470.0, 496.31), "inside the range"),
    "outside": ("496.31", Ours(480.0, 470.0, 490.0), "not reproduced"),
    "equal and with a range": ("2", Ours(2.1, 1.0, 3.0), "reproduced"),
    "claim": ("", Ours(3.0, holds=True), "claim holds"),
    "false claim": ("", Ours(3.0, holds=False), "claim does not hold"),
}


@pytest.mark.parametrize(("published", "ours", "verdict"), VERDICTS.values(), ids=VERDICTS)
def test_verdict(published, ours, verdict):
    row = judge("source", said(published, "something"), ours)
    assert row.verdict == verdict
    assert row.ours == ours.value
    assert row.published == (float(published) if published else None)


THREE = {"a": 8.0, "b": 9.0, "c": 12.5}
STARTS = {"random start 0": 8.0, "random start 1": 11.0}
SEEDS = {"1M seed 0": 7.0, "1M seed 1": 13.0, "10M seed 0": 8.5}
Beside = Sequence[Mapping[str, float]]
NOTES: dict[str, tuple[str, Ours, Beside, str]] = {
    "why": ("10", Ours(12.0, note="another deck"), (), "off by +2; another deck"),
    "no reason": ("10", Ours(12.0), (), "off by +2; why is open"),
    "one solver decides": (
        "10", Ours.spread(THREE, "a", left={"c": 0.71}), (),
        "inside only with c: 12.5 (mean gain 0.71 left), without it 8 to 9; range over 3 solvers",
    ),
    "two decide": ("10", Ours.spread(THREE | {"d": 11.0}, "a"), (), "range over 4 solvers"),
    "of two each is needed": ("10", Ours.spread({"a": 9.0, "b": 12.0}, "a"), (),
                              "range over 2 solvers"),
    "a claim": ("", Ours.lead({"a": 3.0, "b": -2.0, "c": 1.0}, "a", left={"b": 0.7}), (),
                "true of 2 of 3, not of b: −2 (mean gain 0.7 left), without it 1 to 3; "
                "range over 3 solvers"),
    "a claim of few": ("", Ours.lead({"a": 3.0, "b": -2.0, "c": -1.0}, "a"), (),
                       "true of 1 of 3: a; range over 3 solvers"),
    "facts": ("", Ours(1.0, holds=True, facts={"sets": 3099, "a": {"x": -0.25}, "by": "lp"}), (),
              "sets: 3,099, a (x: −0.25), by: lp"),
    "a rounded number": ("2e5", Ours(2.1e5), (), "150,000 to 250,000 counts as reproduced"),
    "seeds": ("", Ours.mean([1.0, 3.0], holds=True), (), "mean and range over 2 seeds"),
    "runs that do not count": (
        "10", Ours(10.0), (STARTS, SEEDS),
        "2 random starts 8.00 to 11.00; what is printed lies among these, the nearest has 11.00; "
        "2 1M seeds 7.00 to 13.00, 1 10M seed 8.50; the nearest of these has 8.50",
    ),
    "claims by runs that do not count": (
        "", Ours(1.0, holds=True), ({"seed 0": 1.0, "seed 1": -1.0}, {"start 0": 2.0}),
        "not in the verdict: true of 1 of 2 seeds, 1 of 1 start",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("published", "ours", "beside", "note"), NOTES.values(), ids=NOTES)
def test_note(published, ours, beside, note):
    assert judge("source", said(published, "something"), ours, beside).note == note


def test_a_range_is_made_of_its_parts():
    ours = Ours.spread({"cfr": 3.0, "lp": 1.0, "cfr+": 2.0}, "cfr+")
    assert (ours.value, ours.low, ours.high) == (2.0, 1.0, 3.0)
    lead = Ours.lead(ours.parts, "lp")
    assert (lead.holds, lead.true_of) == (True, ["cfr", "lp", "cfr+"])


def test_a_claim_compares_the_closest_pair():
    numbers = {"won": {"a": 5.0, "b": 3.0, "c": 1.0, "d": 2.5}}
    claim = Claim("won", pairs(["a", "b"], ["c", "d"]))
    assert claim.lead(numbers) == 0.5
    assert claim._replace(rank=-1).lead(numbers) == 4.0
    assert Claim("won", pairs(["a", "b"], [NOTHING])).lead(numbers) == 3.0


REFUSED: dict[str, Callable[[], object]] = {
    "not a number": lambda: Ours(math.nan),
    "one bound": lambda: Ours(1.0, low=0.5),
    "outside its own range": lambda: Ours(4.0, 1.0, 3.0),
    "published words": lambda: said("about ten"),
    "neither number nor claim": lambda: said(""),
    "no source": lambda: Published("item", "chips", "1", ""),
    "claim without an answer": lambda: judge("source", said("", "something"), Ours(1.0)),
    "answer without a claim": lambda: judge("source", said("1"), Ours(1.0, holds=True)),
}


@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_refused(make):
    with pytest.raises(GameError):
        make()
