"""Pictures inside panels: drawn by a thread, with words for those who cannot see them."""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from io import BytesIO
from math import ceil, floor, log10
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from workbench.lab.html import Html, quiet
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.convergence import ZERO, plot_convergence
from workbench.lab.plots.png import DPI, Picture
from workbench.lab.plots.style import Look, with_unit
from workbench.lab.text import number
from workbench.lab.widgets.controls import place

WIDE, ROW = 5.4, 0.19  # inches: of a legend, and of one of its rows
LABEL = 42  # letters: a longer one beside the axis is written smaller
NAME = 32  # letters: a longer name of a game does not fit into a title; the table has it

P = ParamSpec("P")
R = TypeVar("R")
_PAINTER = ThreadPoolExecutor(1, "painter")


def by_the_painter(draw: Callable[P, R]) -> Callable[P, R]:
    """Let one thread draw for all panels: matplotlib is not made for many."""

    @wraps(draw)
    def called(*args: P.args, **options: P.kwargs) -> R:
        if threading.current_thread().name.startswith("painter"):
            return draw(*args, **options)
        return _PAINTER.submit(draw, *args, **options).result()

    return called


def figure(width: float, height: float, layout: Any = None) -> Figure:
    """A figure of its own, unknown to pyplot: a thread may draw it.

    Twice as fine as the page, for sharp screens. Its margins are fixed, because to find the best
    ones (layout: "constrained") takes as long as two drawings.
    """
    made = Figure(figsize=(width, height), dpi=2 * DPI, facecolor="white")
    FigureCanvasAgg(made)
    made.subplots_adjust(
        left=0.75 / width, right=1 - 0.2 / width, bottom=0.55 / height, top=1 - 0.35 / height
    )
    made.set_layout_engine(layout)
    return made


def painted(drawn: Figure, words: str) -> Html:
    """The figure as HTML; `words` say what is seen."""
    html = str(paint(drawn, words).html)
    return Html(html.replace("<img ", '<img decoding="sync" '))  # no flicker between two pictures


def plotted(size: tuple[float, float], plot: Callable[..., Any], *given: Any, **more: Any) -> Html:
    """What a function of `wb.plots` draws, as HTML."""
    drawn = figure(*size, "constrained")
    return painted(drawn, describe(plot(*given, ax=drawn.add_subplot(), **more)))


@by_the_painter
def paint(drawn: Figure, words: str) -> Picture:
    """The figure as a picture."""
    canvas, out = cast("Any", drawn.canvas), BytesIO()
    canvas.draw()
    pixels = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])
    pixels.save(out, format="png", compress_level=3)
    width, height = (round(inches * DPI) for inches in drawn.get_size_inches())
    return Picture("image/png", out.getvalue(), words, (width, height))


class Drawing:
    """A place for a figure of so many inches, with a hint until there is one.

    (ipywidgets' own Image has no alternative text, and breaks when given a tooltip.)
    """

    def __init__(self, name: str, size: tuple[float, float], hint: str) -> None:
        self.size = size
        self.view = place(name, max_width="100%")
        self._empty = quiet(hint)
        self._drawn = self._cost = 0.0  # when, and seconds of computing: waiting does not count
        self.clear()

    def clear(self) -> None:
        self.view.value = self._empty

    def begin(self, *, live: bool = False) -> bool:
        """Before drawing; False if the last picture is too young to be worth another: `live`."""
        return not live or time.monotonic() - self._drawn >= 4 * self._cost

    def paint(self, drawn: Figure, words: str) -> None:
        @by_the_painter
        def at_a_cost() -> tuple[Html, float]:
            began = time.thread_time()
            return painted(drawn, words), time.thread_time() - began

        self.view.value, self._cost = at_a_cost()
        self._drawn = time.monotonic()


class Curve(Drawing):
    """Exploitability against iterations of several runs, redrawn while they work."""

    def __init__(self, width: float = 5.6, height: float = 3.8) -> None:
        super().__init__("curve", (width, height), "The curve of the next run will stand here.")

    def draw(
        self, runs: Mapping[str, pd.DataFrame], game: str = "", unit: str | Mapping[str, str] = "",
        *, order: Mapping[str, Look] | None = None, measured: str = "exploitability",
        live: bool = False,
    ) -> None:  # fmt: skip
        """Draw the traces, on an axis for each unit if the runs have several.

        measured: what the axis is called; with more than two players, a mean gain.
        order: all names, also of lines that are hidden now, and the look of each.
        live: draw only if the last picture is old enough to be worth it.
        """
        if not self.begin(live=live):
            return
        runs = {
            name: trace
            for name, trace in runs.items()
            if (trace["exploitability"].notna() & (trace["iteration"] > 0)).any()
        }
        if not runs:
            self.clear()
            return
        across = max(1, min(len(runs), int(WIDE / (0.08 * max(map(len, runs)) + 0.75))))
        below = ROW * ceil(len(runs) / across) + 0.1  # the legend, where it covers nothing
        units: dict[str, list[str]] = {}
        for name in runs:
            units.setdefault(unit if isinstance(unit, str) else unit[name], []).append(name)
        height = self.size[1] * (1 if len(units) == 1 else 0.75 * len(units))
        total = height + below - ROW - 0.1  # its first row costs no height
        drawn = figure(self.size[0], total)
        drawn.subplots_adjust(bottom=(0.55 + below) / total, top=1 - 0.35 / total, hspace=0.35)
        title = f"How far from perfect play?{f' ({game})' if 0 < len(game) < NAME else ''}"
        lines: dict[str, Any] = {}
        places = drawn.subplots(len(units), squeeze=False)[:, 0]
        for ax, (paid, names) in zip(places, units.items(), strict=True):
            group = {name: runs[name] for name in names}
            plot_convergence(group, ax, unit=paid, title=title, order=order or list(runs))
            words = with_unit(measured.capitalize(), paid)
            ax.set_ylabel(words)
            lines |= dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
            if inside := ax.get_legend():
                inside.remove()
            ax.title.set_fontsize(12)
            fits = 12 if len(words) <= LABEL else 9
            ax.yaxis.label.set_fontsize(fits if len(units) == 1 else 10)
            ax.minorticks_off()  # half of the time of a drawing
            for axis, (low, high) in ((ax.set_xlim, ax.get_xlim()), (ax.set_ylim, ax.get_ylim())):
                if floor(log10(high)) - ceil(log10(low)) < 1:  # fewer than two ticks say nothing
                    axis(10 ** floor(log10(low)), 10 ** ceil(log10(high)))
            title = ""
        drawn.legend(
            [lines[name] for name in runs], list(runs), loc="lower center", ncols=across,
            frameon=False, fontsize=10, handlelength=3.2, borderaxespad=0.2, borderpad=0.1,
            labelspacing=0.35,
        )  # fmt: skip
        said = "; ".join(f"{name} {_words(trace)}" for name, trace in runs.items())
        what = f"{measured.capitalize()} against iterations"
        self.paint(drawn, f"{what}, both axes logarithmic: {said}.")


def _words(trace: pd.DataFrame) -> str:
    """What is seen of a line."""
    ends = trace[["iteration", "exploitability"]].iloc[[0, -1]]
    points = [
        f"{'zero up to rounding' if value <= ZERO else number(value)} after {at:,}"
        for at, value in ends.itertuples(index=False)
    ]
    return f"is one point, {points[0]}" if len(trace) == 1 else f"goes from {' to '.join(points)}"
