"""The CFR family: five schedules, two engines, one meaning.

Where regrets are tied, regret matching jumps: a rounding error decides between two pure choices.
So runs are compared one step at a time from a common state, along a whole trajectory, and from
start to end only for a few iterations; random payoffs are real numbers, which do not tie.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden
from tests.oracles import SCHEDULES, NaiveCFR, array_of, table_of
from tests.random_games import compiled, forgetful, random_games
from workbench import compile_game, exploitability, load_game
from workbench.evaluation.values import expected_values
from workbench.solvers.base import average, start_state
from workbench.solvers.cfr import CFR, DCFR, CFRPlus, LinearCFR, PCFRPlus
from workbench.solvers.regret import regret_matching

FAMILY = {solver.name: solver for solver in (CFR, CFRPlus, LinearCFR, DCFR, PCFRPlus)}
NAMES = st.sampled_from(sorted(FAMILY))


def assert_close(state, naive, tree, error=1e-12):
    assert state.iteration == naive.iteration
    scale = max(1.0, float(np.abs(state.strategy_sum).max(initial=0.0)))
    tables = [(state.regret, naive.regret, error), (state.probs, naive.policy, error)]
    for ours, theirs, allowed in [*tables, (state.strategy_sum, naive.strategy_sum, error * scale)]:
        np.testing.assert_allclose(ours, array_of(tree, theirs), atol=allowed, rtol=allowed)


@settings(max_examples=60)
@given(
    random_games(players=st.integers(1, 3), whole_payoffs=False, max_depth=4)
    | random_games(recall=False, whole_payoffs=False, max_depth=4),
    NAMES,
    st.booleans(),
)
def test_every_step_is_the_textbooks(rules, name, alternating):
    tree = compiled(rules)
    solver = FAMILY[name](alternating=alternating)
    state = start_state(tree)
    for _ in range(8):
        tables = [table_of(tree, one) for one in (state.probs, state.regret, state.strategy_sum)]
        naive = NaiveCFR(rules, SCHEDULES[name], alternating, False, state.iteration, *tables)
        naive.step()
        state = solver.advance(tree, state, 1)
        assert_close(state, naive, tree)


EXACT = ["cfr", "cfr+", "linear-cfr", "pcfr+"]  # rational weights only


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize(("game", "iterations"), [("biased_pennies", 5), ("smuggler", 4)])
def test_exact_fractions(game, iterations, name, alternating):
    rules = load_game(game)
    tree = compile_game(rules)
    naive = NaiveCFR(rules, SCHEDULES[name], alternating, exact=True)
    for _ in range(iterations):
        naive.step()
    state = FAMILY[name](alternating=alternating).advance(tree, start_state(tree), iterations)
    assert_close(state, naive, tree, 1e-13)


def test_one_iteration_of_cfr_by_hand():
    """Biased pennies: player 0 sees (1/2, 0) against uniform play, so she learns "heads"; then
    player 1, who is updated second, sees (-3, 2) and learns "tails"."""
    tree = compile_game(load_game("biased_pennies"))
    state = CFR().advance(tree, start_state(tree), 1)
    assert state.regret.tolist() == [0.25, -0.25, -2.5, 2.5]
    assert state.probs.tolist() == [1.0, 0.0, 0.0, 1.0]
    assert state.strategy_sum.tolist() == [0.5] * 4
    together = CFR(alternating=False).advance(tree, start_state(tree), 1)
    assert together.regret.tolist() == [0.25, -0.25, -0.75, 0.75]
    plus = CFRPlus().advance(tree, start_state(tree), 1)
    assert plus.regret.tolist() == [0.25, 0.0, 0.0, 2.5]


@settings(max_examples=60)
@given(random_games(players=st.integers(1, 4), whole_payoffs=False), NAMES, st.booleans())
def test_both_engines_take_the_same_step(rules, name, alternating):
    tree = compiled(rules)
    solver = FAMILY[name](alternating=alternating, engine="sequence")
    twin = FAMILY[name](alternating=alternating, engine="tree")
    state = start_state(tree)
    for _ in range(25):
        other = twin.advance(tree, state, 1)
        state = solver.advance(tree, state, 1)
        for field in ("regret", "probs", "strategy_sum"):
            ours, theirs = getattr(state, field), getattr(other, field)
            np.testing.assert_allclose(ours, theirs, atol=1e-12, rtol=1e-12)


@pytest.mark.parametrize("engine", ["sequence", "tree"])
def test_the_engine_follows_recall(engine):
    tree = forgetful() if engine == "tree" else compile_game(load_game("kuhn"))
    auto = CFR().advance(tree, start_state(tree), 5)
    asked = CFR(engine=engine).advance(tree, start_state(tree), 5)
    assert np.array_equal(auto.regret, asked.regret)


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize(
    ("name", "low"),
    [("cfr", 0.05), ("cfr+", 0.003), ("linear-cfr", 0.01), ("dcfr", 0.003), ("pcfr+", 0.002)],
)
def test_leduc_converges(name, low, alternating, ranked):
    solver = FAMILY[name](alternating=alternating)
    answer = average(ranked, solver.advance(ranked, start_state(ranked), 1000))
    assert exploitability(answer) < (low if alternating else 4 * low)
    assert expected_values(answer)[0] == pytest.approx(golden.LEDUC_VALUE, abs=8 * low)


def test_discounting_with_exponents_is_the_other_members(ranked):
    start = start_state(ranked)
    linear = LinearCFR().advance(ranked, start, 10)
    same = DCFR(alpha=1.0, beta=1.0, gamma=1.0).advance(ranked, start, 10)
    np.testing.assert_allclose(linear.regret, same.regret, atol=1e-12)
    np.testing.assert_allclose(linear.strategy_sum, same.strategy_sum, atol=1e-10)
    # t = 1 is discounted by 1/2 whatever the exponent, so plain CFR is met from t = 2 on
    plain = DCFR(alpha=np.inf, beta=np.inf, gamma=0.0).advance(ranked, start, 10)
    assert np.all(np.isfinite(plain.regret))


def test_infosets_nobody_reaches_stay_finite(kuhn):
    for solver in FAMILY.values():
        state = solver().advance(kuhn, start_state(kuhn), 20_000)
        assert all(np.all(np.isfinite(a)) for a in (state.regret, state.probs, state.strategy_sum))
        assert np.all(average(kuhn, state).probs <= 1.0 + 1e-12)


@pytest.mark.parametrize("size", [1e-320, 5e-324, 1e-300, 1e300])
def test_regret_matching_of_the_tiniest_and_the_largest(size):
    """Regrets carry the probability that the others get here, which may be next to nothing."""
    regret, probs = np.array([size, 0.0, -size]), np.full(3, np.nan)
    regret_matching(np.array([0, 3], np.uint32), 0, 1, regret, probs)
    assert np.all(np.isfinite(probs))
    assert probs.sum() == pytest.approx(1.0)
