"""What an abstraction promises and what it costs: two marks in a row for each, joined by a line.

The abstract game's own exploitability is what a solver believes, the real one what an opponent
finds who has forgotten nothing. The first is often thousands of times smaller, so the axis is
logarithmic; what is too small for it stands at its left end, with its value beside it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from workbench.lab.plots.style import GREY, INK, axes, behind, colour, label, with_unit
from workbench.lab.text import number
from workbench.rules import GameError

DECADES = 6  # of the axis, at most


def plot_gaps(
    gaps: Mapping[str, tuple[float, float]],
    ax: Axes | None = None,
    *,
    unit: str = "chips per game",
    title: str = "",
) -> Axes:
    """Draw {name: (abstract exploitability, real exploitability)}; nan where there is none.

    If no abstract game has one, as without perfect recall, only the real ones are drawn.

    Example:

        plot_gaps({"JQ.K": (0.0001, 0.490), "J.QK": (0.0001, 0.744)}, unit="chips per game")
    """
    if not gaps:
        raise GameError("nothing to draw: give at least one {name: (abstract, real)}")
    ax = axes(ax, 7.5, 1.8 + 0.5 * len(gaps))
    values = np.array([tuple(map(float, pair)) for pair in gaps.values()])  # (rows, 2)
    largest = values[values > 0].max(initial=0.0) or 1.0
    smallest = max(values[values > 0].min(initial=largest), largest / 10**DECADES)
    at, rows = np.maximum(values, smallest), np.arange(len(gaps))  # nan stays nan
    ax.hlines(rows, at.min(axis=1), at.max(axis=1), color=GREY, linewidth=2, zorder=1)
    promised = not np.isnan(values[:, 0]).all()
    for k, kind in enumerate(("abstract game", "real game")):
        if k == 0 and not promised:
            continue
        ax.plot(at[:, k], rows, "os"[k], color=colour(kind), ms=(11, 8)[k], label=f"in the {kind}")
        for y, value, x in zip(rows, values[:, k], at[:, k], strict=True):
            text, x = ("not known", smallest) if np.isnan(value) else (number(value), x)
            ax.annotate(
                text, (x, y), xytext=((-9, 9)[k], 0), textcoords="offset points", va="center",
                ha=("right", "left")[k], fontsize=10, color=INK, bbox=behind(0.5), zorder=1.5,
            )  # fmt: skip
    ax.set_xscale("log")
    ax.set_xlim(smallest / 8, 8 * largest)
    ax.set_yticks(rows, list(gaps))
    ax.set_ylim(len(gaps) - 0.4, -0.6)
    label(ax, with_unit("Exploitability", unit), "", "", grid="x")
    both, real = "What the abstract game says, and the truth", "What it costs in the real game"
    ax.set_title(title or (both if promised else real), fontsize=13, pad=26)
    ax.legend(fontsize=10, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False)
    return ax
