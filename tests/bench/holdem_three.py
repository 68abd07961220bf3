"""Three players of limit Hold'em: a base, four experts with sixty buckets, and what they win.

Tables and buckets are made, and kernels compiled, before the clock starts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

import workbench as wb
from tests.bench.clock import Settings, now
from tests.bench.memory import peak_bytes
from tests.bench.start import fresh
from tests.bench.table import Row, above, below, noted
from workbench.poker.betting.betting_tree import betting_tree

LABEL = "hold'em for three"
BASE, EXPERT, DEALS = 600_000, 250_000, 400_000
TREE, WHOLE, MEMORY = 5.0, 300.0, 2.0  # seconds, seconds, GiB

_PLAYED = """
from tests.bench.holdem_three import played
played()
"""


def holdem_three(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """Hold'em for three: base, experts and 400,000 triplicate hands (not in --quick)"""
    if settings.quick:
        return
    told = json.loads(fresh(_PLAYED))
    yield below(TREE, "9.7 million betting nodes", LABEL, told["tree"], "s")
    yield noted("external sampling", LABEL, BASE / told["base"], "iterations/s")
    yield below(MEMORY, "memory, base", LABEL, told["memory"], "GiB")
    yield below(WHOLE, "base, experts and match", LABEL, told["whole"], "s")
    yield above(0, "experts win, lower end", LABEL, told["won"], "mbb")


def played() -> None:
    """Train, stitch and play; print what it took, as JSON."""
    rules, told = wb.load_game("limit_holdem", players=3), {}
    how = {"metric": "ehs2", "method": "percentile", "recall": "imperfect"}
    coarse, fine = (wb.cluster_hands(rules, (169, k, k, k), **how) for k in (3, 60))
    betting_tree(rules.betting)
    betting_tree.cache_clear()
    began = now()
    betting_tree(rules.betting)
    told["tree"] = now() - began
    run = wb.solve(rules, "external-sampling", iterations=10, abstraction=coarse)
    part = wb.betting_experts(rules, ["f", "rf", "rrf", "rcf"])
    how = {"players": range(3), "solver": "external-sampling", "abstraction": fine}
    team = wb.static_experts(rules, run.strategy, part, iterations=10, **how)
    wb.sample_match({"a": team, "b": run.strategy, "c": run.strategy}, deals=10)
    del run, team
    with suppress(OSError):  # only Linux can; the peak so far was that of sixty buckets
        Path("/proc/self/clear_refs").write_text("5")
    began = now()
    base = wb.solve(
        rules, "external-sampling", iterations=BASE, abstraction=coarse, seed=1, checkpoints=BASE
    ).strategy
    told["base"] = now() - began
    told["memory"] = (peak_bytes() or np.inf) / 2**30
    team = wb.static_experts(rules, base, part, iterations=EXPERT, seed=1, **how)
    match = wb.sample_match({"experts": team, "base": base, "again": base}, deals=DEALS)
    told["whole"] = now() - began
    told["won"] = float(match.loc["experts", "low"])
    print(json.dumps(told))
