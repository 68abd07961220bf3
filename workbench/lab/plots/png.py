"""A figure as a small file: what goes into web pages and saved notebooks.

A drawing has few colours, so a PNG with a palette does: about a third of the usual one, and half
of an SVG with its letters as outlines. The description goes along.

    >>> from matplotlib.figure import Figure
    >>> fig = Figure(figsize=(4, 2))
    >>> line = fig.subplots().plot([1, 2], [3, 4], label="up")
    >>> shot = picture(fig)
    >>> shot.words, len(shot.data) < 20_000
    ('up: from 3 at 1 to 4 at 2.', True)
"""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.lab.html import Html
from workbench.lab.plots.alt_text import describe

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 96  # dots per inch on the page
FINE = 1.5  # dots of the file for each dot of the page: sharp on most screens


@dataclass(frozen=True)
class Picture:
    """A picture in a file's bytes, and what is seen on it."""

    kind: str  # image/png
    data: bytes
    words: str
    size: tuple[int, ...] = ()  # width and height on the page, in dots, if they are known

    @property
    def html(self) -> Html:
        """An `img` that needs no other file."""
        wide = Html(' width="{0}" height="{1}" style="--wide: {0}"' if self.size else "")
        size = wide.format(*map(str, self.size))
        return Html('<img alt="{}"{} src="{}">').format(self.words, size, self.source)

    @property
    def source(self) -> str:
        """The bytes as an address."""
        return f"data:{self.kind};base64,{base64.b64encode(self.data).decode('ascii')}"


def picture(drawn: Figure | Axes) -> Picture:
    """The figure as a PNG, with its description."""
    from PIL import Image

    figure = drawn.get_figure(root=True) if hasattr(drawn, "get_xlabel") else drawn
    assert figure is not None
    file, small = io.BytesIO(), io.BytesIO()
    tight = "tight" if figure.get_layout_engine() is None else None  # laid out: nothing sticks out
    figure.savefig(
        file, format="png", dpi=FINE * DPI, bbox_inches=tight, facecolor="white",
        pil_kwargs={"compress_level": 0},  # it is about to be packed better
    )  # fmt: skip
    with Image.open(file) as image:
        few = image.convert("RGB").quantize(128, dither=Image.Dither.NONE)
    few.save(small, format="png", optimize=True)
    width, height = (round(dots / FINE) for dots in few.size)
    return Picture("image/png", small.getvalue(), describe(figure), (width, height))
