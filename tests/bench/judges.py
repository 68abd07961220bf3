"""Judging three players: exact seatings, a whole tournament, sampled hands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

import workbench as wb
from tests.bench.clock import Settings, repeat, seconds_each
from tests.bench.table import Row, below, noted
from workbench.evaluation.matches import sample_scores
from workbench.strategy import normalised

SEATING = 50.0  # milliseconds, three-player Leduc


def judges(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """Exact and sampled winnings of three players"""
    for merged in (True, False):
        tree = wb.compile_game(wb.load_game("leduc", players=3, suit_isomorphism=merged))
        label = "leduc 3p by rank" if merged else "leduc 3p"
        rng = np.random.default_rng(0)
        field = [normalised(tree, rng.exponential(size=tree.num_choices)) for _ in range(15)]
        rounds = 3 if settings.quick else 10
        one, hands = seconds_each(
            [
                repeat(partial(wb.expected_values, field[:3])),
                repeat(partial(sample_scores, field[:3], deals=1000)),
            ],
            settings,
            rounds,
        )
        yield below(SEATING, "one seating, exact", label, 1e3 * one, "ms")
        yield noted("sampled games", label, 6000 / hands, "games/s")
        bases = {
            f"base {b}": dict(zip("abcde", field[5 * b : 5 * b + 5], strict=True)) for b in range(3)
        }
        if merged or not settings.quick:
            (table,) = seconds_each([repeat(partial(wb.judge.earnings_table, bases))], settings, 2)
            yield noted("earnings of 3 × 5 strategies", label, table, "s")
