"""Fixtures of the tests in a real browser; `lab.py` and `chromium.py` say how."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser

from tests.browser.chromium import chromium  # noqa: F401 (the name makes the fixture known)
from tests.browser.lab import Notebook, Server, lab_server, opened

OpenNotebook = Callable[[Sequence[str]], Notebook]


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A JupyterLab server in an empty folder; one for all tests."""
    with lab_server(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture
def open_notebook(chromium: Browser, lab: Server) -> Iterator[OpenNotebook]:  # noqa: F811
    """`open_notebook(cells)`: a notebook of these cells in the browser, its kernel ready."""
    with ExitStack() as stack:
        yield lambda cells: stack.enter_context(opened(chromium, lab, cells))
