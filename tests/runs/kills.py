"""Runs in processes that are killed: `python -m tests.runs.kills FOLDER LOG KILLS SEED HOW`.

This process compiles everything once and then forks children. Two at a time sweep the same store;
each is killed with SIGKILL at a random moment. If one ends before that, because all is done, the
next ones get more to do. When enough have died and some run was taken up half done, two more work
undisturbed, and how many batches of runs it took is printed. Everybody notes in LOG, one line each,
where a piece of work began and what was saved: `begin RUN ITERATION` and `save RUN ITERATION
STOPPED`.

HOW is `short` (short pieces, done by the child itself, and short lives) or `shipped` (pieces of
the usual length, done by a pool of two processes; a child lives until something was saved).
"""

import os
import random
import signal
import sys
import time
import traceback
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import workbench as wb
from workbench.lab.sweep import sweep as scheduler
from workbench.runs import run as work

SOLVERS = ["cfr", "cfr+", "dcfr", "linear-cfr", "pcfr+"]
SLOWER = {"egt": 2_500, "iterated-smoothing": 1_000, "fictitious-play": 4_000}
TREE = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))


def experiments(batches, how):
    """Fourteen runs of some tenths of a second for each batch; or four of some seconds."""
    short = how == "short"
    common = {"game": TREE, "iterations": 10_000 if short else 100_000}
    over = {"solver": SOLVERS if short else SOLVERS[:2], "abstraction": [None, "JQ-K"]}
    return [
        experiment
        for seed in range(batches)
        for experiment in (
            *wb.grid(over=over, seed=seed, **common),
            *([wb.Experiment(**common, solver="lp", seed=seed)] if short else []),
            *(
                wb.Experiment(game=TREE, solver=solver, iterations=iterations, seed=seed)
                for solver, iterations in SLOWER.items()
                if short
            ),
        )
    ]


class LoggedStore(wb.Store):
    log: int

    def save(self, problem, partial):
        super().save(problem, partial)
        line = f"save {problem.run_id} {partial.state.iteration} {partial.stopped}\n"
        os.write(self.log, line.encode())


class LoggedOwner(scheduler.Owner):
    store: LoggedStore

    def drive(self, pool):
        def submit(piece, run_id, version, job, partial, seconds):
            os.write(self.store.log, f"begin {run_id} {partial.state.iteration}\n".encode())
            return pool.submit(piece, run_id, version, job, partial, seconds)

        super().drive(replace(pool, submit=submit))


def sweep(folder, log, batches, how):
    """One child's work; short pieces and chunks, so that much is saved and interrupted."""
    if how == "short":
        work.CHUNK = 0.01
        scheduler.SAVE_EVERY = 0.03
    vars(import_module("workbench.lab.sweep.sweep"))["Owner"] = LoggedOwner
    with LoggedStore(folder) as store:
        store.log = log
        workers = 1 if how == "short" else 2
        done = wb.sweep(experiments(batches, how), store=store, workers=workers, progress=False)
    assert not any(done.errors), done.errors


def fork(folder, log, batches, how):
    child = os.fork()
    if child:
        return child
    try:
        sweep(folder, log, batches, how)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def wait(log_path, rng, how):
    """Until the moment of a kill."""
    if how == "short":
        time.sleep(rng.uniform(0.0, 0.25))
        return
    before, deadline = saves(log_path), time.monotonic() + 60
    while saves(log_path) == before and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(rng.uniform(0.0, 1.5))


def saves(log_path):
    return log_path.read_text().count("save")


def taken_up(log_path):
    """Whether some run went on half done: on a slow machine children die before they begin."""
    words = (line.split() for line in log_path.read_text().splitlines())
    return any(what == "begin" and int(done) for what, _, done, *_ in words)


def main(folder, log_path, kills, seed, how):
    rng = random.Random(seed)
    for experiment in experiments(1, how):  # compile the kernels, build the abstraction
        wb.solve(TREE, experiment.solver, 2, abstraction=experiment.abstraction)
    log = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    killed, batches = 0, 1
    while killed < kills or (killed < 20 * kills and not taken_up(log_path)):
        children = [fork(folder, log, batches, how) for _ in range(2)]
        for child in children:
            wait(log_path, rng, how)
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            killed += os.WIFSIGNALED(status)
            assert os.WIFSIGNALED(status) or status == 0
            batches += status == 0
    for child in [fork(folder, log, batches, how) for _ in range(2)]:
        assert os.waitpid(child, 0)[1] == 0
    print(killed, batches)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
