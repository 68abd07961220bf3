"""The excessive gap, computed by its definition from what a state keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import workbench as wb
from tests.random_games import random_strategy
from workbench.lab.analysis.smoothed_step import smoothed_worth


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
@pytest.mark.parametrize("prox", ["entropy", "euclidean"])
def test_responses_are_the_best_and_the_gap_is_excessive(game: str, prox: Any) -> None:
    tree, solver = wb.compile_game(wb.load_game(game)), wb.solvers.EGT(prox=prox)
    for many in (1, 2, 17, 200):
        state = next(wb.iterate(tree, solver, every=many))
        worth = smoothed_worth(tree, solver, state)
        assert worth.sum() <= 1e-12
        for seed in range(8):  # any other answer is worth less, its price subtracted
            share = 10.0 ** -(seed % 4)
            probs = (1 - share) * state.probs + share * random_strategy(tree, seed).probs
            other = smoothed_worth(tree, solver, replace(state, probs=probs))
            assert np.all(other <= worth + 1e-12)
        free = replace(state, memory=np.array([0.0, 0.0, 0.5]))
        best = [wb.best_response(wb.average(tree, state), i).value for i in (0, 1)]
        assert np.all(smoothed_worth(tree, solver, free) <= np.array(best) + 1e-12)


def test_a_state_of_another_solver_is_refused(kuhn: wb.GameTree) -> None:
    with pytest.raises(wb.GameError, match="a state of egt is needed"):
        smoothed_worth(kuhn, wb.solvers.EGT(), next(wb.iterate(kuhn, "cfr")))
