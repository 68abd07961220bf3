"""Every notebook runs from top to bottom, its claims hold, and its outputs are those of such a run.

Claims are what a notebook's prose states: `tests/claims/KEY.py` holds asserts about the notebook's
variables (KEY is 04 for a lecture, the whole name for a lab or project). They run as one more cell
after the last one, in the same kernel. `QUICK` tells them whether the notebook ran in quick mode.
"""

import json
import re

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from tests.conftest import ROOT
from workbench.lab.shelves import key, notebooks

NOTEBOOKS = notebooks()
CLAIMS = ROOT / "tests" / "claims"
MACHINE = re.compile(r"/(?:home|root|Users|tmp|private|opt)/|[A-Za-z]:\\\\|site-packages")
LIMIT = 1800  # seconds: a cell that hangs, not one on a busy machine
WIDGET = "application/vnd.jupyter.widget-view+json"

pytestmark = pytest.mark.usefixtures("forked_kernels")
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def run(path, claims, *, quick):
    """Run a notebook and then its claims, if there are any."""
    notebook = nbformat.read(path, as_version=4)
    if claims.exists():
        text = f"QUICK = {quick}\n{claims.read_text('utf-8')}"
        notebook.cells.append(nbformat.v4.new_code_cell(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_QUICK", str(int(quick)))
        execute(notebook, path.parent)
    return notebook


def execute(notebook, folder):
    """Run a notebook in a kernel of its own."""
    how = {"timeout": LIMIT, "startup_timeout": LIMIT, "kernel_name": "python3"}
    how |= {"resources": {"metadata": {"path": str(folder)}}, "shutdown_kernel": "immediate"}
    NotebookClient(notebook, **how).execute()


def written(*cells):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])


@each_notebook
def test_runs_from_top_to_bottom_and_keeps_its_claims(path):
    assert complaints(run(path, CLAIMS / f"{key(path)}.py", quick=True)) == []


@pytest.mark.slow
@each_notebook
def test_keeps_its_claims_in_full(path):
    assert complaints(run(path, CLAIMS / f"{key(path)}.py", quick=False)) == []


def test_a_claim_that_fails_shows_its_line(tmp_path):
    nbformat.write(written("x = 1"), tmp_path / "one.ipynb")
    claims = tmp_path / "one.py"
    claims.write_text("assert QUICK\nassert x == 2, 'x is 2'\n", "utf-8")
    with pytest.raises(CellExecutionError, match=r"assert x == 2, 'x is 2'"):
        run(tmp_path / "one.ipynb", claims, quick=True)
    claims.write_text("assert not QUICK\nassert x == 1\n", "utf-8")
    run(tmp_path / "one.ipynb", claims, quick=False)


def test_a_complaint_names_its_cell(tmp_path):
    made = written("x = 1", "import sys\nprint('oh dear', file=sys.stderr)")
    nbformat.write(made, tmp_path / "one.ipynb")
    (said,) = complaints(run(tmp_path / "one.ipynb", tmp_path / "none.py", quick=True))
    assert said.startswith('cell [2] "import sys')
    assert "oh dear" in said


def test_claims_belong_to_notebooks():
    assert {path.stem for path in CLAIMS.glob("*.py")} <= {key(path) for path in NOTEBOOKS}


@each_notebook
def test_is_committed_as_a_clean_run_left_it(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = code_cells(notebook)
    counts = [cell.execution_count for cell in cells]
    assert counts == list(range(1, len(cells) + 1)), "run `make notebooks` and commit the result"
    assert not cells or any(cell.outputs for cell in cells)
    assert complaints(notebook) == []
    assert "widgets" not in notebook.metadata, "run `make notebooks`: panels are saved as pages"
    assert not any(WIDGET in output.get("data", {}) for cell in cells for output in cell.outputs)


@each_notebook
def test_shows_neither_somebodys_machine_nor_an_answer(path):
    """Questions to predict hide their answers, also where only text is shown."""
    for cell in code_cells(nbformat.read(path, as_version=4)):
        for output in cell.outputs:
            data = output.get("data", {})
            assert "answer=" not in str(data.get("text/plain", ""))
            texts = [text for kind, text in data.items() if not kind.startswith("image/")]
            shown = f"{output.get('text', '')} {texts}"
            found = MACHINE.search(shown)
            assert not found, f"{shown[max(0, found.start() - 60) : found.end() + 60]!r}"


def complaints(notebook):
    """Errors, and what stands on standard error: warnings do not teach."""
    return [
        f"cell [{cell.execution_count}] {cell.source[:200]!r} says {json.dumps(output)[:2000]}"
        for cell in code_cells(notebook)
        for output in cell.outputs
        if output.output_type == "error" or output.get("name") == "stderr"
    ]
