"""The bound for sampling solvers: its formula, the thesis's own example, and that it holds."""

from __future__ import annotations

import numpy as np
import pytest

from workbench import GameTree, list_solvers, regret_bound
from workbench.evaluation.sampling_bound import (
    sampled_regret_bound,
    sampled_regrets,
    sampling_factor,
)
from workbench.solvers.iterate import profiles


def test_the_thesis_s_example() -> None:
    """Section 4.2.4: R ≤ 3.0e9 in all, so exploitable for at most 2 R / T ≈ 60,000."""
    total = sampling_factor(1.0) * 245_195 * 8 * np.sqrt(4) * np.sqrt(100_000)
    assert total == pytest.approx(3.0e9, rel=0.002)
    assert 2 * total / 100_000 == pytest.approx(60_000, rel=0.002)


@pytest.mark.parametrize("rho", [0.01, 0.05, 0.5, 1.0])
def test_the_formula(leduc: GameTree, rho: float) -> None:
    spread, sets, most, iterations = 26.0, 468, 3, 50
    total = (1 + np.sqrt(2) / np.sqrt(rho)) * sets * spread * np.sqrt(most) * np.sqrt(iterations)
    assert sampled_regret_bound(leduc, iterations, rho) == pytest.approx([total / iterations] * 2)


@pytest.mark.parametrize(
    "solver", ["cfr", *(name for name in list_solvers() if name == "external-sampling")]
)
def test_measured_regret_stays_far_below(kuhn: GameTree, solver: str) -> None:
    table = sampled_regrets(profiles(kuhn, solver, 200), rho=0.05)
    last = table[table["iteration"] == 200]
    assert np.all(last["regret"] < 0.2 * last["sampled bound"])
    assert table["sampled bound"].to_numpy() == pytest.approx(
        (1 + np.sqrt(40)) * table["bound"].to_numpy()
    )
    assert last["bound"].to_numpy() == pytest.approx(regret_bound(kuhn, 200))
