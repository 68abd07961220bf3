"""How long somebody waits: importing, compiling a game, compiling the kernels.

Each is a fresh Python process. The cells of lecture 01 run once with an empty kernel cache,
as after installation, and once more with the cache that the first run filled: the difference
is what its kernels take to compile. After them every further solver is called once.
Judged is the processor's time; the clock on the wall, which also counts the disk and whatever
else the machine is doing, stands below it.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import workbench as wb
from tests.bench.clock import Settings, now, seconds
from tests.bench.table import Row, below, noted
from workbench.lab.shelves import key, notebooks

ROOT = Path(__file__).resolve().parents[2]
IMPORT, COMPILE, FIRST_LESSON, FURTHER_SOLVER = 0.4, 1.0, 15.0, 3.0  # seconds

# Only what the interpreter has anyway: what the package imports must be on the clock.
_CLOCKS = f"""
import time
def clocks():
    return time.{now.__name__}(), time.perf_counter()
def since(began):
    return [now - then for now, then in zip(clocks(), began)]
took, began = {{}}, clocks()
"""

_IMPORT = f"""{_CLOCKS}
import workbench
took["import"] = since(began)
import json
print(json.dumps(took))
"""

_LESSON = f"""{_CLOCKS}
import contextlib, io, json, sys
cells, names = json.loads(sys.argv[1]), {{"__name__": "__main__"}}
with contextlib.redirect_stdout(io.StringIO()):
    for cell in cells:
        exec(cell, names)
took["notebook"] = since(began)
import workbench as wb
tree = wb.compile_game(wb.load_game("kuhn"))
further = {{name: name for name in wb.solvers.list_solvers()}}
further["cfr, tree"] = wb.solvers.CFR(engine="tree")
for name, solver in further.items():
    began = clocks()
    wb.solve(tree, solver, iterations=2)
    took[name] = since(began)
print(json.dumps(took))
"""

Took = dict[str, tuple[float, float]]  # seconds of the processor, and on the wall


def start(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """Import, compile a game, compile the kernels: what somebody waits for"""
    _run(_IMPORT)  # writes the bytecode
    imports = [_run(_IMPORT)["import"] for _ in range(5 if settings.quick else 9)]
    processor, wall = (statistics.median(times) for times in zip(*imports, strict=True))
    yield below(IMPORT, "import workbench", "", processor, "s")
    yield noted("  on the wall clock", "", wall, "s")

    rules = wb.load_game("leduc")
    compiling = min(seconds(lambda _: wb.compile_game(rules)) for _ in range(5))
    yield below(COMPILE, "compile", "leduc", compiling, "s")

    cells = json.dumps(_cells(next(path for path in notebooks() if key(path) == "01")))
    with tempfile.TemporaryDirectory() as folder:
        where = {"NUMBA_CACHE_DIR": folder, "MPLBACKEND": "Agg", "WORKBENCH_QUICK": "1"}
        first, second = (_run(_LESSON, cells, **where) for _ in range(2))
    (cold, cold_wall), (warm, warm_wall) = first.pop("notebook"), second.pop("notebook")
    yield below(FIRST_LESSON, "kernels, empty cache", "lecture 01", cold - warm, "s")
    yield noted("  on the wall clock", "lecture 01", cold_wall - warm_wall, "s")
    yield noted("all of it, empty cache", "lecture 01", cold, "s")
    yield noted("all of it, from cache", "lecture 01", warm, "s")
    for name, (processor, _) in first.items():
        yield below(FURTHER_SOLVER, f"then {name}, empty cache", "kuhn", processor, "s")
    slowest = max(wall for _, wall in first.values())
    yield noted("  slowest on the wall clock", "kuhn", slowest, "s")
    slowest = max(processor for processor, _ in second.values())
    yield noted("slowest of these, from cache", "kuhn", slowest, "s")


def _cells(notebook: Path) -> list[str]:
    """The code of a notebook, in order."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def _run(code: str, *arguments: str, **environment: str) -> Took:
    took: Took = json.loads(fresh(code, *arguments, **environment))
    return took


def fresh(code: str, *arguments: str, **environment: str) -> str:
    """What a new Python process prints."""
    place = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.check_output(command, cwd=ROOT, env=place, encoding="utf-8")
