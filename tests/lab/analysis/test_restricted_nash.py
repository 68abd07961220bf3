"""Restricted Nash responses: equilibrium at p = 0, best response at p = 1, a frontier between."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import hstack

import workbench as wb
from tests.random_games import SEEDS, compiled, random_games, random_strategy
from workbench.linear_programs import payoff_matrix, plan_constraints, plan_of, solve_program
from workbench.sequence_form import sequence_form


def by_objective(sigma, player, p):
    """The value of the restricted game without building it: maximise p x'As + (1 − p) q[root]."""
    form = sequence_form(sigma.tree)
    A = payoff_matrix(form, player)
    e, f = (plan_constraints(form, i) for i in (player, 1 - player))
    model = plan_of(form, form.plan(sigma.probs), 1 - player)
    gain = np.r_[p * (A @ model), 1 - p, np.zeros(f.shape[0] - 1)]
    answer, _ = solve_program(
        gain,
        at_most=hstack([-A.T, f.T], format="csc"),
        equal=e,
        low=np.r_[np.zeros(e.shape[1]), np.full(f.shape[0], -np.inf if p < 1 else 0.0)],
    )
    return float(gain @ answer)


@settings(max_examples=12)
@given(random_games(zero_sum=True, max_depth=4), SEEDS, st.sampled_from([0.1, 0.5, 0.8]))
def test_the_tree_is_the_modified_objective(rules, seed, p):
    tree = compiled(rules)
    sigma = random_strategy(tree, seed)
    for player in (0, 1):
        found = wb.theory.restricted_response(sigma, player, p)
        worth, truth = p * found.wins + (1 - p) * found.sure, by_objective(sigma, player, p)
        assert worth == pytest.approx(truth, abs=1e-7)
        seats = [found.strategy if i == player else sigma for i in (0, 1)]
        assert found.wins == pytest.approx(wb.expected_values(seats)[player], abs=1e-12)
        worst = wb.best_response(found.strategy, 1 - player).value
        assert found.sure == pytest.approx(-worst, abs=1e-12)


@settings(max_examples=8)
@given(random_games(zero_sum=True, max_depth=4), SEEDS)
def test_the_ends_and_the_frontier(rules, seed):
    tree = compiled(rules)
    sigma = random_strategy(tree, seed)
    for player in (0, 1):
        table = wb.theory.exploitation_frontier(sigma, player, (0.0, 0.3, 0.6, 0.9, 1.0))
        most = wb.best_response(sigma, player).value
        assert table["wins"].iloc[-1] == pytest.approx(most, abs=1e-8)
        assert table["cost"].iloc[0] == pytest.approx(0.0, abs=1e-9)
        assert np.all(np.diff(table["wins"]) >= -1e-7)
        assert np.all(np.diff(table["sure"]) <= 1e-7)


def test_any_solver_solves_it(leduc):
    uniform = wb.Strategy.uniform(leduc)
    exact, learnt = (
        0.4 * found.wins + 0.6 * found.sure
        for found in (
            wb.theory.restricted_response(uniform, 1, 0.4),
            wb.theory.restricted_response(uniform, 1, 0.4, "cfr+", iterations=2000),
        )
    )
    assert learnt == pytest.approx(exact, abs=2e-3)
