"""Imports go one way, from what is shown down to the rules, and `import workbench` is cheap."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT, RunPython

PACKAGE = ROOT / "workbench"

# Lowest first. A part may import what stands below it, and itself; neighbours in one line
# know nothing of each other.
LAYERS = [
    {"_version", "folders", "progress", "rules"},
    {"kernels"},
    {"archive", "games", "random", "tree"},
    {"assembling", "node_checks", "strategy", "treecache"},
    {"compiling", "fixing", "playing"},
    {"deciding", "passes"},
    {"sequence_form"},
    {"programs"},
    {"abstraction", "evaluation", "poker", "solvers", "stitching"},
    {"experiments"},
    {"play"},
    {"plots"},
    {"exercises"},
    {"widgets"},
    {"reports"},
    {""},  # `import workbench`: the public names
    {"lab"},
    {"commands"},
    {"__main__"},
]
# Methods that hand their object to a part above, for convenience; only inside the method.
SHORTCUTS = {("strategy", "plots"), ("tree", "games"), ("widgets", "reports")}

LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

SLOW_TO_IMPORT = ["numba", "pandas", "scipy", "matplotlib", "ipywidgets", "IPython", "joblib"]


def part_of(path: Path) -> str:
    """workbench/solvers/cfr.py and workbench/solvers/__init__.py belong to the part `solvers`."""
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imported_parts(path: Path) -> Iterator[tuple[ast.stmt, str]]:
    """Statement and part of each import of the package, wherever it stands; typing is free."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_typing = {
        id(statement)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_typing:
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: write imports in full"
            assert node.module is not None
            names = [node.module]
            if node.module == "workbench":
                names = [f"workbench.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            root, _, rest = name.partition(".")
            if root == "workbench":
                part = rest.partition(".")[0]
                yield node, part if part in LEVEL else ""


SOURCES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    part = part_of(path)
    assert part in LEVEL, f"give {part} a place in LAYERS"
    for statement, imported in imported_parts(path):
        below = imported == part or LEVEL[imported] < LEVEL[part]
        shortcut = (part, imported) in SHORTCUTS and statement.col_offset > 0
        assert below or shortcut, (
            f"{path.name}:{statement.lineno}: {part} must not import {imported or 'workbench'}"
        )


def test_importing_the_package_costs_numpy_only(run_python: RunPython) -> None:
    code = f"import sys, workbench; print(*sorted(set(sys.modules) & set({SLOW_TO_IMPORT})))"
    done = run_python("-W", "error", "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
