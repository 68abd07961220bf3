"""The excessive gap technique, iterated smoothing and fictitious play by their names: wherever a
solver is asked for they are found, and what they refuse they refuse in one clear sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.lab.play.session import Session
from workbench.solvers.base import solver_code, solver_name

NAMES = ("egt", "iterated-smoothing", "fictitious-play")


@pytest.fixture(scope="module")
def leduc() -> wb.GameTree:
    return wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))


@pytest.mark.parametrize("name", NAMES)
def test_experts_parts_and_opponents_are_solved_by_them(name: str, leduc: wb.GameTree) -> None:
    """A part that is solved by them is played better than in the coarse base."""
    part = wb.betting_experts(leduc, ["r", "cr"])
    how: dict[str, Any] = {"solver": name, "iterations": 400}
    base = wb.solve(leduc, abstraction="JQ-K", **how).strategy
    before = wb.exploitability(base)
    for stitched in (
        wb.static_experts(leduc, base, part, abstraction="null", **how),
        wb.grafts(leduc, base, part, abstraction="null", **how),
        wb.dynamic_experts(leduc, "JQ-K", part, abstraction="null", **how).strategy,
        wb.stitching.resolve_parts(base, part, safe=True, **how),
    ):
        assert wb.exploitability(stitched) < before
    session = Session(leduc.rules, opponent="equilibrium", seed=1, **how)
    session.deal()
    while session.asked:
        session.play(session.asked.actions[0])
    assert session.review(-1)


@pytest.mark.parametrize("name", NAMES)
def test_a_run_found_by_its_id(name: str, tmp_path: Path) -> None:
    run = wb.solve(wb.load_game("kuhn"), name, 40, store=tmp_path)
    with wb.Store(tmp_path) as store:
        again = store.run(run.run_id)
    assert np.array_equal(again.state.memory, run.state.memory)
    further = wb.solve(run.tree, name, 40, start=again.state)
    assert np.array_equal(further.strategy.probs, wb.solve(run.tree, name, 80).strategy.probs)
    states = wb.iterate(run.tree, name)
    last = next(state for state in states if state.iteration == 80)
    assert np.array_equal(wb.average(run.tree, last).probs, further.strategy.probs)


def test_settings_in_grids_and_in_files(tmp_path: Path) -> None:
    (tmp_path / "sweep.toml").write_text(
        'game = "kuhn"\niterations = 30\nsolver = "egt"\n'
        '[grid]\nsettings = [{}, {prox = "euclidean", mu = 0.1}, {aggressive = false}]\n',
        encoding="utf-8",
    )
    swept = wb.sweep(
        wb.Experiment.from_toml(tmp_path / "sweep.toml"), store=tmp_path / "runs", progress=False
    )
    assert not any(swept.errors)
    names = [solver_name(run.solver) for run in swept.runs]
    assert names == ["egt", "egt(prox='euclidean', mu=0.1)", "egt(aggressive=False)"]
    for run in swept.runs:
        alone = wb.solve(run.tree, run.solver, 30)
        assert np.array_equal(run.strategy.probs, alone.strategy.probs)
    assert solver_code(swept.runs[2].solver) == "wb.solvers.EGT(aggressive=False)"
