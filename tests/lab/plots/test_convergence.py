"""Convergence: what the axes say, one line per name, seeds as mean and band, zeros visible."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from workbench.lab.lectures.regret_plot import plot_regret

import workbench as wb
from tests.lab.plots.artists import legend, outside
from workbench.lab.plots.convergence import plot_convergence
from workbench.lab.plots.curves import plot_curves


def trace(scale=1.0, power=0.5, last=1000):
    iteration = np.unique(np.geomspace(1, last, 40).astype(int))
    value = scale * iteration**-power
    made = pd.DataFrame({"iteration": iteration, "seconds": iteration * 1e-3})
    return made.assign(exploitability=value, abstract_exploitability=value / 2, infosets=12)


def test_names_seeds_and_lists():
    ax = plot_convergence({"cfr": trace(), "es": [trace(1.0), trace(4.0), trace(2.0)]})
    assert legend(ax) == ["cfr", "es: mean and range of 3"]
    mean = np.asarray(ax.lines[1].get_ydata(), float)
    assert mean == pytest.approx(2.0 * trace()["exploitability"].to_numpy())  # geometric
    assert len(ax.collections) == 1
    ends = {text.get_text() for text in wb.plots.label_curves(ax).texts}
    assert ends == {"cfr", "es"}  # at a curve's end the name alone
    assert legend(plot_convergence([trace(), trace()])) == ["run 1", "run 2"]


def test_seeds_of_different_lengths_share_what_they_have():
    table = trace(last=100).assign(touched=lambda rows: 50.0 * rows["iteration"])
    ax = plot_convergence({"es": [trace(last=1000), table]}, x="seconds")
    assert np.max(ax.lines[0].get_xdata()) == pytest.approx(0.1)
    assert ax.get_xlabel() == "Seconds"
    ax = plot_convergence(table, x="touched", y="abstract_exploitability", unit="coins")
    assert ax.get_ylabel() == "Exploitability in the abstract game (coins)"
    assert np.max(ax.lines[0].get_xdata()) == pytest.approx(5000.0)
    assert ax.get_xlabel() == "Histories visited"


def test_an_exact_answer_is_drawn_and_explained():
    exact = pd.DataFrame({"iteration": [1], "seconds": [0.1], "exploitability": [-1e-17]})
    ax = plot_convergence({"cfr": trace(), "lp": exact})
    assert list(ax.lines[1].get_ydata()) == [1e-3]  # a decade below the last of cfr, 10^-1.5
    assert any("zero up to rounding" in text.get_text() for text in ax.texts)
    assert ax.get_ylim()[0] < 1e-3
    assert outside(ax) == []


def test_real_runs_are_named_after_their_solvers(kuhn):
    runs = [wb.solve(kuhn, solver=solver, iterations=100) for solver in ("cfr", "cfr+", "lp")]
    _, ax = plt.subplots()
    assert plot_convergence(runs, ax) is ax
    assert legend(ax) == ["cfr", "cfr+", "lp"]
    assert legend(plot_convergence([runs[0], runs[0]])) == ["cfr 1", "cfr 2"]


def regrets(bound_2=9.0):
    t = np.arange(1, 51)
    return pd.concat(
        pd.DataFrame({"iteration": t, "player": i, "regret": i * t**-0.7, "bound": b * t**-0.5})
        for i, b in ((1, 9.0), (2, bound_2))
    )


def test_regret_stays_under_its_bound():
    ax = plot_regret(regrets())
    assert legend(ax) == ["player 1, measured", "player 2, measured", "players 1 and 2, bound"]
    assert ax.get_ylabel() == "Average regret (chips per game)"
    apart = legend(plot_regret(regrets(bound_2=20.0)))
    assert apart[2:] == ["player 1, bound", "player 2, bound"]


def test_regret_that_is_not_positive():
    table = regrets()
    second = table["player"] == 2
    ax = plot_regret(table.assign(regret=table["regret"].mask(second, -0.1)))
    assert legend(ax)[1] == "player 2, measured (never above 0)"
    assert outside(ax) == []
    table.loc[second & (table["iteration"] >= 18), "regret"] = 0.0
    ax = plot_regret(table)
    assert legend(ax)[1] == "player 2, measured (not positive from T = 18)"
    (arrow,) = (line for line in ax.lines if line.get_gid() == "gap")
    assert list(arrow.get_xdata()) == [17]
    table.loc[second & (table["iteration"] == 50), "regret"] = 0.1
    ax = plot_regret(table)
    assert legend(ax)[1] == "player 2, measured (gaps: not positive)"
    assert outside(ax) == []


def drawn(*points, **how):
    """Curves of (name, repeat, iteration, exploitability)."""
    columns = ["curve", "repeat", "iteration", "exploitability"]
    return plot_curves(pd.DataFrame(points, columns=columns), **how)


def test_curves_are_means_and_deviations():
    ones = [("one", seed, x, x + seed) for seed in (0, 2) for x in (5, 10)]
    ax = drawn(*ones, ("two", 0, 5, 1.0))
    one, two = ax.lines
    assert list(one.get_ydata()) == [6.0, 11.0]
    assert list(two.get_ydata()) == [1.0]
    band = ax.collections[0].get_paths()[0].get_extents()
    assert (band.y0, band.y1) == pytest.approx((6 - 2**0.5, 11 + 2**0.5))
    assert len(ax.collections) == 1  # a single run has no deviation
    assert legend(ax) == ["one (mean of 2)", "two"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Iteration", "Exploitability")


def test_two_parts_of_a_name_are_colour_and_dash():
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
    assert "mean of 2 repeats" in ax.get_legend().get_title().get_text()
    ax.get_figure().draw_without_rendering()  # all is laid out
    assert not ax.get_legend().get_window_extent().overlaps(ax.get_window_extent())
