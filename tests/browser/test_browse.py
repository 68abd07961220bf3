"""Walking through games in JupyterLab."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenNotebook
from tests.browser.lab import Notebook

pytestmark = pytest.mark.browser


def press(notebook: Notebook, name: str, words: str) -> None:
    """The button with this class and these words."""
    notebook.find(name).filter(has_text=words).first.click()


def says(notebook: Notebook, name: str, words: str) -> None:
    """Wait until the widget with this class says this."""
    notebook.find(name).filter(has_text=words).first.wait_for()


def test_game_browser(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(
        ["import workbench as wb", "browser = wb.widgets.GameBrowser('kuhn')\nbrowser"]
    )
    notebook.run()
    press(notebook, "wb-move", "Q")
    press(notebook, "wb-move", "J")
    says(notebook, "wb-place", "You hold the Queen")
    press(notebook, "wb-move", "pass")
    press(notebook, "wb-move", "bet")
    says(notebook, "wb-place", "Q pb")
    says(notebook, "wb-tables", "CFR+")
    says(notebook, "wb-tables", "uniform")
    notebook.page.locator(".wb-tree img[alt*='Q J p b is outlined']").wait_for()
    assert notebook.ask("print(browser.path)") == "['Q', 'J', 'p', 'b']"
    press(notebook, "wb-crumb", "J")
    says(notebook, "wb-place", "Information set Q: 2 histories")
    notebook.find("wb-root").click()
    notebook.find("wb-deal").click()
    says(notebook, "wb-place", "You are player 1")
    assert notebook.errors == []
