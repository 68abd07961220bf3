"""A figure of a paper, drawn again: means over repeats, in a band of one standard deviation.

The data is what an entry of the ledger keeps for a figure, a table of curve, repeat, x and y:

    plot_curves(reproduce.read_curves("le-2021-figure4.1"))

Names may have two parts, "3/3/2, estimated" and "3/3/2, exact": what stands before the first comma
has one colour and marker, what stands after it one kind of line, and the legend explains the two
apart. Nine curves of three games and three ways are six lines to read.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from workbench.lab.ledger.ledger import check_curves
from workbench.lab.plots.style import COLOURS, DASHES, INK, MARKERS, axes, label


def plot_curves(
    table: pd.DataFrame,
    ax: Axes | None = None,
    *,
    title: str = "",
    log_y: bool = False,
) -> Axes:
    """One line per curve, explained on the right, from the one that ends highest down."""
    check_curves(table)
    x, y = table.columns[2:]
    ax = axes(ax, 9.5, 4.6)
    names = {str(name): _parts(name) for name in table.curve.unique()}  # name -> head and tail
    heads, tails = (list(dict.fromkeys(parts)) for parts in zip(*names.values(), strict=True))
    by_way = len(heads) < len(names)  # some part before the comma comes back
    counts = table.groupby("curve", sort=False).repeat.nunique()
    for k, (name, (head, tail)) in enumerate(names.items()):
        lines = table[table.curve == name]
        repeats = lines.pivot(index=x, columns="repeat", values=y)  # (points, repeats)
        mean, deviation = repeats.mean(axis=1), repeats.std(axis=1, ddof=1).fillna(0.0)
        place = heads.index(head)
        several = counts.nunique() > 1 and counts[name] > 1
        ax.plot(
            mean.index, mean, **_style(place), zorder=3,
            linestyle=DASHES[tails.index(tail) if by_way else place],
            markevery=(k % 3, max(1, len(mean) // 6)) if len(mean) > 12 else 1,
            label=f"{name} (mean of {counts[name]})" if several else name,
        )  # fmt: skip
        if counts[name] > 1:
            low, high = mean - deviation, mean + deviation
            ax.fill_between(mean.index, low, high, color=COLOURS[place], alpha=0.18, linewidth=0)
    if float(table[x].max()) >= 1000:
        ax.xaxis.set_major_formatter("{x:,.0f}")
    if log_y:
        ax.set_yscale("log")
        ax.yaxis.set_major_formatter("{x:g}")  # 0.1, not 10⁻¹
        ax.yaxis.set_minor_formatter(lambda x, _: f"{x:g}" if f"{x:e}"[0] in "25" else "")
    elif float(table[y].abs().max()) >= 1000:
        ax.yaxis.set_major_formatter("{x:,.0f}")
    title = title or "Mean and one standard deviation over repeats"
    label(ax, str(x).capitalize(), str(y).capitalize(), title, ticks="medium")
    count = int(counts.iloc[0])
    two = _two_lists(ax, heads, tails) if by_way else None
    ax.legend(
        handles=two or sorted(ax.lines, key=_end, reverse=True),
        title=f"mean of {count} repeats, ± 1 sd" if counts.nunique() == 1 and count > 1 else None,
        title_fontsize=10, fontsize=11, handlelength=3.2, frameon=False, loc="upper left",
        bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0,
    )  # fmt: skip
    return ax


def _parts(name: Any) -> tuple[str, str]:
    """What stands before the first comma, and what after it."""
    head, _, tail = str(name).partition(", ")
    return head, tail


def _end(line: Line2D) -> float:
    return float(list(line.get_ydata())[-1])  # type: ignore[arg-type]


def _two_lists(ax: Axes, heads: list[str], tails: list[str]) -> list[Line2D]:
    """Colours and markers for what stands before the comma, dashes for what stands after it."""
    ends = [(_parts(line.get_label())[0], _end(line)) for line in ax.lines]
    falling = sorted(heads, key=lambda head: -max(end for name, end in ends if name == head))
    named = [(k, way) for k, way in enumerate(tails) if way]
    return [
        *(Line2D([], [], **_style(heads.index(head)), label=head) for head in falling),
        Line2D([], [], linestyle="", label=""),
        *(Line2D([], [], color=INK, ls=DASHES[k], lw=2, label=way) for k, way in named),
    ]


def _style(place: int) -> dict[str, Any]:
    return {
        "color": COLOURS[place], "marker": MARKERS[place], "markersize": 7, "linewidth": 2,
        "markeredgecolor": "white", "markeredgewidth": 0.7,
    }  # fmt: skip
