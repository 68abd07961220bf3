"""The excessive gap technique, iterated smoothing and fictitious play by their names: wherever a
solver is asked for they are found, and what they refuse they refuse in one clear sentence."""

from __future__ import annotations

from collections.abc import Callable
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


def solve(game: str, solver: Any, **options: Any) -> Callable[[], object]:
    return lambda: wb.solve(wb.load_game(game, **options), solver, 1)


def go_on(solver: str, other: str) -> Callable[[], object]:
    kuhn = wb.load_game("kuhn")
    return lambda: wb.solve(kuhn, solver, 1, start=wb.solve(kuhn, other, 10).state)


def asked(solver: str, **settings: Any) -> Callable[[], object]:
    return lambda: wb.Experiment("kuhn", solver=solver, settings=settings)


EGT = wb.solvers.EGT
THREE = "solves two-player zero-sum games; 'leduc(players=3)' is for 3 players: try cfr+"
FORGETS = (
    "in 'forgetful' a player forgets what she knew or did (imperfect recall): no exact best "
    "response or sequence form here; lift the strategy to the full game first"
)
OWN = "egt begins at a point of its own, not where another solver stands"
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "negative": (lambda: EGT(mu=-1.0), "mu must be a number from 1e-09 to 1e+06, not -1.0"),
    "zero": (asked("egt", mu=0.0), "mu must be a number from 1e-09 to 1e+06, not 0.0"),
    "no number": (lambda: EGT(mu=float("nan")), "mu must be a number from 1e-09 to 1e+06, not nan"),
    "prox": (asked("egt", prox="l1"), "prox must be 'entropy' or 'euclidean', not 'l1'"),
    "flag": (asked("egt", balanced=1), "balanced must be True or False, not 1"),
    "typing": (
        asked("egt", pox="entropy"),
        "egt has no setting 'pox'; did you mean 'prox'? Settings: prox, aggressive, balanced, mu",
    ),
    "no settings": (
        asked("iterated-smoothing", mu=0.1),
        "iterated-smoothing has no setting 'mu'; it has no settings",
    ),
    "three, egt": (solve("leduc", "egt", players=3), f"egt {THREE}"),
    "three": (solve("leduc", "iterated-smoothing", players=3), f"iterated-smoothing {THREE}"),
    "not zero-sum": (
        solve("prisoners_dilemma", "egt"),
        "egt solves two-player zero-sum games; 'prisoners_dilemma' is not zero-sum: try cfr+",
    ),
    **{f"recall, {name}": (solve("forgetful", name), FORGETS) for name in NAMES},
    **{f"from {name}": (go_on("egt", name), OWN) for name in ("cfr+", *NAMES[1:])},
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused(what: str) -> None:
    act, sentence = REFUSED[what]
    with pytest.raises(wb.GameError) as refused:
        act()
    assert str(refused.value) == sentence


def test_another_prox_function_begins_elsewhere(leduc: wb.GameTree) -> None:
    """The plans of the one need not have an excessive gap with the other's prices."""
    with pytest.raises(wb.GameError, match="begins at a point of its own"):
        wb.solve(leduc, EGT(prox="euclidean"), 300, start=wb.solve(leduc, "egt", 10).state)
