"""What is true, recorded from the worked solutions: `make truths` runs this file.

A worked solution computes its answer and hands it to the check; no other place holds the number.
Here the cells of each solution run one after the other, and what the checks were given goes into
`truths.json` beside the exercises. A recorded answer stays as long as the solution agrees with it
up to the exercise's own tolerance, so that another machine does not rewrite the last digits.
"""

import ast
import json
import sys
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

from workbench.files import write_file
from workbench.lab.exercises.core import Exercise
from workbench.lab.exercises.loading import FOLDER, TRUTHS, Recorded
from workbench.lab.shelves import key, solutions
from workbench.rules import GameError


def run(path: Path, names: dict[str, Any]) -> Iterator[Any]:
    """Run a notebook's code cells without a kernel; the value that each one shows, or None."""
    names["__name__"] = "__main__"
    for k, cell in enumerate(json.loads(path.read_text("utf-8"))["cells"]):
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        body = ast.parse(source).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), f"cell {k}", "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {k}", "eval"), names)
        yield None if source.rstrip().endswith(";") else value


def recorded(path: Path) -> dict[str, list[Any]]:
    """{check: answers} of one worked solution."""
    names: dict[str, Any] = {}
    for _ in run(path, names):
        pass
    found = {}
    for name, one in vars(names["exercise"]).items():
        if isinstance(one, Exercise) and isinstance(check := one.check, Recorded):
            if not check.given:
                raise GameError(f"{path}: {name} is not solved")
            try:
                stays = bool(check.compare())
            except GameError:
                stays = False
            given = json.dumps(check.given)  # ten digits of each number are enough
            rounded = json.loads(given, parse_float=lambda text: float(f"{float(text):.10g}"))
            found[name] = check.truths if stays else rounded
    return found


def write(folder: Path = FOLDER.parent) -> Path:
    """Record the solutions in a folder of notebooks."""
    folder = folder.resolve()
    with chdir(folder):
        found = {key(path): recorded(path) for path in solutions(Path())}
    lines = (
        f'"{number}": {json.dumps(page, ensure_ascii=False)}' for number, page in found.items()
    )
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    return write_file(folder / "exercises" / TRUTHS, text.encode())


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
