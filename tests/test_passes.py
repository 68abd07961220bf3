"""The loops over a tree, and the sequence form, equal recursion on the rules."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from tests import oracles
from tests.random_games import FORGETFUL_TOO, PROFILES
from workbench import Strategy, compile_game, load_game
from workbench.passes import counterfactual, how_often, latest, luck, profile_values
from workbench.sequence_form import gradient, sequence_form


@given(FORGETFUL_TOO)
def test_values_equal_naive_recursion(sigma):
    tree = sigma.tree
    naive = oracles.expected_values(tree.rules, oracles.policy_of(sigma))
    np.testing.assert_allclose(profile_values(tree, sigma.probs), naive, atol=1e-13)


@given(FORGETFUL_TOO)
def test_what_lies_on_the_way(sigma):
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
def test_counterfactual_values_equal_naive_recursion(sigma):
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
def test_uniform_values_are_right_to_the_last_digit(name):
    rules = load_game(name)
    tree = compile_game(rules)
    exact = oracles.expected_values(rules, oracles.uniform_policy(rules, exact=True), exact=True)
    assert all(isinstance(value, Fraction) for value in exact)
    values = profile_values(tree, Strategy.uniform(tree).probs)
    np.testing.assert_allclose(values, [float(value) for value in exact], atol=4e-16, rtol=4e-16)


def sequences(tree):
    """(Z, P) each player's sequence at each terminal."""
    over = np.flatnonzero(tree.terminal >= 0)
    columns = []
    for i in range(tree.num_players):
        last = tree.last_choice(i)[over]
        columns.append(np.where(last >= 0, last, tree.num_choices + i))
    return np.column_stack(columns)


def gradients(form, x):
    g = np.zeros(form.num_sequences)
    gradient(form, 0, form.num_sequences, x, g)
    return g


@given(PROFILES)
def test_a_plan_is_the_players_own_reach(sigma):
    tree = sigma.tree
    x = sequence_form(tree).plan(sigma.probs)
    assert np.all(x[tree.num_choices :] == 1.0), "the empty sequences"
    for i in range(tree.num_players):
        _, _, own = counterfactual(tree, sigma.probs, i)
        for h in np.flatnonzero(tree.player == i):
            low, high = tree.first_choice[tree.infoset[h] : tree.infoset[h] + 2]
            np.testing.assert_allclose(x[low:high], own[h] * sigma.probs[low:high], atol=1e-15)


@given(PROFILES)
def test_gradients_are_sums_over_terminals(sigma):
    tree, form = sigma.tree, sequence_form(sigma.tree)
    x = form.plan(sigma.probs)
    of, weight = sequences(tree), luck(tree)[tree.terminal >= 0]
    naive = np.zeros(form.num_sequences)
    for z in range(tree.num_terminals):
        for i in range(tree.num_players):
            others = np.prod(np.delete(x[of[z]], i))
            naive[of[z, i]] += weight[z] * tree.utility[z, i] * others
    np.testing.assert_allclose(gradients(form, x), naive, atol=1e-13)


def test_terminals_with_the_same_sequences_are_added_up(leduc):
    form = sequence_form(leduc)
    assert form.num_players == 2
    assert form.num_sequences == leduc.num_choices + 2
    assert len(form.weight) < 2 * leduc.num_terminals
    distinct = np.unique(sequences(leduc), axis=0)
    assert len(form.weight) <= 2 * len(distinct)
    rows = np.repeat(np.arange(form.num_sequences), np.diff(form.row))
    pairs = np.column_stack([rows, form.others[:, 0]])
    assert len(np.unique(pairs, axis=0)) == len(pairs), "one entry for each pair of sequences"


def test_it_is_built_once_and_leaves_the_fingerprint_alone(kuhn):
    tree = compile_game(load_game("kuhn"))
    assert sequence_form(tree) is sequence_form(tree)
    assert tree.fingerprint == kuhn.fingerprint
