"""Fixtures of the tests in a real browser; `lab.py` and `chromium.py` say how.

What the panels and the kernel were doing when a test failed is told at the end of its report.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import chromium  # noqa: F401 (the name makes the fixture known)
from tests.browser.lab import WINDOW, Notebook, Server, application, lab_server, shown_in, write

Show = Callable[..., Notebook]
SHOWN = pytest.StashKey[list[Notebook]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, Any]:
    report = yield
    if call.when == "call" and report.failed:
        for notebook in item.stash.get(SHOWN, []):
            report.sections.append(("what the notebook was doing", notebook.standing()))
    return report


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A JupyterLab server in an empty folder; one for all tests."""
    with lab_server(tmp_path_factory.mktemp("lab")) as server:
        yield server


@pytest.fixture(scope="package")
def application_page(chromium: Browser, lab: Server) -> Iterator[Page]:  # noqa: F811
    """JupyterLab in the browser; to load it takes longer than most tests do in it."""
    with application(chromium, lab) as page:
        yield page


@pytest.fixture
def show(
    request: pytest.FixtureRequest, application_page: Page, lab: Server, tmp_path: Path
) -> Iterator[Show]:
    """`show(cell, …)`: a notebook of these cells in the browser, which imports wb and is run. In
    the end the page must have complained of nothing."""
    application_page.set_viewport_size(WINDOW)
    application_page.evaluate("() => jupyterapp.shell.expandLeft()")
    with ExitStack() as stack:
        shown: list[Notebook] = []
        request.node.stash[SHOWN] = shown

        def run(*cells: str, kernel: str = "forked") -> Notebook:
            name = f"{tmp_path.name}-{len(shown)}"
            write(lab, ["import workbench as wb", *cells], name, kernel)
            shown.append(stack.enter_context(shown_in(application_page, name)))
            shown[-1].run()
            return shown[-1]

        yield run
        assert [error for notebook in shown for error in notebook.errors] == []
