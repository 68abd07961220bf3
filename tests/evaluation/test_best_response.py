"""Best responses and exploitability, against recursion, enumeration and published values."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from tests import golden, oracles
from tests.random_games import PROFILES, SEEDS, compiled, random_games, random_strategy


def test_uniform_play(kuhn, leduc, ranked):
    for tree, best, exploitable, error in (
        (kuhn, golden.KUHN_UNIFORM_BEST_RESPONSES, golden.KUHN_UNIFORM_EXPLOITABILITY, 1e-15),
        (leduc, golden.LEDUC_UNIFORM_BEST_RESPONSES, golden.LEDUC_UNIFORM_EXPLOITABILITY, 5e-8),
        (ranked, golden.LEDUC_UNIFORM_BEST_RESPONSES, golden.LEDUC_UNIFORM_EXPLOITABILITY, 5e-8),
    ):
        uniform = wb.Strategy.uniform(tree)
        replies = [wb.best_response(uniform, i).value for i in (0, 1)]
        assert replies == pytest.approx(best, abs=error)
        assert wb.exploitability(uniform) == pytest.approx(exploitable, abs=error)


@pytest.mark.parametrize("name", ["kuhn", "figure1", "gift", "odd_one_out", "bluff"])
def test_best_responses_to_uniform_play_in_exact_fractions(name):
    rules = wb.load_game(name)
    uniform = wb.Strategy.uniform(wb.compile_game(rules))
    policy = oracles.uniform_policy(rules, exact=True)
    for player in range(rules.players):
        exact = oracles.best_response_value(rules, policy, player, exact=True)
        assert isinstance(exact, Fraction)
        assert exact == oracles.best_response_by_enumeration(rules, policy, player, exact=True)
        assert wb.best_response(uniform, player).value == pytest.approx(float(exact), abs=1e-15)


@given(PROFILES)
def test_a_best_response_wins_what_recursion_says(sigma):
    tree, policy, found = sigma.tree, oracles.policy_of(sigma), wb.gains(sigma)
    for player, before in enumerate(wb.expected_values(sigma)):
        response = wb.best_response(sigma, player)
        assert response.player == player
        naive = oracles.best_response_value(tree.rules, policy, player)
        assert response.value == pytest.approx(naive, abs=1e-12)
        won = wb.expected_values(response.strategy)[player]
        assert won == pytest.approx(response.value, abs=1e-12)
        hers = tree.choices_of(player)
        changed = np.flatnonzero(response.strategy.probs != sigma.probs)
        assert all(choice in hers for choice in changed), "the others play as before"
        assert set(response.strategy.probs[hers.start : hers.stop]) <= {0.0, 1.0}, "pure"
        assert found[player] == pytest.approx(response.value - before, abs=1e-12)
    assert np.all(found >= -1e-12)
    assert wb.exploitability(sigma) == pytest.approx(found.mean(), abs=1e-15)


@given(random_games(players=st.integers(1, 3)), SEEDS)
def test_every_seat_plays_its_own_strategy(rules, seed):
    tree = compiled(rules)
    strategies = [random_strategy(tree, seed + i) for i in range(3)]
    for seating in product(strategies, repeat=tree.num_players):
        policies = [oracles.policy_of(strategy) for strategy in seating]
        mixed = {key: policies[key[0]][key] for key in policies[0]}
        naive = oracles.expected_values(rules, mixed)
        np.testing.assert_allclose(wb.expected_values(seating), naive, atol=1e-12)


def test_equal_games_may_meet_even_if_compiled_twice():
    one, two = (wb.compile_game(wb.load_game("kuhn")) for _ in range(2))
    values = wb.expected_values([wb.Strategy.uniform(one), wb.Strategy.uniform(two)])
    assert values == pytest.approx([1 / 8, -1 / 8])
