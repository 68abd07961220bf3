"""Colours by concept, and names at the ends of curves."""

from __future__ import annotations

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.text import Text

import workbench as wb
from tests.lab.plots.artists import legend, legible, texts
from workbench.lab.plots.style import COLOURS, CONCEPTS, DASHES, MARKERS, steady

TOGETHER = (  # in one figure of the course
    tuple(wb.solvers.list_solvers()),
    ("cfr", "cfr, simultaneous", "cfr+", "linear-cfr", "dcfr", "pcfr+"),
    ("cfr", "cfr+", "chance-sampling", "external-sampling", "outcome-sampling", "lp"),
    ("abstract game", "real game", "bound"),
    ("base", "static experts", "dynamic experts", "graft", "published"),
    ("base", "abstract game", "real game", "graft"),
    ("base", "dynamic experts", "S = {i}", "S = N", "S = N, pre-flop", "published"),
    ("caller", "maniac", "rock", "JQ.K"),
    ("ours", "published", "possible"),
    ("uniform", "equilibrium", "best response", "published"),
    ("player 1", "player 2", "player 3", "bound"),
)


def test_each_solver_has_a_colour_and_those_that_meet_differ() -> None:
    assert set(wb.solvers.list_solvers()) <= set(CONCEPTS)
    assert set(CONCEPTS.values()) <= set(COLOURS)
    for group in TOGETHER:
        assert len({wb.plots.colour(name) for name in group}) == len(group)
    with pytest.raises(wb.GameError, match="did you mean 'real game'"):
        wb.plots.colour("reel game")


def test_a_solver_looks_the_same_from_run_to_run() -> None:
    """Whatever ran before it, and however many: no two lines look alike."""
    names = wb.solvers.list_solvers()
    own = dict(zip(names, steady(names), strict=True))
    for order in (names[::-1], ["cfr+", "mine", "cfr+", *names]):
        found = steady(order)
        assert len(set(found)) == len(order)
        assert {name: found[order.index(name)] for name in names} == own
    assert len({(MARKERS[k], str(DASHES[k])) for _, k in own.values()}) == len(names)
    many = steady(["cfr+"] * 40)
    assert len({(MARKERS[k], str(DASHES[k])) for _, k in many}) == 40


def picture(ends: list[float], last: float) -> plt.Axes:
    ax = plt.subplots(figsize=(6, 4), layout="constrained")[1]
    for k, end in enumerate(ends):  # not all at quite the same place
        ax.plot([1, last - 0.2 * (k % 2)], [1.0, end], color=COLOURS[k], label=f"curve {k}")
    ax.set(title="curves", xlabel="x", ylabel="y", xlim=(0, 105))
    ax.legend()
    return ax


@pytest.mark.parametrize("last", [100.0, 50.0])
def test_names_stand_at_the_ends_apart_and_in_order(last: float) -> None:
    ax = wb.plots.label_curves(picture([0.5, 0.51, 0.52, 2.0, 0.505], last))
    assert legend(ax) == []
    assert sorted(texts(ax, "curve")) == [f"curve {k}" for k in range(5)]
    legible(ax)
    height = {text.get_text(): Text.get_window_extent(text).y0 for text in ax.texts}
    order = sorted(height, key=lambda name: height[name])
    assert order == ["curve 0", "curve 4", "curve 1", "curve 2", "curve 3"]
    assert "Written" not in wb.plots.describe(ax)  # names are said once, with their curves
    boxes = [Text.get_window_extent(text) for text in ax.texts]
    points = ax.transData.transform(np.linspace([1, 1.0], [last, 2.0], 200))
    for box, point in ((box, point) for box in boxes for point in points):
        assert not box.contains(*point)  # no curve runs through a name
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_where_there_is_no_room_a_legend_stays() -> None:
    ax = plt.subplots(figsize=(6, 1.2))[1]
    for k in range(12):
        ax.plot([1, 2], [0, k], label=f"curve {k}")
    wb.plots.label_curves(ax)
    assert len(legend(ax)) == 12
    assert texts(ax, "curve") == []
    with pytest.raises(wb.GameError, match="no curve"):
        wb.plots.label_curves(plt.subplots()[1])
