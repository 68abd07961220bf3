"""What a picture shows, in words: read off its artists, said by plots, or set by hand."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

import workbench as wb
from workbench.lab import notebook
from workbench.lab.plots import alt_text as words
from workbench.lab.plots.alt_text import describe
from workbench.rules import GameError


def test_lines_marks_and_bars():
    fig, (left, right) = plt.subplots(1, 2)
    left.plot([1, 10, 100], [2, np.nan, 0.25], label="cfr")
    left.plot([1, 10, 100], [2, 9, 0.25], label="wild")
    left.plot([1, 2, 3], [8, 0.5, 1], label="low")
    left.axhline(1, label="goal")
    left.plot([3], [4])  # without a name: not told
    left.set(xscale="log", xlabel="Iterations", ylabel="Loss", title="Falling")
    right.plot([490, 116], ["Base", "Dynamic"], "o", label="ours")
    right.barh(["Base", "Dynamic"], [1, 2], label="size")
    assert describe(fig) == (
        "2 panels. Panel 1: Falling. Across: Iterations, logarithmic. Up: Loss. "
        "cfr: from 2 at 1 to 0.25 at 100. "
        "wild: from 2 at 1 to 0.25 at 100, up to 9 at 10 between. "
        "low: from 8 at 1 to 1 at 3, down to 0.5 at 2 between. goal: level at 1. "
        "Panel 2: size: Base 1, Dynamic 2. ours: Base 490, Dynamic 116."
    )


def test_many_curves_maps_clouds_and_notes():
    fig, ax = plt.subplots(layout="constrained")
    for k in range(13):
        ax.plot([0, 1], [0, k], label=f"line {k}")
    ax.annotate("the paper: 433", (0, 0))
    assert "line 9" in describe(fig)
    assert "line 10" not in describe(fig)
    assert describe(fig).endswith("And 3 more. Written in the picture: the paper: 433.")
    fig, ax = plt.subplots()
    fig.colorbar(ax.imshow([[0, 1], [2, 3]]))
    fig.suptitle("Heat")
    assert describe(fig) == "Heat. A map of 2 by 2 cells, from 0 to 3."
    fig, ax = plt.subplots()
    ax.scatter([1, 2], [3, 4], label="runs")
    assert describe(ax) == "runs: 2 points between 1 and 2 across, 3 and 4 up."
    assert describe(plt.figure()) == "An empty picture."


def test_formulas_are_read_out():
    """Also those that matplotlib makes by itself, for the numbers on an axis."""
    fig, ax = plt.subplots()
    ax.plot([1], [1e-12], "o", label=r"$\sigma_0$")
    ax.set(xlabel="$b_1 + b_2$ in the game", xscale="log", yscale="log", title="3 $ or 4")
    ax.annotate(r"$\frac{1}{\sqrt{T}}$", (1, 1))
    assert describe(fig) == (
        "3 $ or 4. Across: b1 + b2 in the game, logarithmic. sigma0: 1e−12 at 1. "
        "Written in the picture: 1 / square root of T."
    )
    ax.set_xticks([1, 10], ["one", "$10^1$"])
    assert "sigma0: one 1e−12." in describe(fig)


def test_plots_say_what_they_show(kuhn, ranked):
    said = describe(wb.plots.plot_game_tree(kuhn))
    assert said.startswith("kuhn: 58 histories, 12 information sets. A tree of 58 histories")
    assert "player 1 at 12 places" in said
    assert "30 ends, with payoffs from −2 to +2" in said
    said = describe(wb.plots.plot_strategy_map(wb.solve(kuhn, "lp").strategy))
    assert "player 2 after b K: p 0, b 1" in said
    part = wb.betting_experts(ranked, ["r", "cr"])
    assert "colour of cr" in describe(wb.plots.plot_partition(part))
    table = pd.DataFrame([[0.0, 3.0], [-3.0, 0.0]], index=["a", "b"], columns=["a", "b"])
    assert describe(wb.plots.plot_tournament(table)).endswith("Mean of each row: a 3, b −3.")
    ax = wb.plots.plot_ranges(
        {"Base": [490.0, 511.0], "Dynamic": [116.0]},
        bands={"Base": (385.0, 821.0)}, marks={"Base": 496.31}, unit="milli-antes",
    )  # fmt: skip
    assert describe(ax) == (
        "milli-antes. Base: ours 490 to 511, possible 385 to 821, published 496.3; "
        "Dynamic: ours 116."
    )


def test_by_hand():
    fig, ax = plt.subplots()
    ax.set_title("Title")
    describe(ax, "Two   lines\nthat meet.")
    assert describe(fig) == "Title. Two lines that meet."
    assert describe(fig, "All of it.") == describe(fig) == "All of it."
    with pytest.raises(GameError, match="says what is seen"):
        describe(fig, " ")


def test_figures_of_a_notebook_take_their_words_along(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    notebook.set_up()
    fig, ax = plt.subplots()
    ax.plot([1, 2], [3, 4], label="up")
    shell.display_formatter.formatters["image/png"].for_type_by_name(
        "matplotlib.figure", "Figure", lambda figure: b"png"
    )
    data, metadata = shell.display_formatter.format(fig)
    assert data["image/png"] == b"png"
    assert metadata["image/png"] == {"alt": "up: from 3 at 1 to 4 at 2."}
    monkeypatch.setattr(words, "describe", lambda figure: 1 / 0)
    data, metadata = shell.display_formatter.format(fig)  # a picture without words is no error
    assert data["image/png"] == b"png"
    assert metadata == {}
