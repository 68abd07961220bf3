"""Looking at an information set: every number equals brute force on the rules."""

import numpy as np
import pytest
from hypothesis import given

from tests import oracles
from tests.random_games import ANY_PLAYERS, SEEDS, compiled, random_games, random_strategy
from workbench import Strategy, abstract
from workbench.lab.analysis.infoset_view import StrategyView, look


@given(random_games(players=ANY_PLAYERS) | random_games(recall=False), SEEDS)
def test_all_that_is_seen_equals_brute_force(rules, seed):
    tree = compiled(rules)
    sigma = random_strategy(tree, seed)
    policy, view = oracles.policy_of(sigma), StrategyView(sigma)
    states = {h: state for h, state, _ in oracles.tandem(rules, tree)}
    for h, state in states.items():
        naive = oracles.values_below(rules, state, policy)
        np.testing.assert_allclose(view.values[h], naive, atol=1e-13)
    for infoset in range(tree.num_infosets):
        seen, player = view.at(infoset), int(tree.infoset_player[infoset])
        others, total = [], 0.0
        for h in seen.histories:
            assert tree.infoset[h] == infoset
            product, whole, at = 1.0, 1.0, int(h)
            while at > 0:
                p = tree.chance[at] * (sigma.probs[tree.choice[at]] if tree.choice[at] >= 0 else 1)
                whole *= p
                product *= 1.0 if tree.player[tree.parent[at]] == player else p
                at = int(tree.parent[at])
            others.append(product)
            total += whole
        after = [[rules.next(states[int(h)], a) for a in seen.actions] for h in seen.histories]
        brought = [
            [oracles.values_below(rules, state, policy)[player] for state in row] for row in after
        ]
        np.testing.assert_allclose(seen.others, others, atol=1e-15)
        np.testing.assert_allclose(seen.worth, brought, atol=1e-12)
        assert seen.reach == pytest.approx(total, abs=1e-14)
        naive = oracles.counterfactual(rules, policy, player)[0][player, tree.seen[infoset]]
        assert seen.counterfactual == pytest.approx([naive[a] for a in seen.actions], abs=1e-12)
        assert seen.probs @ seen.regret == pytest.approx(0.0, abs=1e-12)
        if sum(others) > 0:
            assert seen.beliefs.sum() == pytest.approx(1.0)
            assert seen.expected * sum(others) == pytest.approx(seen.counterfactual, abs=1e-12)
            assert seen.value == pytest.approx(seen.probs @ seen.expected)
        else:
            assert np.isnan(seen.beliefs).all()
            assert np.isnan(seen.expected).all()


def test_the_equilibrium_of_kuhn_leaves_a_queen_indifferent(kuhn):
    def equilibrium(player, seen, actions):
        bets = {"J": 0, "Q": 0, "K": 0, "Jp": 1 / 3, "Qp": 0, "Kp": 1, "Jb": 0, "Qb": 1 / 3,
                "Kb": 1, "Jpb": 0, "Qpb": 1 / 3, "Kpb": 1}["".join(seen)]  # fmt: skip
        return 1 - bets, bets

    sigma = Strategy.from_function(kuhn, equilibrium)
    facing = look(sigma, ("Q", "pb"))
    assert facing.beliefs == pytest.approx([0.25, 0.75])  # he bets every King, one Jack in three
    assert facing.expected == pytest.approx([-1.0, -1.0])
    assert facing.regret == pytest.approx([0.0, 0.0])
    assert facing.reach == pytest.approx((1 / 3 + 1) / 6)
    nobody = look(sigma, "Q b")  # player 1 never bets at first
    assert nobody.reach == 0.0
    assert np.isnan(nobody.beliefs).all()
    assert np.isnan(nobody.table()["expected"]).all()


def test_merged_actions_count_once(ranked):

    def two_words(player, seen, actions):
        return seen, ["fold" if a == "f" else "play" for a in actions]

    coarse = abstract(ranked, two_words)
    sigma = random_strategy(coarse.coarse, 3)
    lifted = coarse.lift(sigma)
    ours, theirs = StrategyView(sigma), StrategyView(lifted)
    some = 0
    for infoset in range(ranked.num_infosets):
        if len(ranked.actions_at(infoset)) != 3:
            continue
        there = coarse.coarse.find_infoset(
            ranked.seen[infoset], int(ranked.infoset_player[infoset])
        )
        fold, play = ours.at(there).expected  # v also counts nature's pick of a merged action
        f, c, r = theirs.at(infoset).expected
        assert [fold, play] == pytest.approx([f, (c + r) / 2], abs=1e-12, nan_ok=True)
        some += bool(fold == fold)
    assert some > 50
