"""The card table in JupyterLab: a hand of Leduc and one of Toepen, to the end."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import Show
from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser


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
    """Always the first move that is not a fold, alternately by mouse and keyboard; the buttons
    stay where they are."""
    heights = []
    for k in range(20):
        over = settled(notebook)
        shown = notebook.find("wb-deal" if over else "wb-move").locator("visible=true").first
        table, button = notebook.find("wb-table").bounding_box(), shown.bounding_box()
        assert table is not None
        assert button is not None
        heights.append(button["y"] - table["y"])
        if over:
            assert max(heights) - min(heights) <= 2
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


def test_a_hand_of_leduc_and_one_of_toepen(show: Show) -> None:
    notebook = show(
        "table = wb.widgets.PlayTable('leduc', opponent='always-call', seat=0, seed=1)\ntable",
    )
    notebook.says("wb-now", "Your move?")
    assert notebook.page.get_by_role("img", name="face-down card").count() == 1
    play_to_the_end(notebook)
    notebook.says("wb-review", "for your decisions")
    notebook.says("wb-log", "Player 2 shows")
    assert notebook.page.get_by_role("img", name="face-down card").count() == 0
    assert notebook.ask("print(len(table.session.hands))") == "1"
    decisions = int(notebook.ask("print(len(table.session.table()))"))
    assert notebook.find("wb-review").locator("tbody tr").count() == decisions
    notebook.find("wb-deal").click()
    notebook.says("wb-now", "Your move?")

    notebook.choose("wb-game", "Toepen, one hand")
    notebook.find("wb-sit").click()
    notebook.find("wb-now").filter(has_text=re.compile("[♠♥♦♣]")).wait_for()
    play_to_the_end(notebook)
    notebook.says("wb-log", "the last trick")
    notebook.says("wb-review", "for your decisions")
    assert notebook.ask("print(table.session.rules.name, len(table.session.hands))") == "toepen 1"
    assert notebook.too_wide("wb-table") == []
