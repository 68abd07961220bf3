"""Notebook 00 tells the truth about the others: its map, and the names in its glossary."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import nbformat
import pytest

import workbench as wb
from tests.conftest import ROOT
from workbench.lab.reports.course import Lesson, lesson
from workbench.runs.run import Run

FOLDER = ROOT / "notebooks"
OTHERS = sorted(FOLDER.glob("*.ipynb"))[1:]
ROW = re.compile(r"^\| \[(\d\d)\]\((\S+)\) \| (.*?) \| (\d+) \| (.*?) *\| ", re.MULTILINE)


@cache
def cells(kind: str) -> list[str]:
    notebook = nbformat.read(FOLDER / "00-start-here.ipynb", as_version=4)
    return [cell.source for cell in notebook.cells if cell.cell_type == kind]


def rows() -> dict[str, tuple[str, str, int, str]]:
    """By number: file, question, minutes, what comes before."""
    text = next(text for text in cells("markdown") if ROW.search(text))
    return {row[0]: (row[1], row[2], int(row[3]), row[4]) for row in ROW.findall(text)}


def told(number: str) -> tuple[str, Lesson]:
    path = next(path for path in OTHERS if path.name.startswith(number))
    return path.name, lesson(nbformat.read(path, as_version=4), path)


@pytest.mark.parametrize("number", [path.name[:2] for path in OTHERS])
def test_the_map_says_what_the_notebooks_say(number: str) -> None:
    file, one = told(number)
    needs = ", ".join(sorted(set(re.findall(r"\b(\d\d)\b(?! minutes)", one.needs))))
    assert rows()[number] == (file, one.title, one.minutes, needs)


def test_the_picture_is_drawn_from_the_map() -> None:
    source = next(text for text in cells("code") if text.startswith("after = "))
    drawn: dict[str, Any] = {}
    exec(source, drawn)  # it prints, nothing else
    table = rows()
    assert drawn["after"] == {number: row[3].replace(",", "") for number, row in table.items()}
    assert drawn["minutes"] == {number: row[2] for number, row in table.items()}


def test_the_names_in_the_glossary_exist() -> None:
    text = "\n".join(
        line for text in cells("markdown") for line in text.splitlines() if "|" in line
    )
    tree = wb.compile_game(wb.load_game("kuhn"))
    names = set(re.findall(r"`(wb|tree|run)\.([\w.]+)", text))
    assert len(names) > 30
    for start, path in names:
        here: Any = {"wb": wb, "tree": tree, "run": Run}[start]
        for part in path.split("."):
            fields = getattr(here, "__dataclass_fields__", {})
            assert hasattr(here, part) or part in fields, f"{start}.{path}"
            here = getattr(here, part, None)
