"""Every term that the notebooks link to stands in the glossary, and the names it gives exist."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest

import workbench as wb
from workbench.lab.shelves import notebooks
from workbench.runs.run import Run

GLOSSARY = next(path for path in notebooks() if path.stem == "glossary")
HEADING = re.compile(r"^### (.+)$", re.MULTILINE)
LINK = re.compile(r"glossary\.ipynb#([^)\s]+)\)")
NAME = re.compile(r"`(wb|tree|run)\.([\w.]+)")


@cache
def prose(path: Path) -> str:
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def anchors() -> list[str]:
    return [term.replace(" ", "-") for term in HEADING.findall(prose(GLOSSARY))]


def test_a_term_is_one_heading_in_lower_case():
    found = anchors()
    assert len(found) == len(set(found)) > 45
    assert all(anchor == anchor.lower() for anchor in found)
    assert {*re.findall(r"\]\(#([^)]+)\)", prose(GLOSSARY))} == {*found}  # the list at its top


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_links_to_the_glossary_lead_to_a_term(path):
    assert {*LINK.findall(prose(path))} <= {*anchors()}


def test_the_names_in_the_glossary_exist(kuhn):
    names = set(NAME.findall(prose(GLOSSARY)))
    assert len(names) > 30
    for start, dotted in names:
        here: Any = {"wb": wb, "tree": kuhn, "run": Run}[start]
        for part in dotted.split("."):
            fields = getattr(here, "__dataclass_fields__", {})
            assert hasattr(here, part) or part in fields, f"{start}.{dotted}"
            here = getattr(here, part, None)
