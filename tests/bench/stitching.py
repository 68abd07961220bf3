"""A whole published table: every strategy of Gibson & Szafron's Table 1, built and judged."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from workbench.lab.ledger.papers.leduc_experts import field_earnings, play_field, table1_sizes
from workbench.lab.ledger.papers.leduc_runs import PLAIN

import workbench as wb
from tests.bench.clock import Settings, repeat, seconds
from tests.bench.table import Row, below
from workbench.solvers.base import Solver
from workbench.solvers.cfr import CFRPlus

TWO, THREE = 60.0, 900.0  # seconds; the second may use two cores and uses one
ITERATIONS = {2: 5_000, 3: 10_000}
DEALS = 1_000_000


def stitching(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """Table 1 of Gibson & Szafron by CFR+; not in quick mode: by chance sampling, three players"""
    yield _row(TWO, 2, "JQ-K")
    if not settings.quick:
        yield _row(TWO, 2, "JQ-K", PLAIN)
        yield _row(THREE, 3, "J-QK")


def _row(limit: float, players: int, base: str, solver: Solver | None = None) -> Row:
    work = partial(table_1, players, base, solver=solver or CFRPlus(), suits=solver is not None)
    work(2)  # warms up
    took = seconds(repeat(partial(work, DEALS if solver else ITERATIONS[players])))
    how = f", {solver.name} with suits" if solver else ""
    return below(limit, f"all of Table 1, {players} players{how}", "leduc", took, "s")


def table_1(
    players: int, base: str, iterations: int, *, solver: Solver, suits: bool
) -> dict[str, tuple[float, ...]]:
    """row -> size, earnings and, with two players, exploitability."""
    suited = wb.compile_game(wb.load_game("leduc", players=players))
    tree = wb.compile_game(wb.load_game("leduc", players=players, suit_isomorphism=not suits))
    counted, _ = table1_sizes(suited, base)
    field = play_field(tree, solver, iterations)
    earned = field_earnings(field, base)
    if players > 2:
        return {row: (size, earned[row]) for row, size in counted.items()}
    lost = {row: wb.exploitability(field.strategies[base][row]) for row in counted}
    return {row: (size, earned[row], lost[row]) for row, size in counted.items()}
