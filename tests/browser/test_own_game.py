"""One's own game at the card table in JupyterLab: keys, room, and buttons that stay in place."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Show
from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser

CELL = """from tests.own_game import {game}
table = wb.widgets.PlayTable({game}(), opponent='always-c', seat=0, seed=1)
table"""


def top(notebook: Notebook, name: str) -> float:
    """Where the first visible widget of this class begins."""
    box = notebook.find(name).locator("visible=true").first.bounding_box()
    assert box is not None
    return box["y"]


def test_keys_stay_at_the_table_and_buttons_in_their_place(show: Show) -> None:
    notebook = show(CELL.format(game="Kuhn4"))
    page = notebook.page
    page.set_viewport_size({"width": 1280, "height": 800})
    notebook.says("wb-now", "Your move?")
    cells = page.locator(".jp-Cell").count()
    notebook.find("wb-table").evaluate("table => table.scrollIntoView()")
    notebook.find("wb-felt").click()  # the focus is somewhere at the table
    page_box = page.locator(".jp-NotebookPanel-notebook").first.bounding_box()
    assert page_box is not None
    assert top(notebook, "wb-table") >= page_box["y"] - 2  # all of the table can be seen
    assert top(notebook, "wb-move") + 32 < page_box["y"] + page_box["height"]
    place = top(notebook, "wb-move") - top(notebook, "wb-table")

    page.keyboard.press("h")
    notebook.says("wb-message", "The equilibrium: play p")
    page.keyboard.press("?")
    notebook.says("wb-message", "Kuhn poker with four cards")
    page.keyboard.press("x")  # cuts a cell where JupyterLab hears it
    page.keyboard.press("2")  # bets: the second move
    notebook.says("wb-log", "Player 2 had seen")
    assert top(notebook, "wb-deal") - top(notebook, "wb-table") == pytest.approx(place, abs=2)
    page.keyboard.press("n")
    notebook.says("wb-score", "Hand 2")
    notebook.says("wb-now", "Your move?")
    assert top(notebook, "wb-move") - top(notebook, "wb-table") == pytest.approx(place, abs=2)
    for key in "dda":
        page.keyboard.press(key)
    assert page.locator(".jp-Cell").count() == cells
    assert notebook.ask("print(len(table.session.hands))") == "1"
    assert notebook.too_wide("wb-table") == []
