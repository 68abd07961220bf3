"""Every notebook runs from top to bottom, and the committed outputs are those of such a run."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests.conftest import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MACHINE = re.compile(r"/(?:home|root|Users|tmp|private|opt)/|[A-Za-z]:\\\\|site-packages")
WIDGET = "application/vnd.jupyter.widget-view+json"

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def test_runs_from_top_to_bottom(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_QUICK", "1")
    notebook = nbformat.read(path, as_version=4)
    folder = {"metadata": {"path": str(path.parent)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=folder).execute()
    assert no_complaints(notebook)


def test_is_committed_as_a_clean_run_left_it(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = code_cells(notebook)
    counts = [cell.execution_count for cell in cells]
    assert counts == list(range(1, len(cells) + 1)), "run `make notebooks` and commit the result"
    assert any(cell.outputs for cell in cells)
    assert no_complaints(notebook)
    assert "widgets" not in notebook.metadata, "run `make notebooks`: panels are saved as pages"
    assert not any(WIDGET in output.get("data", {}) for cell in cells for output in cell.outputs)


def test_shows_nothing_of_somebodys_machine(path: Path) -> None:
    for cell in code_cells(nbformat.read(path, as_version=4)):
        for output in cell.outputs:
            data = output.get("data", {})
            texts = [text for kind, text in data.items() if not kind.startswith("image/")]
            shown = f"{output.get('text', '')} {texts}"
            found = MACHINE.search(shown)
            assert not found, f"{shown[max(0, found.start() - 60) : found.end() + 60]!r}"


def test_gives_no_answer_away(path: Path) -> None:
    """Questions to predict hide their answers, also where only text is shown."""
    for cell in code_cells(nbformat.read(path, as_version=4)):
        for output in cell.outputs:
            text = str(output.get("data", {}).get("text/plain", ""))
            assert "answer=" not in text, text[:80]


def no_complaints(notebook: nbformat.NotebookNode) -> bool:
    """No errors, and nothing on standard error: warnings do not teach."""
    return not any(
        output.output_type == "error" or output.get("name") == "stderr"
        for cell in code_cells(notebook)
        for output in cell.outputs
    )
