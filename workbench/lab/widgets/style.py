"""What all panels share: labels with room, one look in light and dark, names for tests.

Colours come from JupyterLab's own variables, so a panel follows its theme; figures keep their
white paper. Every control has a class of its own, `wb-start` or `wb-game`, by which a test in a
browser, or a lecturer's style sheet, finds it.

>>> start = button("Start", "start", style="primary")
>>> start.description, start._dom_classes
('Start', ('wb-start',))
>>> choose("Game", ["kuhn", "leduc"], "game", value="leduc").value
'leduc'
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from io import BytesIO
from typing import Any, cast

import ipywidgets as widgets
import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from workbench.lab.widgets.number_field import NumberField

LABEL = "7.5em"
WIDTH = "19em"
DPI = 96  # figures are as wide on the page as they are in inches

CSS = """<style>
.wb-panel {padding: 10px 14px 14px; border: 1px solid var(--jp-border-color2, #bdbdbd);
  border-radius: 6px; max-width: 68em; color: var(--jp-ui-font-color1, #222)}
.wb-still {font-size: 14px; line-height: 1.5}
.wb-panel h3 {margin: 0 0 4px; font-size: 1.15em}
.wb-panel .wb-head {font-weight: 600}
.wb-panel img {background: white; border-radius: 4px; display: block}
.wb-panel table.wb {border-collapse: collapse; font-size: 13px; margin: 4px 0; line-height: 1.5;
  font-variant-numeric: tabular-nums; color: var(--jp-ui-font-color1, #222)}
.wb-panel table.wb caption {text-align: left; min-width: min(24em, 60vw);
  max-width: max(60vw, 100vw - 26em);
  color: var(--jp-ui-font-color2, #555)}
.wb-panel table.wb th, .wb-panel table.wb td {padding: 3px 10px; text-align: right;
  border-bottom: 1px solid var(--jp-border-color2, #ddd); line-height: 1.35}
.wb-panel table.wb th {font-weight: 600; vertical-align: bottom}
.wb-panel table.wb .left {text-align: left}
.wb-panel .wb-results table.wb td.left:nth-child(2) {min-width: 7.5em}
.wb-panel .widget-html, .wb-panel .widget-box {max-width: 100%; min-width: 0}
.wb-panel .widget-inline-hbox {max-width: calc(100% - 4px)}
.wb-panel .widget-html-content {line-height: 1.45; min-width: 0; max-width: 100%}
.wb-panel .wb-said {padding: 5px 9px; margin: 4px 0; border-left: 4px solid; line-height: 1.45;
  white-space: pre-wrap; overflow-wrap: anywhere;
  color: var(--jp-ui-font-color1, #222); background: var(--jp-layout-color2, #eee)}
.wb-panel .wb-said.error {border-color: #D55E00}
.wb-panel .wb-said.note {border-color: #0072B2}
.wb-panel textarea {font-family: var(--jp-code-font-family, monospace); font-size: 13px}
.wb-panel .widget-label, .wb-panel .widget-html-content {font-size: 13px}
.wb-panel .wb-scroll {overflow-x: auto}
.wb-panel .wb-quiet {color: var(--jp-ui-font-color2, #555)}
</style>"""


def tag(widget: Any, name: str) -> Any:
    """The widget, with the class wb-name."""
    return widget.add_class(f"wb-{name}")


def _labelled(options: dict[str, Any], width: str) -> dict[str, Any]:
    label = options.pop("label_width", LABEL)
    return {
        "style": {"description_width": label},
        "layout": widgets.Layout(width=width),
        **options,
    }


def choose(
    label: str, options: Sequence[Any], name: str, *, width: str = WIDTH, **more: Any
) -> Any:
    """A list to choose from."""
    more = _labelled(more, width)
    return tag(widgets.Dropdown(options=options, description=label, **more), name)


def number(
    label: str, value: Any, name: str, *, whole: bool = True, width: str = WIDTH, **more: Any
) -> Any:
    """A number to type; the view checks it, so that nothing typed is silently changed."""
    made = NumberField(value, whole=whole, description=label, **_labelled(more, width))
    return tag(made, name)


def text(label: str, value: str, name: str, *, width: str = WIDTH, **more: Any) -> Any:
    """A line to type."""
    return tag(widgets.Text(value=value, description=label, **_labelled(more, width)), name)


def switch(label: str, value: bool, name: str, *, width: str = WIDTH, **more: Any) -> Any:
    """A box to tick."""
    return tag(widgets.Checkbox(value=value, description=label, **_labelled(more, width)), name)


def button(label: str, name: str, *, style: str = "", tip: str = "", width: str = "8em") -> Any:
    """A button; style: "" or "primary", "success", "danger"."""
    return tag(
        widgets.Button(
            description=label,
            button_style=style,
            tooltip=tip or label,
            layout=widgets.Layout(width=width),
        ),
        name,
    )


def picture(name: str, *, width: float, height: float, alt: str) -> Any:
    """A place for a figure of so many inches, empty at first; `paint` puts one there.

    (ipywidgets' own Image has no alternative text, and breaks when given a tooltip.)
    """
    place = tag(widgets.HTML(layout=widgets.Layout(max_width="100%")), name)
    paint(place, figure(width, height), alt)
    return place


def paint(place: Any, drawn: Figure, alt: str) -> None:
    """Show a figure, from any thread; `alt` says what is seen to those who cannot see it."""
    width, height = (round(inches * DPI) for inches in drawn.get_size_inches())
    data = base64.b64encode(png(drawn)).decode()
    place.value = (  # decoded at once: no flicker between two pictures
        f'<img src="data:image/png;base64,{data}" alt="{escape(alt)}" decoding="sync" '
        f'width="{width}" height="{height}" style="max-width: 100%; height: auto">'
    )


def figure(width: float, height: float) -> Figure:
    """A figure of its own, unknown to pyplot: a thread may draw it.

    Twice as fine as the page, for sharp screens. Its margins are fixed, because to find the best
    ones (`figure.set_layout_engine("constrained")`) takes as long as two drawings.
    """
    made = Figure(figsize=(width, height), dpi=2 * DPI, facecolor="white")
    FigureCanvasAgg(made)
    made.subplots_adjust(
        left=0.75 / width, right=1 - 0.2 / width, bottom=0.55 / height, top=1 - 0.35 / height
    )
    return made


def png(drawn: Figure) -> bytes:
    """The figure as a picture."""
    canvas, out = cast("Any", drawn.canvas), BytesIO()
    canvas.draw()
    pixels = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])
    pixels.save(out, format="png", compress_level=3)
    return out.getvalue()


def message(name: str = "message") -> Any:
    """A place for one message; empty it takes no room. See `say`."""
    return tag(widgets.HTML(layout=widgets.Layout(display="none")), name)


def say(place: Any, words: str, kind: str = "error") -> None:
    """Put one message there, kind "error" or "note"; no words take it away."""
    role = "alert" if kind == "error" else "status"
    place.value = f'<div class="wb-said {kind}" role="{role}">{escape(words)}</div>'
    place.layout.display = "" if words else "none"


def caption(words: str, name: str = "caption") -> Any:
    """A heading inside a panel."""
    return tag(widgets.HTML(f'<div class="wb-head">{escape(words)}</div>'), name)


def table(rows: pd.DataFrame, words: str = "", *, colours: Sequence[str] = ()) -> str:
    """A table as HTML: texts on the left, numbers on the right, `words` as its caption.

    `colours`: those of the figure's lines, shown before the first cell of each row.
    """
    left = ["" if pd.api.types.is_numeric_dtype(rows[name]) else ' class="left"' for name in rows]
    head = [
        f'<th scope="col"{side}>{escape(str(name))}</th>'
        for name, side in zip(rows, left, strict=True)
    ]
    body = []
    for k, line in enumerate(rows.itertuples(index=False)):
        dot = f'<span style="color: {colours[k % len(colours)]}">●</span> ' if colours else ""
        cells = [f"{escape(_cell(value))}</td>" for value in line]
        cells[0] = dot + cells[0]
        body.append("".join(f"<td{side}>{cell}" for cell, side in zip(cells, left, strict=True)))
    return (
        f'<table class="wb">{f"<caption>{escape(words)}</caption>" if words else ""}'
        f"<thead><tr>{''.join(head)}</tr></thead>"
        f"<tbody>{''.join(f'<tr>{cells}</tr>' for cells in body)}</tbody></table>"
    )


def _cell(value: Any) -> str:
    """
    >>> _cell(1234567), _cell(0.00123456), _cell(float("nan")), _cell("x")
    ('1,234,567', '0.00123', '–', 'x')
    """
    if isinstance(value, float):
        return "–" if value != value else f"{value:.3g}"
    whole = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:,}" if whole else str(value)


def row(*parts: Any, gap: str = "4px 12px", align: str = "center") -> Any:
    """Side by side, in a second line where there is no room; align: "center" or "flex-start"."""
    layout = widgets.Layout(flex_flow="row wrap", align_items=align, grid_gap=gap)
    return widgets.HBox(parts, layout=layout)


def framed(html: str) -> str:
    """A panel on a page without widgets."""
    return f'{CSS}<div class="wb-panel wb-still">{html}</div>'


def sheet(title: str, parts: Iterable[Any], name: str) -> Any:
    """A panel: title and parts one below the other."""
    head = widgets.HTML(f"{CSS}<h3>{escape(title)}</h3>")
    return tag(tag(widgets.VBox([head, *parts]), "panel"), name)
