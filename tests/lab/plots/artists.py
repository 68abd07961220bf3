"""What stands in a picture, asked of its artists."""

from collections import Counter
from itertools import combinations

import numpy as np
from matplotlib.text import Text


def kinds(ax):
    """How many artists of each kind were drawn."""
    drawn = [*ax.lines, *ax.patches, *ax.texts, *ax.collections]
    return Counter(str(artist.get_gid()) for artist in drawn)


def nodes(ax, *wanted):
    return [line for line in ax.lines if line.get_gid() in wanted]


def texts(ax, kind):
    """The texts of a kind, each in one line."""
    return [text.get_text().replace("\n", " ") for text in ax.texts if text.get_gid() == kind]


def named(labels):
    return [label.get_text() for label in labels]


def legend(ax):
    """What the legend explains; nothing if there is none."""
    found = ax.get_legend()
    return [] if found is None else named(found.get_texts())


def legible(ax):
    """No text covers another or is cut off."""
    assert overlaps(ax) == []
    assert outside(ax) == []


def overlaps(ax):
    """Pairs of texts whose boxes overlap by more than a hair."""
    ax.get_figure(root=True).draw_without_rendering()
    shown = [text for text in ax.texts if text.get_text()]
    boxes = [Text.get_window_extent(text) for text in shown]
    return [
        (shown[i].get_text(), shown[j].get_text())
        for i, j in combinations(range(len(shown)), 2)
        if min(boxes[i].x1, boxes[j].x1) - max(boxes[i].x0, boxes[j].x0) > 1
        and min(boxes[i].y1, boxes[j].y1) - max(boxes[i].y0, boxes[j].y0) > 1
    ]


def outside(ax):
    """Texts that the page cuts off."""
    ax.get_figure(root=True).draw_without_rendering()
    every = [*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label]
    boxes = [(text.get_text(), text.get_window_extent()) for text in every if text.get_text()]
    low, high = ax.figure.bbox.min - 2, ax.figure.bbox.max + 2
    return [name for name, box in boxes if np.any(box.min < low) or np.any(box.max > high)]
