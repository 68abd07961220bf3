"""Limit Hold'em where things enter: one clear error for what cannot be dealt, cut or fitted.

A row is what somebody tries, and what the answer must say. Nothing here reads the large tables:
everything is refused before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.evaluation.intervals import intervals
from workbench.poker.betting_parts import BettingParts
from workbench.poker.flop_response import answer_flop
from workbench.poker.holdem_buckets import FORGET, HoldemBuckets
from workbench.poker.real_response import opponent_named

RULES = wb.load_game("limit_holdem")
THREE = wb.load_game("limit_holdem", players=3)
ALL_ALIKE = HoldemBuckets(RULES, [FORGET] * 4, name="1")
NAN, INF = float("nan"), float("inf")
strength = wb.poker.hand_strength
Row = tuple[Callable[[], Any], str]

CARDS: list[tuple[Any, Any, str]] = [
    ("AhAh", "", "'AhAh' names a card twice; a deck has each card once"),
    ("AhKh", "QsQs2c", "names a card twice"),
    ("AhKh", "KhQs2c", "the hand and the board share K♥; a deck has each card once"),
    ("AhKh", "Qs", "has none, three, four or five cards, not 1"),
    ("AhKh", "Qs2c", "has none, three, four or five cards, not 2"),
    ("AhKh", "Qs2c3d4h5s6s", "has none, three, four or five cards, not 6"),
    ("", "", "a hand of Hold'em has two cards, not 0: 'AhKh'"),
    ("Ah", "", "two cards, not 1"),
    ("AhKhQh", "", "two cards, not 3"),
    ("ah10", "", "'10' is no card of this deck"),
    ("AhKx", "", "'Kx' is no card of this deck; a card is a rank of"),
    (5, "", "cards are named as in 'AhKh', or are numbers, not 5"),
    (None, "", "not None"),
    ("AhKh", NAN, "not nan"),
    (("Ah", "Kh"), "", "'Ah' is no card of this deck; a card is a number from 0 to 51"),
    ((0, 52), "", "52 is no card"),
    ((-1, 3), "", "-1 is no card"),
    ((0.5, 3), "", "0.5 is no card"),
    ((NAN, 3), "", "nan is no card"),
    ((True, 3), "", "True is no card"),
    ((10**30, 3), "", "is no card"),
    ((0, 0), "", "names a card twice"),
]


@pytest.mark.parametrize(("hand", "board", "says"), CARDS, ids=str)
def test_cards_that_nobody_is_dealt(hand: Any, board: Any, says: str) -> None:
    for ask in (strength, ALL_ALIKE.sequence):
        with pytest.raises(wb.GameError) as refused:
            ask(hand, board)
        assert says in str(refused.value)


def cut(buckets: Any, **options: Any) -> Any:
    options = {"metric": "ehs2", "method": "percentile"} | options
    return lambda: wb.cluster_hands(RULES, buckets, **options)


def fit(limit: Any = 500_000, rules: Any = RULES, **options: Any) -> Any:
    return lambda: wb.fit_buckets(rules, limit, **options)


def solve(abstraction: Any, **options: Any) -> Any:
    return lambda: wb.solve(RULES, iterations=1, abstraction=abstraction, **options)


def experts(verb: Any) -> Any:
    part = wb.betting_experts(RULES, ["r", "cr"])  # type: ignore[arg-type]
    return lambda: verb(RULES, ALL_ALIKE, part, abstraction={"r": ALL_ALIKE}, iterations=1)


OTHERS: dict[str, Row] = {
    "no bucket": (cut((0, 2, 2, 2)), "buckets of round 1 must be a whole number of at least 1"),
    "fewer than none": (cut((2, 2, 2, -5)), "buckets of round 4 must be a whole number"),
    "half a bucket": (cut((2, 2.5, 2, 2)), "buckets of round 2 must be"),
    "nan buckets": (cut((NAN, 2, 2, 2)), "buckets of round 1 must be"),
    "true buckets": (cut((True, 2, 2, 2)), "buckets of round 1 must be"),
    "floats": (cut(np.full(4, 2.0)), "buckets of round 1 must be"),
    "letters": (cut(("2", 2, 2, 2)), "buckets of round 1 must be"),
    "too many preflop": (cut((170, 2, 2, 2)), "170 buckets are too many for round 1 of"),
    "too many on the flop": (cut((2, 1_286_793, 2, 2)), "it has 1,286,792 hands that can"),
    "few strengths on a flop": (cut((2, 57_714, 2, 2)), "it has 57,713 hands that can be told"),
    "few strengths on a turn": (cut((2, 2, 42_488, 2), metric="ehs"), "it has 42,487 hands"),
    "few strengths on a river": (cut((2, 2, 2, 100_000)), "it has 1,950 hands that can be told"),
    "forgetful": (cut((2, 2, 2, 1_951), recall="imperfect"), "it has 1,950 hands"),
    "totals": (cut((2, 2, 2, 3_901), method="k-means"), "it has 3,900 hands that can be told"),
    "too many on the river": (cut((2, 2, 2, 10**15)), "ask for at most so many"),
    "more than anybody counts": (cut((2, 2, 2, 10**30)), "buckets of round 4 must be at most"),
    "three rounds": (cut((2, 2, 2)), "are for 3 rounds, but 'limit_holdem' has 4; give a number"),
    "a name": (cut("2222"), "a number for each of the 4 rounds of 'limit_holdem', such as (3, 3,"),
    "nothing": (cut(None), "not None"),
    "metric": (cut((2,) * 4, metric="ehs3"), "there is no metric 'ehs3'; did you mean"),
    "method": (cut((2,) * 4, method="median"), "method must be 'k-means' or 'percentile'"),
    "recall": (cut((2,) * 4, recall=True), "recall must be 'perfect' or 'imperfect', not True"),
    "potential": (cut((2,) * 4, metric="potential", method="k-means"), 'recall="imperfect"'),
    "own strengths": (cut((2,) * 4, strengths=[1]), "too many hands for strengths"),
    "no limit": (fit(0), "limit must be a whole number of at least 1, not 0"),
    "negative limit": (fit(-3), "limit must be"),
    "nan limit": (fit(NAN), "limit must be a whole number of at least 1, not nan"),
    "endless limit": (fit(INF), "limit must be"),
    "a word for a limit": (fit("much"), "limit must be"),
    "too small": (fit(6_377), "with one bucket a round it has 6,378; allow at least so many"),
    "no room": (fit(20, method="dynamic"), "too small for any base"),
    "too large": (fit(10**15), "169,000,000 in round 3, but only 55,190,538 hands can be told"),
    "unknown way": (fit(method="S=M"), "method must be 'base', 'dynamic', 'S={i}' or 'S=N'"),
    "no expert": (fit(method="S=N", experts=[]), "S=N needs experts, for example"),
    "a number of experts": (fit(method="S=N", experts=5), "named by their betting, ['r', 'cr']"),
    "impossible bet": (fit(method="S=N", experts=["rz"]), "there one may play f, c, r"),
    "twice": (fit(method="S=N", experts=["r", "rr"]), "parts must be disjoint"),
    "nan at most": (fit(most=NAN), "most must be a whole number of at least 1, not nan"),
    "other rules": (fit(rules=wb.load_game("leduc")), "play limit_holdem, not Leduc"),
    "three players": (fit(rules=THREE), "not 3; with three, count information sets by workbench"),
    "four players": (lambda: wb.load_game("limit_holdem", players=4), "from 2 to 3, not 4"),
    "nan players": (lambda: wb.load_game("limit_holdem", players=NAN), "from 2 to 3, not nan"),
    "no buckets": (solve(None), "solve it with buckets: abstraction='3333'"),
    "short name": (solve("333"), "there is no abstraction '333'; did you mean '3333'?"),
    "empty name": (solve(""), "there is no abstraction ''"),
    "other digits": (solve("٣333"), "there is no abstraction"),
    "zero in a name": (solve("3033"), "buckets of round 2 must be"),
    "too large a name": (solve("170-3-3-3"), "170 buckets are too many"),
    "a tuple": (solve((3, 3, 3, 3)), "abstraction must be a name, a function or an Abstraction"),
    "round 4": (lambda: ALL_ALIKE.sizes(4), "round must be a whole number from 0 to 3, not 4"),
    "round nan": (lambda: ALL_ALIKE.parents(NAN), "round must be"),  # type: ignore[arg-type]
    "board of two": (lambda: ALL_ALIKE.chart("Qs2c"), "four or five cards, not 2"),
    "board of six": (
        lambda: wb.plots.plot_bucket_chart(ALL_ALIKE, "Qs2c3d4h5s6s"),
        "four or five cards, not 6",
    ),
    "chart of what": (lambda: wb.plots.plot_bucket_chart("3333"), "a chart needs buckets of"),  # type: ignore[arg-type]
    "no slash there": (fit(method="S=N", experts=["r/c"]), "a slash stands where a round ends"),
    "two slashes": (fit(method="S=N", experts=["rc//r"]), "only there: 'rc/r', not 'rc//r'"),
    "one part twice": (fit(method="S=N", experts=["rcr", "rc/r"]), "parts must be disjoint"),
    "one number": (cut(3), "'limit_holdem', such as (3, 3, 3, 3), not 3"),
    "no flop": (lambda: answer_flop(opponent_named(RULES, "uniform"), None), "not None"),  # type: ignore[arg-type]
    "nobody on a flop": (lambda: answer_flop(None, "QhJh2c"), "None is no strategy of limit"),
    "opponent of three": (lambda: opponent_named(THREE, "uniform"), "for two players, not"),
    "opponent of nothing": (lambda: opponent_named(None, "uniform"), "not None"),
    "listed opponent": (lambda: opponent_named(RULES, []), "there is no opponent []"),  # type: ignore[arg-type]
    "static without cr": (experts(wb.static_experts), "expert 'cr' has no buckets"),
    "dynamic without cr": (experts(wb.dynamic_experts), "expert 'cr' has no buckets"),
    "nan score": (lambda: intervals(["a", "b"], np.array([[1, 0], [2, NAN]])), "of 'b' in deal 1"),
    "inf score": (lambda: intervals(["a"], np.array([[1], [INF]])), "deal 1 is inf; a mean and"),
    "opponent": (
        lambda: opponent_named(RULES, "always-rise"),
        "there is no opponent 'always-rise'; did you mean 'always-raise'?",
    ),
}


@pytest.mark.parametrize("what", OTHERS)
def test_what_cannot_work_is_refused_in_one_line(what: str) -> None:
    attempt, says = OTHERS[what]
    with pytest.raises(wb.GameError) as refused:
        attempt()
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_slashes_between_rounds_may_be_written() -> None:
    plain, slashed = (BettingParts(RULES, (name,)) for name in ("rccr", "rc/cr"))
    assert all(map(np.array_equal, plain.parts(), slashed.parts()))
    assert slashed.names == ("rc/cr",)


def test_before_the_flop_there_are_169_classes() -> None:
    assert wb.fit_buckets(RULES, 10**13).counts["base"] == (169, 218, 218, 219)
    assert wb.fit_buckets(RULES, 10**15, most=200).counts["base"] == (169, 200, 200, 200)


def test_one_expert_may_be_a_text() -> None:
    alone = wb.fit_buckets(RULES, 500_000, "S=N", experts="cr")
    assert alone.counts == wb.fit_buckets(RULES, 500_000, "S=N", experts=["cr"]).counts
