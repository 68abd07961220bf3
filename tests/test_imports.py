"""Three rules: the core knows neither poker nor the laboratory, nobody imports in a circle, and
some things must not be written twice."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter

from tests.conftest import ROOT

PACKAGE = ROOT / "workbench"
FACES = {  # what users call; they name core and laboratory
    "workbench", "workbench.__main__", "workbench.later", "workbench.judge", "workbench.theory"
}  # fmt: skip
SLOW_TO_IMPORT = {"IPython", "ipywidgets", "matplotlib", "numba", "numpy", "pandas", "scipy"}


def module_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in PACKAGE.rglob("*.py")}


STATEMENTS = "body", "orelse", "finalbody", "handlers", "cases"  # where more of them stand


def imports_of(path):
    """The modules of the package that a file imports, also inside functions and for types."""
    found, waiting = set(), [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: write imports in full"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else str(node.module) for name in names}
        elif not isinstance(node, ast.expr):
            waiting += (one for name in STATEMENTS for one in getattr(node, name, ()))
    return found & set(MODULES)


@cache
def imports():
    """What each module of the package imports of it."""
    return {name: imports_of(path) for name, path in MODULES.items()}


ABOVE = "workbench.poker", "workbench.jamfold", "workbench.lab"  # each may use those before it


def test_the_core_knows_neither_poker_nor_the_laboratory():
    for name, imported in imports().items():
        if name not in FACES:
            room = next((k for k, above in enumerate(ABOVE, 1) if name.startswith(above)), 0)
            upward = {other for other in imported if other.startswith(ABOVE[room:])}
            assert not upward, f"{name} imports {sorted(upward)}"
            assert "workbench" not in imported or room == 3, f"{name} imports the public names"


def test_nobody_imports_in_a_circle():
    graph = {name: imported - FACES for name, imported in imports().items() if name not in FACES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(f"a circle of imports: {' -> '.join(error.args[1])}") from None


def test_importing_the_package_costs_next_to_nothing(run_python):
    code = f"import sys, workbench; print(*sorted(set(sys.modules) & {SLOW_TO_IMPORT}))"
    done = run_python("-W", "error", "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


STITCH = "tree = wb.compile_game(wb.load_game('leduc')); wb.static_experts(tree, 'JQ-K', "
STITCH += "wb.betting_experts(tree, ['r', 'cr']), {0, 1}, iterations=2)"


def test_leduc_loads_the_core_that_it_needs(run_python):
    code = "import sys, workbench as wb\n"
    for asked in ("wb.solve(wb.load_game('leduc'), iterations=2)", STITCH):
        code += f"{asked}\nprint(*(name for name in sys.modules if name.startswith('workbench')))\n"
    for line, most in zip(run_python("-c", code).stdout.splitlines(), (30, 35), strict=True):
        loaded = line.split()
        assert not [name for name in loaded if name.startswith(ABOVE)]
        assert 20 < len(loaded) <= most


ONE_PLACE = {  # what would be a second mechanism anywhere else
    "<td": "lab.html lab.reports.cleaning",  # a table; the cleaner has one as an example
    # a loop over a tree; from one set down
    "tree.levels()": "search.public passes lab.play.action_values",
    ".rjust(": "lab.text",  # columns in a terminal
    "get_close_matches": "settings",  # did you mean
    "█": "progress",  # a bar
}


def test_one_mechanism_for_one_thing():
    for mark, places in ONE_PLACE.items():
        found = {name for name, path in MODULES.items() if mark in path.read_text(encoding="utf-8")}
        assert found <= {f"workbench.{place}" for place in places.split()}, mark
