"""The worked solutions are right, and every exercise is asked, answered and left open."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pytest

from tests.lab.exercises.notebooks import (
    NOTEBOOKS,
    SOLUTIONS,
    code_of,
    exercises_of,
    file_of,
    questions_of,
    run,
)
from workbench.lab.exercises.core import Verdict

pytestmark = pytest.mark.parametrize("path", SOLUTIONS, ids=[path.stem[:2] for path in SOLUTIONS])
CHECK = re.compile(r"exercise\.(check_\w+)")
MACHINE = re.compile(r"/(?:home|root|Users|tmp|private|opt)/|site-packages")


def test_every_solution_is_right(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_QUICK", "1")
    cells = code_of(path)
    verdicts = [value for value in run(cells) if isinstance(value, Verdict)]
    plt.close("all")
    assert all(verdicts), [verdict for verdict in verdicts if not verdict]
    checked = [name for cell in cells for name in CHECK.findall(cell)]
    assert len(verdicts) == len(checked), "end the cell with its check, so that it is shown"
    assert set(checked) == set(exercises_of(file_of(path)))


def test_the_notebook_asks_and_leaves_the_answer_open(path: Path) -> None:
    student = code_of(NOTEBOOKS / path.name)
    file = file_of(NOTEBOOKS / path.name)
    assert file is file_of(path)
    asked = [cell for cell in student if CHECK.search(cell)]
    assert {CHECK.search(cell)[1] for cell in asked} == set(exercises_of(file))  # type: ignore[index]
    assert 3 <= len(asked) <= 5
    assert all("..." in cell for cell in asked)
    predicted = re.findall(r"predict\(exercise\.(\w+)\)", "\n".join(student))
    assert sorted(predicted) == sorted(questions_of(file)), "ask each question once"
    assert 2 <= len(predicted) <= 4


def test_the_notebook_shows_what_its_cells_say(path: Path) -> None:
    """Open checks say so, and questions can be unfolded, without any widget."""
    notebook = nbformat.read(NOTEBOOKS / path.name, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and "exercise." in cell.source:
            data = cell.outputs[-1]["data"]
            assert "application/vnd.jupyter.widget-view+json" not in data
            wanted = "wb-open" if "check_" in cell.source else "<details>"
            assert wanted in data["text/html"]
    assert "widgets" not in notebook.metadata


def test_solutions_are_committed_as_a_clean_run_left_them(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        for output in cell.outputs:
            assert output.output_type != "error"
            assert output.get("name") != "stderr"
            texts = [v for k, v in output.get("data", {}).items() if not k.startswith("image/")]
            assert not MACHINE.search(f"{output.get('text', '')} {texts}")
            if CHECK.search(cell.source) and output.output_type == "execute_result":
                assert "wb-right" in output.data["text/html"]
