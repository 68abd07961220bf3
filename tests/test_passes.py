"""The loops over a tree equal recursion on the rules."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from tests import oracles
from tests.random_games import FORGETFUL_TOO
from workbench import Strategy, compile_game, load_game
from workbench.passes import counterfactual, how_often, latest, profile_values


@given(FORGETFUL_TOO)
def test_values_equal_naive_recursion(sigma: Strategy) -> None:
    tree = sigma.tree
    naive = oracles.expected_values(tree.rules, oracles.policy_of(sigma))
    np.testing.assert_allclose(profile_values(tree, sigma.probs), naive, atol=1e-13)


@given(FORGETFUL_TOO)
def test_what_lies_on_the_way(sigma: Strategy) -> None:
    tree = sigma.tree
    marked = tree.player == 0
    count, last = how_often(tree, marked), latest(tree, marked)
    for h in range(tree.num_histories):
        way = [h]
        while way[-1] > 0:
            way.append(int(tree.parent[way[-1]]))
        assert count[h] == marked[way].sum()
        assert last[h] == next((above for above in way[1:] if marked[above]), -1)


@given(FORGETFUL_TOO)
def test_counterfactual_values_equal_naive_recursion(sigma: Strategy) -> None:
    tree = sigma.tree
    for i in range(tree.num_players):
        naive, arrivals = oracles.counterfactual(tree.rules, oracles.policy_of(sigma), i)
        values, _, own = counterfactual(tree, sigma.probs, i)
        mine = tree.choices_of(i)
        assert np.all(np.delete(values, mine) == 0.0)
        for infoset in tree.infosets_of(i):
            low, high = tree.first_choice[infoset : infoset + 2]
            expected = naive[i, tree.seen[infoset]]
            ours = dict(zip(tree.actions_at(infoset), values[low:high], strict=True))
            assert ours == pytest.approx(expected, abs=1e-13)
            here = np.sort(own[tree.infoset == infoset])
            np.testing.assert_allclose(here, np.sort(arrivals[i, tree.seen[infoset]]), atol=1e-15)


@pytest.mark.parametrize("name", ["kuhn", "figure1", "gift", "odd_one_out", "smuggler"])
def test_uniform_values_are_right_to_the_last_digit(name: str) -> None:
    rules = load_game(name)
    tree = compile_game(rules)
    exact = oracles.expected_values(rules, oracles.uniform_policy(rules, exact=True), exact=True)
    assert all(isinstance(value, Fraction) for value in exact)
    values = profile_values(tree, Strategy.uniform(tree).probs)
    np.testing.assert_allclose(values, [float(value) for value in exact], atol=4e-16, rtol=4e-16)
