"""What an abstraction promises and what it costs: two bars for each, side by side.

The abstract game's own exploitability is what a solver believes, the real one what an opponent
finds who has forgotten nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from workbench.lab.plots.alt_text import number
from workbench.lab.plots.style import INK, axes, colour, label, with_unit
from workbench.rules import GameError


def plot_gaps(
    gaps: Mapping[str, tuple[float, float]],
    ax: Axes | None = None,
    *,
    unit: str = "chips per game",
    title: str = "What the abstract game says, and the truth",
) -> Axes:
    """Draw {name: (abstract exploitability, real exploitability)}; nan where there is none.

    Example:

        plot_gaps({"JQ.K": (0.0, 0.143), "J.QK": (0.0, 0.310)}, unit="chips per game")
    """
    if not gaps:
        raise GameError("nothing to draw: give at least one {name: (abstract, real)}")
    ax = axes(ax, 7.5, 1.8 + 0.55 * len(gaps))
    largest = max((value for pair in gaps.values() for value in pair if value == value), default=0)
    kinds = ("abstract game", "real game")
    for k, kind in enumerate(kinds):
        values = np.array([float(pair[k]) for pair in gaps.values()])
        at = np.arange(len(gaps)) + (k - 0.5) * 0.38
        ax.barh(at, np.nan_to_num(values), height=0.36, color=colour(kind), label=f"in the {kind}")
        for y, value in zip(at, values, strict=True):
            text, x = ("not known", 0.0) if np.isnan(value) else (number(value), value)
            ax.annotate(
                text, (x, y), xytext=(4, 0), textcoords="offset points", va="center",
                fontsize=10, color=INK,
            )  # fmt: skip
    ax.set_yticks(range(len(gaps)), list(gaps))
    ax.set_ylim(len(gaps) - 0.4, -0.6)
    ax.set_xlim(0, 1.18 * largest or 1.0)
    label(ax, with_unit("Exploitability", unit), "", "", grid="x")
    ax.set_title(title, fontsize=13, pad=26)
    ax.legend(fontsize=10, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False)
    return ax
