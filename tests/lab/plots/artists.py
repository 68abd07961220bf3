"""What stands in a picture, asked of its artists."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text


def kinds(ax: Axes) -> Counter[str]:
    """How many artists of each kind were drawn."""
    drawn = [*ax.lines, *ax.patches, *ax.texts, *ax.collections]
    return Counter(str(artist.get_gid()) for artist in drawn)


def of_kind(ax: Axes, kind: str) -> list[Text]:
    return [text for text in ax.texts if text.get_gid() == kind]


def nodes(ax: Axes, *wanted: str) -> list[Line2D]:
    return [line for line in ax.lines if line.get_gid() in wanted]


def texts(ax: Axes, kind: str) -> list[str]:
    return [text.get_text() for text in of_kind(ax, kind)]


def overlaps(ax: Axes) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes overlap by more than a hair."""
    figure = ax.figure
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    shown = [text for text in ax.texts if text.get_text()]
    boxes = [Text.get_window_extent(text) for text in shown]
    return [
        (shown[i].get_text(), shown[j].get_text())
        for i, j in combinations(range(len(shown)), 2)
        if min(boxes[i].x1, boxes[j].x1) - max(boxes[i].x0, boxes[j].x0) > 1
        and min(boxes[i].y1, boxes[j].y1) - max(boxes[i].y0, boxes[j].y0) > 1
    ]


def outside(ax: Axes) -> list[str]:
    """Texts that the page cuts off."""
    figure = ax.figure
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    every = [*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label]
    boxes = [(text.get_text(), text.get_window_extent()) for text in every if text.get_text()]
    page = figure.bbox
    return [
        name
        for name, box in boxes
        if np.any(box.min < page.min - 2) or np.any(box.max > page.max + 2)
    ]
