"""The ledger as one HTML page: `make ledger`, or `python -m workbench.lab.reports.ledger FILE`.

Everything is inside the file: style, tables, and the pictures as SVG data. Nothing is computed;
the page shows what `workbench reproduce` shows, with sources, settings and a picture per entry.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from workbench.lab.ledger.command import limits, tally
from workbench.lab.ledger.entries import (
    all_entries,
    list_entries,
    read_curves,
    read_ledger,
    read_published,
    read_result,
    read_settings,
)
from workbench.lab.ledger.ledger import VERDICTS, Row
from workbench.lab.ledger.notes import short
from workbench.lab.plots.curves import plot_curves
from workbench.lab.plots.ledger import VERDICT_COLOURS, plot_ledger
from workbench.lab.plots.png import picture
from workbench.lab.plots.style import COLOURS
from workbench.lab.reports.page import page

if TYPE_CHECKING:
    import pandas as pd

MANY = 9  # curves that one panel can hold

TITLE = "Is that what the paper says?"
OPENING = """
<p>Every row sets a number or a statement of a published text beside what this package finds.
<b>Reproduced</b>: equal within the digits that were printed. <b>Inside the range</b>: not equal,
but between our lowest and highest, over solvers or seeds. <b>Claim</b>: our texts hold no number
there, so the statement itself is checked. Each entry can be measured again:
<code>workbench reproduce NAME</code>.</p>
"""


def ledger_page(*, path: str = "") -> str:
    """The page as text. path: links to neighbouring pages."""
    rows = read_ledger()
    measured = {row.source for row in rows}
    entries = [name for name in list_entries() if name in measured]
    contents = "".join(
        f'<li><a href="#{name}">{name}</a>: {tally(_of(rows, name))}</li>' for name in entries
    )
    sections = "".join(_section(name, _of(rows, name)) for name in entries)
    body = (
        f"<h1>{TITLE}</h1>{OPENING}<p>{len(rows)} rows: {tally(rows)}.</p>"
        f"<ul>{contents}</ul>{sections}"
    )
    return page(TITLE, body, path=path)


def write_ledger(path: Path) -> None:
    """Write the page to a file."""
    path.write_text(ledger_page(), encoding="utf-8")


def _of(rows: Sequence[Row], name: str) -> list[Row]:
    return [row for row in rows if row.source == name]


def _section(name: str, rows: Sequence[Row]) -> str:
    title, _, how = inspect.cleandoc(all_entries()[name].about).partition("\n\n")
    paragraphs = "".join(f"<p>{_prose(text)}</p>" for text in how.strip().split("\n\n"))
    said = {line.item: line for line in read_published(name)}
    body = "".join(
        f'<tr><th scope="row">{escape(row.item)}<small>{escape(said[row.item].says)}</small></th>'
        f"<td>{escape(row.unit)}</td>"
        f'<td class="number">{short(row.published, row)}</td>'
        f'<td class="number">{short(row.ours, row)}</td><td class="number">{limits(row)}</td>'
        f'<td class="verdict {_look(row)}">{row.verdict}</td>'
        f"<td>{escape(row.note)}<small>{escape(said[row.item].where)}</small></td></tr>"
        for row in rows
    )
    made = read_settings(name)
    ranges = f"<p>{escape(made['ranges'])}.</p>" if "ranges" in made else ""
    settings = "\n".join(f"{key}: {value}" for key, value in made.items())
    columns = ("item", "unit", "published", "ours", "range", "verdict", "note and source")
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    return (
        f'<h2 id="{name}">{escape(title.rstrip("."))}</h2>{paragraphs}{ranges}'
        f"{_picture(name, rows)}"
        '<div class="scroll" tabindex="0" role="group" aria-label="Table">'
        f'<table class="ledger"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
        f"<details><summary>Settings that made these numbers; again with "
        f"<code>workbench reproduce {name}</code></summary>"
        f'<pre class="prose">{escape(settings)}</pre></details>'
    )


def _picture(name: str, rows: Sequence[Row]) -> str:
    """The curves of a figure, and the strips of the rows where there is something to see."""
    pictures = []
    curves = read_curves(name)
    if curves is not None:
        figure = _drawn(curves)
        pictures.append(f"<figure>{picture(figure).html}</figure>")
    drawn = [row for row in rows if _worth_drawing(row)]
    if drawn:
        figure = Figure(figsize=(11, 1.0 + 0.62 * len(drawn)), layout="constrained")
        ours = read_result(name).ours
        parts = {(name, item): found.parts for item, found in ours.items()}
        plot_ledger(drawn, figure.subplots(), parts=parts)
        pictures.append(f"<figure>{picture(figure).html}</figure>")
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


def _look(row: Row) -> str:
    """Verdicts have words, and a colour for those who see it."""
    assert row.verdict in VERDICTS
    return {COLOURS[2]: "good", COLOURS[1]: "bad"}.get(VERDICT_COLOURS[row.verdict], "")


if __name__ == "__main__":
    write_ledger(Path(sys.argv[1]))
