"""The figure and the page show every row, and the page needs nothing from outside."""

import re
from dataclasses import replace
from html import escape

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from tests.lab.reports.reader import check
from workbench.lab.ledger.entries import list_entries, read_ledger, read_settings
from workbench.lab.ledger.ledger import Row
from workbench.lab.plots import png
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.ledger import VERDICT_COLOURS, plot_ledger
from workbench.lab.plots.png import Picture, picture
from workbench.lab.reports import ledger
from workbench.lab.reports.ledger import _drawn, ledger_page, write_ledger
from workbench.rules import GameError

PAPER = Row("s", "from a paper", "chips", 10.0, 9.0, 8.0, 12.0, "inside the range", "")
WRONG = Row("s", "missed", "chips", 10.0, 9.0, None, None, "not reproduced", "")
EXACT = Row("s", "count", "sets", 132.0, 132.0, None, None, "reproduced", "")
CLAIM = Row("s", "lead", "chips", None, 2.0, 1.0, 3.0, "claim holds", "")
PLAIN = Row("s", "structure", "sets", None, 2.0, None, None, "claim holds", "")


def test_many_curves_of_many_games_have_a_panel_for_each_game():
    figure = _drawn(ledger.kept.read_curves("sandholm-2009-first-order"))
    assert [ax.get_title().split(", ")[1] for ax in figure.axes][2:] == [
        *("kuhn", "leduc", "toepen 3/3/2b", "rhode island"),
    ]
    assert {(ax.get_xscale(), ax.get_yscale()) for ax in figure.axes} == {("log", "log")}
    figure.get_layout_engine().execute(figure)  # a warning that nothing fits would be an error here


def test_one_strip_for_each_row():
    rows = [PAPER, WRONG, EXACT, CLAIM, PLAIN]
    parts = {("s", "from a paper"): {"lp": 8.0, "cfr": 12.0, "cfr+": 9.0}}
    ax = plot_ledger(rows, parts=parts)
    ours = [line for line in ax.lines if line.get_marker() == "D"]
    at = [float(line.get_xdata()[0]) for line in ours]  # type: ignore[index]
    assert at == pytest.approx([-0.5, -1.0, 0.0, 2 / 3, 0.0])
    assert [to_hex(str(line.get_color())) for line in ours] == [
        VERDICT_COLOURS[row.verdict].lower() for row in rows
    ]
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert sorted(map(float, dots[0].get_xdata())) == pytest.approx([-1.0, -0.5, 1.0])  # type: ignore[arg-type]
    assert [text.get_text() for text in ax.texts] == ["8", "12", "9", "1", "3"]
    labels = [label.get_text().split("\n")[0] for label in ax.get_yticklabels()]
    assert labels == [row.item for row in rows]
    plt.close("all")


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("near", [0.1, 1.0, 6.0])
def test_numbers_do_not_stand_on_the_line(near, sign):
    low, high = sorted([sign * near, sign * 11.009])
    row = Row("s", "lead", "millibets", None, low, low, high, "claim holds", "")
    ax = plot_ledger([row, CLAIM])
    ax.figure.draw_without_rendering()  # type: ignore[union-attr]
    x, _ = ax.transData.transform((0, 0))
    line = Bbox.from_extents(x - 1, *ax.transData.transform((0, 0.33))[1:], x + 1, 1e4)
    for text in ax.texts:
        assert not line.overlaps(text.get_window_extent()), text.get_text()
    plt.close("all")


def test_many_curves_get_a_panel_for_each_way():
    few, many = (
        pd.DataFrame(
            [(f"{k}, {way}", 0, x, k * x) for k in range(n) for way in ("a", "b") for x in (1, 2)],
            columns=["curve", "repeat", "iteration", "score"],
        )
        for n in (4, 5)
    )
    assert len(_drawn(few).axes) == 1
    panels = _drawn(many).axes
    assert [ax.get_title() for ax in panels] == ["Ours: score, a", "Ours: score, b"]
    assert [len(ax.lines) for ax in panels] == [5, 5]


def test_no_rows_no_picture():
    with pytest.raises(GameError, match="no rows"):
        plot_ledger([])


@pytest.mark.slow
def test_the_page_is_whole_and_needs_nothing_from_outside(tmp_path, monkeypatch):
    monkeypatch.setattr(png, "FINE", 0.3)  # nobody looks at the pictures
    blank = picture(Figure(figsize=(1, 1)))
    taken: list[Figure] = []

    def shot(figure: Figure) -> Picture:
        """Every figure is made and described; drawing takes long, so two small ones are drawn."""
        if len(taken) < 2 and figure.get_figheight() <= 5:
            taken.append(figure)
            return picture(figure)
        return replace(blank, words=describe(figure))

    monkeypatch.setattr(ledger, "picture", shot)
    write_ledger(tmp_path / "ledger.html")
    text = (tmp_path / "ledger.html").read_text(encoding="utf-8")
    reader = check(text)
    assert all(have["href"].startswith("#") for have in reader.all("a"))
    assert not re.search(r"https?://", text)
    assert plt.get_fignums() == []
    assert len(reader.all("img")) == text.count("<figure>") > len(taken) == 2
    for name in list_entries():
        assert f'<h2 id="{name}">' in text
    for row in read_ledger():
        assert escape(row.item) in text
    shared = read_settings("gibson-szafron-2011-table1")["ranges"]
    assert text.count(f"<p>{escape(shared)}.</p>") == 1


def test_the_page_is_the_same_each_time(monkeypatch):
    few = [row for row in read_ledger() if row.source == "gibson-szafron-2011-figure1"]
    monkeypatch.setattr(ledger.kept, "read_ledger", lambda: few)
    around = '<a href="index.html">All</a>'
    text = ledger_page(path=around)
    assert text == ledger_page(path=around)
    assert text.count(around) == 2
