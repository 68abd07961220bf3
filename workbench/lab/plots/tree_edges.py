"""The edges of a drawn game tree: as wide as they are likely, with as much text as fits.

All edges into one level are labelled the same way, the fullest way that fits between
neighbours: "p .80" in one line, in two lines, "p" alone, or "scissors" turned upright, in
letters as large as fit. After a name that ends in a digit the number stands in brackets,
"1 (1/3)": "1 1/3" would be one and a third.

Where an abstraction has merged actions, several edges of one history have one name, and each
carries its share of the probability: "land 1/2" and "land 1/2".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from workbench.lab.plots.style import COLOURS, INK, behind, fraction
from workbench.lab.plots.tree_layout import Layout
from workbench.tree import CHANCE, GameTree

Odds = Callable[[int], float | None]  # how likely the move into a history is; None: not shown
NEVER = 0.005  # what is rounded to 0.00
PLAIN = "#555555"


def text_width(text: str, size: float) -> float:
    """Points that a text of this font size needs, nearly (its longest line)."""
    lines = text.split("\n")
    return size * max(sum(0.33 if c in " .,:;'|ijl" else 0.65 for c in line) for line in lines)


def draw_edges(ax: Axes, tree: GameTree, layout: Layout, odds: Odds, fixed: set[int]) -> None:
    x, y = layout.x, layout.y
    lines, widths, colours, dashes = [], [], [], []
    for h in layout.histories[1:]:
        above = int(tree.parent[h])
        likely = odds(h) if tree.player[above] != CHANCE else None
        lines.append([(x[above], y[above]), (x[h], y[h])])
        widths.append(1.1 if likely is None else 0.8 + 3.4 * likely)
        player = int(tree.player[above])
        plain = likely is None or above in fixed
        colours.append(PLAIN if plain else COLOURS[player])
        dashes.append("-" if likely is None or likely >= NEVER else ":")
    edges = LineCollection(lines, linewidths=widths, colors=colours, linestyles=dashes, zorder=1)
    edges.set_gid("edges")
    ax.add_collection(edges, autolim=False)


def draw_labels(
    ax: Axes, tree: GameTree, layout: Layout, odds: Odds, *, pitch: float, sizes: Sequence[float]
) -> None:
    """pitch: points between neighbouring leaves; sizes: of the font, the best first."""
    y = layout.y
    for level, height in zip(layout.levels(), layout.heights, strict=True):
        above = [int(tree.parent[h]) for h in level]
        labels, share, rotation, size = _fullest(tree, layout, level, height, odds, pitch, sizes)
        for h, parent, label in zip(level, above, labels, strict=True):
            ax.text(
                _between(layout, parent, h, share), y[parent] + share * (y[h] - y[parent]), label,
                rotation=rotation, ha="center", va="center", fontsize=size, color=INK,
                linespacing=1.0, bbox=behind(0.6), zorder=4, gid="move",
            )  # fmt: skip


def _between(layout: Layout, parent: int, child: int, share: float) -> float:
    return layout.x[parent] + share * (layout.x[child] - layout.x[parent])


def _fullest(
    tree: GameTree, layout: Layout, level: list[int], height: float, odds: Odds, pitch: float,
    sizes: Sequence[float],
) -> tuple[list[str], float, int, float]:  # fmt: skip
    """Labels, where they stand on their edges, how they are turned, and how large they are."""
    names = ["" if tree.edge_label(h) == "?" else tree.edge_label(h) for h in level]
    numbers = [_number(tree, h, odds(h)) for h in level]
    forms = [(names, 0), (names, 90)]
    if any(numbers):
        if any(map(str.isdigit, "".join(names))):  # "10♠ 1" reads like a card
            numbers = [f"({number})" if number else "" for number in numbers]
        pairs = [list(filter(None, pair)) for pair in zip(names, numbers, strict=True)]
        forms = [([" ".join(p) for p in pairs], 0), (["\n".join(p) for p in pairs], 0), *forms]
    shares = [(0.5 / height, 0.62 / height), (0.68, 0.74)]  # above the curves; further down
    places = [p for group in shares for p in product(sizes, group)]
    if height == 1.0:
        places = list(product(sizes, (*shares[0], *shares[1])))
    for labels, rotation in forms:
        least = 9.0 if any(" " in label and label not in names for label in labels) else 0.0
        for size, share in places:
            if size < least:  # two lines of large letters are better than one of small ones
                continue
            at = [_between(layout, int(tree.parent[h]), h, share) for h in level]
            widths = [size if rotation else text_width(label, size) for label in labels]
            room = pitch * np.diff(at) - (np.array(widths[1:]) + np.array(widths[:-1])) / 2
            if not len(room) or room.min() >= max(3.0, 0.35 * size):
                return labels, share, rotation, size
    return names, 0.68, 90, sizes[-1]


def _number(tree: GameTree, history: int, likely: float | None) -> str:
    if likely is None:
        share = float(tree.chance[history])
        return fraction(share) if share < 1 else ""
    if tree.player[tree.parent[history]] == CHANCE:
        return fraction(likely)
    return f"{likely:.0f}" if not NEVER <= likely < 1 - NEVER else f"{likely:.2f}"[1:]
