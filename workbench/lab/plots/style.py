"""What all figures share: colours everybody can tell apart, also printed in grey.

The first seven colours are those of Okabe and Ito, made for colour-blind readers, ordered so that
neighbours also differ in brightness. Nothing depends on colour alone: every line has its own
marker and dash, every player her own shape and number. There are 12 colours, 13 markers and 11
dashes: numbers without a common divisor, so the first 1,716 lines all look different.

A concept has one colour in the whole course, by name: `colour("cfr+")`. `concepts.toml` lists both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from workbench.rules import GameError
from workbench.settings import unknown_name
from workbench.tree import FloatArray


class Looks(tuple[Any, ...]):
    """What things are drawn in, by number; after the last comes the first again."""

    def __getitem__(self, k: Any) -> Any:
        return super().__getitem__(k % len(self))


_LISTED = tomllib.loads(Path(__file__).with_name("concepts.toml").read_text(encoding="utf-8"))
_NAMED: dict[str, str] = _LISTED.pop("colours")

INK = "#222222"
GREY = "#767676"
COLOURS, SHADES = Looks(_NAMED.values()), Looks(_LISTED.pop("shades"))
BLUE, VERMILION, GREEN, PINK, SKY, ORANGE, BLACK, PURPLE, BROWN, WINE, FOREST, LEAF = COLOURS
MARKERS = Looks(["o", "s", "^", "D", "v", "P", "X", "*", "p", "<", ">", "d", "h"])
SIGNS = Looks("●■▲◆▼✚✖★⬟◀▶♦⬢")  # the same, in a text
SHAPES = Looks(["o", "s", "p", "h", "8", "^", "v"])  # of players, with their number inside
DASHES = Looks([
    "-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (3, 3)),
    (0, (8, 1, 3, 1)), (0, (1, 3)), (0, (12, 3)), (0, (5, 2, 5, 2, 1, 2)),
])  # fmt: skip

CONCEPTS: dict[str, str] = {
    concept: _NAMED[named] for group in _LISTED.values() for concept, named in group.items()
}


def colour(concept: str) -> str:
    """The colour of a solver, a player or another concept of the course, as #rrggbb.

    >>> colour("cfr+"), colour("player 1")
    ('#D55E00', '#0072B2')
    >>> colour("static expert")
    Traceback (most recent call last):
    workbench.rules.GameError: there is no concept 'static expert'; did you mean ...
    """
    if concept not in CONCEPTS:
        raise unknown_name("concept", concept, CONCEPTS)
    return CONCEPTS[concept]


def colours(names: Sequence[str | None]) -> list[str]:
    """The colours of these concepts; by number if one is none, or if two would look the same.

    >>> colours(["cfr", "dcfr"]) == [BLUE, GREEN]
    True
    >>> colours(["dcfr", "mine"]) == [BLUE, VERMILION]
    True
    """
    found = [CONCEPTS[name] for name in names if name in CONCEPTS]
    if len(found) == len(set(found)) == len(names):
        return found
    return [COLOURS[k] for k in range(len(names))]


class Look(NamedTuple):
    """How a line is drawn: a colour, and the number of its marker and dash."""

    colour: str
    number: int


SOLVERS = {name: Look(CONCEPTS[name], k) for k, name in enumerate(_LISTED["solvers"])}


def steady(names: Sequence[str | None]) -> list[Look]:
    """A look for each of a list that grows. The first line of a solver always has that solver's;
    others take a colour that is free, and markers that no solver has.

    >>> steady(["cfr+", "cfr+", "dcfr"]) == [SOLVERS["cfr+"], Look(PURPLE, 12), SOLVERS["dcfr"]]
    True
    """
    found: list[Look] = []
    others: list[Look] = []
    spare = (PURPLE, ORANGE, BLACK, BROWN, PINK, GREEN, SKY, BLUE, VERMILION)
    for name in names:
        own = SOLVERS.get(name or "")
        if own is None or own in found:
            taken, number = {look.colour for look in found}, len(SOLVERS) + len(others)
            free = [colour for colour in spare if colour not in taken]
            others.append(own := Look(free[0] if free else spare[number % len(spare)], number))
        found.append(own)
    return found


def axes(ax: Axes | None, width: float, height: float) -> Axes:
    """The Axes to draw into: the one given, or that of a new figure of this size in inches."""
    if ax is None:
        return plt.subplots(figsize=(width, height), layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise GameError(f"ax must be one matplotlib Axes, not {type(ax).__name__}")
    return ax


def label(ax: Axes, x: str, y: str, title: str, *, grid: Any = "both", ticks: Any = 11) -> None:
    """Names, grid and letters large enough for the last row of a lecture hall."""
    ax.set_xlabel(x, fontsize=12)
    ax.set_ylabel(y, fontsize=12)
    ax.set_title(title, fontsize=13)
    ax.tick_params(labelsize=ticks)
    ax.grid(axis=grid, color="#d0d0d0", linewidth=0.7)
    ax.set_axisbelow(True)


def behind(pad: float) -> dict[str, Any]:
    """The `bbox` of a text that covers the lines behind it."""
    return {"facecolor": "white", "edgecolor": "none", "pad": pad}


def with_unit(what: str, unit: str) -> str:
    """
    >>> with_unit("Regret", "chips"), with_unit("Regret", "")
    ('Regret (chips)', 'Regret')
    """
    return f"{what} ({unit})" if unit else what


def points_of(ax: Axes, *, fresh: bool) -> FloatArray:
    """Width and height in points; a fresh figure is laid out first, since only then it has them."""
    figure = ax.figure
    if fresh and isinstance(figure, Figure):
        lay_out(figure)
    box = ax.get_window_extent()
    return np.array([box.width, box.height]) * 72 / figure.dpi


def lay_out(figure: Figure) -> None:
    """Move everything to its place, without a drawing that nobody sees."""
    if (engine := figure.get_layout_engine()) is not None:
        engine.execute(figure)
    for ax in figure.axes:
        ax.apply_aspect()


def fraction(value: float) -> str:
    """A probability as people write it.

    >>> fraction(1 / 3), fraction(0.25), fraction(0.123456), fraction(1.0)
    ('1/3', '1/4', '0.12', '1')
    """
    near = Fraction(value).limit_denominator(60)
    return str(near) if abs(near - value) < 1e-9 else f"{value:.2f}"


def marks(x: FloatArray, k: int) -> list[int]:
    """Which points of line k get a marker: about nine, evenly spread on a logarithmic axis.

    Each line starts a little later than the one before, so that markers rarely meet.
    """
    if len(x) <= 12:
        return list(range(len(x)))
    logs = np.log(x)
    wanted = logs[0] + (logs[-1] - logs[0]) * (np.arange(9) + 0.2 * (k % 5)) / 9
    return sorted({int(np.abs(logs - at).argmin()) for at in wanted})
