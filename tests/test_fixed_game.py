"""Fixing decisions: the game with fewer decisions against rules that say the same."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import assume, given

import workbench as wb
from tests import oracles
from tests.random_games import ANY_PLAYERS, PROFILES, SEEDS, compiled, random_games, random_strategy
from tests.test_tree import check_numbering
from workbench.abstraction import restrict_actions
from workbench.theory import fix, fix_others, fix_players


@dataclass(frozen=True, eq=False)
class Twin:
    """The rules in which somebody else's dice decide where `fixed` says so."""

    rules: wb.Rules
    table: oracles.Policy
    fixed: frozenset[oracles.Key]

    def __getattr__(self, name):
        return getattr(self.rules, name)

    def node(self, state):
        node = self.rules.node(state)
        if isinstance(node, wb.Decision) and (node.player, node.seen) in self.fixed:
            return wb.Chance(self.table[node.player, node.seen])
        return node


def some_fixed(tree, seed):
    return np.random.default_rng(seed).random(tree.num_infosets) < 0.5


def twin_of(rules, sigma, mask):
    tree = sigma.tree
    keys = [(int(tree.infoset_player[i]), tree.seen[i]) for i in np.flatnonzero(mask)]
    return Twin(rules, oracles.policy_of(sigma), frozenset(keys))


@given(rules=random_games(players=ANY_PLAYERS), seed=SEEDS)
def test_the_fixed_game_is_the_twins_game(rules, seed):
    tree = compiled(rules)
    sigma, mask = random_strategy(tree, seed), some_fixed(tree, seed)
    fixed = fix(sigma, mask)
    assert fixed.tree.num_infosets == tree.num_infosets - mask.sum()
    assert fixed.tree.num_histories == tree.num_histories
    assert fixed.tree.perfect_recall
    twin = twin_of(rules, sigma, mask)
    mine = random_strategy(fixed.tree, seed + 1)
    policy = oracles.policy_of(mine)
    expected = oracles.expected_values(twin, policy)
    assert wb.expected_values(mine) == pytest.approx(expected)
    assert wb.expected_values(fixed.lift(mine)) == pytest.approx(expected)
    for player in range(tree.num_players):
        best = oracles.best_response_value(twin, policy, player)
        assert wb.best_response(mine, player).value == pytest.approx(best)


@given(rules=random_games(zero_sum=True), seed=SEEDS)
def test_values_of_fixed_games(rules, seed):
    """The LP's answer leaves nobody anything to gain, measured by recursion on the twin."""
    tree = compiled(rules)
    sigma, mask = random_strategy(tree, seed), some_fixed(tree, seed)
    fixed = fix(sigma, mask)
    assume(fixed.tree.num_infosets > 0)
    twin, answer = twin_of(rules, sigma, mask), wb.solve(fixed.tree, "lp").strategy
    policy = oracles.policy_of(answer)
    best = [oracles.best_response_value(twin, policy, player) for player in (0, 1)]
    assert sum(best) == pytest.approx(0.0, abs=1e-7)


@given(PROFILES)
def test_a_single_decider_finds_her_best_response(sigma):
    for player in range(sigma.tree.num_players):
        fixed = fix_others(sigma, player)
        assert set(fixed.tree.infoset_player) <= {player}
        alone = wb.best_response(wb.Strategy.uniform(fixed.tree), player)
        for whole in (sigma, fixed.lift(alone.strategy)):
            assert alone.value == pytest.approx(wb.best_response(whole, player).value)


@given(rules=random_games(players=ANY_PLAYERS, recall=False), seed=SEEDS)
def test_lifting_what_was_restricted_gives_it_back(rules, seed):
    tree = compiled(rules)
    sigma, mask = random_strategy(tree, seed), some_fixed(tree, seed)
    fixed, other = fix(sigma, mask), random_strategy(tree, seed + 1)
    there = fixed.lift(fixed.restrict(other))
    free = np.repeat(~mask, np.diff(tree.first_choice))
    assert there.probs[free].tolist() == other.probs[free].tolist()
    assert there.probs[~free].tolist() == sigma.probs[~free].tolist()
    assert fixed.lift(fixed.restrict(sigma)).probs.tolist() == sigma.probs.tolist()


@given(PROFILES, SEEDS)
def test_chance_is_a_proper_distribution_and_edges_keep_their_names(sigma, seed):
    """What a sampler walks: at each chance node weights that sum to one, and no choices."""
    tree, left = sigma.tree, fix(sigma, some_fixed(sigma.tree, seed)).tree
    check_numbering(left)
    assert all(left.edge_label(h) == tree.edge_label(h) for h in range(left.num_histories))


def test_behind_zero_nothing_is_reached_but_everything_counted(kuhn):
    fixed = fix_others(wb.Strategy.from_function(kuhn, lambda player, seen, actions: "p"), 0)
    reached = {fixed.tree.infoset_label(i) for i in np.flatnonzero(~fixed.unreached)}
    assert reached == {"J", "Q", "K"}  # player 1 never bets, so nobody meets "J pb"
    assert fixed.tree.num_infosets == 6
    answer = wb.average(fixed.tree, next(wb.iterate(fixed.tree, "cfr", every=50)))
    assert answer.at("J pb") == {"p": 0.5, "b": 0.5}  # nothing to learn: left uniform


def test_weights_of_merged_actions_stay(kuhn):
    """Fixing a coarse game whose actions share a choice: 1/m of the probability each."""
    blunt = wb.abstract(kuhn, lambda p, seen, actions: (seen, ["any", "any"])).coarse
    fixed = fix_players(wb.Strategy.uniform(blunt), 0)
    uniform = wb.Strategy.uniform(kuhn)
    left = wb.expected_values(wb.Strategy.uniform(fixed.tree))
    assert left == pytest.approx(wb.expected_values(uniform))
    tight = wb.abstract(kuhn, restrict_actions(lambda p, seen, action: action == "p")).coarse
    nobody = fix_players(wb.Strategy.uniform(tight), {0, 1})
    assert wb.expected_values(wb.Strategy.uniform(nobody.tree)) == pytest.approx([0.0, 0.0])


def test_fixing_nothing_and_everything(kuhn):
    uniform = wb.Strategy.uniform(kuhn)
    same = fix(uniform, np.zeros(kuhn.num_infosets, bool))
    assert same.tree is kuhn
    nothing_left = fix(uniform, np.ones(kuhn.num_infosets, bool))
    assert nothing_left.tree.num_choices == 0
    empty = wb.Strategy.uniform(nothing_left.tree)
    assert wb.expected_values(empty) == pytest.approx(wb.expected_values(uniform))
    assert wb.exploitability(empty) == 0.0
    assert nothing_left.lift(empty).probs.tolist() == uniform.probs.tolist()
    twice = fix_players(wb.Strategy.uniform(fix_players(uniform, 0).tree), 1)
    assert twice.tree.name == "kuhn [fixed]"
    assert twice.tree.fingerprint == nothing_left.tree.fingerprint


@pytest.mark.parametrize("options", [{}, {"suit_isomorphism": True}])
def test_what_is_left_is_abstracted_by_the_names_of_the_game(options):
    tree = compiled(wb.load_game("leduc", **options))
    left = fix_others(wb.Strategy.uniform(tree), 0).tree
    assert 2 * wb.abstract(left, "JQ-K").coarse.num_infosets == 132
