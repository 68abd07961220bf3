"""Partitions on paper: every decision in the colour of its part, in small games and large."""

from collections import Counter
from runpy import run_path

import numpy as np
from matplotlib.figure import Figure
from workbench.lab.lectures.partition_plot import plot_partition

import workbench as wb
from tests.lab.plots.artists import kinds, legend, legible, nodes, overlaps, texts
from workbench.lab.plots.game_tree import plot_game_tree
from workbench.lab.plots.style import SHADES
from workbench.shipped import shipped
from workbench.stitching.partition import first_bets

EXPERTS = ["r", "cr", "ccr", "cccr"]


def colours(ax, kind):
    """How many nodes each part has, 0 is the base."""
    return Counter(SHADES.index(str(node.get_markerfacecolor())) for node in nodes(ax, kind))


def place(node):
    (x,), (y,) = np.asarray(node.get_xdata(), float), np.asarray(node.get_ydata(), float)
    return float(x), float(y)


def test_a_small_tree_is_shaded_history_by_history(figure1):
    ax = plot_partition(wb.betting_experts(figure1, ["l", "r"]))
    assert colours(ax, "shade") == {0: 3, 1: 3, 2: 3}  # a b c, al bl cl, ar br cr
    assert {f"{name} (2 sets)" for name in ("base", "l", "r")} <= set(legend(ax))
    assert set(map(place, nodes(ax, "shade"))) == set(map(place, nodes(ax, "player")))
    assert len({str(node.get_marker()) for node in nodes(ax, "shade")}) == 3  # not colour alone
    legible(ax)


def test_shades_are_any_groups(kuhn):
    ax = plot_game_tree(kuhn, shade={"Jack": {"JQ", "JK"}, "late": lambda moves: len(moves) == 4})
    late = sum(1 for h in range(kuhn.num_histories) if kuhn.history_label(h).count(" ") == 3)
    assert colours(ax, "shade") == {0: 2, 1: late}


def test_a_large_tree_is_drawn_as_its_bets(ranked):
    part = wb.betting_experts(ranked, EXPERTS)
    ax = plot_partition(part)
    assert colours(ax, "shade") == {0: 4, 1: 14, 2: 14, 3: 2, 4: 2}  # 6 + 5 x 6
    assert texts(ax, "move").count("c/") == 5  # a card is dealt
    assert kinds(ax)["payoff"] == kinds(ax)["cut"] == 0
    assert [f"{name} ({size} sets)" for name, size in part.sizes().items()] == legend(ax)[2:]
    legible(ax)


def test_words_for_moves_have_room():
    tree = wb.compile_game(run_path(str(shipped("data/games/dice.py")))["Dice"]())
    part = wb.betting_experts(tree, first_bets(tree))
    drawn = Figure(figsize=(8.6, 4.6), dpi=192)
    ax = plot_partition(part, drawn.add_axes((0.01, 0.2, 0.98, 0.7)))
    assert not overlaps(ax)
    assert "1x1 2x2 (3 sets)" in legend(ax)
    assert len(colours(ax, "shade")) == 1 + len(part.names)  # each has its own
