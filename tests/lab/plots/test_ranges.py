"""Ranges on paper: dots, bands and marks stand in the rows they belong to."""

from __future__ import annotations

import numpy as np

from workbench.lab.plots.ranges import plot_ranges

ROWS = {"JQ-K": [489.7, 509.2, 474.7], "J-QK": [744.0]}


def test_everything_stands_in_its_row() -> None:
    ax = plot_ranges(ROWS, bands={"J-QK": (738.9, 789.1)}, marks={"JQ-K": 496.31}, unit="chips")
    drawn = [(str(line.get_marker()), np.array(line.get_xydata())) for line in ax.lines]
    band, first, second, mark = drawn
    assert np.array_equal(band[1], [[738.9, 1], [789.1, 1]])
    assert np.array_equal(first[1], [[489.7, 0], [509.2, 0], [474.7, 0]])
    assert np.array_equal(second[1], [[744.0, 1]])
    assert np.array_equal(mark[1], [[496.31, 0]])
    assert len({marker for marker, _ in drawn}) == 3  # not colour alone
    assert [label.get_text() for label in ax.get_yticklabels()] == list(ROWS)
    assert ax.yaxis_inverted()  # the first row on top
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["possible", "ours", "published"]


def test_dots_alone_need_no_legend() -> None:
    assert plot_ranges(ROWS, unit="milli-antes").get_legend() is None
