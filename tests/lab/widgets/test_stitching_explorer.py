"""The stitching explorer without kernel and browser: choosing, looking, stitching, comparing."""

import sys
import threading
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from workbench.lab.lectures.stitching_explorer import (
    StitchingExplorer,
    StitchingRecipe,
    draw_partition,
)

import workbench as wb
from tests.lab.widgets.helpers import SOON, press, put, said, stitches_as_told, text, threads, until
from workbench.lab.widgets.jobs import Job
from workbench.runs.store import Store


@pytest.fixture
def explorers(panels: Any) -> Any:
    return partial(panels, StitchingExplorer)


def test_parts_and_sizes_are_seen_at_once(ready):
    explorer = ready(StitchingExplorer, "leduc")
    assert "base 72 132 r 372 186 cr 372 186 ccr 60 30 cccr 60 30" in text(explorer.sizes.value)
    aloud = "the colour of base (72 sets): 4 places. In the colour of r (372 sets): 14 places."
    assert aloud in explorer.picture.value
    put(explorer, explorer.stitching, "dynamic")
    assert "r 372 444 (all in one)" in text(explorer.sizes.value)
    assert explorer.leftovers.disabled
    assert "lecture 09" in explorer.leftovers.tooltip
    explorer.stitching.value = "each"
    put(explorer, explorer.experts.view.children[3], False)
    assert "base 132 132 r 372 226 cr 372 226 ccr 60 92" in text(explorer.sizes.value)
    assert explorer.recipe.experts == ("r", "cr", "ccr")


def test_stitched_beside_the_base(explorers):
    explorer = explorers("leduc", iterations=300)
    press(explorer, "solve")
    explorer.stitching.value = "dynamic"
    press(explorer, "solve")
    names = ["base JQ-K", "S = N: r, cr, ccr, cccr", "dynamic: r, cr, ccr, cccr"]
    assert list(explorer.strategies) == names
    assert explorer.code_box.value == explorer.recipe.code
    shown = text(explorer.table.value)
    for number, result in enumerate(explorer.done, 1):
        milli = f"{1000 * result.stitched.exploitability:.1f}"
        assert f"{number}: {result.stitched.name} {result.stitched.size} {milli}" in shown
        assert result.stitched.exploitability == wb.exploitability(result.stitched.strategy)
    assert shown.count("base JQ-K 132") == 1
    assert explorer.bar.bar.value == 1.0


def test_another_game_has_other_choices(explorers):
    explorer = explorers("leduc", base="J.Q.K", way="round")
    assert explorer.experts.names == ("cc", "rc", "crc", "rrc", "crrc")
    explorer.game.name.value = "kuhn"
    assert explorer.way.options == ("first bet", "card")
    assert explorer.way.value == "first bet"
    assert explorer.base.value == "null"  # there is no J.Q.K
    assert explorer.experts.names == ("b", "pb")
    explorer.way.value = "card"
    assert explorer.experts.names == ("J", "Q", "K")
    explorer.base.value = "JQ-K"
    explorer.iterations.value = 50
    press(explorer, "solve")
    assert explorer.done[0].code == StitchingRecipe("kuhn", way="card", iterations=50).code
    explorer.game.name.value = "leduc"
    explorer.game.controls["suit_isomorphism"].value = True
    assert "card, later" in explorer.way.options
    assert explorer.wait(SOON)
    assert said(explorer) == ""


def test_back_to_an_earlier_row_and_away_with_it(explorers):
    explorer = explorers("kuhn", iterations=30)
    press(explorer, "solve")
    explorer.way.value, explorer.stitching.value = "card", "2"
    explorer.experts.view.children[1].value = False
    press(explorer, "solve")
    later = explorer.recipe.code
    explorer.chosen.value = 0
    explorer.again_button.click()
    assert explorer.recipe.code == StitchingRecipe("kuhn", iterations=30).code
    assert explorer.experts.names == ("b", "pb")
    explorer.chosen.value = 1
    explorer.again_button.click()
    assert explorer.recipe.code == later
    assert explorer.experts.value == ("J", "K")
    explorer.remove_button.click()
    assert [result.way for result in explorer.done] == ["first bet"]
    explorer.remove_button.click()
    assert explorer.done == []
    assert "will stand here" in explorer.table.value
    assert explorer.remove_button.disabled


def test_bad_choices_are_one_message(explorers):
    explorer = explorers("kuhn", iterations=20)
    for box in explorer.experts.view.children:
        box.value = False
    assert "at least one expert" in said(explorer)
    explorer.solve_button.click()
    assert "at least one expert" in said(explorer)
    assert explorer.done == []
    explorer.experts.view.children[0].value = True
    assert said(explorer) == ""
    press(explorer, "solve")
    assert len(explorer.done) == 1


def test_stop_and_changes_while_solving(explorers):
    explorer = explorers("leduc", solver="cfr", iterations=3_000_000)
    explorer.solve_button.click()
    assert explorer.solve_button.disabled
    explorer.stitching.value = "each"  # looked at while the other one is made
    until(lambda: "226" in explorer.sizes.value)
    assert explorer.running
    press(explorer, "stop")
    assert explorer.done == []
    assert "goes on from here" in said(explorer)
    assert "226" in explorer.sizes.value
    assert not explorer.solve_button.disabled


def test_solve_after_stop_goes_on(explorers, monkeypatch):
    begun: list[tuple[str, int]] = []  # the runs, and where they stood

    @contextmanager
    def claim(store: Store, problem: Any, **more: Any) -> Any:
        with claimed(store, problem, **more) as partial:
            begun.append((problem.run_id, partial.state.iteration))
            yield partial

    def save(store: Store, problem: Any, partial: Any) -> None:
        stored(store, problem, partial)
        saved.add(problem.run_id)
        if len(saved) > 3:  # base and opponents are there: what is stitched is under way
            reached.set()
            pressed.wait(SOON)

    saved: set[str] = set()
    reached, pressed = threading.Event(), threading.Event()
    claimed, stored = Store.claim, Store.save
    monkeypatch.setattr(Store, "claim", claim)
    monkeypatch.setattr(Store, "save", save)
    monkeypatch.setattr(sys.modules["workbench.runs.solve"], "SAVE_EVERY", 0.05)
    explorer = explorers("leduc", iterations=2000)
    explorer.solve_button.click()
    assert reached.wait(SOON)
    explorer.stop_button.click()
    pressed.set()
    assert explorer.wait(SOON)
    assert explorer.done == []
    assert "goes on from here" in said(explorer)
    until(lambda: len(threads()) == 0)
    before = len(begun)
    press(explorer, "solve")
    again = dict(begun[before:])
    assert {again.pop(name) for name, _ in begun[:3]} == {2000}  # finished ones are only read
    assert max(again.values()) > 0, "nothing was half done"
    assert stitches_as_told(explorer)
    folder = Path(explorer._kept.name)
    explorer.close()
    assert not folder.exists()


@pytest.mark.parametrize("way", ["card", "card, later", "round"])
def test_every_partition_can_be_drawn(way):
    recipe = StitchingRecipe("leduc", way=way, stitching="1")
    page = draw_partition(recipe.owned, "title", by_card=recipe.by_card)
    assert "the colour of base" in page
    assert ("the colour of J Q K" in page) == way.startswith("card")


JOB = Job(lambda job: None)  # to be told


def test_leftovers_and_what_is_earned():
    options = {"count": "", "uniform": "residual=0.01", "base": 'unreached="base"'}
    for leftovers, option in (options | {"tremble": "tremble=0.01"}).items():
        assert option in StitchingRecipe(leftovers=leftovers).code
    recipe = StitchingRecipe(stitching="dynamic", iterations=300).work(JOB)
    base, stitched = recipe.alone, recipe.stitched
    assert (base.name, base.size, stitched.size) == ("base JQ-K", 132, 444)
    names = ("null", "J-QK")
    others = [wb.solve(recipe.tree, abstraction=name, iterations=300).strategy for name in names]
    assert stitched.earnings == wb.earnings(stitched.strategy, others)
    assert stitched.earnings > base.earnings
    assert stitched.exploitability < base.exploitability


RECIPES: list[dict[str, Any]] = [
    {},
    {"stitching": "dynamic", "abstraction": "J.Q.K"},
    {"stitching": "each", "experts": ("r", "ccr"), "base": "J-QK", "seed": 2, "leftovers": "base",
     "abstraction": "J.Q.K"},
    {"stitching": "2", "way": "card", "experts": ("K", "J"), "solver": "external-sampling",
     "seed": 4},
    {"stitching": "each", "way": "round", "leftovers": "uniform",
     "tree": wb.load_game("leduc", suit_isomorphism=True)},
    {"tree": "kuhn", "stitching": "each", "way": "card"},
    {"tree": "kuhn", "base": "J-QK", "experts": ("pb",)},
    {"stitching": "N", "solver": "lp", "tree": "kuhn"},
    {"stitching": "dynamic", "solver": wb.solvers.DCFR(alpha=2.0), "tree": "kuhn"},
]  # fmt: skip


@pytest.mark.parametrize("settings", RECIPES, ids=str)
def test_the_code_does_it_again(settings, capsys):
    recipe = StitchingRecipe(**{"iterations": 60, **settings})
    made, names = recipe.work(JOB), dict[str, Any]()
    exec(recipe.code, names)
    base, stitched = made.alone, made.stitched
    assert np.array_equal(names["stitched"].probs, stitched.strategy.probs)
    assert np.array_equal(names["base"].probs, base.strategy.probs)
    assert capsys.readouterr().out.split() == [str(stitched.exploitability), str(stitched.earnings)]
    assert all(len(line) < 200 for line in recipe.code.splitlines())
