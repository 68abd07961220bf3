"""The next morning: a notebook that was run, saved and shut down is opened again."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium  # noqa: F401 (the name makes the fixture known)
from tests.browser.lab import Notebook, Server, opened, reopened
from workbench.lab.saving import VIEW
from workbench.lab.working_copies import FIRST, hand_out

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
VIEWS = f"""() => [...jupyterapp.shell.currentWidget.model.cells].filter(cell =>
  cell.outputs?.length && '{VIEW}' in cell.outputs.get(0).data).length"""


def kinds(server: Server, name: str) -> list[set[str]]:
    """What the file has for each output that is no text."""
    notebook: Any = nbformat.read(server.folder / f"{name}.ipynb", as_version=4)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [set(output.data) for output in outputs if "data" in output]


def lost(notebook: Notebook) -> list[str]:
    """What JupyterLab says in place of widgets whose kernel is gone."""
    notebook.page.wait_for_timeout(1000)  # the answer of the new kernel
    text = notebook.page.content()
    return [words for words in ("model not found", "Loading widget") if words in text]


def test_panels_are_pages_the_next_morning(
    chromium: Browser,  # noqa: F811
    lab: Server,
) -> None:
    with opened(chromium, lab, CELLS, "evening") as notebook:
        notebook.run()
        notebook.find("wb-now").wait_for()
        notebook.ready()
        views = notebook.page.evaluate(VIEWS)
        assert views == len(CELLS) - 1
        notebook.save()
        assert not any(VIEW in shown for shown in kinds(lab, "evening"))
        # what is open stays alive
        assert notebook.page.evaluate(VIEWS) == views
        notebook.find("wb-guess").get_by_text("Jack").click()
        notebook.press("wb-reveal")
        notebook.says("wb-revealed", "It loses.")
        notebook.find("wb-start").click()
        notebook.says("wb-progress", "done")
        notebook.save()
        assert notebook.errors == []
    with reopened(chromium, lab, "evening") as notebook:
        pages = notebook.page.locator(".jp-RenderedHTML")
        pages.filter(has_text="Which bluffs?").get_by_text("Reveal").click()
        pages.get_by_text("It loses.").wait_for()
        pages.filter(has_text="Solver panel").wait_for()
        pages.filter(has_text="Stakes: low").wait_for()
        notebook.page.locator(".jp-RenderedImage img").wait_for()
        assert lost(notebook) == []
        notebook.run()  # and the cells bring the panels back
        notebook.find("wb-start").click()
        notebook.says("wb-progress", "done")
        assert notebook.errors == []


@pytest.mark.slow
def test_start_here_is_whole_the_next_morning(
    chromium: Browser,  # noqa: F811
    lab: Server,
) -> None:
    """The working copy of a real notebook: Run All, save, shut down, open again."""
    hand_out(lab.folder / "my-course")
    name = f"my-course/{FIRST.removesuffix('.ipynb')}"
    with reopened(chromium, lab, name) as notebook:
        notebook.page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
        notebook.ready()
        views = notebook.page.evaluate(VIEWS)
        notebook.save()
    assert views >= 6
    assert not any(VIEW in shown for shown in kinds(lab, name))
    with reopened(chromium, lab, name) as notebook:
        assert lost(notebook) == []
        assert notebook.errors == []
