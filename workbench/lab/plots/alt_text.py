"""What a picture shows, in words: for those who cannot see it, or not now.

`describe(ax)` reads it off the picture: titles, axes, and where each curve begins and ends.

    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> line = ax.plot([1, 10, 100], [2.0, 0.5, 0.1], label="cfr")
    >>> ax.set(title="Leduc", xlabel="Iterations", ylabel="Exploitability", xscale="log")
    [...]
    >>> describe(fig)
    'Leduc. Across: Iterations, logarithmic. Up: Exploitability. cfr: from 2 at 1 to 0.1 at 100.'

Better words than these go with the picture wherever it goes: `describe(ax, "Three curves that
meet.")` for what one panel shows, `describe(fig, …)` for all of it. In a notebook every figure
takes its description along, as the `alt` of its output; reports and nbconvert's pages use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from workbench.lab.text import number
from workbench.rules import GameError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POWER = re.compile(r"to the power|\de[-−+]?\d")  # letters of numbers
MOST = 10  # curves, bars or notes that are named one by one
PART = r"(\{[^{}]*\}|\\[A-Za-z]+|[^\s{}\\])"  # of a formula: {…}, a command, or one sign
STEPS = [  # from the inside out, until nothing changes
    (r"\\(?:mathdefault|mathregular|math\w\w|text|left|right)\b", ""),
    (rf"\\frac\s*{PART}\s*{PART}", r"{\1 / \2}"),
    (rf"\\sqrt\s*{PART}", r"{square root of \1}"),
    (rf"\\(bar|hat|tilde|dot|vec)\s*{PART}", r"{\2 \1}"),
    (r"\^\{?([*+†])\}?", r"\1"),
    (rf"\s*\^\s*{PART}", r" to the power \1"),
    (rf"\s*_\s*{PART}", r"\1"),
    (r"\{([^{}\\^_]*)\}", r"\1"),
]
SIGNS = {
    "times": "×", "cdot": "·", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠",
    "pm": "±", "approx": "≈", "to": "→", "rightarrow": "→", "infty": "infinity", "quad": " ",
}  # fmt: skip

_words: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


def describe(picture: Figure | Axes, words: str | None = None) -> str:
    """The description of a figure or of one panel; `words` sets it.

    Words of a panel replace what would be read off its curves; its title is kept.
    """
    if words is not None:
        if not (isinstance(words, str) and words.strip()):
            raise GameError(f"a description is a text that says what is seen, not {words!r}")
        _words[picture] = " ".join(words.split())
    if hasattr(picture, "get_xlabel"):
        return _panel(picture)  # type: ignore[arg-type]
    if picture in _words:
        return _words[picture]
    panels = [ax for ax in picture.axes if ax.get_visible() and ax.get_label() != "<colorbar>"]
    said = [_sentence(plain(above))] if (above := picture.get_suptitle()) else []
    told = [_panel(ax) for ax in panels]
    if len(panels) > 1:
        told = [f"{len(told)} panels.", *(f"Panel {k}: {one}" for k, one in enumerate(told, 1))]
    return " ".join([*said, *(told or ["An empty picture."])])


# ---- reading a panel ------------------------------------------------------------------


def _panel(ax: Axes) -> str:
    said = [_sentence(plain(ax.get_title()))] if ax.get_title() else []
    if ax in _words:
        return " ".join([*said, _words[ax]])
    for way, label, scale in (
        ("Across", ax.get_xlabel(), ax.get_xscale()),
        ("Up", ax.get_ylabel(), ax.get_yscale()),
    ):
        if label:
            log = ", logarithmic" if scale == "log" else ""
            said.append(_sentence(f"{way}: {plain(label)}{log}"))
    found = [*_bars(ax), *_lines(ax), *_clouds(ax), *_grids(ax)]
    said += [_sentence(each) for each in found[:MOST]]
    if len(found) > MOST:
        said.append(f"And {len(found) - MOST} more.")
    texts = [text for text in ax.texts if text.get_gid() != "curve"]  # names that were said
    notes = [plain(text.get_text()) for text in texts if len(text.get_text().strip()) > 3]
    if notes and len(notes) <= MOST:
        said.append(_sentence("Written in the picture: " + "; ".join(notes)))
    return " ".join(said) or "A drawing without words."


def _lines(ax: Axes) -> Iterable[str]:
    for line in ax.lines:
        name, points = plain(str(line.get_label())), _finite(line.get_xydata())
        if not points or (name.startswith("_") and len(ax.lines) > 1):
            continue
        name = "A line" if name.startswith("_") else name
        if len(points) == 2 and len({x for x, _ in points}) == 1:
            yield f"{name}: upright at {number(points[0][0])}"
        elif len(points) == 2 and len({y for _, y in points}) == 1 and points[0][0] != points[1][0]:
            yield f"{name}: level at {number(points[0][1])}"
        elif line.get_linestyle() in ("None", "", " "):
            yield f"{name}: {_marks(ax, points)}"
        else:
            yield f"{name}: {_course(points)}"


def _course(points: list[tuple[float, float]]) -> str:
    """Where a curve begins and ends, and how far it goes between."""
    (x, y), (u, v) = points[0], points[-1]
    said = f"from {number(y)} at {number(x)} to {number(v)} at {number(u)}"
    for far, ends, way in ((min, min(y, v), "down"), (max, max(y, v), "up")):
        at, most = far(points, key=lambda point: point[1])
        if abs(most - ends) > 0.03 * abs(ends):
            said += f", {way} to {number(most)} at {number(at)} between"
    return said


def _finite(points: Any) -> list[tuple[float, float]]:
    pairs = np.ma.filled(np.ma.asarray(points, float), np.nan).tolist()
    return [(x, y) for x, y in pairs if x == x and y == y]  # not nan


def _marks(ax: Axes, points: list[tuple[float, float]]) -> str:
    """Points one by one where rows or columns have names, else how far they reach."""
    for axis, at, value in ((ax.yaxis, 1, 0), (ax.xaxis, 0, 1)):
        names = _tick_names(axis)
        if names and len(points) <= MOST and all(point[at] in names for point in points):
            return ", ".join(f"{names[point[at]]} {number(point[value])}" for point in points)
    if len(points) == 1:
        return f"{number(points[0][1])} at {number(points[0][0])}"
    xs, ys = zip(*points, strict=True)
    return (
        f"{len(points)} points between {number(min(xs))} and {number(max(xs))} across, "
        f"{number(min(ys))} and {number(max(ys))} up"
    )


def _bars(ax: Axes) -> Iterable[str]:
    for bars in ax.containers:
        if not (patches := list(getattr(bars, "patches", []))):
            continue
        upright = getattr(bars, "orientation", "vertical") == "vertical"
        names = _tick_names(ax.xaxis if upright else ax.yaxis)
        said = []
        for bar in patches[:MOST]:
            across = (bar.get_x() + bar.get_width() / 2, bar.get_height())
            at, value = across if upright else (bar.get_y() + bar.get_height() / 2, bar.get_width())
            said.append(f"{names.get(round(at, 6), number(at))} {number(value)}")
        label = plain(str(bars.get_label()))
        more = f" and {len(patches) - MOST} more" if len(patches) > MOST else ""
        yield f"{'Bars' if label.startswith('_') else label}: {', '.join(said)}{more}"


def _clouds(ax: Axes) -> Iterable[str]:
    from matplotlib.collections import PathCollection

    for cloud in ax.collections:
        label = plain(str(cloud.get_label()))
        if isinstance(cloud, PathCollection) and not label.startswith("_"):
            points = _finite(cloud.get_offsets())
            yield f"{label}: {_marks(ax, points)}" if points else label


def _grids(ax: Axes) -> Iterable[str]:
    for image in ax.images:
        values = image.get_array()
        if values is not None and values.ndim == 2:
            rows, columns = values.shape
            low, high = number(float(values.min())), number(float(values.max()))
            yield f"A map of {rows} by {columns} cells, from {low} to {high}"


def _tick_names(axis: Any) -> dict[float, str]:
    """{place: name} if the ticks have names and not numbers."""
    names = {
        round(float(place), 6): plain(label.get_text()).replace("\n", " ")
        for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False)
    }
    words = [name for name in names.values() if re.search(r"[^\W\d_]", POWER.sub("", name))]
    return names if words else {}


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "?", "!")) else f"{text}."


# ---- formulas -------------------------------------------------------------------------


def plain(text: str) -> str:
    r"""The text with its formulas as a voice would read them: `$b_1 + b_2$` is "b1 + b2".

    >>> plain(r"$b_1 + b_2$ in the game"), plain(r"$\mathdefault{10^{-3}}$"), plain("5 $")
    ('b1 + b2 in the game', '10 to the power -3', '5 $')
    >>> plain(r"$\bar{\sigma}^T \leq \frac{1}{\sqrt{T}}$"), plain(r"$\sigma^*$")
    ('sigma bar to the power T ≤ 1 / square root of T', 'sigma*')
    """
    parts = re.split(r"(?<!\\)\$", text)
    if len(parts) % 2 == 0 or len(parts) == 1:  # dollars that enclose nothing, as for matplotlib
        return text
    parts[1::2] = map(_formula, parts[1::2])
    return "".join(parts).replace(r"\$", "$")


def _formula(text: str) -> str:
    text = re.sub(r"\\[,;:! ]|~", " ", text)
    before = ""
    while before != text:
        before = text
        for found, said in STEPS:
            text = re.sub(found, said, text)
    text = re.sub(r"\\([A-Za-z]+)", lambda name: SIGNS.get(name[1], name[1]), text)
    return " ".join(re.sub(r"[{}\\]", "", text).split())
