"""Runs in processes that are killed: `python -m tests.experiments.kills FOLDER LOG KILLS SEED`.

This process compiles everything once and then forks children. Two at a time sweep the same
store; each is killed with SIGKILL at a random moment. If one ends before that, because all is
done, the next ones get more to do. When enough have died, two more work undisturbed, and how
many batches of runs it took is printed. Everybody notes in LOG, one line each, where a piece of
work began and what was saved: `begin RUN ITERATION` and `save RUN ITERATION STOPPED`.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import workbench as wb
from workbench.experiments import owner, work
from workbench.experiments.work import Partial, Problem

SOLVERS = ["cfr", "cfr+", "dcfr", "linear-cfr", "pcfr+"]
TREE = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))


def experiments(batches: int = 1, iterations: int = 20_000) -> list[wb.Experiment]:
    """Eleven runs of some tenths of a second for each batch."""
    common: dict[str, Any] = {"game": TREE, "iterations": iterations}
    return [
        experiment
        for seed in range(batches)
        for experiment in (
            *wb.grid(over={"solver": SOLVERS, "abstraction": [None, "JQ-K"]}, seed=seed, **common),
            wb.Experiment(**common, solver="lp", seed=seed),
        )
    ]


def sweep(folder: Path, log: int, batches: int) -> None:
    """One child's work; pieces and chunks are short, so that much is saved and interrupted."""
    work.CHUNK = 0.01
    owner.SAVE_EVERY = 0.03

    def logged_work(problem: Problem, partial: Partial, budget: float) -> Partial:
        os.write(log, f"begin {problem.run_id} {partial.state.iteration}\n".encode())
        return work.work(problem, partial, budget)

    class LoggedStore(wb.Store):
        def save(self, problem: Problem, partial: Partial) -> None:
            super().save(problem, partial)
            line = f"save {problem.run_id} {partial.state.iteration} {partial.stopped}\n"
            os.write(log, line.encode())

    vars(owner)["work"] = logged_work
    with LoggedStore(folder) as store:
        done = wb.sweep(experiments(batches), store=store, workers=1, progress=False)
    assert not any(done.errors), done.errors


def fork(folder: Path, log: int, batches: int) -> int:
    child = os.fork()
    if child:
        return child
    try:
        sweep(folder, log, batches)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def main(folder: Path, log_path: Path, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    for experiment in experiments(iterations=2):  # compile the kernels, build the abstraction
        wb.solve(TREE, experiment.solver, 2, abstraction=experiment.abstraction)
    log = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    killed, batches = 0, 1
    while killed < kills:
        children = [fork(folder, log, batches) for _ in range(2)]
        for child in children:
            time.sleep(rng.uniform(0.0, 0.25))
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            killed += os.WIFSIGNALED(status)
            assert os.WIFSIGNALED(status) or status == 0
            batches += status == 0
    for child in [fork(folder, log, batches) for _ in range(2)]:
        assert os.waitpid(child, 0)[1] == 0
    print(killed, batches)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
