"""Bets dragged: what the sliders say, what a bet is taken for, and a page without a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from workbench.lab.lectures.bets_panel import prices, taken_for

import workbench as wb
from tests.lab.widgets.helpers import put, said, text
from workbench.abstraction.bets import MAPPINGS
from workbench.lab.widgets import BetsPanel

GAME = wb.load_game("no_limit_kuhn", stack=5)


def test_prices_are_those_of_solve() -> None:
    found = prices(GAME, (0.5, "all-in"))
    for mapping in MAPPINGS:
        bets = wb.abstraction.BetSizes((0.5, "all-in"), mapping)
        run = wb.solve(GAME, "lp", abstraction=bets)
        assert found[mapping] == pytest.approx(run.exploitability, abs=1e-9)


def test_what_a_bet_is_taken_for() -> None:
    bets, shares = taken_for(GAME, (1, "all-in"), "pseudo-harmonic")
    assert bets == [0.5, 1, 1.5, 2]
    assert [*shares] == [0, 1, 2]
    assert np.allclose(sum(np.array(of) for of in shares.values()), 1)
    assert shares[0] == pytest.approx([1 / 3, 0, 0, 0])
    assert shares[1] == pytest.approx([2 / 3, 1, 0.4, 0])


def test_sliders_change_the_price(panels: Any) -> None:
    panel = panels(BetsPanel, GAME)
    assert "Allowed: 0.5, all-in. Nearest costs" in text(panel.words.value)
    before = panel.drawing.view.value
    put(panel, panel.first, 1.0)
    assert "Allowed: 1, all-in." in text(panel.words.value)
    assert panel.drawing.view.value != before
    put(panel, panel.second, 0.5)
    put(panel, panel.mapping, "geometric")
    put(panel, panel.all_in, "not allowed")
    found = prices(GAME, (0.5, 1.0))
    assert f"Allowed: 0.5, 1. Geometric costs {found['geometric']:.4f} chips" in panel.words.value
    put(panel, panel.first, 0.0)
    put(panel, panel.second, 0.0)
    assert "Allowed: no bet." in panel.words.value
    assert not said(panel)


def test_a_page_without_a_kernel_shows_it(panels: Any) -> None:
    page = str(panels(BetsPanel, GAME, sizes=(1.0,), mapping="geometric").static())
    assert "taken for by the mapping geometric" in page
    assert page.count("<img") == 1
