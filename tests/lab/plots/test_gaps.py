"""Two bars for each abstraction, as long as they say."""

from __future__ import annotations

import workbench as wb


def test_bars_are_as_long_as_the_values() -> None:
    ax = wb.plots.plot_gaps({"JQ-K": (0.001, 0.49), "naive": (float("nan"), 1.25)})
    widths = [round(bar.get_width(), 6) for bars in ax.containers for bar in bars]
    assert widths == [0.001, 0.0, 0.49, 1.25]
    assert [text.get_text() for text in ax.texts] == ["0.001", "not known", "0.49", "1.25"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["JQ-K", "naive"]
    assert ax.get_xlim()[1] > 1.25


def test_zeros_can_be_drawn() -> None:
    assert wb.plots.plot_gaps({"lossless": (0.0, 0.0)}).get_xlim() == (0.0, 1.0)
