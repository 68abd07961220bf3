"""A run out of a store, by its id alone: game, solver and abstraction are found again by name.

    with wb.Store("runs") as store:
        run = reopen_run(store, "31b7")

A store remembers what was asked as text: `toepen(suits=2)`, `DCFR(alpha=2.0)`. That is enough for
games and solvers of the workbench. The id, a hash of everything that decides the answer, tells
whether what was found again is the same; if it is not, the run is refused, never guessed.

>>> _call("toepen(suits=2, betting='leader')"), _call("leduc")
(('toepen', {'suits': 2, 'betting': 'leader'}), ('leduc', {}))
>>> _checkpoints("every 20"), _checkpoints("1, 10, 50")
(20, [1, 10, 50])
"""

from __future__ import annotations

import ast
from typing import Any

from workbench.rules import GameError
from workbench.runs.experiment import Experiment
from workbench.runs.resumable import Problem
from workbench.runs.run import Run, finish
from workbench.runs.store import Store
from workbench.solvers.registry import SOLVERS, solver_class


def reopen_run(store: Store, run_id: str) -> Run:
    """A finished run of a store, from the first letters of its id."""
    run_id = store.find(run_id)
    row = store.runs(id=run_id).iloc[0].to_dict()
    asked = {str(name): None if value != value else value for name, value in row.items()}
    if asked["status"] != "done":
        raise GameError(f"run {run_id} is not finished; start it again to resume it")
    problem = _problem(asked)
    if problem is None or problem.run_id != run_id:
        raise GameError(
            f"run {run_id} ({asked['solver']} on {asked['game']}) cannot be put together from its "
            "records: its game or rule is somebody's own, or another version made it; "
            "wb.write_report(run) makes its report where it is solved"
        )
    return finish(problem, store.load(problem), store.provenance(run_id))


def _problem(asked: dict[str, Any]) -> Problem | None:
    """What was asked, as far as names tell it."""
    kinds = {solver_class(name).__name__: name for name in SOLVERS}
    try:
        game, options = _call(asked["game"])
        kind, settings = _call(asked["settings"])
        return Experiment(
            game,
            options=options,
            solver=kinds[kind],
            settings=settings,
            iterations=int(asked["iterations"]),
            seed=int(asked["seed"]),
            target=asked["target"],
            abstraction=asked["abstraction"],
            checkpoints=_checkpoints(asked["checkpoints"]),
        ).problem()
    except (GameError, KeyError, SyntaxError, ValueError):
        return None


def _call(text: str) -> tuple[str, dict[str, Any]]:
    """A name and its arguments, which are plain values."""
    tree = ast.parse(text, mode="eval").body
    if isinstance(tree, ast.Name):
        return tree.id, {}
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)) or tree.args:
        raise ValueError(text)
    return tree.func.id, {str(given.arg): ast.literal_eval(given.value) for given in tree.keywords}


def _checkpoints(text: str) -> int | list[int]:
    word, _, number = text.partition(" ")
    return int(number) if word == "every" else [int(each) for each in text.split(",")]
