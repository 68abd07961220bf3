"""Payoff tables become games, and tables that are none are refused."""

from __future__ import annotations

import numpy as np

from workbench.games.matrix import Matrix
from workbench.rules import Decision, Terminal


def test_neither_player_sees_the_other():
    game = Matrix("g", [[1, 2, 3], [4, 5, 6]], ["up", "down"], ["a", "b", "c"])
    assert game.node(game.start()) == Decision(0, "", ("up", "down"))
    for action in ("up", "down"):
        assert game.node(game.next(game.start(), action)) == Decision(1, "", ("a", "b", "c"))
    assert game.node(("down", "b")) == Terminal((5.0, -5.0))


def test_both_tables_of_a_general_sum_game():
    game = Matrix("g", [[1, 2]], ["only"], ["a", "b"], [[7, 8]])
    assert game.node(("only", "b")) == Terminal((2.0, 8.0))


def test_arrays_are_accepted_names_are_invented_and_games_compare():
    game = Matrix("g", np.eye(2))
    assert game.row_actions == ("row 1", "row 2")
    assert game.column_actions == ("column 1", "column 2")
    assert game == Matrix("g", [[1, 0], [0, 1]])
    assert hash(game) == hash(Matrix("g", [[1, 0], [0, 1]]))
    assert game != Matrix("g", [[1, 0], [0, 2]])
