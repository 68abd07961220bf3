"""A cross table as a picture: blue rows win, orange rows lose, and every cell says how much.

Rows and columns are players in one order; a cell is what its row wins from its column, as
`tournament` gives it. Nothing depends on colour alone: the number stands in the cell, losses with
a minus, and a player against herself is left blank.
"""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from workbench.games.words import number
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.style import COLOURS, INK, axes
from workbench.rules import GameError

WON_AND_LOST = LinearSegmentedColormap.from_list("", [COLOURS[1], "#ffffff", COLOURS[0]])


def plot_tournament(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    decimals: int = 0,
    title: str = "What the row wins from the column",
) -> Axes:
    """Draw a cross table in its own unit.

    Example:

        wb.plots.plot_tournament(1000 * wb.tournament({"CFR+": run.strategy, "coin": uniform}))
    """
    names = [str(name) for name in getattr(table, "index", [])]
    if not names or names != [str(name) for name in getattr(table, "columns", [])]:
        raise GameError(
            "a cross table has the same players in its rows and columns, in one order; "
            "draw what tournament(players) gives, or choose with table.loc[names, names]"
        )
    won, size = table.to_numpy(float), 1.6 + 0.72 * len(names)
    ax = axes(ax, size + 1.0, 0.75 * size + 0.8)
    off = ~np.eye(len(names), dtype=bool)
    most = float(np.abs(won[off]).max(initial=0.0)) or 1.0
    shown = np.where(off, won, 0.0)
    ax.imshow(shown, cmap=WON_AND_LOST, vmin=-1.15 * most, vmax=1.15 * most, aspect="auto")
    for (i, j), x in np.ndenumerate(won):
        if i != j:
            colour = "white" if abs(x) > 0.75 * most else INK
            ax.text(j, i, number(x, decimals), ha="center", va="center", color=colour)
    ax.set_xticks(range(len(names)), names, rotation=35, ha="left", rotation_mode="anchor")
    ax.set_yticks(range(len(names)), names)
    ax.xaxis.tick_top()
    ax.tick_params(length=0, labelsize=11)
    ax.set_xticks(np.arange(1, len(names)) - 0.5, minor=True)
    ax.set_yticks(np.arange(1, len(names)) - 0.5, minor=True)
    ax.grid(which="minor", color="white", linewidth=2)
    ax.tick_params(which="minor", length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(title, fontsize=13)
    means = shown.sum(axis=1) / max(1, len(names) - 1)
    said = ", ".join(f"{name} {number(x, decimals)}" for name, x in zip(names, means, strict=True))
    describe(ax, f"A table of {len(names)} players against each other. Mean of each row: {said}.")
    return ax
