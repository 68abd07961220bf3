"""Which notebook asks which exercises, and a way to run a notebook's cells without a kernel."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat

from tests.conftest import ROOT
from workbench.lab.exercises.core import Exercise
from workbench.lab.exercises.questions import Question

NOTEBOOKS = ROOT / "notebooks"
SOLUTIONS = sorted((NOTEBOOKS / "solutions").glob("*.ipynb"))
IMPORT = re.compile(r"from workbench\.lab\.exercises import (\w+) as exercise")


def code_of(path: Path) -> list[str]:
    """The sources of a notebook's code cells."""
    return [
        cell.source
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code" and cell.source.strip()
    ]


def file_of(path: Path) -> ModuleType:
    """The exercise file that a notebook imports."""
    found = IMPORT.search("\n".join(code_of(path)))
    assert found, f"{path.name} has no line `from workbench.lab.exercises import … as exercise`"
    return import_module(f"workbench.lab.exercises.{found[1]}")


def exercises_of(file: ModuleType) -> dict[str, Exercise]:
    return {name: value for name, value in vars(file).items() if isinstance(value, Exercise)}


def questions_of(file: ModuleType) -> dict[str, Question]:
    return {name: value for name, value in vars(file).items() if isinstance(value, Question)}


def run(cells: list[str], skip: str = "$^") -> Iterator[Any]:
    """Run these cells one after the other; the value of each one's last line, or None."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for k, cell in enumerate(cells):
        if re.search(skip, cell):
            continue
        body = ast.parse(cell).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), f"cell {k}", "exec"), names)
        shown = isinstance(last, ast.Expr) and not cell.rstrip().endswith(";")
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {k}", "eval"), names)
        yield value if shown else None


FILES = [file_of(path) for path in SOLUTIONS]
EXERCISES = {
    f"{file.__name__.rpartition('.')[2]}.{name}": found
    for file in FILES
    for name, found in exercises_of(file).items()
}
QUESTIONS = {
    f"{file.__name__.rpartition('.')[2]}.{name}": found
    for file in FILES
    for name, found in questions_of(file).items()
}
