"""The thesis's largest game, solved: Toepen with three suits, three ranks, three cards and betting.

A fresh process compiles it from the rules in plain Python, reads it back from the disk, and runs
CFR+ until what both best responses win together is a thousandth of a point.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from unittest import mock

import workbench as wb
from tests.bench.clock import Settings, now, seconds
from tests.bench.memory import peak_bytes
from tests.bench.start import fresh
from tests.bench.table import Row, below, noted
from workbench import disk_cache

COMPILE, PEAK, ITERATION = 60.0, 2.0, 0.06  # seconds, GB, seconds
HUNDRED, CLOSE, TWO_MINUTES = 0.02, 0.001, 120.0  # points, points, seconds
LABEL = "toepen 3/3/3b"

_LARGEST = """
from tests.bench.largest import largest_game
largest_game()
"""


def largest(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """Toepen 3/3/3 with betting: compiled, read back, solved (not in --quick)"""
    if settings.quick:
        return
    with tempfile.TemporaryDirectory() as cache:
        told = json.loads(fresh(_LARGEST, WORKBENCH_CACHE_DIR=cache))
    yield below(COMPILE, "compile", LABEL, told["compile"], "s")
    if told["peak"] is not None:
        yield below(PEAK, "peak of compiling", LABEL, told["peak"] / 1e9, "GB")
    yield noted("compiled before: read", LABEL, told["read"], "s")
    yield below(ITERATION, "CFR+ iteration", LABEL, told["iteration"], "s")
    yield below(HUNDRED, "b1 + b2 after 100 CFR+", LABEL, told["hundred"], "points")
    yield below(TWO_MINUTES, f"CFR+ to b1 + b2 ≤ {CLOSE}", LABEL, told["solved"], "s")


def largest_game() -> None:
    """Do it; print what it took, as JSON."""
    rules = wb.load_game("toepen", suits=3, ranks=3, hand=3)
    wb.solve(wb.load_game("toepen", suits=2, ranks=2), iterations=2)  # kernels are not the game's
    told: dict[str, float | None] = {}
    with mock.patch.object(disk_cache, "load", return_value=None):  # from an earlier day
        told["compile"] = seconds(lambda _: wb.compile_game(rules))
    told["peak"] = peak_bytes()
    trees: list[wb.GameTree] = []
    told["read"] = seconds(lambda _: trees.append(wb.compile_game(rules)))
    (tree,) = trees
    wb.solve(tree, iterations=1)  # prepares the sequence form
    began = now()
    for state in wb.iterate(tree, "cfr+", every=25):
        if state.iteration == 25:
            told["iteration"] = (now() - began) / 25
        left = 2 * wb.exploitability(wb.average(tree, state))
        if state.iteration == 100:
            told["hundred"] = left
        if state.iteration >= 100 and left <= CLOSE:
            break
    told["solved"] = now() - began
    print(json.dumps(told))
