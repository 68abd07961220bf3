"""The second day: what was run yesterday is whole, and one's own game is played and solved."""

from __future__ import annotations

import shutil
import subprocess
from inspect import getsource
from typing import Any

import nbformat
import pandas as pd
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Show
from tests.browser.lab import HASTE, Notebook, Server, reopened, shown_in, write
from tests.own_game import Kuhn4, SpokenKuhn4
from workbench.lab.saving import VIEW
from workbench.lab.working_copies import hand_out

pytestmark = pytest.mark.browser

CELLS = [
    "import workbench as wb",
    "wb.widgets.predict('Which bluffs?', 'Jack', options=['Jack', 'King'], because='It loses.')",
    "panel = wb.widgets.SolverPanel('kuhn', iterations=100)\npanel",
    "wb.widgets.switch({'low': 'the first', 'high': 'the second'}, label='Stakes')",
    "import matplotlib.pyplot as plt\nfigure = plt.figure()\nplt.close(figure)\n"
    "wb.widgets.switch({'one': figure, 'two': figure}, label='Figure')",
    "wb.widgets.PlayTable('kuhn')",
]
HER_OWN = [
    HASTE,
    f"{getsource(Kuhn4)}\n\n{getsource(SpokenKuhn4)}",
    """class Hasty(wb.solvers.CFRPlus):
    name = "hasty"

    def weights(self, t):
        return 1.0 + 0 * t, 0.0 * t, t**3.0""",
    "table = wb.widgets.PlayTable(SpokenKuhn4(), opponent='always-call', seat=0, seed=1)\ntable",
    "browser = wb.widgets.GameBrowser(SpokenKuhn4())\nbrowser",
    "panel = wb.widgets.SolverPanel(SpokenKuhn4(), solvers=[Hasty()], iterations=200)\npanel",
    "wb.widgets.CFRStepper(SpokenKuhn4())",
]
AT_REST = """() => {  // scrolls to the table, until it has stood there for twenty frames
  const table = document.querySelector('.jp-OutputArea .wb-table').getBoundingClientRect();
  const around = document.querySelector('.jp-NotebookPanel-notebook').getBoundingClientRect();
  window.rest = Math.abs(table.top - around.top) < 2 ? (window.rest || 0) + 1 : 0;
  if (!window.rest) document.querySelector('.jp-OutputArea .wb-table').scrollIntoView();
  return window.rest > 20 && !(window.rest = 0);
}"""
VIEWS = f"""() => [...jupyterapp.shell.currentWidget.model.cells].filter(cell =>
  cell.outputs?.length && '{VIEW}' in cell.outputs.get(0).data).length"""


def test_panels_are_pages_the_next_morning(
    chromium: Browser, application_page: Page, lab: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run all cells in a working copy, save, shut down, open again: pages, and a clean clone."""
    clone, git = lab.folder / "clone", shutil.which("git")
    if git:
        subprocess.run([git, "init", "-q", clone], check=True)
    monkeypatch.setattr("workbench.lab.working_copies.CHECKOUT", clone.resolve())
    hand_out(clone / "my-course")
    name = "clone/my-course/notebooks/evening"
    write(lab, CELLS, name, "forked")
    with shown_in(application_page, name) as notebook:
        notebook.run()
        notebook.find("wb-now").wait_for()
        notebook.ready()
        views = notebook.page.evaluate(VIEWS)
        assert views == sum("wb.widgets." in cell and "switch" not in cell for cell in CELLS)
        notebook.save()
        saved: Any = nbformat.read(lab.folder / f"{name}.ipynb", as_version=4)
        outputs = [output for cell in saved.cells for output in cell.get("outputs", ())]
        assert not any(VIEW in output.get("data", ()) for output in outputs)
        # what is open stays alive
        assert notebook.page.evaluate(VIEWS) == views
        notebook.find("wb-guess").get_by_text("Jack").click()
        notebook.press("wb-reveal")
        notebook.says("wb-revealed", "It loses.")
        notebook.find("wb-start").click()
        notebook.says("wb-progress", "done")
        notebook.save()
        assert notebook.errors == []
    if git:
        status = [git, "-C", clone, "status", "--porcelain"]
        assert subprocess.run(status, capture_output=True, text=True, check=True).stdout == ""
    with reopened(chromium, lab, name) as notebook:
        pages = notebook.page.locator(".jp-RenderedHTML")
        pages.filter(has_text="Which bluffs?").get_by_text("Reveal").click()
        pages.get_by_text("It loses.").wait_for()
        pages.filter(has_text="Solver panel").wait_for()
        pages.get_by_text("the first").wait_for()
        pages.locator(".wb-switch img").first.wait_for()
        notebook.page.wait_for_timeout(1000)  # the answer of the new kernel
        text = notebook.page.content()  # what JupyterLab says of widgets whose kernel is gone
        assert not [words for words in ("model not found", "Loading widget") if words in text]
        notebook.run()  # and the cells bring the panels back
        notebook.find("wb-start").click()
        notebook.says("wb-progress", "done")
        assert notebook.errors == []


def test_her_own_game_and_solver(show: Show) -> None:
    """Both written in a cell: a hand with all keys, a press in the tree, a race, a file, a step."""
    notebook = show(*HER_OWN)
    notebook.page.set_viewport_size({"width": 1280, "height": 800})
    notebook.ran()
    play(notebook)
    tree = notebook.find("wb-tree")
    tree.get_by_label("Go to Q K", exact=True).locator("circle").click()
    notebook.says("wb-place", "You hold a Queen")
    notebook.press("wb-game-browser .wb-move", "bet")
    tree.locator("[aria-current][aria-label='Go to Q K b']").wait_for()
    race(notebook)
    stepper = notebook.find("wb-cfr-stepper")
    stepper.locator(".wb-ten").click()
    notebook.says("wb-status", "After 10 iterations")
    stepper.locator(".wb-back").click()
    notebook.says("wb-status", "After 9 iterations")


def play(notebook: Notebook) -> None:
    """A hand to its end, again, as training, and the next one; by keys alone, all in its place."""
    page, cells = notebook.page, notebook.page.locator(".jp-Cell").count()
    notebook.says("wb-now", "You hold a Queen. Your move?")
    page.wait_for_function(AT_REST)
    notebook.find("wb-felt").click()  # the focus is somewhere at the table
    window = page.locator(".jp-NotebookPanel-notebook").first.bounding_box()
    assert window is not None
    assert notebook.box("wb-table")["y"] >= window["y"] - 2  # all of the table can be seen
    assert notebook.box("wb-table .wb-move")["y"] + 32 < window["y"] + window["height"]
    place = below(notebook)
    page.keyboard.press("x")  # cuts a cell where JupyterLab hears it
    for key, place_of, words in (
        ("?", "message", "The higher card wins"),
        ("h", "message", "The equilibrium: check 100"),
        ("2", "log", "Player 2 shows a King"),  # bets, the second move, which costs something
        ("a", "score", "Practice, hand 1 again"),
        ("b", "log", "Player 2 shows a King"),
        ("t", "now", "You hold a Queen. Your move?"),
        ("c", "log", "You check"),
        ("t", "message", "you got every spot right"),
        ("n", "score", "Hand 2"),
    ):
        ready = f'button[class~="wb-key-{key}"]:not([disabled])'
        page.locator(ready).locator("visible=true").first.wait_for()
        page.keyboard.press(key)
        notebook.says(f"wb-{place_of}", words)
    notebook.says("wb-now", "Your move?")
    for _ in range(200):  # the next hand is dealt piece by piece
        if abs(below(notebook) - place) <= 2:
            break
        page.wait_for_timeout(50)
    assert below(notebook) == pytest.approx(place, abs=2)
    for key in "dd":
        page.keyboard.press(key)
    assert notebook.ask("print(len(table.session.hands), len(table.session.played))") == "1 3"
    assert page.locator(".jp-Cell").count() == cells  # no key went to the notebook


def below(notebook: Notebook) -> float:
    """How far down the table its buttons stand; the game browser has such buttons, too."""
    return notebook.box("wb-table .wb-move")["y"] - notebook.box("wb-table")["y"]


def race(notebook: Notebook) -> None:
    """Her solver and ours; one curve hidden; the strategy as a table and a file; all cleared."""
    panel = notebook.find("wb-solver-panel")
    for run, solver in enumerate(("hasty (your own)", "cfr+"), 1):
        panel.locator(".wb-solver select").select_option(solver)
        notebook.press("wb-start")
        panel.locator(f".wb-results tr:nth-child({run})").filter(has_text="200").wait_for()
        panel.locator(".wb-stop[disabled]").wait_for()
    curve = panel.locator(".widget-html.wb-curve")
    curve.locator("img[alt*='1: hasty (your own) goes'][alt*='2: cfr+ goes']").wait_for()
    panel.get_by_label("1: hasty (your own)").uncheck()
    curve.locator("img[alt*='2: cfr+ goes']:not([alt*='hasty'])").wait_for()
    notebook.press("wb-fold-strategy")
    notebook.says("wb-grid", "24 information sets")
    notebook.press("wb-csv")
    notebook.says("wb-saved", "Saved spoken-kuhn4-cfr+-2.csv")
    file = notebook.ask("import os; print(os.path.abspath('spoken-kuhn4-cfr+-2.csv'))")
    assert set(pd.read_csv(file).action) == {*"pbfcr"}
    notebook.press("wb-clear")
    notebook.says("wb-results", "will stand here")
