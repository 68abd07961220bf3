"""Smoothed responses drawn: the sliders, what they say, and a page without a kernel."""

import re

import numpy as np
import pytest
from workbench.lab.lectures.smoothing_panel import PRICES, smoothed
from workbench.lab.ledger.papers.matrix import Matrix

from tests.lab.widgets.helpers import put, said, text
from workbench.lab.widgets import SmoothingPanel

GAME_AT_30 = np.array([1.4, 1.9])
GAME = Matrix("smuggler", [[0, 2], [4, 1]], ["coast", "road"], ["coast", "village"])


@pytest.mark.parametrize("price", PRICES)
@pytest.mark.parametrize("mu", [0.0, 0.3, 2.0])
def test_it_is_the_best_after_its_price(price, mu):
    g, every = np.array([[1.0, 0.3], [0.2, 0.9]]), np.linspace(0, 1, 4_001)[1:-1]
    p, worth = smoothed(g, mu, price)
    paid = (every - 0.5) ** 2
    if price == "entropy":
        paid = every * np.log(2 * every) + (1 - every) * np.log(2 - 2 * every)
    for k in (0, 1):
        after = every * g[0, k] + (1 - every) * g[1, k] - mu * paid
        assert after.max() == pytest.approx(worth[k], abs=1e-3)
        assert every[after.argmax()] == pytest.approx(p[k], abs=1e-3)
        assert 0 <= g[:, k].max() - worth[k] <= mu * PRICES[price]


def test_sliders_move_the_response(panels):
    panel = panels(SmoothingPanel, GAME, mu=1.0)
    assert "He plays coast 30% of the time, she coast 25.0%" in panel.words.value
    assert "worth 1.7125; a" in panel.words.value
    assert "best response wins 1.9000. Hidden: 0.1875, at most μD = 0.2500" in panel.words.value
    before = panel.drawing.view.value
    put(panel, panel.mu, 2.5)
    assert "she coast 40.0%" in text(panel.words.value)
    assert panel.drawing.view.value != before
    put(panel, panel.q, 0.2)
    assert "20% of the time, she coast 50.0%, worth 1.6000" in text(panel.words.value)
    put(panel, panel.price, "entropy")
    put(panel, panel.mu, 0.0)
    assert "Hidden: 0.0000, at most μD = 0.0000" in panel.words.value
    assert not said(panel)


def test_a_page_without_a_kernel_has_a_slider_whose_steps_say_what_they_show(panels):
    panel = panels(SmoothingPanel, GAME, mu=2.0)
    head, *steps = re.split("<figure", str(panel.static()))
    assert "To move the other sliders as well, run this cell" in head
    for step, mu in zip(steps, (0.1, 0.25, 0.5, 1.0, 2.0, 2.5, 5.0), strict=True):
        assert f"μ = {mu:g} (euclidean)" in step
        assert f"at most μD = {mu / 4:.4f}" in step
        p = smoothed(GAME_AT_30, mu)[0]
        assert f"she coast {p:.1%}" in step
        assert step.count("<img") == 1
        assert ("hidden" in step.partition(">")[0]) == (mu != 2.0)
