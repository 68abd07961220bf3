"""A real Chromium for tests, driven by Playwright: the fixture `chromium`.

The browser is Playwright's own if it has been installed, else the system's. A machine without one
skips such tests and says why; where they must run (WORKBENCH_CI=1) they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

__all__ = ["chromium", "find_browser"]

NAMES = (  # the first draws no window that nobody sees: a page takes two thirds of the work
    "chromium-headless-shell", "chromium", "chromium-browser",
    "google-chrome", "google-chrome-stable", "msedge",
)  # fmt: skip
FLAGS = [  # no sandbox: containers; the others keep it from calling home
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_browser(playwright: Playwright) -> str | None:
    """The path of a browser that can be driven, or None."""
    own = playwright.chromium.executable_path
    if own and Path(own).is_file():
        return own
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="package")  # not longer: while it runs, asyncio has a loop in this thread
def chromium() -> Iterator[Browser]:
    """A headless browser; `chromium.new_context(…)` is a fresh profile."""
    with sync_playwright() as playwright:
        path = find_browser(playwright)
        if path is None:
            why = "no Chromium found; `playwright install chromium` or the system's package has it"
            if os.environ.get("WORKBENCH_CI"):
                pytest.fail(why)
            pytest.skip(why)
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
