"""Best responses and exploitability, against recursion, enumeration and published values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import golden, oracles
from tests.random_games import (
    ANY_PLAYERS,
    SEEDS,
    RandomGame,
    compiled,
    random_games,
    random_strategy,
)
from workbench import (
    GameError,
    GameTree,
    Strategy,
    best_response,
    compile_game,
    expected_values,
    exploitability,
    gains,
    load_game,
)

# ---- published values ----------------------------------------------------------------------


def test_uniform_kuhn() -> None:
    uniform = Strategy.uniform(compile_game(load_game("kuhn")))
    replies = [best_response(uniform, i).value for i in (0, 1)]
    assert replies == pytest.approx(golden.KUHN_UNIFORM_BEST_RESPONSES, abs=1e-15)
    assert exploitability(uniform) == pytest.approx(golden.KUHN_UNIFORM_EXPLOITABILITY, abs=1e-15)


def test_uniform_leduc(leduc: GameTree) -> None:
    uniform = Strategy.uniform(leduc)
    replies = [best_response(uniform, i).value for i in (0, 1)]
    assert replies == pytest.approx(golden.LEDUC_UNIFORM_BEST_RESPONSES, abs=5e-8)
    expected = golden.LEDUC_UNIFORM_EXPLOITABILITY
    assert exploitability(uniform) == pytest.approx(expected, abs=5e-8)
    merged = Strategy.uniform(compile_game(load_game("leduc", suit_isomorphism=True)))
    assert exploitability(merged) == pytest.approx(exploitability(uniform), abs=1e-12)


def test_always_folding_costs_one_ante(leduc: GameTree) -> None:
    """Folding at once loses the ante to whoever raises: 1 for each player."""
    timid = Strategy.from_function(
        leduc, lambda player, seen, actions: "f" if "f" in actions else "c"
    )
    assert [best_response(timid, i).value for i in (0, 1)] == pytest.approx([1.0, 1.0])
    assert exploitability(timid) == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["kuhn", "figure1", "gift", "odd_one_out", "bluff"])
def test_best_responses_to_uniform_play_in_exact_fractions(name: str) -> None:
    rules = load_game(name)
    uniform = Strategy.uniform(compile_game(rules))
    policy = oracles.uniform_policy(rules, exact=True)
    for player in range(rules.players):
        exact = oracles.best_response_value(rules, policy, player, exact=True)
        assert isinstance(exact, Fraction)
        assert exact == oracles.best_response_by_enumeration(rules, policy, player, exact=True)
        assert best_response(uniform, player).value == pytest.approx(float(exact), abs=1e-15)


# ---- properties ----------------------------------------------------------------------------


@given(random_games(players=ANY_PLAYERS), SEEDS)
def test_best_responses_equal_recursion(rules: RandomGame, seed: int) -> None:
    tree = compiled(rules)
    sigma = random_strategy(tree, seed)
    policy = oracles.policy_of(sigma)
    for player in range(rules.players):
        naive = oracles.best_response_value(rules, policy, player)
        assert best_response(sigma, player).value == pytest.approx(naive, abs=1e-12)


@given(random_games(players=st.integers(1, 3), max_depth=4), SEEDS)
def test_best_responses_equal_enumeration(rules: RandomGame, seed: int) -> None:
    tree = compiled(rules)
    sigma = random_strategy(tree, seed)
    policy = oracles.policy_of(sigma)
    for player in range(rules.players):
        best = oracles.best_response_by_enumeration(rules, policy, player, limit=100)
        if best is not None:
            assert best_response(sigma, player).value == pytest.approx(best, abs=1e-12)


@given(random_games(players=ANY_PLAYERS), SEEDS)
def test_a_best_response_wins_what_it_says(rules: RandomGame, seed: int) -> None:
    tree = compiled(rules)
    sigma = random_strategy(tree, seed)
    for player in range(tree.num_players):
        response = best_response(sigma, player)
        assert response.player == player
        won = expected_values(response.strategy)[player]
        assert won == pytest.approx(response.value, abs=1e-12)
        hers = tree.choices_of(player)
        changed = np.flatnonzero(response.strategy.probs != sigma.probs)
        assert all(choice in hers for choice in changed), "the others play as before"
        assert set(response.strategy.probs[hers.start : hers.stop]) <= {0.0, 1.0}, "pure"


@given(random_games(players=ANY_PLAYERS), SEEDS, SEEDS)
def test_no_strategy_beats_a_best_response(rules: RandomGame, seed: int, other: int) -> None:
    tree = compiled(rules)
    sigma, tau = random_strategy(tree, seed), random_strategy(tree, other)
    values = expected_values(sigma)
    for player in range(tree.num_players):
        best = best_response(sigma, player).value
        assert best >= values[player] - 1e-12, "never below the strategy's own value"
        seats = [tau if i == player else sigma for i in range(tree.num_players)]
        assert best >= expected_values(seats)[player] - 1e-12


@given(random_games(players=ANY_PLAYERS), SEEDS)
def test_gains_are_best_response_minus_value(rules: RandomGame, seed: int) -> None:
    tree = compiled(rules)
    sigma = random_strategy(tree, seed)
    best = [best_response(sigma, i).value for i in range(tree.num_players)]
    found = gains(sigma)
    np.testing.assert_allclose(found, np.array(best) - expected_values(sigma), atol=1e-12)
    assert np.all(found >= -1e-12)
    assert exploitability(sigma) == pytest.approx(found.mean(), abs=1e-15)


def test_gains_of_three_players() -> None:
    tree = compile_game(load_game("odd_one_out"))
    assert gains(Strategy.uniform(tree)).tolist() == [0.0, 0.0, 0.0], "fair coins are in balance"
    heads = Strategy.from_function(tree, lambda player, seen, actions: "heads")
    assert gains(heads).tolist() == [2.0, 2.0, 2.0], "whoever shows tails wins 1 from each"
    assert exploitability(heads) == 2.0
    leader = Strategy.from_function(
        tree, lambda player, seen, actions: "tails" if player == 0 else "heads"
    )
    # the odd one is content; if another one shows tails too, the third becomes the odd one
    assert gains(leader).tolist() == [0.0, 0.0, 0.0]


def test_gains_of_uniform_three_player_leduc() -> None:
    tree = compile_game(load_game("leduc", players=3, suit_isomorphism=True))
    sigma = Strategy.uniform(tree)
    found = gains(sigma)
    for player in range(3):
        response = best_response(sigma, player)
        expected = expected_values(response.strategy)[player] - expected_values(sigma)[player]
        assert found[player] == pytest.approx(expected, abs=1e-12)
    assert found.min() > 1.0


# ---- the border ----------------------------------------------------------------------------


def test_judging_changes_nothing() -> None:
    tree = compile_game(load_game("kuhn"))
    sigma = random_strategy(tree, 3)
    before = sigma.probs.copy()
    first = (exploitability(sigma), gains(sigma).tolist(), best_response(sigma, 1).value)
    assert (exploitability(sigma), gains(sigma).tolist(), best_response(sigma, 1).value) == first
    assert np.array_equal(sigma.probs, before)
    assert not best_response(sigma, 0).strategy.probs.flags.writeable


def test_imperfect_recall_is_refused() -> None:
    tree = next(
        tree
        for seed in range(50)
        if not (tree := compiled(RandomGame(seed, recall=1, depth=5))).perfect_recall
    )
    sigma = Strategy.uniform(tree)
    for judge in (exploitability, gains, lambda strategy: best_response(strategy, 0)):
        with pytest.raises(GameError, match=r"imperfect recall.*lift the strategy"):
            judge(sigma)
    assert len(expected_values(sigma)) == 2, "values need no recall"
