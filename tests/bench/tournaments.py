"""Jam/fold tournaments: what solving costs, by the number of states."""

from __future__ import annotations

from collections.abc import Iterator

import workbench as wb
from tests.bench.clock import Settings, now
from tests.bench.table import Row, below, noted

LIMIT, GAIN = 60.0, 0.01  # seconds, dollars


def tournaments(settings: Settings, here: dict[str, str]) -> Iterator[Row]:
    """Jam/fold tournaments of 9, 12 and 18 units by four algorithms (quick: nine units by one)"""
    began = now()
    wb.jamfold.equity("AA", "KK", "QQ")
    yield noted("equities: read", "three hands", now() - began, "s")
    warm = wb.jamfold.Tournament(units=3, players=2, prizes=(1, 0))
    wb.jamfold.solve(warm, "fp-vi", iterations=1)  # kernels are not the game's
    wb.jamfold.solve(warm, "pi-fp", iterations=1)
    for units in (9,) if settings.quick else (9, 12, 18):
        game = wb.jamfold.Tournament(units=units)
        label = f"{units} units, {len(game.states)} states"
        for method in wb.jamfold.METHODS if not settings.quick else ("pi-fp",):
            began = now()
            found = wb.jamfold.solve(game, method, target=GAIN)
            took, measure = now() - began, f"{method} to a gain of {GAIN:g}"
            yield (
                below(LIMIT, measure, label, took, "s")
                if units == 9
                else noted(measure, label, took, "s")
            )
            yield below(GAIN, f"{method}: gain left", label, found.ex_post_gain, "dollars")
