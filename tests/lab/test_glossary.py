"""Every term that the notebooks link to stands in the glossary, and the names it gives exist."""

import re
from typing import Any

import pytest

import workbench as wb
from tests.reading_time import prose
from workbench.lab.shelves import notebooks
from workbench.runs.run import Run

GLOSSARY = next(path for path in notebooks() if path.stem == "glossary")
WORDS = "\n".join(prose(GLOSSARY))
HEADING = re.compile(r"^### (.+)$", re.MULTILINE)
LINK = re.compile(r"glossary\.ipynb#([^)\s]+)\)")
NAME = re.compile(r"`(wb|tree|run)\.([\w.]+)")


def anchors() -> list[str]:
    return [term.replace(" ", "-") for term in HEADING.findall(WORDS)]


def test_a_term_is_one_heading_in_lower_case():
    found = anchors()
    assert len(found) == len(set(found)) > 45
    assert all(anchor == anchor.lower() for anchor in found)
    assert {*re.findall(r"\]\(#([^)]+)\)", WORDS)} == {*found}  # the list at its top


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_links_to_the_glossary_lead_to_a_term(path):
    assert {*LINK.findall("\n".join(prose(path)))} <= {*anchors()}


def test_the_names_in_the_glossary_exist(kuhn):
    names = set(NAME.findall(WORDS))
    assert len(names) > 30
    for start, dotted in names:
        here: Any = {"wb": wb, "tree": kuhn, "run": Run}[start]
        for part in dotted.split("."):
            fields = getattr(here, "__dataclass_fields__", {})
            assert hasattr(here, part) or part in fields, f"{start}.{dotted}"
            here = getattr(here, part, None)
