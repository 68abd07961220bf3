"""The live curve: exploitability against iterations of several runs, redrawn while they work."""

from __future__ import annotations

import time
from collections.abc import Mapping
from math import ceil, floor, log10
from typing import Any, cast

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbench.lab.plots.convergence import ZERO, plot_convergence
from workbench.lab.plots.style import GREY
from workbench.lab.widgets.style import figure, paint, picture

WIDE, ROW = 5.4, 0.19  # inches: of a legend, and of one of its rows


class Curve:
    """A picture of fixed size; `draw` puts other runs into it."""

    EMPTY = "No run yet: an empty place for the curve of exploitability against iterations."

    def __init__(self, width: float = 5.6, height: float = 3.8, name: str = "curve") -> None:
        self.size = width, height
        self.view = picture(name, width=width, height=height, alt=self.EMPTY)
        self.took = 0.0  # seconds for one picture
        hint = figure(width, height)
        hint.text(0.5, 0.5, "the curve of the next run", ha="center", color=GREY, fontsize=12)
        paint(self.view, hint, self.EMPTY)
        self._empty = self.view.value
        self._drawn = time.monotonic()

    def draw(
        self,
        runs: Mapping[str, pd.DataFrame],
        game: str = "",
        unit: str = "",
        *,
        live: bool = False,
    ) -> None:
        """Draw the traces; `live`: only if the last picture is old enough to be worth it."""
        began = time.monotonic()
        if live and began - self._drawn < 4 * self.took:
            return
        runs = {name: trace for name, trace in runs.items() if _drawable(trace)}
        if not runs:
            self.view.value = self._empty
            return
        drawn, ax = self._paper(list(runs))
        title = f"How far from perfect play?{f' ({game})' if game else ''}"
        plot_convergence(runs, ax, unit=unit, title=title)
        _legend_below(ax, list(runs))
        ax.title.set_fontsize(12)
        ax.minorticks_off()  # half of the time of a drawing
        for axis, (low, high) in ((ax.set_xlim, ax.get_xlim()), (ax.set_ylim, ax.get_ylim())):
            if floor(log10(high)) - ceil(log10(low)) < 1:  # fewer than two ticks say nothing
                axis(10 ** floor(log10(low)), 10 ** ceil(log10(high)))
        paint(self.view, drawn, _words(runs))
        self._drawn = time.monotonic()
        self.took = self._drawn - began

    def _paper(self, names: list[str]) -> tuple[Figure, Axes]:
        """Room for a legend below, where it covers nothing; its first row costs no height."""
        width, height = self.size
        below = ROW * ceil(len(names) / _columns(names)) + 0.1
        total = height + below - ROW - 0.1
        drawn = figure(width, total)
        drawn.subplots_adjust(bottom=(0.55 + below) / total)
        return drawn, drawn.add_subplot()


def _columns(names: list[str]) -> int:
    """How many of the names stand side by side; each has a piece of its line before it."""
    return max(1, min(len(names), int(WIDE / (0.08 * max(map(len, names)) + 0.75))))


def _legend_below(ax: Axes, names: list[str]) -> None:
    inside = ax.get_legend()
    if inside is not None:
        inside.remove()
    drawn, (handles, labels) = cast("Figure", ax.figure), ax.get_legend_handles_labels()
    drawn.legend(
        handles, labels, loc="lower center", ncols=_columns(names), frameon=False,
        fontsize=10, handlelength=3.2, borderaxespad=0.2, borderpad=0.1, labelspacing=0.35,
    )  # fmt: skip


def _drawable(trace: pd.DataFrame) -> bool:
    return bool((trace["exploitability"].notna() & (trace["iteration"] > 0)).any())


def _words(runs: Mapping[str, Any]) -> str:
    """What is seen, for those who cannot see it."""
    said = []
    for name, trace in runs.items():
        at, values = trace["iteration"], trace["exploitability"]
        if len(trace) == 1:
            said.append(f"{name} is one point, {_number(values.iloc[0])} after {at.iloc[0]:,}")
        else:
            said.append(
                f"{name} goes from {_number(values.iloc[0])} after {at.iloc[0]:,} "
                f"to {_number(values.iloc[-1])} after {at.iloc[-1]:,}"
            )
    return "Exploitability against iterations, both axes logarithmic: " + "; ".join(said) + "."


def _number(value: float) -> str:
    return "zero up to rounding" if value <= ZERO else f"{value:.3g}"
