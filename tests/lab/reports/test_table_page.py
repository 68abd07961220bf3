"""A card table in a page: what is written, and what is refused; browsers play it elsewhere."""

import re
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

import workbench as wb
from tests.lab.reports.reader import check, page, shown
from tests.lab.widgets.helpers import press, said
from tests.own_game import Kuhn4
from workbench.lab.play.action_values import worth, worths
from workbench.lab.play.session import Session
from workbench.lab.shelves import key, notebooks
from workbench.lab.widgets.play_table import PlayTable


@pytest.mark.parametrize(("options", "every"), [({}, 1), ({"players": 3, "ranks": 2}, 10)])
def test_the_worth_of_all_choices_is_that_of_each(options, every):
    """Bit for bit, also where the others never come."""
    run = wb.solve(wb.load_game("leduc", **options), "cfr+", 300)
    for infoset, found in list(enumerate(worths(run.strategy)))[::every]:
        alone = worth(run.strategy, infoset)
        assert found.infoset == infoset
        for name in ("values", "beliefs", "histories", "probs", "reach", "own", "trembling"):
            assert np.array_equal(getattr(found, name), getattr(alone, name)), name


def test_from_a_shell(tmp_path, monkeypatch, output):
    monkeypatch.chdir(tmp_path)
    said = output("report --play kuhn --opponent always-bet")
    assert re.fullmatch(r"table-kuhn\.html \(\d\d kB\)\n", said)
    page = Path("table-kuhn.html").read_text("utf-8")
    assert "Play <b>Kuhn poker</b> against a fixed strategy: always-bet." in page
    wb.Strategy.uniform(wb.compile_game(wb.load_game("kuhn"))).save("mine.npz")
    output("report --play kuhn --opponent mine.npz -o t.html")
    assert "against a fixed strategy: mine.npz." in Path("t.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("--play leduc --option players=3", "more than 120,000 histories"),
        ("--play limit_holdem", "more than 120,000 histories"),
        ("--play kuhn --opponent learning", "nobody who thinks or learns"),
        ("--play kuhn --opponent alwaysbet", "there is no opponent 'alwaysbet'"),
        ("--play kuhn --store kept", "--play takes neither"),
        ("--play kuhn one.ipynb", "a report is of"),
        ("", "a report is of"),
        ("--play lone.nfg", "nobody has a choice"),
        ("--play forgetful", "a player forgets"),
    ],
)
def test_what_is_refused_in_one_line(asked, said, tmp_path, monkeypatch, refused):
    monkeypatch.chdir(tmp_path)
    Path("lone.nfg").write_text('NFG 1 R "lone" { "a" } { { "only" } } "" 3')
    assert said in refused(f"report {asked}")
    assert not list(tmp_path.glob("*.html"))


def test_matches_and_games_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(wb.GameError, match="no matches"):
        wb.write_report(Session("toepen", match=5))
    made = wb.write_report(Session(Kuhn4(), opponent=lambda player, seen, actions: actions[0]))
    assert made.path == Path("table-kuhn4.html")
    assert "Play <b>Kuhn4</b>" in made.path.read_text("utf-8")


def test_the_card_table_writes_it(tmp_path, monkeypatch, ready):
    monkeypatch.chdir(tmp_path)
    table = ready(PlayTable, "kuhn", seed=1)
    press(table, "page")
    assert "Saved table-kuhn.html" in said(table)
    assert "Kuhn poker" in Path("table-kuhn.html").read_text("utf-8")


def asks(**play: Any) -> Any:
    return {"play": play}


def test_a_cell_may_ask_for_a_table(tmp_path):
    """By the names that all know; whatever else a stranger writes is no table, with a note."""
    html = shown({"text/html": "<p>a still</p>"})
    wrong: list[Any] = [
        asks(game="kuhn", opponent="secret.npz"), asks(game="dice.py"), asks(game=7), {"play": "x"},
        asks(game="kuhn", options=[1]), asks(game="rhode_island"), asks(game="kuhn", seat=9),
        asks(a=1),
    ]  # fmt: skip
    cells = [
        new_markdown_cell("# One", metadata=asks(game="kuhn", opponent="always-bet")),
        new_code_cell("table", outputs=[html], metadata=asks(game="kuhn")),
        *(new_code_cell("other", outputs=[html], metadata=one) for one in wrong),
    ]
    text, notes = page(tmp_path, *cells)
    assert text.count("data-table=") == 2
    assert text.count("a still") == len(wrong)  # instead of a table
    assert sum("no card table" in note for note in notes) == len(wrong)
    check(text)


@pytest.mark.parametrize("number", ["01", "04", "05", "09"])
def test_four_lectures_ask_for_one(number):
    path = next(path for path in notebooks() if key(path) == number)
    cells = nbformat.read(path, as_version=4).cells
    assert sum("play" in cell.metadata for cell in cells) == 1
