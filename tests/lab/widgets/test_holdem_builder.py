"""The panel that builds Hold'em players: what fits, training, a match with the house, refusals."""

from typing import Any

import numpy as np
import pytest
from workbench.lab.lectures.holdem_builder import HoldemBuilder

import workbench as wb
from tests.lab.widgets.helpers import SOON, press, said, text, until
from workbench.poker.response.real_response import opponent_named
from workbench.rules import GameError

RULES = wb.load_game("limit_holdem")


@pytest.fixture
def panel(panels: Any) -> HoldemBuilder:
    caller = opponent_named(RULES, "always-call")
    house = RULES.public_game().abstraction(caller.played.buckets).lift(caller)
    made: HoldemBuilder = panels(HoldemBuilder, 100_000, iterations=25, house=house, deals=200)
    return made


def test_what_fits_is_there_at_once(panel):
    assert "2 2 2 2" in text(panel.sizes.value)
    assert "96,056" in text(panel.sizes.value)
    assert "4 buckets a round would be more than 100,000 information sets" in panel.sizes.value
    assert panel.experts.disabled
    panel.limit.value, panel.way.value = 500_000, "S=N"
    assert "3 4 4 4" in text(panel.sizes.value)
    assert "479,889" in text(panel.sizes.value)
    assert "would be more" not in panel.sizes.value
    assert "wb.fit_buckets(rules, 500_000, \"S=N\", experts=['r'], most=4)" in panel.code_box.value
    panel.way.value = "dynamic"
    assert "3 3 3 4" in text(panel.sizes.value)
    assert "dynamic_experts" in panel.code_box.value
    panel.experts.value = ("rr",)
    assert not said(panel)


def test_what_does_not_fit_is_said(panel):
    panel.way.value, panel.most.value = "dynamic", 2
    assert "too small for dynamic experts" in said(panel)
    assert panel.sizes.value == ""
    panel.most.value = 4
    assert not said(panel)
    with pytest.raises(GameError, match="press Train"):
        _ = panel.latest
    with pytest.raises(GameError, match="way"):
        HoldemBuilder(way="static")


@pytest.mark.slow
def test_a_player_is_trained_and_meets_the_house(panel):
    panel.train_button.click()
    assert panel.wait(10 * SOON)
    assert not said(panel)
    assert len(panel.players) == 1
    assert panel.latest.played.num_infosets == 96_056
    assert "200 deals" in text(panel.shown.value)
    assert "base 2222" in text(panel.static())
    assert "within the buckets against iterations" in panel.drawing.view.value  # for screen readers
    names: dict[str, Any] = {}
    exec(panel.code, names)  # as code, the same player
    assert np.array_equal(names["player"].probs, panel.latest.probs)
    panel.iterations.value = 400
    panel.train_button.click()
    until(lambda: len(panel.trials) == 2 and panel.trials[1].iteration > 0)
    panel.stop_button.click()  # keeps what is learnt, without a match
    assert panel.wait(10 * SOON)
    assert "no match yet" in text(panel.shown.value)
    assert 0 < panel.runs[1].iterations < 400
    assert panel.latest is panel.runs[1].strategy
    learnt, panel.way.value, panel.iterations.value = panel.runs[1].iterations, "S=N", 25
    press(panel, "train")
    assert "experts yet" not in panel.trials[2].name
    exec(panel.code, names)
    assert np.array_equal(names["player"].probs, panel.latest.probs)
    panel.chosen.index = 1
    assert f"'iterations': {learnt}, " in panel.code
