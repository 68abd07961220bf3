"""The card table in JupyterLab: a hand of Leduc and one of Toepen, to the end."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import Show
from tests.browser.lab import HASTE, Notebook, Server

pytestmark = pytest.mark.browser

STANDS = """print(
    0 if any(move.disabled for move in table.moves) else len(table.session.steps),
    table.session.playing,
    sum(move.layout.display == '' for move in table.moves),
)"""
STILL = """() => {  // the table has stood where it is for twenty frames
  const top = document.querySelector('.wb-table').getBoundingClientRect().top;
  window.still = top === window.place ? window.still + 1 : 0;
  window.place = top;
  return window.still > 20;
}"""
ENABLED = """() => {
    const moves = [...document.querySelectorAll('.wb-move')].filter(move => move.offsetParent);
    return moves.some(move => move.disabled) ? -1 : moves.length;
}"""


def settled(notebook: Notebook, seen: int) -> tuple[int, bool]:
    """Wait until more than `seen` steps of the hand were made and the page shows them; how many,
    and whether the hand is over. Both are asked again until they agree: the kernel may answer
    while it draws."""
    for _ in range(600):
        notebook.ready()
        steps, playing, shown = notebook.ask(STANDS).split()
        over = playing == "False"
        drawn = notebook.page.evaluate(ENABLED) == int(shown) and (shown == "0") == over
        if int(steps) > seen and drawn:
            return int(steps), over
        notebook.page.wait_for_timeout(100)
    pytest.fail(f"{steps} steps after {seen}, playing {playing}, {shown} moves are not on the page")


def play_to_the_end(notebook: Notebook) -> None:
    """Always the first move that is not a fold, alternately by mouse and keyboard; the buttons
    stay where they are."""
    heights, steps = [], 0
    for k in range(20):
        steps, over = settled(notebook, steps)
        button = notebook.box("wb-deal" if over else "wb-move")
        heights.append(button["y"] - notebook.box("wb-table")["y"])
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
    pytest.fail("the hand has no end")


def test_a_hand_of_leduc_and_one_of_toepen(show: Show) -> None:
    notebook = show(
        HASTE,
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


SLOW = """from pathlib import Path
import time
def slow(player, seen, actions):
    while not Path("go").exists():
        time.sleep(0.01)
    return actions[0]
table = wb.widgets.PlayTable("kuhn", opponent=slow, seat=0, seed=1)
table"""


def test_a_press_is_seen_at_once_and_counts_once(show: Show, lab: Server) -> None:
    """While the opponent thinks, moves are grey; what is pressed meanwhile is not kept."""
    notebook = show(SLOW)
    notebook.says("wb-now", "Your move?")
    notebook.press("wb-move", "Pass")
    notebook.says("wb-now", "thinking …")
    notebook.page.wait_for_function("() => !document.querySelector('.wb-move:not([disabled])')")
    for words in ("Pass", "Bet"):
        notebook.find("wb-move").filter(has_text=words).click(force=True)
    notebook.find("wb-felt").click()
    notebook.page.keyboard.press("b")
    (lab.folder / "go").touch()
    notebook.says("wb-log", "Player 2")
    notebook.ready()
    mine = "print([step.what for step in table.session.hands[0].decisions_of(0)])"
    assert notebook.ask(mine) == "['p']"


def test_the_table_fits_a_small_screen_and_stands_still(show: Show) -> None:
    """Three cells above, 1280 × 800: the moves of Hold'em are seen, from the deal to the river."""
    notebook = show(
        HASTE,
        "table = wb.widgets.PlayTable('limit_holdem', opponent='always-call', seat=1, seed=1, "
        "review=False)\ntable",
    )
    notebook.page.set_viewport_size({"width": 1280, "height": 800})
    notebook.says("wb-now", "Your move?")
    notebook.ran()
    notebook.page.wait_for_function(STILL)
    places, steps = set(), 0
    while not (now := settled(notebook, steps))[1]:
        steps = now[0]
        place = notebook.box("wb-move")
        places.add(round(place["y"] + place["height"]))
        notebook.find("wb-move").filter(has_text=re.compile("Check|Call")).locator(
            "visible=true"
        ).click()
    assert len(places) == 1
    assert max(places) < 770  # the status bar of JupyterLab
    assert notebook.find("wb-felt").get_by_text("board", exact=True).count() == 1
    assert "milli" not in notebook.find("wb-table").inner_text()


def test_opponents_with_a_mind_show_it(show: Show) -> None:
    """One thinks, one learns; after a hand one unfolds what it considered or believes."""
    notebook = show(
        HASTE, "table = wb.widgets.PlayTable('leduc', opponent='searching', seat=0, seed=1)\ntable"
    )
    notebook.says("wb-now", "Your move?")
    play_to_the_end(notebook)
    notebook.says("wb-review", "for your decisions")
    minds = notebook.find("wb-minds")
    assert not minds.locator("table").first.is_visible()
    minds.locator("summary").click()
    minds.locator("table").first.wait_for()
    notebook.says("wb-minds", "you hold")

    notebook.choose("wb-opponent", "learning")
    notebook.find("wb-sit").click()
    notebook.says("wb-now", "Your move?")
    play_to_the_end(notebook)
    notebook.find("wb-minds").locator("summary").click()
    notebook.says("wb-minds", "What it believes about you after 1 hand")
    for width in (1280, 390):
        notebook.page.set_viewport_size({"width": width, "height": 800})
        assert notebook.too_wide("wb-table") == []
