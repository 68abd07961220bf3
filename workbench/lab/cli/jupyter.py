"""The laboratory: kernels compiled in advance, then JupyterLab on the first notebook.

A kernel compiles when it is first called. `warm` calls the kernels of every solver and judge
once, on the smallest game there is, so that nobody waits in the middle of a lesson.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import quote

from workbench.lab.working_copies import FIRST
from workbench.shipped import CHECKOUT

SETTINGS = Path(__file__).resolve().parent / "settings"  # no news at the start; see saving.py


def warm() -> Iterator[str]:
    """Compile what the notebooks need; each step is named before it is done."""
    import workbench as wb

    tree = wb.compile_game(wb.load_game("kuhn"))
    uniform = wb.Strategy.uniform(tree)
    quick = partial(wb.solve, iterations=2, progress=False)  # the steps are progress enough
    steps: dict[str, Callable[[], object]] = {
        "expected values": partial(wb.expected_values, [uniform, uniform]),
        "best response": partial(wb.best_response, uniform, 0),
        "exploitability": partial(wb.exploitability, uniform),
        "cfr on the tree": partial(quick, tree, solver=wb.solvers.CFR(engine="tree")),
    }
    for name in wb.solvers.list_solvers():
        steps[name] = partial(quick, tree, solver=name)
    small = wb.load_game("rhode_island", ranks=2, suits=2)
    steps["games of cards"] = partial(quick, small)
    for what, step in steps.items():
        yield what
        step()


def open_lab(folder: Path, arguments: Sequence[str] = ()) -> None:
    """Run JupyterLab in this process until it is stopped; the arguments are JupyterLab's own.

    It opens on the first notebook (00, *Start here*) of the working copies in `folder`. Around
    them it shows the whole checkout, if they are inside one: the package and its data.
    """
    from jupyterlab.labapp import main

    paths = [os.environ.get("JUPYTER_CONFIG_PATH", ""), str(SETTINGS)]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, paths))
    folder = folder.resolve()
    top = CHECKOUT if CHECKOUT and CHECKOUT in folder.parents else folder
    os.chdir(top)
    first = (folder / FIRST).relative_to(top).as_posix()
    main(
        [
            f"--ServerApp.root_dir={top}",
            f"--LabApp.default_url=/lab/tree/{quote(first)}",
            *(["--allow-root"] if is_root() else []),  # containers; who types this means it
            *arguments,
        ]
    )


def is_root() -> bool:
    """Whether notebooks could change every file of this machine or container."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
