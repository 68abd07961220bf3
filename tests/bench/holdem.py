"""Limit Hold'em with buckets: seconds of the processor to a stated exploitability, and to play.

Tables, buckets and matrices are made before the clock starts (they are kept in the cache: 24, 36
and 47 s of one core for three buckets a round).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import workbench as wb
from tests.bench.clock import Settings, now
from tests.bench.river import river_ms
from tests.bench.start import fresh
from tests.bench.table import Row, below

LABEL = "limit hold'em"
GOALS = ((2, 1.0, 20.0), (3, 5.0, 30.0))  # buckets a round, mbb, seconds
RIVER = 20.0  # milliseconds for a board and a seat of an exact best response
MATCH = 10.0  # seconds for DEALS duplicate hands
DEALS = 500_000

_SOLVED = """
from tests.bench.holdem import solved
solved()
"""


def holdem(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """Limit Hold'em in buckets to 1 and 5 mbb, rivers, duplicate hands (not in --quick)"""
    if settings.quick:
        return
    told = json.loads(fresh(_SOLVED))
    for k, goal, most in GOALS:
        yield below(most, f"CFR+ to {goal:g} mbb, {k} buckets", LABEL, told[str(k)], "s")
        yield below(
            RIVER, f"best response on a river, {k} buckets", LABEL, told[f"river {k}"], "ms"
        )
    yield below(MATCH, "500,000 duplicate hands", LABEL, told["match"], "s")


def solved() -> None:
    """Solve and play; print what it took, as JSON."""
    rules, told, players = wb.load_game("limit_holdem"), {}, {}
    for k, goal, _ in GOALS:
        cut = wb.cluster_hands(rules, (k,) * 4, metric="ehs2", method="percentile")
        wb.solve(rules, "cfr+", iterations=1, abstraction=cut)  # matrices and kernels
        began = now()
        run = wb.solve(rules, "cfr+", iterations=3000, target=goal, abstraction=cut, checkpoints=50)
        told[str(k)] = now() - began
        assert run.abstract_exploitability <= goal
        players[f"k = {k}"] = run.strategy
        told[f"river {k}"] = river_ms(run.strategy)
    wb.sample_match(players, deals=10)
    began = now()
    wb.sample_match(players, deals=DEALS)
    print(json.dumps(told | {"match": now() - began}))
