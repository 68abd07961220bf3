"""Regret: measured by hand, bounded by the theorem, and what it promises about equilibria."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workbench.lab.ledger.papers.matrix import Matrix

import workbench as wb
from tests import oracles
from tests.random_games import compiled, random_games
from workbench.solvers.base import average, current, profiles, start_state
from workbench.solvers.cfr import CFR
from workbench.strategy import normalised


def trajectory(tree, iterations):
    """The profiles that CFR with simultaneous updates plays, and where it ends."""
    solver, state, played = CFR(alternating=False), start_state(tree), []
    for _ in range(iterations):
        played.append(current(tree, state))
        state = solver.advance(tree, state, 1)
    return played, state


@settings(max_examples=30)
@given(random_games(players=st.integers(1, 3), max_depth=4))
def test_measured_regret_is_its_definition(rules):
    """max over pure strategies of the mean gain over what was played, by trying them all."""
    tree = compiled(rules)
    played, _ = trajectory(tree, 4)
    table = wb.judge.measured_regrets(played)
    assert table["iteration"].tolist() == np.repeat(range(1, 5), tree.num_players).tolist()
    assert table["player"].tolist() == list(range(1, tree.num_players + 1)) * 4
    policies = [oracles.policy_of(profile) for profile in played]
    earned = [oracles.expected_values(rules, policy) for policy in policies]
    for t, player, regret in table[["iteration", "player", "regret"]].itertuples(index=False):
        i = player - 1
        pures = oracles.pure_strategies(rules, i, limit=60)
        if pures is None:
            continue
        best = max(
            sum(oracles.expected_values(rules, policy | pure)[i] for policy in policies[:t])
            for pure in pures
        )
        assert regret == pytest.approx((best - sum(e[i] for e in earned[:t])) / t, abs=1e-12)


@settings(max_examples=40)
@given(random_games(players=st.integers(1, 3)))
def test_the_theorem_holds(rules):
    """CFR's measured regret stays below its bound in every iteration (Zinkevich et al. 2007)."""
    table = wb.judge.measured_regrets(trajectory(compiled(rules), 30)[0])
    assert np.all(table["regret"] <= table["bound"] + 1e-12)


@pytest.mark.parametrize("name", ["kuhn", "biased_pennies", "figure1"])
def test_small_regrets_make_an_equilibrium(name):
    """Two players, zero-sum: the average profile's gap is the sum of both average regrets."""
    tree = wb.compile_game(wb.load_game(name))
    played, state = trajectory(tree, 200)
    table = wb.judge.measured_regrets(played)
    total = table.loc[table["iteration"] == 200, "regret"].sum()
    assert 2 * wb.exploitability(average(tree, state)) == pytest.approx(total, abs=1e-9)


def test_regret_of_one_profile_is_its_gain(kuhn):
    sigma = normalised(kuhn, np.arange(1.0, 25.0))
    table = wb.judge.measured_regrets([sigma])
    assert table["regret"].mean() == pytest.approx(wb.exploitability(sigma), abs=1e-12)


def test_the_bound_of_a_rectangular_game():
    """Range 4, one infoset each, 2 against 3 actions, 4 iterations."""
    tree = wb.compile_game(Matrix("small", [[0, 2, 3], [4, 1, 0]]))
    assert wb.judge.regret_bound(tree, 4) == pytest.approx([4 * np.sqrt(2) / 2, 4 * np.sqrt(3) / 2])


@pytest.mark.parametrize("solver", ["cfr", "external-sampling"])
def test_measured_regret_stays_far_below(kuhn, solver):
    table = wb.judge.sampled_regrets(profiles(kuhn, solver, 200), rho=0.05)
    last = table[table["iteration"] == 200]
    assert np.all(last["regret"] < 0.2 * last["sampled bound"])
    assert table["sampled bound"].to_numpy() == pytest.approx(
        (1 + np.sqrt(40)) * table["bound"].to_numpy()
    )
    assert last["bound"].to_numpy() == pytest.approx(wb.judge.regret_bound(kuhn, 200))
