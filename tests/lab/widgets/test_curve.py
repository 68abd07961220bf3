"""The live curve: the legend covers nothing, and the words say what is seen."""

import pandas as pd
import pytest

from workbench.lab.widgets.pictures import Curve

FALLING = pd.DataFrame({"iteration": [1, 10, 100], "exploitability": [2.0, 0.5, 0.01]})
EXACT = pd.DataFrame({"iteration": [1], "exploitability": [6.25e-16]})
SHORT = {f"{k}: {name}": FALLING for k, name in enumerate(("cfr+", "dcfr", "external-sampling"))}
LONG = {
    f"{k}: outcome-sampling (epsilon=0.25), toepen [thesis-suits+{k}]": FALLING for k in range(9)
}


@pytest.fixture
def painted(monkeypatch):
    """The figures that curves have painted."""
    found = []
    monkeypatch.setattr(Curve, "paint", lambda curve, drawn, words: found.append(drawn))
    return found


@pytest.mark.parametrize("runs", [{"1: lp": EXACT}, {**SHORT, "5: lp": EXACT}, LONG])
def test_the_legend_covers_nothing(runs, painted):
    Curve().draw(runs, "leduc")
    drawn = painted[-1]
    drawn.draw_without_rendering()
    (ax,), (legend,) = drawn.axes, drawn.legends
    assert ax.get_legend() is None
    assert [text.get_text() for text in legend.get_texts()] == list(runs)
    box, page = legend.get_window_extent(), drawn.bbox
    assert box.y1 <= ax.get_tightbbox().y0  # below the curve and the words of its axis,
    assert page.x0 <= box.x0  # and on the paper
    assert box.x1 <= page.x1
    assert page.y0 <= box.y0
    assert ax.get_window_extent().height > 0.6 * 3.8 * drawn.dpi  # which stays as large


def test_every_unit_has_an_axis_of_its_own(painted):
    units = dict(zip(SHORT, ("chips", "points", "chips"), strict=True))
    Curve().draw(SHORT, unit=units)
    (drawn,) = painted
    for ax, unit in zip(drawn.axes, ("chips", "points"), strict=True):
        assert unit in ax.get_ylabel()
        assert [line.get_label() for line in ax.lines] == [n for n in SHORT if units[n] == unit]
    (legend,) = drawn.legends
    assert [text.get_text() for text in legend.get_texts()] == list(SHORT)
    drawn.draw_without_rendering()
    boxes = [ax.get_tightbbox() for ax in drawn.axes]
    assert legend.get_window_extent().y1 <= boxes[1].y0
    assert boxes[1].y1 <= boxes[0].y0  # nothing meets
