"""What does more memory buy? Points of (cost, loss), one shape for each way of spending.

Further left is cheaper, further down is better; a *staircase* follows the best that one can have
for at most so much.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.style import DASHES, MARKERS, axes, colours, label
from workbench.lab.text import number
from workbench.rules import GameError
from workbench.settings import unknown_name
from workbench.tree import FloatArray


def plot_tradeoff(
    points: Mapping[str, Iterable[tuple[float, float]]],
    ax: Axes | None = None,
    *,
    stairs: Mapping[str, Sequence[str]] | None = None,
    cost: str = "",
    loss: str = "",
    title: str = "",
) -> Axes:
    """Draw {way: [(cost, loss), …]}.

        plot_tradeoff({"base": [(180, 143)], "static experts": [(410, 25)]}, loss="milli-antes")

    `stairs`: {label: ways}, a line for the least loss among these ways at every cost, in the colour
    of the first.
    """
    stairs = stairs or {}
    found = {name: np.array([*pairs], float).reshape(-1, 2) for name, pairs in points.items()}
    found = {name: pairs for name, pairs in found.items() if len(pairs)}
    if not found:
        raise GameError("nothing to draw: give at least one way, {name: [(cost, loss)]}")
    for name in (name for ways in stairs.values() for name in ways):
        if name not in found:
            raise unknown_name("way", name, found)
    ax = axes(ax, 9.0, 5.0)
    most = max(pairs[:, 0].max() for pairs in found.values())
    look = dict(zip(found, colours(list(found)), strict=True))
    steps = {
        name: _stairs(np.concatenate([found[way] for way in ways]), most)
        for name, ways in stairs.items()
    }
    for k, (name, (x, y)) in enumerate(steps.items()):
        shade = look[stairs[name][0]]
        ax.step(x, y, where="post", color=shade, linestyle=DASHES[k], lw=2.5, label=name)
    for k, (name, pairs) in enumerate(found.items()):
        fade = 1.0 if len(pairs) == 1 else 0.6
        ax.plot(*pairs.T, MARKERS[k], color=look[name], alpha=fade, markersize=9, mew=0, label=name)
    label(ax, cost, loss, title)
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=11, markerscale=0.9)
    said = [f"Across: {cost or 'cost'}. Up: {loss or 'loss'}."]
    said += [f"{name}: {_says(pairs)}." for name, pairs in found.items()]
    for name, (x, y) in steps.items():  # a staircase in words: where it goes down
        down = np.flatnonzero(np.diff(y, prepend=np.inf) < 0)
        said.append(f"{name}: {', '.join(f'{number(y[k])} from {number(x[k])}' for k in down)}.")
    describe(ax, " ".join(said))
    return ax


def _says(pairs: FloatArray) -> str:
    """A way in words."""
    x, y = pairs.T
    if len(x) > 1:
        across, up = (f"{number(each.min())} to {number(each.max())}" for each in (x, y))
        return f"{len(x)} points, {across} across, {up} up"
    return f"{number(y[0])} at {number(x[0])}"


def _stairs(pairs: FloatArray, end: float) -> tuple[FloatArray, FloatArray]:
    """The least loss so far, in the order of costs, up to the cost `end`."""
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    least = np.minimum.accumulate(pairs[:, 1])
    return np.r_[pairs[:, 0], end], np.r_[least, least[-1]]
