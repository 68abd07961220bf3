"""A figure of a paper, drawn again: means over repeats, in a band of one standard deviation.

The data is what an entry of the ledger keeps for a figure, a table of curve, repeat, x and y:

    plot_curves(reproduce.read_curves("le-2021-figure4.1"))
"""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from workbench.experiments.reproduce.curves import check_curves
from workbench.plots.style import COLOURS, DASHES, MARKERS, axes

__all__ = ["plot_curves"]


def plot_curves(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    title: str = "",
    log_y: bool = False,
) -> Axes:
    """One line per curve, in the order of the table."""
    check_curves(table)
    x, y = table.columns[2:]
    ax = axes(ax, 7.5, 4.6)
    for k, (name, lines) in enumerate(table.groupby("curve", sort=False)):
        repeats = lines.pivot(index=x, columns="repeat", values=y)  # (points, repeats)
        mean, deviation = repeats.mean(axis=1), repeats.std(axis=1, ddof=1).fillna(0.0)
        colour = COLOURS[k % len(COLOURS)]
        count = repeats.shape[1]
        ax.plot(
            mean.index,
            mean,
            color=colour,
            linestyle=DASHES[k % len(DASHES)],
            marker=MARKERS[k % len(MARKERS)],
            markevery=max(1, len(mean) // 8),
            markeredgecolor="white",
            linewidth=2,
            label=f"{name} (mean of {count})" if count > 1 else str(name),
            zorder=3,
        )
        if count > 1:
            low, high = mean - deviation, mean + deviation
            ax.fill_between(mean.index, low, high, color=colour, alpha=0.2, linewidth=0)
    if log_y:
        ax.set_yscale("log")
    ax.set_xlabel(str(x).capitalize(), fontsize=12)
    ax.set_ylabel(str(y).capitalize(), fontsize=12)
    ax.set_title(title or "Mean and one standard deviation over repeats", fontsize=13)
    ax.grid(color="#d0d0d0", linewidth=0.7)
    ax.set_axisbelow(True)
    ax.legend(fontsize=11, framealpha=0.9)
    return ax
