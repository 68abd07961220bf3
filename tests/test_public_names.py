"""The public surface: some names on top and a few groups, and what the course may call."""

import ast
import json
import re
import types

import pytest

import workbench as wb
from tests.conftest import ROOT

GROUPS = {
    name: getattr(wb, name)
    for name in wb.__all__
    if isinstance(getattr(wb, name), types.ModuleType)
}
COURSE = sorted(
    path for end in ("ipynb", "py", "toml") for path in (ROOT / "notebooks").rglob(f"*.{end}")
)
TEXTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "DECISIONS.md")]
CHAIN = re.compile(r"(?<![\w.])wb((?:\.[A-Za-z_]\w*)+)")


def texts(path):
    """What people read of a file, in pieces, and whether each is code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        for cell in json.loads(text)["cells"]:
            yield "".join(cell["source"]), cell["cell_type"] == "code"
    else:
        yield text, path.suffix == ".py"


def missing(chain):
    """Whether a chain such as "judge.look" asks in vain; values are not looked into."""
    found = wb
    for part in chain.split("."):
        if not isinstance(found, types.ModuleType | type):
            return False
        if part not in (found.__all__ if isinstance(found, types.ModuleType) else dir(found)):
            return True
        found = getattr(found, part)
    return False


def test_the_surface_can_be_learnt():
    assert len(wb.__all__) - len(GROUPS) <= 50


def test_every_name_stands_once():
    places = {}
    for place, module in {"": wb, **GROUPS}.items():
        for name in set(module.__all__) - set(GROUPS):
            places.setdefault(id(getattr(module, name)), set()).add(f"{place}.{name}")
    assert not [names for names in places.values() if len(names) > 1]


@pytest.mark.parametrize("path", [*COURSE, *TEXTS], ids=lambda path: path.name)
def test_what_the_course_calls_exists_and_is_no_inner_file(path):
    modules = {group.__name__: group for group in GROUPS.values()}
    for text, is_code in texts(path):
        asked = {chain[1:] for chain in CHAIN.findall(text)} - {"solvers.PowerCFR"}  # to be written
        assert not [chain for chain in asked if missing(chain)]
        for node in ast.walk(ast.parse(text)) if is_code else ():
            if isinstance(node, ast.Import):
                inner = {one.name for one in node.names if one.name.startswith("workbench.")}
                assert not inner, f"import {inner}"
            elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("workbench"):
                assert node.module in modules, f"line {node.lineno} imports below a group"
                assert {one.name for one in node.names} <= set(modules[node.module].__all__)
