"""Fixtures of the tests in a real browser; `lab.py` and `chromium.py` say how."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium  # noqa: F401 (the name makes the fixture known)
from tests.browser.lab import Notebook, Server, lab_server, opened

Show = Callable[..., Notebook]


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A JupyterLab server in an empty folder; one for all tests."""
    with lab_server(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture
def show(chromium: Browser, lab: Server) -> Iterator[Show]:  # noqa: F811
    """`show(cell, …)`: a notebook of these cells in the browser, which imports wb and is run. In
    the end the page must have complained of nothing."""
    with ExitStack() as stack:
        shown = []

        def run(*cells: str) -> Notebook:
            all_cells = ["import workbench as wb", *cells]
            shown.append(stack.enter_context(opened(chromium, lab, all_cells)))
            shown[-1].run()
            return shown[-1]

        yield run
        assert [error for notebook in shown for error in notebook.errors] == []
