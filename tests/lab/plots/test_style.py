"""Colours by concept, and names at the ends of curves."""

from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text

import workbench as wb
from tests.lab.plots.artists import legend, legible, texts
from workbench.lab.plots.style import COLOURS, CONCEPTS, DASHES, MARKERS, SIGNS, steady

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


def test_each_solver_has_a_colour_and_those_that_meet_differ():
    assert set(wb.solvers.list_solvers()) <= set(CONCEPTS)
    assert set(CONCEPTS.values()) <= set(COLOURS)
    for group in TOGETHER:
        assert len({wb.plots.colour(name) for name in group}) == len(group)
    with pytest.raises(wb.GameError, match="did you mean 'real game'"):
        wb.plots.colour("reel game")


def test_a_solver_looks_the_same_from_run_to_run():
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
    assert len(SIGNS) == len(MARKERS)  # the same, in a text


# What people without cones for red, green or blue see (Machado, Oliveira & Fernandes 2009), in
# linear RGB; and RGB in XYZ, white being 1.
SEEN = {
    "all cones": np.eye(3),
    "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                 [-0.011820, 0.042940, 0.968881]],
    "no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
XYZ = [[0.4339, 0.3762, 0.1899], [0.2127, 0.7152, 0.0722], [0.0178, 0.1095, 0.8728]]


def lab(colour, seen):
    """A colour in CIELAB, in which one is about the least difference that anybody sees."""
    rgb = np.array(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(np.array(XYZ) @ np.clip(np.array(SEEN[seen]) @ linear, 1e-3, 1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("seen", SEEN)
def test_the_colour_blind_tell_solvers_apart(seen):
    """By colour alone, and from white paper; markers and dashes differ besides. Blue and purple
    are the nearest to each other; what came after Okabe, Ito and these is further from all."""
    looks = [wb.plots.colour(name) for name in wb.solvers.list_solvers()]
    later = {wb.plots.colour(name) for name in ("egt", "iterated-smoothing", "fictitious-play")}
    for one, other in combinations((*looks, "white"), 2):
        apart = np.linalg.norm(lab(one, seen) - lab(other, seen))
        assert apart > (15 if later & {one, other} else 8)


def picture(ends, last):
    ax = plt.subplots(figsize=(6, 4), layout="constrained")[1]
    for k, end in enumerate(ends):  # not all at quite the same place
        ax.plot([1, last - 0.2 * (k % 2)], [1.0, end], color=COLOURS[k], label=f"curve {k}")
    ax.set(title="curves", xlabel="x", ylabel="y", xlim=(0, 105))
    ax.legend()
    return ax


@pytest.mark.parametrize("last", [100.0, 50.0])
def test_names_stand_at_the_ends_apart_and_in_order(last):
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


def test_where_there_is_no_room_a_legend_stays():
    ax = plt.subplots(figsize=(6, 1.2))[1]
    for k in range(12):
        ax.plot([1, 2], [0, k], label=f"curve {k}")
    wb.plots.label_curves(ax)
    assert len(legend(ax)) == 12
    assert texts(ax, "curve") == []
    with pytest.raises(wb.GameError, match="no curve"):
        wb.plots.label_curves(plt.subplots()[1])
