"""Trained responses stay below the exact best response, and come close with practice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.random_games import SEEDS, compiled, random_games, random_strategy

SAMPLED = [name for name in wb.solvers.list_solvers() if name.endswith("-sampling")]


@settings(max_examples=25)
@given(random_games(players=st.integers(1, 3)), SEEDS)
def test_a_trained_response_never_beats_the_best(rules, seed):
    tree = compiled(rules)
    sigma = random_strategy(tree, seed)
    for player in range(tree.num_players):
        found = wb.judge.trained_response(sigma, player, "cfr", iterations=5)
        best = wb.best_response(sigma, player)
        assert found.best == pytest.approx(best.value, abs=1e-12)
        assert found.value <= found.best + 1e-12
        assert found.value == pytest.approx(wb.expected_values(found.strategy)[player], abs=1e-12)
        theirs = np.delete(np.arange(tree.num_choices), tree.choices_of(player))
        assert np.array_equal(found.strategy.probs[theirs], sigma.probs[theirs])


@pytest.mark.parametrize("solver", ["cfr", "cfr+", *SAMPLED])
def test_practice_closes_the_gap(ranked, solver):
    uniform = wb.Strategy.uniform(ranked)
    more = 20_000 if solver == "outcome-sampling" else 2000  # it learns least from an iteration
    little, much = (wb.judge.trained_response(uniform, 1, solver, iterations=n) for n in (10, more))
    assert much.shortfall < 0.5 * little.shortfall
    assert little.shortfall > 0.0


def test_estimated_exploitability_is_too_small(leduc):
    sigma = wb.average(leduc, next(wb.iterate(leduc, "cfr+", every=50)))
    table = wb.judge.trained_exploitability(sigma, "cfr", iterations=20, seeds=(0, 1))
    assert table["seed"].tolist() == [0, 1]
    assert table["exact"].to_numpy() == pytest.approx(2 * wb.exploitability(sigma))
    assert np.all(table["shortfall"] > 0.0)
    assert table["estimate"][0] + table["shortfall"][0] == pytest.approx(table["exact"][0])


def test_training_may_go_on_where_it_stood(leduc):
    """From trained regrets, as the thesis does; keeping the old average makes it slow to move."""
    state = next(wb.iterate(leduc, "cfr", every=500))
    sigma = wb.average(leduc, state)
    for player in (0, 1):
        on, slow, late = (
            wb.judge.trained_response(
                sigma, player, "cfr", iterations=n, start=state, keep_average=keep
            )
            for n, keep in ((1, True), (200, True), (200, False))
        )  # one more iteration hardly changes an average of 500: the value is the profile's own
        assert on.value == pytest.approx(wb.expected_values(sigma)[player], abs=0.01)
        assert on.value < slow.value < late.value < late.best


@pytest.mark.parametrize("solver", SAMPLED)
def test_seeds_matter_with_and_without_a_start(kuhn, solver):
    state = next(wb.iterate(kuhn, "cfr", every=5))
    sigma = wb.Strategy.uniform(kuhn)
    for start in (None, state):
        how = {"iterations": 50, "seeds": range(4), "start": start}
        table, again = (wb.judge.trained_exploitability(sigma, solver, **how) for _ in range(2))
        assert table["estimate"].nunique() > 1
        assert table.equals(again)
