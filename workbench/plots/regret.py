"""Is the theorem right? The regret each player really has, under the bound CFR promises.

The data is the DataFrame of `measured_regrets`: iteration, player (counted from 1), regret,
bound. The measured lines stay below their bounds, usually far below: the theorem speaks of the
worst game, not of yours. A regret of zero or less has no logarithm and leaves a gap.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from workbench.plots.style import COLOURS, MARKERS, axes, label_log_log, marks
from workbench.rules import GameError

__all__ = ["plot_regret"]


def plot_regret(
    regrets: pd.DataFrame,
    ax: Axes | None = None,
    *,
    unit: str = "chips per game",
    title: str = "Regret: measured (lines) and promised at most (dashed)",
) -> Axes:
    """Draw measured regret and its bound for each player, log-log."""
    missing = [c for c in ("iteration", "player", "regret", "bound") if c not in regrets]
    if missing or not len(regrets):
        what = f"no column {missing[0]!r}" if missing else "no rows"
        raise GameError(f"{what} in these regrets; give the table of measured_regrets")
    ax = axes(ax, 7.5, 4.8)
    ax.set_xscale("log")
    ax.set_yscale("log")
    never = " (never above 0)"
    bounds: dict[tuple[float, ...], tuple[list[str], pd.DataFrame]] = {}
    for k, (player, rows) in enumerate(regrets.groupby("player")):
        ax.plot(
            rows["iteration"],
            rows["regret"].where(rows["regret"] > 0),
            label=f"player {player}, measured{never if (rows['regret'] <= 0).all() else ''}",
            linewidth=2,
            markersize=6.5,
            markeredgecolor="white",
            markevery=marks(rows["iteration"].to_numpy(np.float64), k),
            color=COLOURS[k % len(COLOURS)],
            marker=MARKERS[k % len(MARKERS)],
        )
        names, _ = bounds.setdefault(tuple(rows["bound"]), ([], rows))
        names.append(str(player))
    for k, (names, rows) in enumerate(bounds.values()):
        who = f"player {names[0]}" if len(names) == 1 else f"players {' and '.join(names)}"
        colour = "#222222" if len(names) > 1 else COLOURS[k % len(COLOURS)]
        ax.plot(rows["iteration"], rows["bound"], "--", color=colour, label=f"{who}, bound")
    what = f"Average regret ({unit})" if unit else "Average regret"
    label_log_log(ax, "Iterations T", what, title)
    ax.legend(framealpha=0.9, handlelength=3, fontsize=11)
    return ax
