"""Curves of a figure: means and deviations, and what a legend says of names in two parts."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from matplotlib.axes import Axes

from tests.lab.plots.artists import legend, legend_box
from workbench.lab.plots.curves import plot_curves


def drawn(*points: tuple[str, int, float, float], **how: Any) -> Axes:
    """Curves of (name, repeat, iteration, exploitability)."""
    columns = ["curve", "repeat", "iteration", "exploitability"]
    return plot_curves(pd.DataFrame(points, columns=columns), **how)


def test_curves_are_means_and_deviations() -> None:
    ones = [("one", seed, x, x + seed) for seed in (0, 2) for x in (5, 10)]
    ax = drawn(*ones, ("two", 0, 5, 1.0))
    one, two = ax.lines
    assert list(one.get_ydata()) == [6.0, 11.0]  # type: ignore[arg-type]
    assert list(two.get_ydata()) == [1.0]  # type: ignore[arg-type]
    band = ax.collections[0].get_paths()[0].get_extents()
    assert (band.y0, band.y1) == pytest.approx((6 - 2**0.5, 11 + 2**0.5))
    assert len(ax.collections) == 1  # a single run has no deviation
    assert legend(ax) == ["one (mean of 2)", "two"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Iteration", "Exploitability")


def test_two_parts_of_a_name_are_colour_and_dash() -> None:
    names = [f"{game}, {way}" for game in ("3/3/2", "3/3/2b") for way in ("exact", "told")]
    points = [
        (name, seed, x, level * x + seed)
        for level, name in enumerate(names)
        for seed in (0, 1)
        for x in (1000, 2000)
    ]
    ax = drawn(*points)
    lines = [(line.get_color(), line.get_marker(), line.get_linestyle()) for line in ax.lines]
    assert [line.get_label() for line in ax.lines] == names
    assert lines[0][:2] == lines[1][:2] != lines[2][:2] == lines[3][:2]
    assert [dash for _, _, dash in lines] == ["-", "--"] * 2
    assert legend(ax) == ["3/3/2b", "3/3/2", "", "exact", "told"]  # the highest first
    assert "mean of 2 repeats" in ax.get_legend().get_title().get_text()  # type: ignore[union-attr]
    assert not legend_box(ax).overlaps(ax.get_window_extent())
