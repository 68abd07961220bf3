"""Cost against loss on paper: points, whiskers, marks and the best at every cost."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.tradeoff import plot_tradeoff

WAYS = {"base": [(132, 490)], "all": [(186, 151)], "two": [(186, 220)], "woven": [(444, 115)]}


def test_points_whiskers_and_marks() -> None:
    ax = plot_tradeoff(
        WAYS, whiskers={"base": (473, 524), "all": (123, 276)}, marks={"base": 496.31}, cost="sets"
    )
    drawn = [np.array(line.get_xydata()) for line in ax.lines]
    assert np.array_equal(drawn[0], [[132, 473], [132, 524]])
    assert np.array_equal(drawn[1], [[132, 490]])
    assert np.array_equal(drawn[-1], [[132, 496.31]])
    shapes = [line.get_marker() for line in ax.lines if line.get_marker() != "None"]
    assert len(set(shapes)) == 5  # not colour alone
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [*WAYS, "published"]


def test_whiskers_at_the_same_cost_stand_apart() -> None:
    ax = plot_tradeoff(WAYS, whiskers={"all": (123, 276), "two": (208, 243)}, marks={"two": 214})
    x = {str(line.get_label()): float(np.array(line.get_xydata())[0, 0]) for line in ax.lines}
    assert x["all"] < 186 < x["two"]
    assert x["all"] + x["two"] == pytest.approx(2 * 186)
    assert x["published"] == x["two"]  # the mark moves along


def test_a_staircase_is_the_least_so_far() -> None:
    ways = {"a": [(1, 9), (5, 2), (3, 7)], "b": [(2, 8), (3, 4), (4, 6)], "c": [(8, 0)]}
    ax = plot_tradeoff(ways, stairs={"best of a and b": ["a", "b"]})
    line = ax.lines[0]
    x, y = np.array(line.get_xydata()).T
    assert line.get_drawstyle() == "steps-post"
    for budget, least in [(1, 9), (2, 8), (3, 4), (4.5, 4), (5, 2), (8, 2)]:
        assert y[np.flatnonzero(x <= budget)[-1]] == least


def test_it_says_what_is_seen() -> None:
    ax = plot_tradeoff(
        WAYS | {"many": [(1, 9), (3, 5), (2, 7)]},
        whiskers={"base": (473, 524)}, marks={"base": 496.31}, mark="the paper",
        stairs={"best": ["many", "all", "two"]}, title="Memory",
    )  # fmt: skip
    said = describe(ax)
    assert said.startswith(
        "Memory. Across: cost. Up: loss. base: 490 at 132, range 473 to 524, the"
    )
    assert "the paper 496." in said
    assert "many: 3 points, 1 to 3 across, 5 to 9 up." in said
    assert said.endswith("best: 9 from 1, 7 from 2, 5 from 3.")
