"""Runs are what they say: own solvers travel, nothing stale, shapes checked, strategies mended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import workbench as wb
from workbench.files import load_arrays, save_arrays
from workbench.solvers.base import State

KUHN = wb.load_game("kuhn")


@dataclass(frozen=True, kw_only=True)
class Timid(wb.solvers.CFR):
    """A solver of one's own, with more than one method."""

    name: ClassVar[str] = "timid"

    def weights(self, t: Any) -> Any:
        return np.ones_like(t), 0.5 * np.ones_like(t), t

    def advance(self, tree: wb.GameTree, state: State, iterations: int) -> State:
        return super().advance(tree, state, iterations)


def test_a_solver_of_ones_own_runs_on_two_workers(tmp_path: Path) -> None:
    many = [wb.Experiment(KUHN, solver=Timid(), iterations=50, seed=seed) for seed in (0, 1)]
    done = wb.sweep(many, store=tmp_path, workers=2, progress=False)
    assert done.errors == (None, None)
    alone = wb.solve(KUHN, Timid(), 50)
    assert all(
        run and np.array_equal(run.strategy.probs, alone.strategy.probs) for run in done.runs
    )


def test_a_rule_that_changes_its_mind_is_asked_again() -> None:
    def rule(player: int, seen: Any, actions: Any) -> Any:
        return seen if sharp else seen[1]

    sharp = True
    before = wb.Experiment(KUHN, abstraction=rule).problem()
    sharp = False
    after = wb.Experiment(KUHN, abstraction=rule).problem()
    assert (before.solved.num_infosets, after.solved.num_infosets) == (12, 4)
    assert before.run_id != after.run_id


def test_a_text_game_that_was_edited_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    text = "game mine\nplayer 1 sees x\n  l: pays {} 0\n  r: pays 0 0\n"
    path.write_text(text.format(1), encoding="utf-8")
    before = wb.Experiment(str(path)).problem()
    path.write_text(text.format(2), encoding="utf-8")
    assert wb.Experiment(str(path)).problem().run_id != before.run_id


def test_the_values_a_solver_was_made_with_are_part_of_its_runs() -> None:
    def made(strength: float) -> Any:
        class Own(wb.solvers.CFR):
            def weights(self, t: Any) -> Any:
                return np.ones_like(t), strength * np.ones_like(t), t

        return Own()

    ids = {wb.Experiment(KUHN, solver=made(strength)).problem().run_id for strength in (0.1, 0.2)}
    assert len(ids) == 2


@pytest.mark.parametrize("field", ["regret", "probs", "strategy_sum", "rows"])
def test_a_state_of_the_wrong_shape_never_reaches_a_kernel(tmp_path: Path, field: str) -> None:
    run = wb.solve(KUHN, iterations=20, store=tmp_path)
    path = tmp_path / "states" / f"{run.run_id}.npz"
    arrays = load_arrays(path, "solver state")
    arrays = {name: array for name, array in arrays.items() if name not in ("format", "kind")}
    if field == "rows":
        del arrays["rows"]
    else:
        arrays[field] = arrays[field][:3]
    save_arrays(path, "solver state", **arrays)
    with pytest.raises(wb.GameError, match=f"{run.run_id}.npz.*{field}"):
        wb.solve(KUHN, iterations=20, store=tmp_path)


@pytest.mark.parametrize("damage", ["missing", "broken"])
def test_a_lost_strategy_is_written_again(tmp_path: Path, damage: str) -> None:
    run = wb.solve(KUHN, iterations=20, store=tmp_path)
    path = tmp_path / "strategies" / f"{run.run_id}.npz"
    path.unlink() if damage == "missing" else path.write_bytes(path.read_bytes()[:100])
    wb.solve(KUHN, iterations=20, store=tmp_path)
    with wb.Store(tmp_path) as store:
        assert np.array_equal(store.strategy(run.run_id, run.tree).probs, run.strategy.probs)


def test_an_empty_axis_is_refused_by_name() -> None:
    with pytest.raises(wb.GameError, match="seed: an empty list leaves no experiment"):
        wb.grid(game="kuhn", over={"seed": []})
