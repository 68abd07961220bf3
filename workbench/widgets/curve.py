"""The live curve: exploitability against iterations of several runs, redrawn while they work."""

from __future__ import annotations

import time
from collections.abc import Mapping
from math import ceil, floor, log10
from typing import Any

import pandas as pd

from workbench.plots import plot_convergence
from workbench.plots.style import GREY
from workbench.widgets.style import figure, paint, picture

__all__ = ["Curve"]

UNITS = {"kuhn": "chips per hand", "leduc": "chips per hand", "toepen": "points per hand"}


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

    def draw(self, runs: Mapping[str, pd.DataFrame], game: str = "", *, live: bool = False) -> None:
        """Draw the traces; `live`: only if the last picture is old enough to be worth it."""
        began = time.monotonic()
        if live and began - self._drawn < 4 * self.took:
            return
        runs = {name: trace for name, trace in runs.items() if _drawable(trace)}
        if not runs:
            self.view.value = self._empty
            return
        drawn = figure(*self.size)
        ax = drawn.add_subplot()
        title = f"How far from perfect play?{f' ({game})' if game else ''}"
        plot_convergence(
            runs, ax, unit=UNITS.get(game.split("(")[0].split(" ")[0], ""), title=title
        )
        ax.title.set_fontsize(12)
        ax.minorticks_off()  # half of the time of a drawing
        for axis, (low, high) in ((ax.set_xlim, ax.get_xlim()), (ax.set_ylim, ax.get_ylim())):
            if floor(log10(high)) - ceil(log10(low)) < 1:  # fewer than two ticks say nothing
                axis(10 ** floor(log10(low)), 10 ** ceil(log10(high)))
        paint(self.view, drawn, _words(runs))
        self._drawn = time.monotonic()
        self.took = self._drawn - began


def _drawable(trace: pd.DataFrame) -> bool:
    return bool((trace["exploitability"].notna() & (trace["iteration"] > 0)).any())


def _words(runs: Mapping[str, Any]) -> str:
    """What is seen, for those who cannot see it."""
    said = [
        f"{name} goes from {values.iloc[0]:.3g} after {at.iloc[0]:,} to {values.iloc[-1]:.3g} "
        f"after {at.iloc[-1]:,}"
        for name, trace in runs.items()
        for at, values in [(trace["iteration"], trace["exploitability"])]
    ]
    return "Exploitability against iterations, both axes logarithmic: " + "; ".join(said) + "."
