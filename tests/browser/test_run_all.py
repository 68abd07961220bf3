"""Run All in a new kernel: every picture is there, cell by cell, while panels come and are used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Show
from tests.browser.lab import Notebook, Server, shown_in
from workbench.lab.working_copies import FIRST, hand_out

pytestmark = pytest.mark.browser

LECTURES = "notebooks/lectures/"
PANELS = [  # with panels that solve
    FIRST,
    f"{LECTURES}03-which-solver-should-you-use.ipynb",
    f"{LECTURES}04-what-does-abstraction-cost.ipynb",
]
DRAWS = """fig, ax = plt.subplots()
for _ in range(6000):  # until the panel has been used, while this cell runs
    if panel.runs:
        break
    time.sleep(0.1)
ax.plot([1, 2])
print(len(panel.runs), "run")"""
PICTURES = """() => [...jupyterapp.shell.currentWidget.model.cells].map(cell => {
  const outputs = [...Array(cell.outputs?.length ?? 0).keys()].map(k => cell.outputs.get(k));
  return outputs.filter(output => 'image/png' in output.data).length;
})"""


def pictures(notebook: Notebook) -> list[int]:
    """How many each cell shows, when all have been run."""
    notebook.ran()
    return list(notebook.page.evaluate(PICTURES))


def stored(path: Path) -> list[int]:
    """How many each cell of a file shows."""
    notebook: Any = nbformat.read(path, as_version=4)
    return [
        sum("image/png" in output.get("data", {}) for output in cell.get("outputs", ()))
        for cell in notebook.cells
    ]


def test_a_figure_that_is_drawn_while_a_panel_is_used(show: Show) -> None:
    """And a switch, whose choice changes what is shown while the kernel is busy."""
    notebook = show(
        "import matplotlib.pyplot as plt, time",
        "plt.plot([1, 2])",
        "panel = wb.widgets.SolverPanel('kuhn', iterations=500)\npanel",
        'wb.widgets.switch({"low": "the first", "high": "the second"}, label="Stakes")',
        DRAWS,
        kernel="python3",
    )
    shown = notebook.find("wb-switch")
    shown.get_by_text("the first").wait_for()
    shown.get_by_label("Stakes").select_option("high")
    shown.get_by_text("the second").wait_for()
    assert not shown.get_by_text("the first").is_visible()
    notebook.press("wb-start")
    assert pictures(notebook) == [0, 0, 1, 0, 0, 1]
    notebook.page.get_by_text("1 run", exact=True).wait_for()


@pytest.mark.parametrize(
    ("name", "times"),
    [(FIRST, 1), *(pytest.param(name, 5, marks=pytest.mark.slow) for name in PANELS)],
)
def test_every_picture_of_a_notebook(
    application_page: Page, lab: Server, root: Path, name: str, times: int
) -> None:
    """As in the file; in quick mode if it is done once."""
    hand_out(lab.folder / "run-all")
    seen = []
    for _ in range(times):
        with shown_in(application_page, f"run-all/{name.removesuffix('.ipynb')}") as notebook:
            if times == 1:
                notebook.ask("import os; os.environ['WORKBENCH_QUICK'] = '1'")
            notebook.run()
            seen.append(pictures(notebook))
            assert notebook.errors == []
    assert sum(seen[0]) > 0
    assert seen == times * [stored(root / name)]
