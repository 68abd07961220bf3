"""Throughput of a sweep: 30 runs on two workers and on one, in a pool that is already warm.

`python -m tests.bench.sweep` prints it. Each run is CFR+ with 20,000 iterations on Leduc with
suits kept, each with another abstraction: what the players forget of their cards and of the
betting differs. One worker is this process itself; two are processes that get their pieces from
it. What the owner does (compiling, saving) is part of both.

Every sweep has a store of its own. The best of several rounds counts, turn by turn. Other programs
disturb a ratio of wall clocks. Two numbers say without them how far from 2 it can be: the share
of the time that the two workers spent in the solver, and what the owner costs in seconds of the
processor, beside what the solver costs.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import workbench as wb
from tests.bench.clock import Settings
from tests.bench.table import Row, at_least
from workbench.lab.sweep.workers import open_pool

RUNS, ITERATIONS, ROUNDS = 30, 20_000, 2


def abstractions() -> list[Callable[..., Any] | str | None]:
    """Thirty ways to forget: ranks that look alike, before and after the board, suits, or none."""
    ranks = [str.maketrans("", ""), str.maketrans("J", "Q"), str.maketrans("Q", "K")]
    ranks += [str.maketrans("J", "K"), str.maketrans("JQ", "KK")]
    both = itertools.product(range(len(ranks)), range(len(ranks)))

    def forget(first: int, second: int) -> Callable[..., Any]:
        def label(player: int, seen: Any, actions: Any) -> Any:
            hand, board, *betting = seen
            table = ranks[second] if board else ranks[first]
            return (str(hand).translate(table), str(board), *betting)

        label.__name__ = f"forget-{first}-{second}"
        return label

    return ["null", "JQ-K", "J-QK", "J.Q.K", None, *itertools.starmap(forget, both)][:RUNS]


def measure(rounds: int = ROUNDS, iterations: int = ITERATIONS) -> dict[str, float]:
    """Runs per second with one worker and with two, and their ratio."""
    tree = wb.compile_game(wb.load_game("leduc"))
    many = [
        wb.Experiment(tree, iterations=iterations, abstraction=rule and wb.abstract(tree, rule))
        for rule in abstractions()
    ]
    assert len({one.problem().run_id for one in many}) == RUNS
    seconds, owner = {1: float("inf"), 2: float("inf")}, float("inf")
    for _ in range(rounds):
        for workers in seconds:
            _warm(workers)
            with tempfile.TemporaryDirectory() as folder:
                began, cpu = time.perf_counter(), time.process_time()
                done = wb.sweep(many, store=folder, workers=workers, progress=False)
                last = time.perf_counter() - began
                seconds[workers] = min(seconds[workers], last)
                owner = min(owner, time.process_time() - cpu)  # with two workers the smaller one
            assert not any(done.errors)
    solver = sum(run.seconds for run in done.runs if run)  # of the last sweep, with two workers
    return {
        "one worker, runs/s": RUNS / seconds[1],
        "two workers, runs/s": RUNS / seconds[2],
        "ratio": seconds[1] / seconds[2],
        "solver seconds per run": solver / RUNS,
        "two workers, share busy": solver / (2 * last),
        "owner seconds per run": owner / RUNS,
        "cores": float(os.cpu_count() or 1),
    }


def _warm(workers: int) -> None:
    """Start the pool and let every worker load its kernels."""
    with open_pool(workers) as pool:
        for future in [pool.submit(_load, seed) for seed in range(4 * workers)]:
            future.result()


def _load(seed: int) -> None:
    """Both engines: some of the abstractions have imperfect recall."""
    time.sleep(0.2)  # so that no worker gets all of them
    for engine in ("sequence", "tree"):
        wb.solve(wb.load_game("leduc"), wb.solvers.CFRPlus(engine=engine), 50, seed=seed)


def sweep(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """a sweep of 30 runs with two workers against one (on all cores; not in quick mode)"""
    if settings.quick or (os.cpu_count() or 1) < 2:
        return
    found = json.loads(subprocess.check_output([sys.executable, "-m", "tests.bench.sweep"]))
    yield at_least(
        1.7, "sweep of 30 runs", "leduc", found["two workers, runs/s"], "runs/s",
        found["one worker, runs/s"], "one worker",
    )  # fmt: skip


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):  # the benchmark that started us may hold one core
        os.sched_setaffinity(0, range(os.cpu_count() or 1))
    print(json.dumps(measure(), indent=1))
