"""What does more memory buy? Points of (cost, loss), one shape for each way of spending.

Further left is cheaper, further down is better; a *staircase* follows the best that one can have
for at most so much. Whiskers say how far a point might move, and a wide dash is what somebody else
reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.style import DASHES, MARKERS, axes, colour, colours, label
from workbench.lab.text import number
from workbench.rules import GameError
from workbench.settings import unknown_name
from workbench.tree import FloatArray

APART = 0.035  # of the width: whiskers at the same cost


def plot_tradeoff(
    points: Mapping[str, Iterable[tuple[float, float]]],
    ax: Axes | None = None,
    *,
    whiskers: Mapping[str, tuple[float, float]] | None = None,
    marks: Mapping[str, float] | None = None,
    stairs: Mapping[str, Sequence[str]] | None = None,
    mark: str = "published",
    cost: str = "",
    loss: str = "",
    title: str = "",
) -> Axes:
    """Draw {way: [(cost, loss), …]}, with {way: (low, high)} and {way: value} at its first point.

        plot_tradeoff({"base": [(180, 143)], "static experts": [(410, 25)]}, loss="milli-antes")

    `stairs`: {label: ways}, a line for the least loss among these ways at every cost, in the colour
    of the first.
    Ways with whiskers that cost the same are drawn a little apart.
    """
    whiskers, marks, stairs = whiskers or {}, marks or {}, stairs or {}
    found = {name: np.array([*pairs], float).reshape(-1, 2) for name, pairs in points.items()}
    found = {name: pairs for name, pairs in found.items() if len(pairs)}
    if not found:
        raise GameError("nothing to draw: give at least one way, {name: [(cost, loss)]}")
    for name in (*whiskers, *marks, *(name for ways in stairs.values() for name in ways)):
        if name not in found:
            raise unknown_name("way", name, found)
    ax = axes(ax, 9.0, 5.0)
    costs = np.concatenate([pairs[:, 0] for pairs in found.values()])
    shift = _apart({name: float(found[name][0, 0]) for name in whiskers}, APART * np.ptp(costs))
    look = dict(zip(found, colours(list(found)), strict=True))
    steps = {
        name: _stairs(np.concatenate([found[way] for way in ways]), costs.max())
        for name, ways in stairs.items()
    }
    for k, (name, (x, y)) in enumerate(steps.items()):
        shade = look[stairs[name][0]]
        ax.step(x, y, where="post", color=shade, linestyle=DASHES[k], lw=2.5, label=name)
    for k, (name, pairs) in enumerate(found.items()):
        shade = look[name]
        x, y = pairs[:, 0] + shift.get(name, 0.0), pairs[:, 1]
        if name in whiskers:
            ends = whiskers[name]
            ax.plot([x[0]] * 2, ends, color=shade, lw=6, alpha=0.3, solid_capstyle="butt")
        shape, fade = MARKERS[k], 1.0 if len(x) == 1 else 0.6
        ax.plot(x, y, shape, color=shade, alpha=fade, markersize=9, mew=0, label=name)
    if marks:
        at = [found[name][0, 0] + shift.get(name, 0.0) for name in marks]
        ax.plot(
            at,
            list(marks.values()),
            "_",
            color=colour("published"),
            markersize=20,
            mew=3,
            label=mark,
        )
    label(ax, cost, loss, title)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=11, markerscale=0.9)
    said = [f"Across: {cost or 'cost'}. Up: {loss or 'loss'}."]
    for name, pairs in found.items():
        marked = f", {mark} {number(marks[name])}" if name in marks else ""
        said.append(f"{name}: {_says(pairs, whiskers.get(name, ()), marked)}.")
    for name, (x, y) in steps.items():  # a staircase in words: where it goes down
        down = np.flatnonzero(np.diff(y, prepend=np.inf) < 0)
        said.append(f"{name}: {', '.join(f'{number(y[k])} from {number(x[k])}' for k in down)}.")
    describe(ax, " ".join(said))
    return ax


def _says(pairs: FloatArray, ends: Sequence[float], marked: str) -> str:
    """A way in words."""
    x, y = pairs.T
    if len(x) > 1:
        across, up = (f"{number(each.min())} to {number(each.max())}" for each in (x, y))
        return f"{len(x)} points, {across} across, {up} up"
    reach = ", range {} to {}".format(*map(number, ends)) if ends else ""
    return f"{number(y[0])} at {number(x[0])}{reach}{marked}"


def _stairs(pairs: FloatArray, end: float) -> tuple[FloatArray, FloatArray]:
    """The least loss so far, in the order of costs, up to the cost `end`."""
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    least = np.minimum.accumulate(pairs[:, 1])
    return np.r_[pairs[:, 0], end], np.r_[least, least[-1]]


def _apart(costs: Mapping[str, float], step: float) -> dict[str, float]:
    """name -> how far to move it, so that those who cost the same stand side by side."""
    shift = {}
    for name, cost in costs.items():
        same = [other for other, its in costs.items() if its == cost]
        shift[name] = (same.index(name) - (len(same) - 1) / 2) * step
    return shift
