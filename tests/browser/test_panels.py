"""The panels in JupyterLab, driven as a person would."""

from __future__ import annotations

import pytest

from tests.browser.conftest import OpenNotebook

pytestmark = pytest.mark.browser


def test_jupyterlab_opens(open_notebook: OpenNotebook) -> None:
    notebook = open_notebook(["import workbench as wb", "wb.__version__"])
    notebook.run()
    notebook.page.get_by_text("0.1").first.wait_for()
    assert notebook.ask("print(wb.__name__)") == "workbench"
