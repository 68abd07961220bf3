"""Pictures inside panels: drawn by a thread, with words for those who cannot see them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from io import BytesIO
from math import ceil, floor, log10
from typing import Any, cast

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from workbench.lab.plots.convergence import ZERO, plot_convergence
from workbench.lab.plots.png import Picture
from workbench.lab.plots.style import GREY
from workbench.lab.widgets.controls import place

DPI = 96  # figures are as wide on the page as they are in inches
WIDE, ROW = 5.4, 0.19  # inches: of a legend, and of one of its rows


def figure(width: float, height: float) -> Figure:
    """A figure of its own, unknown to pyplot: a thread may draw it.

    Twice as fine as the page, for sharp screens. Its margins are fixed, because to find the best
    ones (`figure.set_layout_engine("constrained")`) takes as long as two drawings.
    """
    made = Figure(figsize=(width, height), dpi=2 * DPI, facecolor="white")
    FigureCanvasAgg(made)
    made.subplots_adjust(
        left=0.75 / width, right=1 - 0.2 / width, bottom=0.55 / height, top=1 - 0.35 / height
    )
    return made


def painted(drawn: Figure, words: str) -> str:
    """The figure as HTML; `words` say what is seen."""
    canvas, out = cast("Any", drawn.canvas), BytesIO()
    canvas.draw()
    pixels = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])
    pixels.save(out, format="png", compress_level=3)
    width, height = (round(inches * DPI) for inches in drawn.get_size_inches())
    html = Picture("image/png", out.getvalue(), words, (width, height)).html
    return html.replace("<img ", '<img decoding="sync" ')  # no flicker between two pictures


class Drawing:
    """A place for a figure of so many inches, with a hint until there is one.

    (ipywidgets' own Image has no alternative text, and breaks when given a tooltip.)
    """

    def __init__(self, name: str, size: tuple[float, float], hint: str, words: str) -> None:
        self.size = size
        self.view = place(name, max_width="100%")
        empty = figure(*size)
        empty.text(0.5, 0.5, hint, ha="center", color=GREY, fontsize=12)
        self._empty = painted(empty, words)
        self._began = self._drawn = self._took = 0.0
        self.clear()

    def clear(self) -> None:
        self.view.value = self._empty

    def begin(self, *, live: bool = False) -> bool:
        """Before drawing; False if the last picture is too young to be worth another: `live`."""
        self._began = time.monotonic()
        return not live or self._began - self._drawn >= 4 * self._took

    def paint(self, drawn: Figure, words: str) -> None:
        self.view.value = painted(drawn, words)
        self._drawn = time.monotonic()
        self._took = self._drawn - self._began


class Curve(Drawing):
    """Exploitability against iterations of several runs, redrawn while they work."""

    def __init__(self, width: float = 5.6, height: float = 3.8) -> None:
        words = "No run yet: an empty place for the curve of exploitability against iterations."
        super().__init__("curve", (width, height), "the curve of the next run", words)

    def draw(
        self,
        runs: Mapping[str, pd.DataFrame],
        game: str = "",
        unit: str = "",
        *,
        live: bool = False,
    ) -> None:
        """Draw the traces; `live`: only if the last picture is old enough to be worth it."""
        if not self.begin(live=live):
            return
        runs = {name: trace for name, trace in runs.items() if _drawable(trace)}
        if not runs:
            self.clear()
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
        said = "; ".join(f"{name} {_words(trace)}" for name, trace in runs.items())
        self.paint(drawn, f"Exploitability against iterations, both axes logarithmic: {said}.")

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


def _words(trace: pd.DataFrame) -> str:
    """What is seen of a line."""
    ends = trace[["iteration", "exploitability"]].iloc[[0, -1]]
    points = [
        f"{'zero up to rounding' if value <= ZERO else f'{value:.3g}'} after {at:,}"
        for at, value in ends.itertuples(index=False)
    ]
    return f"is one point, {points[0]}" if len(trace) == 1 else f"goes from {' to '.join(points)}"
