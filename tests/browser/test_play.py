"""The card table in JupyterLab: a hand of Leduc and one of Toepen, to the end."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenNotebook
from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser


def your_move(notebook: Notebook) -> None:
    notebook.find("wb-now").filter(has_text="Your move?").wait_for()


def settled(notebook: Notebook) -> bool:
    """Wait until the page shows what the session is; True if the hand is over."""
    notebook.ready()
    playing, shown = notebook.ask(
        "print(table.session.playing, sum(b.layout.display == '' for b in table.moves))"
    ).split()
    notebook.page.wait_for_function(
        "count => [...document.querySelectorAll('.wb-move')].filter("
        "move => move.offsetParent).length === count",
        arg=int(shown),
    )
    return playing == "False"


def play_to_the_end(notebook: Notebook) -> None:
    """Always the first move that is not a fold, alternately by mouse and keyboard."""
    for k in range(20):
        if settled(notebook):
            return
        moves = notebook.find("wb-move").locator("visible=true")
        move = moves.nth(1 if moves.first.inner_text() == "Fold" else 0)
        if k % 2:
            move.focus()
            notebook.page.keyboard.press("Enter")
        else:
            move.click()
        notebook.page.wait_for_timeout(350)  # not a double click
    pytest.fail("the hand has no end")


def test_a_hand_of_leduc_and_one_of_toepen(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(
        [
            "import workbench as wb",
            "table = wb.widgets.PlayTable('leduc', opponent='always-call', seat=0, seed=1)\ntable",
        ]
    )
    notebook.run()
    your_move(notebook)
    assert notebook.page.get_by_role("img", name="face-down card").count() == 1
    play_to_the_end(notebook)
    notebook.find("wb-review").filter(has_text="for your decisions").wait_for()
    notebook.find("wb-log").filter(has_text="Player 2 shows").wait_for()
    assert notebook.page.get_by_role("img", name="face-down card").count() == 0
    assert notebook.ask("print(len(table.session.hands))") == "1"
    decisions = int(notebook.ask("print(len(table.session.table()))"))
    assert notebook.find("wb-review").locator("tbody tr").count() == decisions
    notebook.find("wb-deal").click()
    your_move(notebook)

    game = notebook.find("wb-game").locator("select")
    game.select_option("Toepen, one hand")
    notebook.find("wb-sit").click()
    notebook.find("wb-now").filter(has_text="♠").or_(
        notebook.find("wb-now").filter(has_text="♥")
    ).or_(notebook.find("wb-now").filter(has_text="♦")).first.wait_for()
    play_to_the_end(notebook)
    notebook.find("wb-log").filter(has_text="the last trick").wait_for()
    notebook.find("wb-review").filter(has_text="for your decisions").wait_for()
    assert notebook.ask("print(table.session.rules.name, len(table.session.hands))") == "toepen 1"
    assert notebook.too_wide("wb-table") == []
    assert notebook.errors == []
