"""Answers to a model: linear programs against best responses, equilibria and restricted games."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workbench.lab.lectures.restricted_nash import restricted_response

from tests.models.test_beliefs import GAMES, game
from tests.random_games import RandomGame, random_strategy, tree_of
from workbench import Strategy, best_response, compile_game, expected_values, seated
from workbench.linear_programs import sequence_form
from workbench.models.answers import data_biased_response, equilibrium, gifts, safe_response
from workbench.models.beliefs import Hand, ends_of
from workbench.passes import reach


def value_of(tree, player):
    return float(expected_values(equilibrium(tree))[player])


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", GAMES)
def test_a_safe_response_never_loses_more_than_its_budget(name, player):
    tree = game(name)
    value = value_of(tree, player)
    for seed in range(2):
        model = random_strategy(tree, seed)
        wins = []
        for budget in (0.0, 0.02, 0.1, 0.5):
            answer = safe_response(model, player, budget)
            lost = value + best_response(answer.strategy, 1 - player).value
            assert lost <= budget + 1e-8
            assert answer.risk == pytest.approx(max(lost, 0.0), abs=1e-9)
            wins.append(answer.wins)
        assert wins == sorted(wins)
        most = best_response(model, player).value
        assert safe_response(model, player, 100.0).wins == pytest.approx(most, abs=1e-5)
        assert safe_response(model, player, None).wins == pytest.approx(most, abs=1e-5)


@settings(max_examples=20)
@given(st.integers(0, 200))
def test_the_same_in_random_games(seed):
    tree = compile_game(RandomGame(seed, zero_sum=True))
    model = random_strategy(tree, seed)
    for player, budget in ((0, 0.0), (1, 0.1)):
        answer = safe_response(model, player, budget)
        assert answer.risk <= budget + 1e-7
        assert answer.wins >= answer.value - budget - 1e-7


@pytest.mark.parametrize("name", GAMES)
def test_safe_responses_lie_on_the_frontier_of_restricted_ones(name):
    """Whoever risks what a restricted response risks wins what it wins: nothing lies above."""
    tree = game(name)
    model = random_strategy(tree, 5)
    for p in (0.2, 0.6, 0.9):
        restricted = restricted_response(model, 0, p)
        cost = value_of(tree, 0) - restricted.sure
        assert safe_response(model, 0, max(cost, 0.0)).wins == pytest.approx(
            restricted.wins, abs=1e-5
        )


@pytest.mark.parametrize("name", GAMES)
def test_confidence_0_and_1_are_equilibrium_and_best_response(name):
    tree = game(name)
    model = random_strategy(tree, 4)
    for player in (0, 1):
        assert data_biased_response(model, player, 0.0).risk == pytest.approx(0.0, abs=1e-8)
        most = best_response(model, player).value
        for sure in (1.0, np.ones(tree.num_infosets)):
            assert data_biased_response(model, player, sure).wins == pytest.approx(most, abs=1e-5)


def tied_value(strategy, model, trust, player):
    """What a strategy wins from an opponent who is tied to the model, by plain recursion."""
    tree, form = model.tree, sequence_form(model.tree)
    other = 1 - player
    x = form.plan(strategy.probs)
    g = [0.0] * form.num_sequences
    for s in [*tree.choices_of(other), tree.num_choices + other]:
        for e in range(form.row[s], form.row[s + 1]):
            g[s] += float(form.weight[e] * x[form.others[e, 0]])
    for infoset in reversed(tree.infosets_of(other)):
        choices = range(form.first_choice[infoset], form.first_choice[infoset + 1])
        must = sum(model.probs[c] * g[c] for c in choices)
        g[form.above[infoset]] += trust * must + (1 - trust) * max(g[c] for c in choices)
    return -g[tree.num_choices + other]


@pytest.mark.parametrize("name", GAMES)
def test_a_data_biased_response_is_best_against_a_tied_opponent(name):
    tree = game(name)
    model = random_strategy(tree, 6)
    for trust in (0.3, 0.8):
        answer = data_biased_response(model, 0, trust)
        found = tied_value(answer.strategy, model, trust, 0)
        others = [equilibrium(tree), best_response(model, 0).strategy, random_strategy(tree, 7)]
        others += [safe_response(model, 0, budget).strategy for budget in (0.05, 0.2)]
        others += [restricted_response(model, 0, p).strategy for p in (0.3, 0.8)]
        assert all(found >= tied_value(one, model, trust, 0) - 1e-5 for one in others)
        limited = data_biased_response(model, 0, trust, budget=0.03)
        assert limited.risk <= 0.03 + 1e-8


@pytest.mark.parametrize("name", GAMES)
def test_gifts_are_on_average_what_she_wins_less_than_the_best(name):
    """Exactly, if all cards are shown; at most that much, if some stay hidden."""
    tree, ends = game(name), ends_of(game(name)).history
    for player in (0, 1):
        mine, hers = random_strategy(tree, 1), random_strategy(tree, 2)
        table = seated([mine, hers] if player == 0 else [hers, mine])
        chances, given_ = reach(tree, table.probs)[ends], gifts(mine, player)
        missed = best_response(mine, 1 - player).value - expected_values(table)[1 - player]
        assert given_.min() >= 0.0
        assert chances @ given_ == pytest.approx(missed)
        least = [given_[Hand.ended(tree, player, z).ends].min() for z in range(len(ends))]
        assert chances @ np.array(least) <= missed + 1e-12


def test_answers_on_no_limit_leduc():
    tree = tree_of("no_limit_leduc", stack=2)
    caller = Strategy.from_function(tree, lambda player, seen, actions: "c")
    free, safe = (safe_response(caller, 0, budget) for budget in (None, 0.05))
    assert safe.risk <= 0.05 + 1e-8
    assert safe.value < safe.wins < free.wins
