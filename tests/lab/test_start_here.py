"""The names in the glossary exist."""

from __future__ import annotations

import re
from typing import Any

import nbformat

import workbench as wb
from workbench.lab.shelves import notebooks
from workbench.runs.run import Run


def test_the_names_in_the_glossary_exist() -> None:
    path = next(
        path for path in reversed(notebooks()) if path.stem in ("glossary", "00-start-here")
    )
    cells = nbformat.read(path, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    tree = wb.compile_game(wb.load_game("kuhn"))
    names = set(re.findall(r"`(wb|tree|run)\.([\w.]+)", text))
    assert len(names) > 30
    for start, path in names:
        here: Any = {"wb": wb, "tree": tree, "run": Run}[start]
        for part in path.split("."):
            fields = getattr(here, "__dataclass_fields__", {})
            assert hasattr(here, part) or part in fields, f"{start}.{path}"
            here = getattr(here, part, None)
