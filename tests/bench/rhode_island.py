"""Rhode Island Hold'em, which once took eight days and 25 GB: solved on one core, then on two.

A fresh process runs DCFR until an opponent wins at most a thousandth of a small bet (0.01 chips) a
hand, measured exactly as a user's run would measure it; another one stops at twenty thousandths.
Iterations are then timed on the wall, turn by turn with one and with two threads, on a machine that
should have nothing else to do.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator

import workbench as wb
from tests.bench.clock import Settings, now
from tests.bench.memory import peak_bytes
from tests.bench.start import fresh
from tests.bench.table import Row, below, noted
from workbench.poker.cards import threads as poker_threads

CPU, PEAK, RATIO, QUICK = 130.0, 500.0, 0.6, 20.0  # seconds, MB, of the wall time, seconds
CLOSE, FAIR = 0.01, 0.2  # chips a hand: 1 and 20 milli-small-bets
LABEL = "rhode island"

_SOLVED = """
import sys
from tests.bench.rhode_island import solved
solved(float(sys.argv[1]))
"""
_THREADS = """
from tests.bench.rhode_island import threads
threads()
"""


def rhode_island(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """Rhode Island Hold'em to 1 milli-small-bet: CPU time, memory, two cores (not in --quick)"""
    if settings.quick:
        return
    fair, told = (json.loads(fresh(_SOLVED, str(target))) for target in (FAIR, CLOSE))
    yield noted("DCFR iteration", LABEL, told["iteration"], "s")
    yield noted("iterations to 1 msb", LABEL, told["iterations"], "")
    yield below(CPU, "DCFR to 1 msb", LABEL, told["seconds"], "s")
    yield below(QUICK, "DCFR to 20 msb", LABEL, fair["seconds"], "s")
    yield below(PEAK, "peak memory", LABEL, told["peak"] / 1e6, "MB")
    if (os.cpu_count() or 1) > 1 and hasattr(os, "sched_setaffinity"):
        one, two = json.loads(fresh(_THREADS))
        yield noted("iteration, one core", LABEL, one, "s")
        yield below(RATIO, "iteration, two cores", LABEL, two / one, "of one core's")


def solved(target: float) -> None:
    """Solve it to a target in chips a hand; print what it took, as JSON."""
    wb.solve(wb.load_game("rhode_island", ranks=2, suits=2), "dcfr", iterations=2)  # kernels
    rules, began = wb.load_game("rhode_island"), now()
    run = wb.solve(rules, "dcfr", iterations=1000, target=target, progress=False)
    told = {"seconds": now() - began, "iterations": run.iterations, "peak": peak_bytes() or 0}
    assert wb.exploitability(run.strategy) <= target
    began, state = now(), run.state
    for _ in range(5):
        state = run.tree.advance(run.solver, state, 1)
    print(json.dumps(told | {"iteration": (now() - began) / 5}))


def threads() -> None:
    """Seconds on the wall of an iteration with one and with two threads; the fastest of each."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    game = wb.load_game("rhode_island").public_game()
    solver, state, best = wb.solvers.find_solver("dcfr"), game.start_state(), [9e9, 9e9]
    for _ in range(12):
        for k in (0, 1):
            poker_threads.cores = lambda k=k: k + 1  # type: ignore[misc]
            began = time.perf_counter()
            game.advance(solver, state, 1)
            best[k] = min(best[k], time.perf_counter() - began)
    print(json.dumps(best))
