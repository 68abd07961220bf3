"""`workbench report` from a shell: files, notes on standard error, one line for bad input."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tests.conftest import ROOT
from tests.reports.reader import check
from workbench.__main__ import main


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.fspath(ROOT))
    monkeypatch.delenv("MPLBACKEND", raising=False)  # that of the tests is not a notebook's
    return tmp_path / "one.ipynb"


def write(path: Path, *code: str) -> None:
    cells = [new_markdown_cell("# One"), *map(new_code_cell, code)]
    nbformat.write(new_notebook(cells=cells), path)


def test_in_this_folder_by_default(notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(notebook, "1 + 1")
    assert main(["report", "one.ipynb"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("one.html (")
    assert said.err == (
        "workbench: no cell has an output; run the notebook and save it, or add --run\n"
    )
    check(Path("one.html").read_text(encoding="utf-8"))


def test_bad_input(notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "gone.ipynb"]) == 2
    assert capsys.readouterr().err == "workbench: there is no notebook gone.ipynb\n"
    write(notebook, "1 + 1")
    assert main(["report", "one.ipynb", "-o", "no/where.html"]) == 2
    assert "no folder no" in capsys.readouterr().err


def test_run_first(notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A figure that a kernel draws is described without anybody asking for it."""
    write(
        notebook,
        "import matplotlib.pyplot as plt\nimport workbench as wb",
        "fig, ax = plt.subplots()\nax.plot([1, 2], [3, 4], label='up');",
        "print(6 * 7)",
    )
    before = notebook.read_bytes()
    assert main(["report", "one.ipynb", "-o", "ran.html", "--run"]) == 0
    assert notebook.read_bytes() == before
    text = Path("ran.html").read_text(encoding="utf-8")
    assert [image["alt"] for image in check(text).all("img")] == ["up: from 3 at 1 to 4 at 2."]
    assert ">42</pre>" in text
    assert capsys.readouterr().err == ""


def test_run_into_an_error(notebook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(notebook, "1 / 0")
    assert main(["report", "one.ipynb", "--run"]) == 2
    assert "one.ipynb: cell 2 ends in ZeroDivisionError" in capsys.readouterr().err
    assert not Path("one.html").exists()
