"""Smoothed responses drawn: the sliders, what they say, and a page without a kernel."""

import numpy as np
import pytest
from workbench.lab.lectures.smoothing_panel import PRICES, smoothed
from workbench.lab.ledger.papers.matrix import Matrix

from tests.lab.widgets.helpers import put, said, text
from workbench.lab.widgets import SmoothingPanel

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
    assert "She plays coast 25.0% of the time, worth 1.7125" in text(panel.words.value)
    assert "best response wins 1.9000. Hidden: 0.1875, at most μD = 0.2500" in panel.words.value
    before = panel.drawing.view.value
    put(panel, panel.mu, 2.5)
    assert "She plays coast 40.0%" in text(panel.words.value)
    assert panel.drawing.view.value != before
    put(panel, panel.q, 0.2)
    assert "50.0% of the time, worth 1.6000" in text(panel.words.value)
    put(panel, panel.price, "entropy")
    put(panel, panel.mu, 0.0)
    assert "Hidden: 0.0000, at most μD = 0.0000" in panel.words.value
    assert not said(panel)


def test_a_page_without_a_kernel_shows_several(panels):
    page = str(panels(SmoothingPanel).static())
    assert all(f"μ = {mu} (euclidean)" in page for mu in (0.1, 0.25, 0.5, 1, 2.5, 5))
    assert page.count("<img") == 6
