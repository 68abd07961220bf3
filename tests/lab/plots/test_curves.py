"""Curves of a figure: means and deviations, and looks that stay the same from figure to figure."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from workbench.lab.plots.curves import plot_curves
from workbench.rules import GameError


def test_curves_are_means_and_deviations() -> None:
    table = pd.DataFrame(
        [("one", seed, x, x + seed) for seed in (0, 2) for x in (5, 10)] + [("two", 0, 5, 1.0)],
        columns=["curve", "repeat", "iteration", "exploitability"],
    )
    ax = plot_curves(table)
    one, two = ax.lines
    assert list(one.get_ydata()) == [6.0, 11.0]  # type: ignore[arg-type]
    assert list(two.get_ydata()) == [1.0]  # type: ignore[arg-type]
    band = ax.collections[0].get_paths()[0].get_extents()
    assert (band.y0, band.y1) == pytest.approx((6 - 2**0.5, 11 + 2**0.5))
    assert len(ax.collections) == 1  # a single run has no deviation
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [  # type: ignore[union-attr]
        "one (mean of 2)", "two",
    ]  # fmt: skip
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Iteration", "Exploitability")
    plt.close("all")


def test_two_parts_of_a_name_are_colour_and_dash() -> None:
    table = pd.DataFrame(
        [
            (f"{game}, {way}", seed, x, level * x + seed)
            for level, (game, way) in enumerate(
                [("3/3/2", "exact"), ("3/3/2", "told"), ("3/3/2b", "exact"), ("3/3/2b", "told")]
            )
            for seed in (0, 1)
            for x in (1000, 2000)
        ],
        columns=["curve", "repeat", "iteration", "exploitability"],
    )
    ax = plot_curves(table, log_x=True)
    lines = {str(line.get_label()): line for line in ax.lines}
    assert len(lines) == 4
    assert len({line.get_color() for line in ax.lines}) == 2
    for game in ("3/3/2", "3/3/2b"):
        assert lines[f"{game}, exact"].get_color() == lines[f"{game}, told"].get_color()
        assert lines[f"{game}, exact"].get_marker() == lines[f"{game}, told"].get_marker()
        assert lines[f"{game}, exact"].get_linestyle() == "-"
        assert lines[f"{game}, told"].get_linestyle() == "--"
    legend = ax.get_legend()
    assert legend is not None
    said = [text.get_text() for text in legend.get_texts()]
    assert said == ["3/3/2b", "3/3/2", "", "exact", "told"]  # the highest first
    assert "mean of 2 repeats" in legend.get_title().get_text()
    ax.figure.draw_without_rendering()  # type: ignore[union-attr]
    assert not legend.get_window_extent().overlaps(ax.get_window_extent())
    plt.close("all")


def test_a_name_looks_the_same_in_every_figure_of_one_order() -> None:
    order = ["naive", "simple", "full"]

    def drawn(*names: str) -> dict[str, tuple[object, ...]]:
        table = pd.DataFrame(
            [(name, 0, x, x) for name in names for x in (1, 2)],
            columns=["curve", "repeat", "iteration", "score"],
        )
        lines = plot_curves(table, order=order).lines
        return {
            str(line.get_label()): (line.get_color(), line.get_marker(), line.get_linestyle())
            for line in lines
        }

    all_three, two, ways = drawn(*order), drawn("full", "naive"), drawn("full, a", "full, b")
    assert len(set(all_three.values())) == 3
    assert two == {name: all_three[name] for name in two}
    assert {look[:2] for look in ways.values()} == {all_three["full"][:2]}
    assert len(set(ways.values())) == 2
    legend = plt.gca().get_legend()
    assert legend is not None
    shown = legend.get_lines()[0]
    assert (shown.get_color(), shown.get_marker()) == all_three["full"][:2]
    with pytest.raises(GameError, match="it lacks fool"):
        drawn("fool")
    plt.close("all")


def test_a_way_has_the_same_dash_in_every_figure_of_the_same_ways() -> None:
    ways = ["estimated", "exact", "solved"]

    def drawn(*names: str) -> dict[str, object]:
        table = pd.DataFrame(
            [(name, 0, x, x) for name in names for x in (1, 2)],
            columns=["curve", "repeat", "iteration", "exploitability"],
        )
        ax = plot_curves(table, ways=ways)
        legend = ax.get_legend()
        assert legend is not None
        keys = {str(line.get_label()): line.get_linestyle() for line in legend.get_lines()}
        lines = {str(line.get_label()): line.get_linestyle() for line in ax.lines}
        assert all(keys[name.partition(", ")[2]] == dash for name, dash in lines.items())
        return lines

    assert drawn("a, estimated", "a, exact") == {"a, estimated": "-", "a, exact": "--"}
    assert drawn("a, exact", "b, exact") == {"a, exact": "--", "b, exact": "--"}
    assert drawn("b, solved") == {"b, solved": "-."}
    with pytest.raises(GameError, match="they lack guessed"):
        drawn("a, guessed")
    plt.close("all")
