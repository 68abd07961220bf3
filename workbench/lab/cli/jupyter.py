"""The laboratory: kernels compiled in advance, then JupyterLab on the first notebook.

A kernel compiles when it is first called. `warm` calls the kernels of every solver and judge
once, on the smallest game there is, so that nobody waits in the middle of a lesson.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

Progress = Callable[[int, int, str], None]

CHECKOUT = Path(__file__).resolve().parents[3]
SETTINGS = Path(__file__).resolve().parent / "settings"  # no question about news at the start


def warm(progress: Progress | None = None) -> None:
    """Compile what the notebooks need; `progress(done, total, what)` hears of each step."""
    import workbench as wb

    tree = wb.compile_game(wb.load_game("kuhn"))
    uniform = wb.Strategy.uniform(tree)
    steps: dict[str, Callable[[], object]] = {
        "expected values": partial(wb.expected_values, [uniform, uniform]),
        "best response": partial(wb.best_response, uniform, 0),
        "exploitability": partial(wb.exploitability, uniform),
        "cfr on the tree": partial(
            wb.solve, tree, solver=wb.solvers.CFR(engine="tree"), iterations=2
        ),
    }
    for name in wb.solvers.list_solvers():
        steps[name] = partial(wb.solve, tree, solver=name, iterations=2)
    for done, (what, step) in enumerate(steps.items()):
        if progress:
            progress(done, len(steps), what)
        step()
    if progress:
        progress(len(steps), len(steps), "ready")


def open_lab(arguments: Sequence[str] = ()) -> None:
    """Run JupyterLab in this process until it is stopped; the arguments are JupyterLab's own.

    It opens on the first notebook (00, *Start here*), if the notebooks lie beside the package.
    """
    from jupyterlab.labapp import main

    paths = [os.environ.get("JUPYTER_CONFIG_PATH", ""), str(SETTINGS)]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, paths))
    notebook = min((CHECKOUT / "notebooks").glob("*.ipynb"), default=None)
    if notebook is not None:
        os.chdir(CHECKOUT)
        first = notebook.relative_to(CHECKOUT).as_posix()
        arguments = [
            f"--ServerApp.root_dir={CHECKOUT}",  # games, data and package beside the notebooks
            f"--LabApp.default_url=/lab/tree/{first}",
            *(["--allow-root"] if _is_root() else []),  # containers; who types this means it
            *arguments,
        ]
    main(list(arguments))


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
