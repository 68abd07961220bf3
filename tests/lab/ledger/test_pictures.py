"""The figure and the page show every row, and the page needs nothing from outside."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.transforms import Bbox

from tests.lab.reports.reader import check
from workbench.lab.ledger.entries import list_entries, read_ledger, read_settings
from workbench.lab.ledger.ledger import Row
from workbench.lab.plots.curves import plot_curves
from workbench.lab.plots.ledger import VERDICT_COLOURS, plot_ledger
from workbench.lab.reports import ledger
from workbench.lab.reports.ledger import _drawn, ledger_page, write_ledger
from workbench.rules import GameError

PAPER = Row("s", "from a paper", "chips", 10.0, 9.0, 8.0, 12.0, "inside the range", "")
WRONG = Row("s", "missed", "chips", 10.0, 9.0, None, None, "not reproduced", "")
EXACT = Row("s", "count", "sets", 132.0, 132.0, None, None, "reproduced", "")
CLAIM = Row("s", "lead", "chips", None, 2.0, 1.0, 3.0, "claim holds", "")
PLAIN = Row("s", "structure", "sets", None, 2.0, None, None, "claim holds", "")


def test_one_strip_for_each_row() -> None:
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
@pytest.mark.parametrize("near", [0.1, 0.3, 1.0, 2.7, 6.0])
def test_numbers_do_not_stand_on_the_line(near: float, sign: float) -> None:
    low, high = sorted([sign * near, sign * 11.009])
    row = Row("s", "lead", "millibets", None, low, low, high, "claim holds", "")
    ax = plot_ledger([row, CLAIM])
    ax.figure.draw_without_rendering()  # type: ignore[union-attr]
    x, _ = ax.transData.transform((0, 0))
    line = Bbox.from_extents(x - 1, *ax.transData.transform((0, 0.33))[1:], x + 1, 1e4)
    for text in ax.texts:
        assert not line.overlaps(text.get_window_extent()), text.get_text()
    plt.close("all")


def test_curves_are_means_and_deviations() -> None:
    table = pd.DataFrame(
        [("one", seed, x, x + seed) for seed in (0, 2) for x in (5, 10)] + [("two", 0, 5, 1.0)],
        columns=["curve", "repeat", "iteration", "exploitability"],
    )
    ax = plot_curves(table)
    one, two = ax.lines
    assert list(one.get_ydata()) == [6.0, 11.0]  # type: ignore[arg-type]
    assert list(two.get_ydata()) == [1.0]  # type: ignore[arg-type]
    band = ax.collections[0].get_paths()[0].get_extents()
    assert (band.y0, band.y1) == pytest.approx((6 - 2**0.5, 11 + 2**0.5))
    assert len(ax.collections) == 1  # a single run has no deviation
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [  # type: ignore[union-attr]
        "one (mean of 2)", "two",
    ]  # fmt: skip
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Iteration", "Exploitability")
    plt.close("all")


def test_two_parts_of_a_name_are_colour_and_dash() -> None:
    table = pd.DataFrame(
        [
            (f"{game}, {way}", seed, x, level * x + seed)
            for level, (game, way) in enumerate(
                [("3/3/2", "exact"), ("3/3/2", "told"), ("3/3/2b", "exact"), ("3/3/2b", "told")]
            )
            for seed in (0, 1)
            for x in (1000, 2000)
        ],
        columns=["curve", "repeat", "iteration", "exploitability"],
    )
    ax = plot_curves(table, log_x=True)
    lines = {str(line.get_label()): line for line in ax.lines}
    assert len(lines) == 4
    assert len({line.get_color() for line in ax.lines}) == 2
    for game in ("3/3/2", "3/3/2b"):
        assert lines[f"{game}, exact"].get_color() == lines[f"{game}, told"].get_color()
        assert lines[f"{game}, exact"].get_marker() == lines[f"{game}, told"].get_marker()
        assert lines[f"{game}, exact"].get_linestyle() == "-"
        assert lines[f"{game}, told"].get_linestyle() == "--"
    legend = ax.get_legend()
    assert legend is not None
    said = [text.get_text() for text in legend.get_texts()]
    assert said == ["3/3/2b", "3/3/2", "", "exact", "told"]  # the highest first
    assert "mean of 2 repeats" in legend.get_title().get_text()
    ax.figure.draw_without_rendering()  # type: ignore[union-attr]
    assert not legend.get_window_extent().overlaps(ax.get_window_extent())
    plt.close("all")


def test_a_name_looks_the_same_in_every_figure_of_one_order() -> None:
    order = ["naive", "simple", "full"]

    def drawn(*names: str) -> dict[str, tuple[object, ...]]:
        table = pd.DataFrame(
            [(name, 0, x, x) for name in names for x in (1, 2)],
            columns=["curve", "repeat", "iteration", "score"],
        )
        lines = plot_curves(table, order=order).lines
        return {
            str(line.get_label()): (line.get_color(), line.get_marker(), line.get_linestyle())
            for line in lines
        }

    all_three, two, ways = drawn(*order), drawn("full", "naive"), drawn("full, a", "full, b")
    assert len(set(all_three.values())) == 3
    assert two == {name: all_three[name] for name in two}
    assert {look[:2] for look in ways.values()} == {all_three["full"][:2]}
    assert len(set(ways.values())) == 2
    legend = plt.gca().get_legend()
    assert legend is not None
    shown = legend.get_lines()[0]
    assert (shown.get_color(), shown.get_marker()) == all_three["full"][:2]
    with pytest.raises(GameError, match="it lacks fool"):
        drawn("fool")
    plt.close("all")


def test_a_way_has_the_same_dash_in_every_figure_of_the_same_ways() -> None:
    ways = ["estimated", "exact", "solved"]

    def drawn(*names: str) -> dict[str, object]:
        table = pd.DataFrame(
            [(name, 0, x, x) for name in names for x in (1, 2)],
            columns=["curve", "repeat", "iteration", "exploitability"],
        )
        ax = plot_curves(table, ways=ways)
        legend = ax.get_legend()
        assert legend is not None
        keys = {str(line.get_label()): line.get_linestyle() for line in legend.get_lines()}
        lines = {str(line.get_label()): line.get_linestyle() for line in ax.lines}
        assert all(keys[name.partition(", ")[2]] == dash for name, dash in lines.items())
        return lines

    assert drawn("a, estimated", "a, exact") == {"a, estimated": "-", "a, exact": "--"}
    assert drawn("a, exact", "b, exact") == {"a, exact": "--", "b, exact": "--"}
    assert drawn("b, solved") == {"b, solved": "-."}
    with pytest.raises(GameError, match="they lack guessed"):
        drawn("a, guessed")
    plt.close("all")


def test_many_curves_get_a_panel_for_each_way() -> None:
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


def test_no_rows_no_picture() -> None:
    with pytest.raises(GameError, match="no rows"):
        plot_ledger([])


def test_the_page_is_whole_and_needs_nothing_from_outside(tmp_path: Path) -> None:
    write_ledger(tmp_path / "ledger.html")
    text = (tmp_path / "ledger.html").read_text(encoding="utf-8")
    reader = check(text)
    assert all(have["href"].startswith("#") for have in reader.all("a"))
    assert not re.search(r"https?://", text)
    assert plt.get_fignums() == []
    for name in list_entries():
        assert f'<h2 id="{name}">' in text
    for row in read_ledger():
        assert escape(row.item) in text
    shared = read_settings("gibson-szafron-2011-table1")["ranges"]
    assert text.count(f"<p>{escape(shared)}.</p>") == 1


def test_the_page_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    few = [row for row in read_ledger() if row.source == "gibson-szafron-2011-figure1"]
    monkeypatch.setattr(ledger, "read_ledger", lambda: few)
    around = '<a href="index.html">All</a>'
    text = ledger_page(path=around)
    assert text == ledger_page(path=around)
    assert text.count(around) == 2
