"""Counting what training meets changes nothing about the training, and misses nothing."""

from __future__ import annotations

import numpy as np
import pytest
from workbench.lab.ledger.papers.toepen_abstractions import reached
from workbench.lab.ledger.papers.toepen_met import met
from workbench.lab.ledger.papers.toepen_training import THESIS, states

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.games.registry import load_game


@pytest.mark.slow  # it compiles for five seconds what only the ledger uses
def test_sets_that_training_meets() -> None:
    tree = compile_game(load_game("toepen", suits=2, ranks=2, betting=True))
    coarse = abstract(tree, "thesis-suits").coarse
    stops = (5, 20, 2_000)
    counts, end = met(coarse, 3, stops)
    *_, told = states(coarse, THESIS, 3, stops)
    for one, two in (
        (end.regret, told.regret), (end.strategy_sum, told.strategy_sum), (end.rng, told.rng)
    ):  # fmt: skip
        np.testing.assert_array_equal(one, two)
    learnt = [reached(coarse, state) for state in states(coarse, THESIS, 3, stops)]
    assert all(more > less for more, less in zip(counts[:2], learnt[:2], strict=True))
    assert learnt[-1] <= counts[-1] <= coarse.num_infosets
