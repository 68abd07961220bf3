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

from collections.abc import Iterable, Sequence
from html import escape
from io import BytesIO
from typing import Any

import ipywidgets as widgets
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

__all__ = [
    "button", "caption", "choose", "figure", "message", "number", "picture", "png", "row",
    "say", "sheet", "switch", "table", "tag", "text",
]  # fmt: skip

LABEL = "9.5em"
WIDTH = "22em"
DPI = 96  # figures are as wide on the page as they are in inches

CSS = """<style>
.wb-panel {padding: 10px 14px 14px; border: 1px solid var(--jp-border-color2, #bdbdbd);
  border-radius: 6px; max-width: 68em; color: var(--jp-ui-font-color1, #222)}
.wb-panel h3 {margin: 0 0 4px; font-size: 1.15em}
.wb-panel .wb-head {font-weight: 600; margin: 6px 0 0}
.wb-panel img {background: white; border-radius: 4px; object-fit: contain}
.wb-panel table.wb {border-collapse: collapse; font-size: 13px; margin: 4px 0;
  font-variant-numeric: tabular-nums; color: var(--jp-ui-font-color1, #222)}
.wb-panel table.wb caption {text-align: left; color: var(--jp-ui-font-color2, #555)}
.wb-panel table.wb th, .wb-panel table.wb td {padding: 3px 10px; text-align: right;
  border-bottom: 1px solid var(--jp-border-color2, #ddd); white-space: nowrap}
.wb-panel table.wb th {font-weight: 600}
.wb-panel table.wb .left {text-align: left}
.wb-panel .wb-said {padding: 5px 9px; margin: 4px 0; border-left: 4px solid; line-height: 1.45;
  white-space: pre-wrap; overflow-wrap: anywhere;
  color: var(--jp-ui-font-color1, #222); background: var(--jp-layout-color2, #eee)}
.wb-panel .wb-said.error {border-color: #D55E00}
.wb-panel .wb-said.note {border-color: #0072B2}
.wb-panel textarea {font-family: var(--jp-code-font-family, monospace); font-size: 13px}
.wb-panel .widget-label, .wb-panel .widget-html-content {font-size: 13px}
.wb-panel .wb-quiet {color: var(--jp-ui-font-color2, #555)}
</style>"""


def tag(widget: Any, name: str) -> Any:
    """The widget, with the class wb-name."""
    return widget.add_class(f"wb-{name}")


def _labelled(options: dict[str, Any], width: str) -> dict[str, Any]:
    return {
        "style": {"description_width": LABEL},
        "layout": widgets.Layout(width=width),
        **options,
    }


def choose(
    label: str, options: Sequence[Any], name: str, *, width: str = WIDTH, **more: Any
) -> Any:
    """A list to choose from."""
    more = _labelled(more, width)
    return tag(widgets.Dropdown(options=options, description=label, **more), name)


def number(label: str, value: int | float, name: str, *, width: str = WIDTH, **more: Any) -> Any:
    """A number to type; the view checks it, so that nothing typed is silently changed."""
    kind = widgets.IntText if isinstance(value, int) else widgets.FloatText
    return tag(kind(value=value, description=label, **_labelled(more, width)), name)


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


def picture(alt: str, name: str, *, width: float, height: float) -> Any:
    """A place for PNG bytes, as large as a figure of so many inches; `alt` says what is seen.

    The browser gives `tooltip` to those who cannot see the picture: change it with `value`.
    """
    layout = widgets.Layout(width=f"{width * DPI:.0f}px", max_width="100%", object_fit="contain")
    place = widgets.Image(format="png", value=png(figure(width, height)), layout=layout)
    place.tooltip = alt
    return tag(place, name)


def figure(width: float, height: float) -> Figure:
    """A figure of its own, unknown to pyplot: a thread may draw it."""
    made = Figure(figsize=(width, height), dpi=DPI, layout="constrained", facecolor="white")
    FigureCanvasAgg(made)
    return made


def png(drawn: Figure) -> bytes:
    """The figure as a picture, twice as fine as the page for sharp screens."""
    out = BytesIO()
    drawn.savefig(out, format="png", dpi=2 * DPI)
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


def table(rows: pd.DataFrame, words: str = "") -> str:
    """A table as HTML: texts on the left, numbers on the right, `words` as its caption."""
    left = ["" if pd.api.types.is_numeric_dtype(rows[c]) else ' class="left"' for c in rows]
    head = "".join(
        f'<th scope="col"{k}>{escape(str(c))}</th>' for c, k in zip(rows, left, strict=True)
    )
    body = "".join(
        "<tr>" + "".join(f"<td{k}>{escape(_cell(v))}</td>" for v, k in zip(line, left, strict=True))
        + "</tr>" for line in rows.itertuples(index=False)
    )  # fmt: skip
    words = f"<caption>{escape(words)}</caption>" if words else ""
    return f'<table class="wb">{words}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _cell(value: Any) -> str:
    """
    >>> _cell(1234567), _cell(0.00123456), _cell(float("nan")), _cell("x")
    ('1,234,567', '0.00123', '–', 'x')
    """
    if isinstance(value, float):
        return "–" if value != value else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def row(*parts: Any, gap: str = "4px 12px") -> Any:
    """Side by side, in a second line where there is no room."""
    layout = widgets.Layout(flex_flow="row wrap", align_items="flex-start", grid_gap=gap)
    return widgets.HBox(parts, layout=layout)


def sheet(title: str, parts: Iterable[Any], name: str) -> Any:
    """A panel: title and parts one below the other."""
    head = widgets.HTML(f"{CSS}<h3>{escape(title)}</h3>")
    return tag(tag(widgets.VBox([head, *parts]), "panel"), name)
