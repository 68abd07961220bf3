"""The abstraction explorer without kernel and browser: ways, sizes, merged sets, costs, code."""

from functools import partial
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.lab.widgets.helpers import SOON, press, put, repeated, said, same, text, until
from workbench.lab.widgets.abstraction_explorer import WHOLE, AbstractionExplorer


@pytest.fixture
def explorers(ready: Any) -> Any:
    return partial(ready, AbstractionExplorer)


def solved(explorer: AbstractionExplorer) -> wb.Run:
    assert explorer.wait(SOON)
    assert not explorer.start_button.disabled, said(explorer)
    press(explorer, "start")
    return explorer.runs[-1]


def test_a_published_abstraction_and_its_cost(explorers):
    explorer = explorers("leduc", abstraction="JQ-K", iterations=300)
    assert "936 → 132 information sets" in explorer.size.value
    assert "JQ no pair cc/" in text(explorer.merged.value)
    before = explorer.drawing.view.value
    run = solved(explorer)
    assert explorer.drawing.view.value != before
    assert run.exploitability > 0.4 > run.abstract_exploitability
    assert f"1: JQ-K {run.abstract_exploitability:.3g}" in explorer.drawing.view.value
    assert same(run, repeated(explorer.code))
    assert same(run, wb.solve(wb.load_game("leduc"), iterations=300, abstraction="JQ-K"))


def test_merging_cards_by_ticking(explorers):
    explorer = explorers("leduc", iterations=50)
    put(explorer, explorer.kind, "merged cards")
    assert explorer.abstraction.coarse.num_infosets == 198
    put(explorer, explorer.way["J", "Q"], True)
    assert explorer.abstraction.coarse.num_infosets == 132
    published = wb.abstract(explorer.built.tree, "JQ-K")
    assert np.array_equal(explorer.abstraction.choice_map, published.choice_map)
    explorer.way["Q", "K"].value = True  # and so J and K as well
    explorer.way["board"].value = "rank"
    run = solved(explorer)
    assert 'wb.abstraction.merge_cards("JQK", board="rank")' in explorer.code
    assert same(run, repeated(explorer.code))


def test_buckets(explorers):
    explorer = explorers("leduc", iterations=30)
    put(explorer, explorer.kind, "buckets")
    sizes = [size for _, size in explorer.way["count"].options]
    assert (sizes[0], sizes[-1]) == (6, 936)
    put(explorer, explorer.way["count"], sizes[12])
    assert explorer.abstraction.coarse.num_infosets == sizes[12]
    run = solved(explorer)
    assert f"buckets={sizes[12]}" in explorer.code
    assert same(run, repeated(explorer.code))
    put(explorer, explorer.way["trained"], 0)
    assert "training iterations must be" in said(explorer)
    assert explorer.start_button.disabled


def test_hands_in_buckets_found_automatically(explorers, monkeypatch):
    explorer = explorers("leduc", iterations=30)
    put(explorer, explorer.kind, "found automatically")
    sizes = [size for _, size in explorer.way["count"].options]
    explorer.way["count"].value = next(size for size in sizes if size >= 4)
    put(explorer, explorer.way["metric"], "ehs2")
    before = explorer.merged.value
    assert "<img" in before
    sizes = [len(explorer.built.plan.rule.sizes(r)) for r in (0, 1)]
    assert f"{sizes[1]} buckets" in before
    run = solved(explorer)
    assert f"buckets=({sizes[0]}, {sizes[1]})" in explorer.code
    assert same(run, repeated(explorer.code))
    wishes: list[Any] = []
    monkeypatch.setattr(explorer, "later", wishes.append)
    explorer.way["round"].value = 0
    assert text(explorer.merged.value) == "drawing the picture: round 1 …"  # at once
    wishes.pop()()
    assert "<img" in explorer.merged.value
    assert explorer.merged.value != before


def test_holdem_says_what_is_missing(explorers, monkeypatch):
    monkeypatch.setattr("workbench.lab.widgets.abstraction_explorer.tables_kept", lambda: False)
    explorer = explorers("limit_holdem")
    assert "run `workbench tables holdem` in a terminal" in said(explorer)
    assert explorer.start_button.disabled


@pytest.mark.slow
def test_hands_of_holdem(explorers):
    explorer = explorers("limit_holdem", iterations=10)
    explorer.way["count"].value = 2
    assert explorer.wait(10 * SOON)
    assert "→ 96,056 information sets" in explorer.size.value
    before = explorer.merged.value
    assert "2: AA, AKs" in before  # the chart, in words
    explorer.way["round"].value = "Qh Jh 2c"
    assert explorer.wait(10 * SOON)
    assert explorer.merged.value != before
    run = solved(explorer)
    assert run.abstract_exploitability > 0
    assert 'method="percentile"' in explorer.code
    assert same(run, repeated(explorer.code))
    chart, size = explorer.merged.value, explorer.size.value
    for typed, why in (("Qh Jh", "five cards, not 2"), ("foo", "is no card"), ("Qh Qh 2c", "Q")):
        put(explorer, explorer.way["round"], typed)
        assert why in text(explorer.way["wrong"].value)  # below the field, and all else stays
        assert (explorer.merged.value, explorer.size.value, said(explorer)) == (chart, size, "")
        assert not explorer.start_button.disabled
    put(explorer, explorer.way["round"], "")
    assert explorer.way["wrong"].layout.display == "none"
    explorer.way["metric"].value = "E[HS²] after 169, forgotten"
    explorer.way["count"].value = 3
    assert explorer.wait(10 * SOON)
    assert "imperfect recall" in explorer.size.value
    press(explorer, "start")
    assert "external-sampling" in said(explorer)


@pytest.mark.slow  # hands of Leduc are above
def test_hands_of_a_game_without_a_tree(explorers):
    explorer = explorers("rhode_island", options={"ranks": 2, "suits": 2}, iterations=20)
    assert explorer.kind.value == "found automatically"
    explorer.way["metric"].value = "potential"
    run = solved(explorer)
    assert run.exploitability > run.abstract_exploitability > 0
    assert same(run, repeated(explorer.code))
    assert "potential" in explorer.drawing.view.value
    put(explorer, explorer.kind, "buckets")  # which needs the tree
    assert explorer.abstraction is not None


def test_a_picture_asked_for_while_buckets_are_built(explorers, monkeypatch):
    explorer = explorers("rhode_island", options={"ranks": 2, "suits": 2})
    way = explorer.way
    draw, board = way.picture, way["round"]

    def asked_again(buckets: Any) -> Any:
        found = draw(buckets)
        board.value = 0  # when this picture is ready, and the buckets are not shown yet
        return found

    assert board.value != 0
    monkeypatch.setattr(way, "picture", asked_again)
    way["count"].value += 1
    assert explorer.wait(10 * SOON)
    assert "Round 1:" in explorer.merged.value


def test_rules_of_toepen(explorers):
    explorer = explorers(
        "toepen", options={"suits": 2, "ranks": 2}, abstraction="thesis-suits+advanced-history"
    )
    assert "336 → 174 information sets" in explorer.size.value
    explorer.way["suit_names"].value = "lossless-suits"
    explorer.way["rule"].value = "naive"
    put(explorer, explorer.way["split_by_kind"], True)
    assert explorer.abstraction.name == "lossless-suits+naive-by-kind"
    assert "imperfect recall" in explorer.size.value
    run = solved(explorer)
    assert "not known" not in said(explorer)
    assert same(run, repeated(explorer.code))
    explorer.way["rule"].value, explorer.way["suit_names"].value = "none", "by name"
    assert explorer.wait(SOON)
    assert "336 → 336 information sets" in explorer.size.value
    twice = "lossless-suits+thesis-suits"  # a name that no steps make
    explorer = explorers("toepen", options={"suits": 2, "ranks": 2}, abstraction=twice)
    assert list(explorer.ways) == ["published", "thesis rules", "buckets"]
    assert explorer.abstraction.name == twice


def test_another_game_and_bad_options(explorers):
    by_rank = {"suit_isomorphism": True}
    explorer = explorers("leduc", options=by_rank, abstraction="JQ-K", iterations=40)
    solved(explorer)
    put(explorer, explorer.game.controls["players"], 3)
    assert explorer.way["name"].value == "JQ-K"  # kept
    assert "1,890 information sets" in explorer.size.value
    explorer.game.controls["ranks"].value = 4
    explorer.kind.value = "published"
    listed = [WHOLE, "null (only suits forgotten)"]  # the others need three ranks
    assert list(dict(explorer.way["name"].options)) == listed
    assert explorer.wait(SOON)
    assert said(explorer) == ""
    explorer.game.controls["players"].value = 30
    assert "players must be" in said(explorer)
    assert explorer.start_button.disabled
    put(explorer, explorer.game.name, "smuggler")
    assert said(explorer) == ""
    assert list(explorer.ways) == ["buckets"]
    assert len(explorer.runs) == 1


def test_a_rule_of_ones_own(explorers):
    def colour_blind(player: int, seen: Any, actions: Any) -> Any:
        return seen[0][0], seen[1][:1], seen[2]

    explorer = explorers("leduc", abstraction=colour_blind, iterations=20)
    assert "936 → 288 information sets" in explorer.size.value
    run = solved(explorer)
    assert same(run, repeated(explorer.code, rule=colour_blind))


def test_building_does_not_disturb_a_run(explorers):
    explorer = explorers("leduc", abstraction="JQ-K", iterations=100_000_000)
    explorer.start_button.click()
    until(lambda: explorer.trials[0].iteration > 0)
    explorer.way["name"].value = "J-QK"
    explorer.jobs["build"].wait(SOON)
    assert explorer.running
    press(explorer, "stop")
    (run,) = explorer.runs
    assert run.abstraction.name == "JQ-K"
    assert same(run, repeated(explorer.code))
