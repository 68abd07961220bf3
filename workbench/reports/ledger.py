"""The ledger as one HTML page: `make ledger`, or `python -m workbench.reports.ledger FILE`.

Everything is inside the file: style, tables, and the pictures as SVG data. Nothing is computed;
the page shows what `workbench reproduce` shows, with sources, settings and a picture per entry.
"""

from __future__ import annotations

import base64
import inspect
import io
import re
import sys
from collections.abc import Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib import rc_context
from matplotlib.figure import Figure

from workbench._version import __version__
from workbench.experiments.reproduce import (
    VERDICTS,
    Row,
    list_entries,
    read_curves,
    read_ledger,
    read_published,
    read_result,
    read_settings,
)
from workbench.experiments.reproduce.command import limits, short, tally
from workbench.experiments.reproduce.entries import module_name
from workbench.plots.curves import plot_curves
from workbench.plots.ledger import VERDICT_COLOURS, plot_ledger

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ledger_page", "write_ledger"]

MANY = 9  # curves that one panel can hold

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 66rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { line-height: 1.2; } h2 { margin-top: 3rem; border-top: 1px solid #ccc; padding-top: 1rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.88rem; }
th, td { text-align: left; padding: 0.3rem 0.6rem; border-bottom: 1px solid #e4e4e4;
         vertical-align: top; }
th { border-bottom: 2px solid #999; }
td.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.verdict { font-weight: 600; white-space: nowrap; }
td small { color: #555; display: block; }
img { max-width: 100%; } .wide { overflow-x: auto; }
summary { cursor: pointer; color: #555; } pre { white-space: pre-wrap; font-size: 0.82rem; }
"""

OPENING = """
<p>Every row sets a number or a statement of a published text beside what this package finds.
<b>Reproduced</b>: equal within the digits that were printed. <b>Inside the range</b>: not equal,
but between our lowest and highest, over solvers or seeds. <b>Claim</b>: our texts hold no number
there, so the statement itself is checked. Each entry can be measured again:
<code>workbench reproduce NAME</code>.</p>
"""


def ledger_page() -> str:
    """The page as text."""
    rows = read_ledger()
    measured = {row.source for row in rows}
    entries = [name for name in list_entries() if name in measured]
    contents = "".join(
        f'<li><a href="#{name}">{name}</a>: {tally(_of(rows, name))}</li>' for name in entries
    )
    sections = "".join(_section(name, _of(rows, name)) for name in entries)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Is that what the paper says?</title><style>{STYLE}</style></head><body>"
        f"<h1>Is that what the paper says?</h1>{OPENING}"
        f"<p>{len(rows)} rows: {tally(rows)}.</p><ul>{contents}</ul>{sections}"
        f"<p><small>workbench {__version__}</small></p></body></html>\n"
    )


def write_ledger(path: Path) -> None:
    """Write the page to a file."""
    path.write_text(ledger_page(), encoding="utf-8")


def _of(rows: Sequence[Row], name: str) -> list[Row]:
    return [row for row in rows if row.source == name]


def _section(name: str, rows: Sequence[Row]) -> str:
    module = import_module(f"workbench.experiments.reproduce.{module_name(name)}")
    title, _, how = (inspect.getdoc(module) or name).partition("\n")
    paragraphs = "".join(f"<p>{_prose(text)}</p>" for text in how.strip().split("\n\n"))
    said = {line.item: line for line in read_published(name)}
    body = "".join(
        f"<tr><td>{escape(row.item)}<small>{escape(said[row.item].says)}</small></td>"
        f"<td>{escape(row.unit)}</td>"
        f'<td class="number">{short(row.published, row)}</td>'
        f'<td class="number">{short(row.ours, row)}</td><td class="number">{limits(row)}</td>'
        f'<td class="verdict" style="color: {_dark(row)}">{row.verdict}</td>'
        f"<td>{escape(row.note)}<small>{escape(said[row.item].where)}</small></td></tr>"
        for row in rows
    )
    settings = "\n".join(f"{key}: {value}" for key, value in read_settings(name).items())
    head = "<th>item<th>unit<th>published<th>ours<th>range<th>verdict<th>note and source"
    return (
        f'<h2 id="{name}">{escape(title.rstrip("."))}</h2>{paragraphs}{_picture(name, rows)}'
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
        f"<details><summary>Settings that made these numbers; again with "
        f"<code>workbench reproduce {name}</code></summary><pre>{escape(settings)}</pre></details>"
    )


def _picture(name: str, rows: Sequence[Row]) -> str:
    """The curves of a figure, and the strips of the rows where there is something to see."""
    pictures = []
    curves = read_curves(name)
    if curves is not None:
        figure = _drawn(curves)
        words = f"{curves.columns[3]} of {', '.join(curves['curve'].unique())}"
        pictures.append(_svg(figure, name, words))
    drawn = [row for row in rows if _worth_drawing(row)]
    if drawn:
        figure = Figure(figsize=(11, 1.0 + 0.62 * len(drawn)), layout="constrained")
        ours = read_result(name).ours
        parts = {(name, item): found.parts for item, found in ours.items()}
        plot_ledger(drawn, figure.subplots(), parts=parts)
        words = "; ".join(f"{row.item}: {row.verdict}" for row in drawn)
        pictures.append(_svg(figure, name, words))
    return "".join(pictures)


def _drawn(curves: pd.DataFrame) -> Figure:
    """One panel, or one for each part after the comma if a single one would be full."""
    names = curves["curve"].str.partition(", ")
    ways = list(names[2].unique()) if curves["curve"].nunique() > MANY else []
    if len(ways) < 2:
        figure = Figure(figsize=(9, 5), layout="constrained")
        plot_curves(curves, figure.subplots(), title=f"Ours: {curves.columns[3]}")
        return figure
    figure = Figure(figsize=(9, 3.6 * len(ways)), layout="constrained")
    panels = figure.subplots(len(ways), sharey=True)
    for ax, way in zip(panels, ways, strict=True):
        part = curves.assign(curve=names[0])[names[2] == way]
        plot_curves(part, ax, title=f"Ours: {curves.columns[3]}, {way}")
    return figure


def _svg(figure: Figure, name: str, words: str) -> str:
    file = io.BytesIO()
    with rc_context({"svg.hashsalt": name}):  # the same ledger, the same page
        figure.savefig(file, format="svg", metadata={"Date": None})
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return f'<img alt="{escape(words)}" src="data:image/svg+xml;base64,{data}">'


def _worth_drawing(row: Row) -> bool:
    """A range, or a number that misses; a count that agrees is a number in the table."""
    whole = row.published is None or row.published.is_integer()
    return _wide(row) or row.verdict == "not reproduced" or not whole


def _wide(row: Row) -> bool:
    """Has it a range, and not only rounding?"""
    if row.low is None or row.high is None:
        return False
    return row.high - row.low > 1e-9 * max(1.0, abs(row.ours))


def _prose(text: str) -> str:
    """A paragraph of a docstring: what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _dark(row: Row) -> str:
    """Text needs more contrast than lines."""
    assert row.verdict in VERDICTS
    return {"#009E73": "#00664a", "#D55E00": "#a34700"}.get(
        VERDICT_COLOURS[row.verdict], VERDICT_COLOURS[row.verdict]
    )


if __name__ == "__main__":
    write_ledger(Path(sys.argv[1]))
