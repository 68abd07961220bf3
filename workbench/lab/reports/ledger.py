"""The ledger as one HTML page: `make ledger`, or `python -m workbench.lab.reports.ledger FILE`.

Everything is inside the file: style, tables, and the pictures as data. Nothing is computed; the
page shows what `workbench reproduce` shows, with sources, settings and a picture per entry.
"""

import inspect
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import pandas as pd
from markupsafe import Markup
from matplotlib.figure import Figure

from workbench.files import write_named
from workbench.lab.html import Html, marked, table
from workbench.lab.ledger import entries as kept
from workbench.lab.ledger.command import limits, tally, what_is_green
from workbench.lab.ledger.ledger import Row
from workbench.lab.ledger.notes import short
from workbench.lab.plots.curves import plot_curves
from workbench.lab.plots.ledger import plot_ledger
from workbench.lab.plots.png import picture
from workbench.lab.reports.page import Page, template

MANY = 9  # curves that one panel can hold
LOOKS = {"reproduced": "good", "claim holds": "good", "inside the range": ""}  # the others: bad
COLUMNS = ("item", "unit", "published", "ours", "range", "verdict", "note and source")
TITLE = "Is that what the paper says?"


def ledger_page(*, path: str = "", search: str = "") -> str:
    """The page as text. path: links to neighbouring pages; search: where to search them."""
    rows = kept.read_ledger()
    entries = {source: [*of] for source, of in groupby(rows, key=lambda row: row.source)}
    body = template("ledger.html.j2").render(
        title=TITLE, rows=rows, tally=tally, green=what_is_green(rows), entries=entries,
        settings=kept.read_settings, heading=lambda name: _about(name)[0].rstrip("."),
        prose=lambda name: map(marked, _about(name)[1:]), pictures=_pictures, table=_table,
    )  # fmt: skip
    return Page().render(title=TITLE, body=Markup(body), path=path, search=search)


def write_ledger(path: Path) -> None:
    """Write the page to a file."""
    write_named(path, ledger_page().encode())


def _about(name: str) -> list[str]:
    """The paragraphs of an entry's docstring."""
    return inspect.cleandoc(kept.all_entries()[name].about).split("\n\n")


def _table(name: str, rows: Sequence[Row]) -> Html:
    said = {line.item: line for line in kept.read_published(name)}
    cell, judged = Html("{}<small>{}</small>"), Html('<span class="verdict {}">{}</span>')
    cells = [
        [
            cell.format(row.item, said[row.item].says),
            row.unit,
            *(short(row.published, row), short(row.ours, row), limits(row)),
            judged.format(LOOKS.get(row.verdict, "bad"), row.verdict),
            cell.format(row.note, said[row.item].where),
        ]
        for row in rows
    ]
    return table(cells, head=COLUMNS, left=(0, 1, 5, 6), named=True, look="ledger")


def _pictures(name: str, rows: Sequence[Row]) -> Markup:
    """The curves of a figure, and the strips of the rows where there is something to see."""
    figures, curves = [], kept.read_curves(name)
    if curves is not None:
        figures.append(_drawn(curves))
    if drawn := [row for row in rows if _worth_drawing(row)]:
        figures.append(Figure(figsize=(11, 1.0 + 0.62 * len(drawn)), layout="constrained"))
        parts = {(name, item): ours.parts for item, ours in kept.read_result(name).ours.items()}
        plot_ledger(drawn, figures[-1].subplots(), parts=parts)
    return Markup().join(Markup("<figure>{}</figure>").format(picture(one).html) for one in figures)


def _drawn(curves: pd.DataFrame) -> Figure:
    """One panel; if that would be full, one for each game, "kuhn: cfr", or for each part after the
    comma. What spans more than six powers of ten is drawn on logarithmic axes."""
    title, (low, high) = f"Ours: {curves.columns[3]}", curves.iloc[:, 3].agg(["min", "max"])
    by_game = curves["curve"].str.contains(": ").all()
    names = curves["curve"].str.partition(": " if by_game else ", ")
    panel, line = (names[0], names[2]) if by_game else (names[2], names[0])
    ways = list(panel.unique()) if curves["curve"].nunique() > MANY else []
    if len(ways) < 2:
        figure = Figure(figsize=(9, 5), layout="constrained")
        plot_curves(curves, figure.subplots(), title=title)
        return figure
    figure = Figure(figsize=(9, (4.4 if by_game else 3.6) * len(ways)), layout="constrained")
    for ax, way in zip(figure.subplots(len(ways), sharey=True), ways, strict=True):
        part = curves.assign(curve=line)[panel == way]
        plot_curves(part, ax, title=f"{title}, {way}", log_y=0 < low < high / 1e6)
        if 0 < low < high / 1e6:
            ax.set_xscale("log")
    return figure


def _worth_drawing(row: Row) -> bool:
    """A range that is not only rounding, or a number that misses; a count that agrees is not."""
    low, high = (row.ours if end is None else end for end in (row.low, row.high))
    wide = high - low > 1e-9 * max(1.0, abs(row.ours))
    whole = row.published is None or row.published.is_integer()
    return wide or row.verdict == "not reproduced" or not whole


if __name__ == "__main__":
    write_ledger(Path(sys.argv[1]))
