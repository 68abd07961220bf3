"""The range over abstract equilibria: its ends are reached, and nothing found lies below it."""

import numpy as np
import pytest
from hypothesis import given, settings
from workbench.lab.ledger.papers.matrix import Matrix

import workbench as wb
from tests import golden
from tests.random_games import SEEDS, compiled, random_games, random_strategy
from workbench.lab.analysis.equilibrium_range import _lift_matrix
from workbench.linear_programs import plan_of
from workbench.sequence_form import sequence_form


@pytest.mark.parametrize("name", list(golden.LEDUC_SMALLEST_EXPLOITABILITY))
def test_smallest_exploitability_of_leduc(ranked, name):
    ab = wb.abstract(ranked, name)
    found = wb.theory.equilibrium_range(ab, tries=1)
    assert found.smallest == pytest.approx(golden.LEDUC_SMALLEST_EXPLOITABILITY[name], abs=1e-5)
    for strategy, claimed in ((found.best, found.smallest), (found.worst, found.largest)):
        assert wb.exploitability(strategy) == pytest.approx(claimed, abs=1e-9)
        _is_abstract_equilibrium(ab, strategy, 1e-6)
    assert found.largest > found.smallest + 0.02


def _is_abstract_equilibrium(ab, strategy, tolerance):
    """Read back through the map it is a strategy of the coarse game where nobody gains."""
    inside = np.zeros(ab.coarse.num_choices)
    inside[ab.choice_map] = strategy.probs / ab.share
    coarse = wb.Strategy(ab.coarse, inside)
    np.testing.assert_allclose(ab.lift(coarse).probs, strategy.probs, atol=1e-12)
    assert wb.exploitability(coarse) < tolerance


def test_learnt_equilibria_lie_in_the_range(ranked):
    """CFR+ from random starts ends at different equilibria, none better than the smallest."""
    ab = wb.abstract(ranked, "JQ-K")
    learnt = [
        wb.exploitability(s) for s in wb.theory.learnt_equilibria(ab, iterations=4000, seeds=4)
    ]
    ends = wb.theory.equilibrium_range(ab, slack=2e-3, tries=2)
    assert ends.smallest <= min(learnt) <= max(learnt) <= ends.largest
    assert max(learnt) - min(learnt) > 0.005, "which one depends on the start"


def test_slack_widens_the_range(ranked):
    ab = wb.abstract(ranked, "JQ-K")
    tight, loose = (
        wb.theory.equilibrium_range(ab, slack=slack, tries=1).smallest for slack in (1e-8, 1e-3)
    )
    assert loose < tight - 0.01


def test_a_lossless_abstraction_has_no_range(kuhn):
    found = wb.theory.equilibrium_range(
        wb.abstract(kuhn, lambda player, seen, actions: seen), tries=3
    )
    assert (found.smallest, found.largest) == pytest.approx((0.0, 0.0), abs=1e-7)
    assert wb.expected_values(found.worst)[0] == pytest.approx(golden.KUHN_VALUE, abs=1e-7)


def half_blind(player, seen, actions):
    """Remember all but the very first signal, and how many actions there are."""
    return seen[1:], len(seen), len(actions)


@settings(max_examples=15)
@given(random_games(zero_sum=True, max_depth=4), SEEDS)
def test_random_games(rules, seed):
    """Between the ends lies whatever another solver finds."""
    ab = wb.abstract(compiled(rules), half_blind)
    if not ab.coarse.perfect_recall:
        return
    found = wb.theory.equilibrium_range(ab, tries=2, slack=1e-6)
    state = next(wb.iterate(ab.coarse, "lp"))
    other = wb.exploitability(ab.lift(wb.average(ab.coarse, state)))
    assert found.smallest <= other + 1e-6
    assert found.smallest <= found.largest + 1e-6
    assert wb.exploitability(found.best) == pytest.approx(found.smallest, abs=1e-9)


def merge_raises(player, seen, actions):
    return seen, ["go" if action != "f" else action for action in actions]


@pytest.mark.parametrize("rule", ["JQ-K", "null", merge_raises])
def test_lifting_a_plan_is_lifting_its_strategy(leduc, rule):
    ab = wb.abstract(leduc, rule)
    full, coarse = sequence_form(ab.full), sequence_form(ab.coarse)
    sigma = random_strategy(ab.coarse, 2)
    inside, outside = coarse.plan(sigma.probs), full.plan(ab.lift(sigma).probs)
    for player in (0, 1):
        lifted = _lift_matrix(ab, player) @ plan_of(coarse, inside, player)
        np.testing.assert_allclose(lifted, plan_of(full, outside, player), atol=1e-12)


def test_same_seed_same_range(kuhn):
    ab = wb.abstract(kuhn, lambda player, seen, actions: (seen[0] == "K", seen[1]))
    one, two = (wb.theory.equilibrium_range(ab, seed=3, tries=4) for _ in range(2))
    assert np.array_equal(one.worst.probs, two.worst.probs)


@pytest.mark.parametrize("size", [1e-6, 1e6])
def test_payoffs_of_any_size(size):
    """A game for pennies and the same for millions have the same range, in their own units."""
    payoffs = np.array([[0.0, 2.0, 3.0], [4.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    ranges = []
    for unit in (1.0, size):
        tree = wb.compile_game(Matrix("unit", (unit * payoffs).tolist()))
        merged = wb.abstract(tree, lambda p, seen, actions: (seen, ["a", "b", "b"]), players=1)
        found = wb.theory.equilibrium_range(merged, slack=0.0, tries=2)
        ranges.append((found.smallest / unit, found.largest / unit))
    assert ranges[1] == pytest.approx(ranges[0], abs=1e-6)
