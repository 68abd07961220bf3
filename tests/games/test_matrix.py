"""Payoff tables become games."""

from __future__ import annotations

import numpy as np

from workbench.games.matrix import Matrix


def test_arrays_are_accepted_names_are_invented_and_games_compare():
    game = Matrix("g", np.eye(2))
    assert game.row_actions == ("row 1", "row 2")
    assert game.column_actions == ("column 1", "column 2")
    assert game == Matrix("g", [[1, 0], [0, 1]])
    assert hash(game) == hash(Matrix("g", [[1, 0], [0, 1]]))
    assert game != Matrix("g", [[1, 0], [0, 2]])
