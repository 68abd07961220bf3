"""Names at the ends of curves, where the eye is, instead of a legend.

    ax = wb.plots.plot_convergence(runs)
    wb.plots.label_curves(ax)

The names stand in one column, right of the picture, each at the height where its curve ends. Names
that would overlap are pushed apart; a thin line leads back to the curve of one that is far away.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import offset_copy

from workbench.lab.plots.style import GREY, lay_out
from workbench.rules import GameError
from workbench.tree import FloatArray

GAP, NEAR, LEAD = 12.0, 1.5, 3.0  # points: curve to name, between names, what needs a line back
SIZE = 11  # of letters


def label_curves(ax: Axes) -> Axes:
    """Write each curve's label at its right end, in its colour, and remove the legend.

    Where the names do not fit one above the other, a legend stays instead. Call it last: curves
    and limits must not change afterwards.

    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> line = ax.plot([1, 2, 3], [3, 2, 1], label="cfr")
    >>> [text.get_text() for text in label_curves(ax).texts]
    ['cfr']
    """
    figure = ax.get_figure(root=True)
    curves = {line: end for line in ax.lines if (end := _end(ax, line)) is not None}
    if not curves or not isinstance(figure, Figure):
        raise GameError("no curve in this picture has a label; give plot(…, label=…) a name")
    lay_out(figure)
    ends = {line: ax.transData.transform(end) for line, end in curves.items()}  # in pixels
    step = (1.2 * SIZE + NEAR) * figure.dpi / 72
    inside = ax.get_window_extent()
    if len(curves) * step > inside.height:
        if ax.get_legend() is None:
            ax.legend(fontsize=SIZE, handlelength=3.2, framealpha=0.9)
        return ax
    if (legend := ax.get_legend()) is not None:
        legend.remove()
    rising = sorted(ends, key=lambda line: ends[line][1])
    heights = _apart([ends[line][1] for line in rising], step, inside.y0, inside.y1)
    for line, height in zip(rising, heights, strict=True):
        _write(ax, line, ends[line], height)
    return ax


def _end(ax: Axes, line: Line2D) -> FloatArray | None:
    """The last point of a labelled curve that is inside the picture; None if there is none."""
    named = not str(line.get_label()).startswith("_") and line.get_visible()
    if not named or line.get_transform() != ax.transData:
        return None
    points: FloatArray = np.ma.filled(np.ma.asarray(line.get_xydata(), float), np.nan)
    (left, right), (low, high) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    x, y = points.T
    seen = points[(x >= left) & (x <= right) & (y >= low) & (y <= high)]
    return seen[np.argmax(seen[:, 0])] if len(seen) else None


def _apart(heights: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Heights in rising order, moved so that neighbours are a step apart and all are inside.

    >>> _apart([1.0, 1.2, 9.0], 1.0, 0.0, 10.0)
    [0.6..., 1.6..., 9.0]
    """
    from scipy.optimize import isotonic_regression

    steps = step * (np.arange(len(heights)) + 0.5)
    rising = isotonic_regression(np.array(heights) - steps).x
    return list(map(float, np.clip(rising, low, high - step * len(heights)) + steps))


def _write(ax: Axes, line: Line2D, end: FloatArray, height: float) -> None:
    """The name right of the picture's edge, at a height in pixels; with a line back if that is far.

    All is said in the picture's own terms, because the layout may still move.
    """
    figure = ax.get_figure(root=True)
    assert figure is not None
    place = ax.transData.inverted().transform(np.array([end, (end[0], height)]))
    name, look = str(line.get_label()).partition(": mean and range of")[0], dict[str, Any]()
    right = ax.get_window_extent().x1
    if np.hypot(0.1 * (right - end[0]), height - end[1]) > LEAD * figure.dpi / 72:
        line_back = {"arrowstyle": "-", "color": GREY, "linewidth": 0.7, "relpos": (0, 0.5)}
        look["arrowprops"] = {**line_back, "shrinkA": 1, "shrinkB": 3}
    ax.annotate(
        name, place[0], xytext=(1.0, place[1, 1]),
        textcoords=offset_copy(ax.get_yaxis_transform(), figure, x=GAP, units="points"),
        va="center", fontsize=SIZE, color=_readable(line.get_color()), gid="curve",
        annotation_clip=False, **look,
    )  # fmt: skip


def _readable(colour: Any) -> str:
    """The colour, darkened until letters in it can be read on white (contrast 4.5 to 1)."""
    rgb = np.array(to_rgb(colour))
    while 1.05 / (_luminance(rgb) + 0.05) < 4.5:
        rgb = rgb * 0.96
    return to_hex(rgb.tolist())


def _luminance(rgb: FloatArray) -> float:
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))
