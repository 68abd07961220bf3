"""The curves that were kept of the thesis's figures are those that its training gives today."""

from __future__ import annotations

import numpy as np

from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.entries import read_curves
from workbench.lab.ledger.toepen_training import ESTIMATED, EXACT, STANDARD, train


def test_kept_curves_are_what_training_gives() -> None:
    """Seeds 0 to 2 at the points that a quick measurement shares with the full one."""
    again = train(["2/3/2b"], Effort(quick=True)).curves
    keys = ["curve", "repeat", "iteration"]
    both = again.merge(read_curves("le-2021-figure4.2"), on=keys, suffixes=("", "_kept"))
    assert len(both) == len(again) == 3 * 3 * 5
    assert np.allclose(both.exploitability, both.exploitability_kept, rtol=1e-6)


def test_the_estimate_grows_blind() -> None:
    """Going on with the old average finds at most about N / (T + N) of what is there."""
    curves = read_curves("le-2021-figure4.2")
    mean = curves.groupby(["curve", "iteration"]).exploitability.mean().unstack("curve")
    for deck in ("2/3/2b", "3/2/2b", "3/3/2b"):
        share = mean[f"{deck}, {ESTIMATED}"] / mean[f"{deck}, {EXACT}"]
        seen = share * (10_000 + share.index) / 10_000
        assert np.all((seen > 0.7) & (seen < 1.0))
        assert mean[f"{deck}, {STANDARD}"].iloc[-1] < mean[f"{deck}, {EXACT}"].iloc[-1] / 5
