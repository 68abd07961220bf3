"""A card table in a page: what is written, and what is refused; browsers play it elsewhere."""

import re
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbformat.v4 import new_output as output

import workbench as wb
from tests.lab.reports.reader import written
from tests.own_game import Kuhn4
from workbench.lab.cli.main import main
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
        for name in ("values", "beliefs", "histories", "probs"):
            assert np.array_equal(getattr(found, name), getattr(alone, name)), name
        assert (found.reach, found.own, found.trembling) == (
            alone.reach,
            alone.own,
            alone.trembling,
        )


def test_from_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report", "--play", "kuhn", "--opponent", "always-bet"]) == 0
    assert re.fullmatch(r"table-kuhn\.html \(\d\d kB\)\n", capsys.readouterr().out)
    page = Path("table-kuhn.html").read_text("utf-8")
    assert "Play <b>Kuhn poker</b> against a fixed strategy: always-bet." in page
    wb.Strategy.uniform(wb.compile_game(wb.load_game("kuhn"))).save("mine.npz")
    assert main(["report", "--play", "kuhn", "--opponent", "mine.npz", "-o", "t.html"]) == 0
    assert "against a fixed strategy: mine.npz." in Path("t.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            ["--play", "leduc", "--option", "players=3"],
            "'leduc(players=3)' has more than 120,000 hi",
        ),
        (
            ["--play", "limit_holdem"],
            "'limit_holdem' has more than 120,000 histories, too many for",
        ),
        (["--play", "kuhn", "--opponent", "learning"], "nobody who thinks or learns at the table"),
        (["--play", "kuhn", "--opponent", "alwaysbet"], "there is no opponent 'alwaysbet'"),
        (["--play", "kuhn", "--store", "kept"], "--play takes neither"),
        (
            ["--play", "kuhn", "one.ipynb"],
            "a report is of a notebook, a folder, a run, or of --play",
        ),
        ([], "a report is of a notebook, a folder, a run, or of --play"),
        (["--play", "lone.nfg"], "nobody has a choice in 'lone'"),
        (["--play", "forgetful"], "a player forgets, so no hand can be judged; try workbench play"),
    ],
)
def test_what_is_refused_in_one_line(asked, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("lone.nfg").write_text('NFG 1 R "lone" { "a" } { { "only" } } "" 3')
    assert main(["report", *asked]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not list(tmp_path.glob("*.html"))


def test_matches_and_games_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(wb.GameError, match="no matches"):
        wb.write_report(Session("toepen", match=5))
    made = wb.write_report(Session(Kuhn4(), opponent=lambda player, seen, actions: actions[0]))
    assert made.path == Path("table-kuhn4.html")
    assert "Play <b>Kuhn4</b>" in made.path.read_text("utf-8")


def test_the_card_table_writes_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = PlayTable("kuhn", seed=1)
    table.wait()
    table.page_button.click()
    table.wait()
    assert "Saved table-kuhn.html" in table.message.value
    assert "Kuhn poker" in Path("table-kuhn.html").read_text("utf-8")
    table.close()


def asks(**play: Any) -> Any:
    return {"play": play}


def test_a_cell_may_ask_for_a_table(tmp_path):
    """By the names that all know; whatever else a stranger writes is no table, with a note."""
    html = output("display_data", data={"text/html": "<p>a still</p>"})
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
    nbformat.write(new_notebook(cells=cells), tmp_path / "one.ipynb")
    made = wb.write_report(tmp_path / "one.ipynb", tmp_path / "one.html")
    page = made.path.read_text("utf-8")
    assert page.count("data-table=") == 2
    assert page.count("a still") == len(wrong)  # instead of a table
    assert sum("no card table" in note for note in made.notes) == len(wrong)
    written(made)


@pytest.mark.parametrize("number", ["01", "04", "05", "09"])
def test_four_lectures_ask_for_one(number):
    path = next(path for path in notebooks() if key(path) == number)
    cells = nbformat.read(path, as_version=4).cells
    assert sum("play" in cell.metadata for cell in cells) == 1
