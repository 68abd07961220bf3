"""What was found, what could have been, and what was published, one row for each question.

Dots are measurements, the band behind them is all that is possible (in pieces, if there are gaps),
and a tall mark is one value to compare with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.style import MARKERS, SHADES, axes, colour, colours, label
from workbench.lab.text import number
from workbench.rules import GameError
from workbench.settings import unknown_name

LANES = 0.6  # of a row: where its kinds stand, one below the other


def plot_ranges(
    values: Mapping[str, Iterable[float]],
    ax: Axes | None = None,
    *,
    bands: Mapping[str, tuple[float, float] | Sequence[tuple[float, float]]] | None = None,
    marks: Mapping[str, float] | None = None,
    kinds: Sequence[str] | None = None,
    dots: str = "ours",
    band: str = "possible",
    mark: str = "published",
    unit: str = "",
    title: str = "",
) -> Axes:
    """Draw {row: values}, with {row: (low, high)} behind them and {row: value} to compare with.

        plot_ranges({"JQ.K": [143, 160]}, bands={"JQ.K": (118, 170)}, marks={"JQ.K": 155})

    A band with gaps is a list of pairs. `kinds` names the values of every row in their order, such
    as ["cfr+", "dcfr"]; each kind has its own marker, and stands a little below the one before it.
    `dots`, `band`, `mark`: what the three are called in the legend.
    """
    pieces = {name: _pieces(ends) for name, ends in (bands or {}).items()}
    marks = marks or {}
    found = {str(name): [float(each) for each in row] for name, row in values.items()}
    rows = {name: k for k, name in enumerate(found)}
    if not rows:
        raise GameError("nothing to draw: give at least one row, {name: values}")
    for name in (*pieces, *marks):
        if name not in rows:
            raise unknown_name("row", name, rows)
    for name, of in found.items():
        if kinds is not None and len(of) != len(kinds):
            raise GameError(f"row {name!r} has {len(of)} values, but there are {len(kinds)} kinds")
    ax = axes(ax, 9.0, 1.5 + 0.36 * len(rows))
    behind = [(rows[name], ends) for name in pieces for ends in pieces[name]]
    for k, (y, ends) in enumerate(behind):
        first = band if k == 0 else None
        ax.plot(ends, [y, y], color=SHADES[3], lw=14, solid_capstyle="butt", label=first)
    names = list(dict.fromkeys(kinds)) if kinds else [dots]
    looks = colours(names) if kinds else [colour("ours")]
    told: dict[str, list[str]] = {name: [] for name in rows}
    look: dict[str, Any]
    lanes = LANES * (np.arange(len(names)) - (len(names) - 1) / 2) / len(names)
    for k, kind in enumerate(names):
        these = {
            n: [v for j, v in enumerate(r) if not kinds or kinds[j] == kind]
            for n, r in found.items()
        }
        at = [rows[name] + lanes[k] for name, row in these.items() for _ in row]
        look = {"color": looks[k], "alpha": 0.7 if kinds else 0.55, "markersize": 8, "mew": 0}
        ax.plot([v for row in these.values() for v in row], at, MARKERS[k], label=kind, **look)
        for name, row in these.items():
            told[name] += [f"{kind} {_reach(row)}"] if row else []
    for name, words in told.items():
        words += [f"{band} {' and '.join(map(_reach, pieces[name]))}"] if name in pieces else []
        words += [f"{mark} {_reach([marks[name]])}"] if name in marks else []
    if marks:
        look = {"color": colour("published"), "markersize": 22, "mew": 3}
        ax.plot(list(marks.values()), [rows[name] for name in marks], "|", label=mark, **look)
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set_ylim(len(rows) - 0.4, -0.6)
    label(ax, unit, "", title, grid="x")
    if pieces or marks or kinds:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), markerscale=0.6)
    rows_told = "; ".join(f"{name}: {', '.join(words)}" for name, words in told.items())
    describe(ax, f"{unit + '. ' if unit else ''}{rows_told}.")
    return ax


def _pieces(ends: Sequence[Any]) -> list[tuple[float, float]]:
    """
    >>> _pieces((1, 2)), _pieces([(1, 2), (4, 5)])
    ([(1, 2)], [(1, 2), (4, 5)])
    """
    return list(ends) if np.ndim(ends) == 2 else [(ends[0], ends[1])]


def _reach(values: Sequence[float]) -> str:
    return " to ".join(number(end, figures=4) for end in sorted({min(values), max(values)}))
