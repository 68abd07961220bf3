"""Expected values: who sits where decides who wins what."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import oracles
from tests.random_games import ANY_PLAYERS, SEEDS, compiled, played, random_games, random_strategy
from workbench import Strategy, compile_game, expected_values, load_game


@given(random_games(players=st.integers(1, 3)), SEEDS)
def test_every_seat_plays_its_own_strategy(rules: Any, seed: int) -> None:
    tree = compiled(rules)
    strategies = [random_strategy(tree, seed + i) for i in range(3)]
    for seating in itertools.product(strategies, repeat=tree.num_players):
        policies = [oracles.policy_of(strategy) for strategy in seating]
        mixed = {key: policies[key[0]][key] for key in policies[0]}
        naive = oracles.expected_values(rules, mixed)
        np.testing.assert_allclose(expected_values(seating), naive, atol=1e-12)


@given(played(random_games(players=ANY_PLAYERS, zero_sum=True)))
def test_in_zero_sum_games_nothing_is_lost(sigma: Strategy) -> None:
    assert abs(expected_values(sigma).sum()) < 1e-12
    seats = [sigma] * sigma.tree.num_players
    assert np.array_equal(expected_values(seats), expected_values(sigma)), "one profile for all"


def test_equal_games_may_meet_even_if_compiled_twice() -> None:
    one, two = (compile_game(load_game("kuhn")) for _ in range(2))
    values = expected_values([Strategy.uniform(one), Strategy.uniform(two)])
    assert values == pytest.approx([1 / 8, -1 / 8])
