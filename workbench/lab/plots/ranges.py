"""What was found, what could have been, and what was published, one row for each question.

Dots are measurements, the band behind them is all that is possible, and a tall mark is one value to
compare with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from matplotlib.axes import Axes

from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.style import SHADES, axes, colour, label
from workbench.lab.text import number
from workbench.rules import GameError
from workbench.settings import unknown_name


def plot_ranges(
    values: Mapping[str, Iterable[float]],
    ax: Axes | None = None,
    *,
    bands: Mapping[str, tuple[float, float]] | None = None,
    marks: Mapping[str, float] | None = None,
    dots: str = "ours",
    band: str = "possible",
    mark: str = "published",
    unit: str = "",
    title: str = "",
) -> Axes:
    """Draw {row: values}, with {row: (low, high)} behind them and {row: value} to compare with.

        plot_ranges({"JQ.K": [143, 160]}, bands={"JQ.K": (118, 170)}, marks={"JQ.K": 155})

    `dots`, `band`, `mark`: what the three are called in the legend.
    """
    bands, marks = bands or {}, marks or {}
    rows = {str(name): k for k, name in enumerate(values)}
    if not rows:
        raise GameError("nothing to draw: give at least one row, {name: values}")
    for name in (*bands, *marks):
        if name not in rows:
            raise unknown_name("row", name, rows)
    ax = axes(ax, 9.0, 1.5 + 0.36 * len(rows))
    for k, (name, ends) in enumerate(bands.items()):
        first = band if k == 0 else None
        ax.plot(ends, [rows[name]] * 2, color=SHADES[3], lw=14, solid_capstyle="butt", label=first)
    told = []
    for name, found in values.items():
        x = [float(each) for each in found]
        words = [f"{dots} {_reach(x)}"] if x else []
        words += [f"{band} {_reach(bands[name])}"] if name in bands else []
        words += [f"{mark} {_reach([marks[name]])}"] if name in marks else []
        told.append(f"{name}: {', '.join(words)}")
        first = dots if rows[name] == 0 else None
        y = [rows[name]] * len(x)
        ax.plot(x, y, "o", color=colour("ours"), alpha=0.55, markersize=8, mew=0, label=first)
    if marks:
        at = [rows[name] for name in marks]
        ax.plot(
            list(marks.values()),
            at,
            "|",
            color=colour("published"),
            markersize=22,
            mew=3,
            label=mark,
        )
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set_ylim(len(rows) - 0.4, -0.6)
    label(ax, unit, "", title, grid="x")
    if bands or marks:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), markerscale=0.6)
    describe(ax, f"{unit + '. ' if unit else ''}{'; '.join(told)}.")
    return ax


def _reach(values: Sequence[float]) -> str:
    return " to ".join(number(end, figures=4) for end in sorted({min(values), max(values)}))
