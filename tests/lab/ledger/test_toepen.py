"""Toepen in the thesis's tables and figures: sizes, training, scores, and what was kept of them."""

from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pandas as pd
import pytest
from workbench.lab.ledger.papers.toepen_abstractions import (
    FOLLOW,
    FULL,
    KIND,
    PUBLISHED,
    RULES,
    WAYS,
    reached,
    score,
)
from workbench.lab.ledger.papers.toepen_met import met
from workbench.lab.ledger.papers.toepen_repeats import Repeats
from workbench.lab.ledger.papers.toepen_training import THESIS, states, train

from workbench import abstract, compile_game, exploitability, load_game, solve, tournament
from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger import entries
from workbench.lab.ledger.entry import Effort, TooLongError, value
from workbench.lab.ledger.papers import toepen_abstractions as compared
from workbench.lab.ledger.papers import toepen_variants as variants
from workbench.solvers.base import iterate
from workbench.solvers.external_sampling import ExternalSampling

RAW = {line.item: line.number for line in entries.read_published("le-2021-table3.1")}
TRANSLATED = {line.item: line.number for line in entries.read_published("le-2021-table3.2")}
SMALL = [name for name, variant in variants.VARIANTS.items() if variant.suits + variant.ranks < 6]
SIZES = dict(  # as published, counted by an independent program
    zip(RULES, (4, 166, 209_829, 333_449, 176_448, 155_586), strict=True)
)


@pytest.mark.parametrize("name", variants.VARIANTS)
def test_formulas_give_the_printed_numbers(name):
    assert variants.hands(variants.VARIANTS[name]) == RAW[f"{name} hands"]
    assert variants.upper_bound(variants.VARIANTS[name]) == RAW[f"{name} upper bound"]
    assert f"{name} information sets" in TRANSLATED


@pytest.mark.parametrize("name", SMALL)
def test_small_versions_have_the_printed_sizes(name):
    tree = compile_game(variants.VARIANTS[name])
    item = f"{name} information sets"
    assert tree.num_infosets == RAW[item]
    assert abstract(tree, "thesis-suits").coarse.num_infosets == TRANSLATED[item]
    told = compile_game(variants.as_told(variants.VARIANTS[name]))
    same = told.num_infosets == tree.num_infosets
    assert same == (not variants.VARIANTS[name].betting), "with betting the text tells another game"


def test_the_large_version_was_measured_in_full():
    for entry, sets in (("le-2021-table3.1", 1_366_338), ("le-2021-table3.2", 376_958)):
        found = entries.read_result(entry).ours[f"{variants.LARGEST} information sets"]
        assert found.value == sets
        assert found.note == "need not follow suit"


def test_kept_curves_are_what_training_gives():
    """Seeds 0 to 2 at the points that a quick measurement shares with the full one."""
    again = train(["2/3/2b"], Effort(quick=True)).curves(["2/3/2b"], "exploitability")
    keys = ["curve", "repeat", "iteration"]
    both = again.merge(entries.read_curves("le-2021-figure4.2"), on=keys, suffixes=("", "_kept"))
    assert len(both) == len(again) == 3 * 3 * 5
    assert np.allclose(both.exploitability, both.exploitability_kept, rtol=1e-6)


def test_items_about_what_was_not_trained_are_left_out():
    rows = [("naive", FOLLOW, 0, 1000, 1.0)]
    table = pd.DataFrame(rows, columns=["name", "way", "repeat", "iteration", "score"])
    found = Repeats(Effort(), table, {}, {("naive", FOLLOW): (2, 2)})
    assert found.each(FOLLOW, "naive", "score") == [1.0]
    assert found.size(FOLLOW, "naive") == 4
    for rule, way in ((FULL, FOLLOW), ("naive", KIND)):
        with pytest.raises(TooLongError):
            found.each(way, rule, "score")
        with pytest.raises(TooLongError):
            found.size(way, rule)


def test_training_is_scored_and_judged_in_the_real_game(monkeypatch):
    small = Toepen(2, 2, 2, betting=True, follow_suit=False)
    monkeypatch.setitem(compared.VARIANTS, variants.LARGEST, small)
    ways = ((PUBLISHED, 2), (FOLLOW, 1), (KIND, 1))
    table, sizes = compared.train_all(ways, ("naive", "advanced-history"), (50, 200))
    found = Repeats(Effort(), table, {}, sizes)
    assert len(table) == (2 + 1 + 1) * 3 * 2
    assert sum(sizes[FULL, PUBLISHED]) == 330
    followed = replace(small, follow_suit=True, suit_isomorphism=True)
    assert sum(sizes[FULL, FOLLOW]) == compile_game(followed).num_infosets
    sigma, rival = (
        solve(small, THESIS, 200, seed=1, abstraction=f"thesis-suits{rule}").strategy
        for rule in ("+advanced-history", "")
    )
    won = tournament({"ours": sigma, "theirs": rival}).loc["ours", "theirs"]
    assert score(sigma, rival) == pytest.approx(won)
    for what, number in (("score", won), ("exploitability", 2 * exploitability(sigma))):
        assert found.each(PUBLISHED, "advanced-history", what)[1] == pytest.approx(number)
    assert found.each(PUBLISHED, FULL, "score") == [0, 0]
    counts = table[table.name == FULL].groupby(["way", "repeat"]).reached
    assert (counts.last() >= counts.first()).all()
    assert table.reached.max() <= 330


def test_a_set_is_reached_when_training_left_something_there():
    tree = compile_game(load_game("toepen", suits=2, ranks=2))
    training, counts = iterate(tree, ExternalSampling(linear=False), seed=3, every=5), []
    for state in islice(training, 4):
        counts.append(reached(tree, state))
        assert counts[-1] == sum(
            bool(np.any(state.regret[low:high]) or np.any(state.strategy_sum[low:high]))
            for low, high in pairwise(tree.first_choice)
        )
    assert 0 < counts[0] < counts[-1] < tree.num_infosets


@pytest.mark.slow  # it compiles for five seconds what only the ledger uses
def test_sets_that_training_meets():
    tree = compile_game(load_game("toepen", suits=2, ranks=2, betting=True))
    coarse = abstract(tree, "thesis-suits").coarse
    stops = (5, 20, 2_000)
    counts, end = met(coarse, 3, stops)
    *_, told = states(coarse, THESIS, 3, stops)
    for one, two in (
        (end.regret, told.regret), (end.strategy_sum, told.strategy_sum), (end.rng, told.rng)
    ):  # fmt: skip
        np.testing.assert_array_equal(one, two)
    learnt = [reached(coarse, state) for state in states(coarse, THESIS, 3, stops)]
    assert all(more > less for more, less in zip(counts[:2], learnt[:2], strict=True))
    assert learnt[-1] <= counts[-1] <= coarse.num_infosets


def test_kept_sizes_are_the_known_ones():
    sizes = entries.read_result("le-2021-figure4.5").ours
    for rule in ("naive", "simple-history"):
        assert sizes[f"size {rule}"].value == SIZES[rule]
    curves = entries.read_curves("le-2021-figure4.5")
    most = curves.groupby("curve").reached.max()
    for rule in ("simple-hand", "advanced-hand", "advanced-history", "advanced-combined"):
        assert most[f"{rule}, {PUBLISHED}"] <= SIZES[rule]


@pytest.fixture(scope="module")
def kept() -> Repeats:
    """The kept curves of all figures about abstractions, as one table."""
    tables = []
    for entry in ("workbench-toepen-findings", "le-2021-figure4.3", "le-2021-figure4.4"):
        curves = entries.read_curves(entry)
        parts = curves.curve.str.partition(", ")
        table = curves.assign(name=parts[0], way=parts[2]).drop(columns="curve")
        tables.append(table[table.way.isin(WAYS)].set_index(["name", "way", "repeat", "iteration"]))
    costs, coarse, fine = tables
    scores = pd.concat([coarse, fine])
    table = costs.join(scores[~scores.index.duplicated()]).reset_index()
    table.loc[table.name == FULL, "score"] = 0.0
    return Repeats(Effort(), table, {})


@pytest.mark.parametrize(
    "entry",
    ["le-2021-figure4.3", "le-2021-figure4.4", "le-2021-section4.2.4", "workbench-toepen-findings"],
)
def test_kept_claims_are_those_of_the_kept_curves(entry, kept):
    ours = entries.read_result(entry).ours
    for item in (item for item in ours if item.endswith(WAYS) and not item.startswith("CFR+")):
        if item == "value to player 1, follow suit":
            continue
        found = value(entries.all_entries()[entry].items[item], kept)
        assert (found.holds, found.over, found.note) == (
            ours[item].holds, ours[item].over, ours[item].note
        )  # fmt: skip
        both = ([x.value, x.low, x.high, *x.facts.values()] for x in (found, ours[item]))
        for one, two in zip(*both, strict=True):
            assert one == pytest.approx(two, rel=2e-5, abs=2e-6)


def test_kept_game_is_solved():
    curves = entries.read_curves("workbench-toepen-findings")
    solved = curves[curves.curve == f"{FULL}, CFR+, {FOLLOW}"].set_index("iteration")
    assert solved.exploitability[100] <= 0.02
    assert solved.exploitability[500] <= 0.001
    verdicts = {row.item: row.verdict for row in entries.read_ledger("le-2021-section4.2.4")}
    assert verdicts["bound on player 2's regret"] == "reproduced"
