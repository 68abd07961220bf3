"""Comparing abstractions: scores are duels, sizes are the known ones."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from workbench import compile_game, exploitability, load_game, tournament
from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger import (
    le_2021_figure4_2,
    le_2021_figure4_3,
    le_2021_figure4_4,
    le_2021_figure4_5,
    le_2021_section4_2_3,
    le_2021_section4_2_4,
)
from workbench.lab.ledger import toepen_abstractions as compared
from workbench.lab.ledger.entries import read_curves, read_ledger, read_published, read_result
from workbench.lab.ledger.ledger import Ours
from workbench.lab.ledger.toepen_abstractions import (
    FOLLOW,
    FULL,
    KIND,
    PUBLISHED,
    RULES,
    WAYS,
    Claim,
    Compared,
    claims,
    reached,
    score,
)
from workbench.solvers.external_sampling import ExternalSampling
from workbench.solvers.iterate import iterate
from workbench.strategy import Strategy

SIZES = dict(  # as published, counted by an independent program
    zip(RULES, (4, 166, 209_829, 333_449, 176_448, 155_586), strict=True)
)


def made_up() -> Compared:
    """Two repeats, two stops: naive wins 3 and 5 at first, and loses 1 and 3 in the end."""
    rows = [
        ("naive", FOLLOW, repeat, at, sign * (2 * repeat + start), 1.0, 4)
        for at, sign, start in ((1000, 1, 3), (2000, -1, 1))
        for repeat in (0, 1)
    ]
    rows += [(FULL, FOLLOW, repeat, at, 0.0, 0.5, 9) for at in (1000, 2000) for repeat in (0, 1)]
    names = ["rule", "way", "repeat", "iteration", "score", "exploitability", "reached"]
    sizes = {("naive", FOLLOW): (2, 2), (FULL, FOLLOW): (5, 5)}
    return Compared({FOLLOW: 2}, (1000, 2000), pd.DataFrame(rows, columns=names), sizes)


def test_leads_and_curves() -> None:
    found = made_up()
    first, last = found.lead("naive", FULL, FOLLOW, at=1000), found.lead("naive", FULL, FOLLOW)
    assert (first.value, first.low, first.high, first.holds) == (4, 3, 5, True)
    assert (last.value, last.low, last.high, last.holds) == (-2, -3, -1, False)
    assert last.note == "naive -2, unabstracted 0 after 2,000; mean of 2 repeats"
    curves = found.curves(["naive"], "exploitability")
    assert list(curves.columns) == ["curve", "repeat", "iteration", "exploitability"]
    assert set(curves.curve) == {"naive, follow suit"}


def test_claims_about_what_was_not_trained_are_skipped() -> None:
    def check(found: Compared, way: str) -> Ours:
        return Ours(found.mean("naive", way), holds=True)

    stated = {"one": Claim(("naive",), check), "two": Claim(RULES, check)}
    result = claims(made_up(), stated)
    assert set(result.ours) == {f"one, {FOLLOW}"}
    assert set(result.skipped) == {f"one, {way}" for way in WAYS if way != FOLLOW} | {
        f"two, {way}" for way in WAYS
    }


def test_training_is_scored_and_judged_in_the_real_game(monkeypatch: pytest.MonkeyPatch) -> None:
    small = Toepen(2, 2, 2, betting=True, follow_suit=False)
    monkeypatch.setitem(compared.VARIANTS, compared.LARGEST, small)
    ways = ((PUBLISHED, 2), (FOLLOW, 1), (KIND, 1))
    found = compared._compare(ways, ("naive", "advanced-history"), (50, 200))
    assert len(found.table) == (2 + 1 + 1) * 3 * 2
    assert sum(found.sizes[FULL, PUBLISHED]) == 330
    assert (
        sum(found.sizes[FULL, FOLLOW])
        == compile_game(load_game("toepen", suits=2, ranks=2, suit_isomorphism=True)).num_infosets
    )
    sigma = compared.trained(PUBLISHED, "advanced-history", 1, 200)
    rival = compared.trained(PUBLISHED, FULL, 1, 200)
    duel = tournament({"ours": sigma, "theirs": rival})
    assert score(sigma, rival) == pytest.approx(duel.loc["ours", "theirs"])
    assert found.each("advanced-history", PUBLISHED)[1] == pytest.approx(score(sigma, rival))
    worst = found.each("advanced-history", PUBLISHED, "exploitability")[1]
    assert worst == pytest.approx(2 * exploitability(sigma))
    assert found.each(FULL, PUBLISHED) == [0, 0]
    counts = found.table[found.table.rule == FULL].groupby(["way", "repeat"]).reached
    assert (counts.last() >= counts.first()).all()
    assert found.table.reached.max() <= 330


def test_a_set_is_reached_when_training_left_something_there() -> None:
    tree = compile_game(load_game("toepen", suits=2, ranks=2))
    states = iterate(tree, ExternalSampling(linear=False), seed=3, every=5)
    counts = []
    for _ in range(4):
        state = next(states)
        counts.append(reached(tree, state))
        by_hand = 0
        for low, high in zip(tree.first_choice[:-1], tree.first_choice[1:], strict=True):
            by_hand += bool(np.any(state.regret[low:high]) or np.any(state.strategy_sum[low:high]))
        assert counts[-1] == by_hand
    assert 0 < counts[0] < counts[-1] < tree.num_infosets


def test_nobody_wins_against_herself() -> None:
    tree = compile_game(load_game("toepen", suits=2, ranks=2))
    uniform = Strategy.uniform(tree)
    assert score(uniform, uniform) == pytest.approx(0, abs=1e-12)


def test_kept_sizes_are_the_known_ones() -> None:
    sizes = read_result("le-2021-figure4.5").ours
    for rule in ("naive", "simple-history"):
        assert sizes[f"size {rule}"].value == SIZES[rule]
    curves = read_curves("le-2021-figure4.5")
    assert curves is not None
    most = curves.groupby("curve").reached.max()
    for rule in ("simple-hand", "advanced-hand", "advanced-history", "advanced-combined"):
        assert most[f"{rule}, {PUBLISHED}"] <= SIZES[rule]


def test_kept_claims_are_those_of_the_kept_curves() -> None:
    """What is said about the figures follows from the curves beside it, word for word."""
    entries = {
        "le-2021-figure4.3": le_2021_figure4_3.CLAIMS,
        "le-2021-figure4.4": le_2021_figure4_4.CLAIMS,
        "le-2021-section4.2.4": le_2021_section4_2_4.CLAIMS,
    }
    tables = []
    for entry in entries:
        curves = read_curves(entry)
        assert curves is not None
        parts = curves.curve.str.partition(", ")
        table = curves.assign(rule=parts[0], way=parts[2]).drop(columns="curve")
        tables.append(table[table.way.isin(WAYS)].set_index(["rule", "way", "repeat", "iteration"]))
    coarse, fine, costs = tables
    scores = pd.concat([coarse, fine])
    table = costs.join(scores[~scores.index.duplicated()]).reset_index()
    table = table.astype({"rule": "category", "way": "category"})  # faster
    sizes = {(rule, way): (0, 0) for rule in (FULL, *RULES) for way in WAYS}
    points = tuple(sorted(table.iteration.unique()))
    found = Compared(dict.fromkeys(WAYS, 15), points, table, sizes)
    for entry, stated in entries.items():
        kept = read_result(entry).ours
        for item, ours in claims(found, stated).ours.items():
            assert (ours.note, ours.holds) == (kept[item].note, kept[item].holds)
            numbers = [(x.value, x.low, x.high) for x in (ours, kept[item])]
            assert numbers[0] == pytest.approx(numbers[1], abs=2e-6)


@pytest.mark.parametrize(
    ("entry", "items"),
    [
        ("le-2021-figure4.2", [f"{deck} uniform play" for deck in le_2021_figure4_2.DECKS]),
        ("le-2021-figure4.5", [le_2021_figure4_5.HAND]),
        ("le-2021-section4.2.3", list(le_2021_section4_2_3.ITEMS.values())),
        ("le-2021-section4.2.4", list(le_2021_section4_2_4.BOUND)),
    ],
)
def test_rows_of_few_digits_say_what_counts_as_the_same_number(
    entry: str, items: list[str]
) -> None:
    said = {line.item: line for line in read_published(entry)}
    for row in read_ledger(entry):
        if row.item in items:
            near = re.search(r"([\d.,e]+) to ([\d.,e]+) (?:would count|counts)", row.note)
            assert near, row.note
            low, high = (float(end.replace(",", "")) for end in near.groups())
            line = said[row.item]
            assert row.published is not None
            assert low == pytest.approx(row.published - line.precision)
            assert high == pytest.approx(row.published + line.precision)


def test_kept_game_is_solved() -> None:
    curves = read_curves("le-2021-section4.2.4")
    assert curves is not None
    solved = curves[curves.curve == f"{FULL}, CFR+, {FOLLOW}"].set_index("iteration")
    assert solved.exploitability[100] <= 0.02
    assert solved.exploitability[500] <= 0.001
    verdicts = {row.item: row.verdict for row in read_ledger("le-2021-section4.2.4")}
    assert verdicts["bound on player 2's regret"] == "reproduced"
