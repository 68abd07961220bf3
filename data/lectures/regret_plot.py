"""Is the theorem right? The regret each player really has, under the bound CFR promises.

The data is the DataFrame of `measured_regrets`: iteration, player (counted from 1), regret,
bound. The measured lines stay below their bounds, usually far below: the theorem speaks of the
worst game, not of yours. A regret of zero or less has no logarithm: the line ends in an arrow
down, and the legend says from where on.

The bound is that of simultaneous updates, `profiles(tree, CFR(alternating=False), 1000)`. With
alternating updates, the default, a player answers what the other has just changed to: the measured
profiles may do better than the theorem says, down to a regret below zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.markers import CARETDOWN

from workbench.lab.plots.style import COLOURS, CONCEPTS, MARKERS, axes, label, marks, with_unit
from workbench.rules import GameError


def plot_regret(
    regrets: pd.DataFrame,
    ax: Axes | None = None,
    *,
    unit: str = "chips per game",
    title: str = "Regret: measured (lines) and promised at most (dashed)",
) -> Axes:
    """Draw measured regret and its bound for each player, log-log.

    Example:

        tree = wb.compile_game(wb.load_game("kuhn"))
        profiles = wb.solvers.profiles(tree, wb.solvers.CFR(alternating=False), 1000)
        wb.plots.plot_regret(wb.judge.measured_regrets(profiles))
    """
    missing = [c for c in ("iteration", "player", "regret", "bound") if c not in regrets]
    if missing or not len(regrets):
        what = f"no column {missing[0]!r}" if missing else "no rows"
        raise GameError(f"{what} in these regrets; give the table of measured_regrets")
    ax = axes(ax, 7.5, 5.2)
    ax.set_xscale("log")
    ax.set_yscale("log")
    bounds: dict[tuple[float, ...], tuple[list[str], pd.DataFrame]] = {}
    for k, (player, rows) in enumerate(regrets.groupby("player")):
        colour, positive = COLOURS[k], rows["regret"] > 0
        ax.plot(
            rows["iteration"], rows["regret"].where(positive), color=colour, linewidth=2,
            marker=MARKERS[k], markersize=6.5, markeredgecolor="white",
            markevery=marks(rows["iteration"].to_numpy(np.float64), k),
            label=f"player {player}, measured{_note(rows['iteration'], positive)}",
        )  # fmt: skip
        last = rows[positive & ~positive.shift(-1, fill_value=True)]  # before a gap
        if len(last):
            look: Any = {"marker": CARETDOWN, "markersize": 10, "color": colour, "gid": "gap"}
            ax.plot(last["iteration"], last["regret"], linestyle="", **look)
        names, _ = bounds.setdefault(tuple(rows["bound"]), ([], rows))
        names.append(str(player))
    for k, (names, rows) in enumerate(bounds.values()):
        who = f"player {names[0]}" if len(names) == 1 else f"players {' and '.join(names)}"
        colour = CONCEPTS["bound"] if len(names) > 1 else COLOURS[k]
        ax.plot(rows["iteration"], rows["bound"], "--", color=colour, label=f"{who}, bound")
    label(ax, "Iterations T", with_unit("Average regret", unit), title)
    ax.legend(  # below: a line may end anywhere in the picture
        loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, frameon=False, handlelength=3,
        fontsize=11,
    )  # fmt: skip
    return ax


def _note(iteration: pd.Series[Any], positive: pd.Series[Any]) -> str:
    """What the line does not show: where the regret has no logarithm."""
    if positive.all():
        return ""
    if not positive.any():
        return " (never above 0)"
    if positive.iloc[-1]:
        return " (gaps: not positive)"
    last = np.flatnonzero(positive)[-1]
    return f" (not positive from T = {int(iteration.iloc[last + 1]):,})"
