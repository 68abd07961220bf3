"""What one sees of a hand, and what one then believes: against enumeration in plain Python."""

from collections import defaultdict
from itertools import product
from math import prod

import numpy as np
import pytest
from workbench.lab.lectures.opponent_types import Types

from tests.random_games import random_strategy, tree_of
from workbench import Strategy, expected_values, seated
from workbench.models.beliefs import Counts, Hand, ends_of
from workbench.passes import reach

GAMES = {"kuhn": {}, "leduc": {"suit_isomorphism": True}, "toepen": {"suits": 2, "ranks": 2}}


def game(name):
    return tree_of(name, **GAMES[name])


def paths(tree):
    """The histories on the way to each end, by plain recursion, in the order of the ends."""
    found = [[] for _ in range(tree.num_terminals)]

    def walk(h, way):
        if tree.terminal[h] >= 0:
            found[tree.terminal[h]] = way
        for child in range(tree.first_child[h], tree.first_child[h + 1]):
            walk(child, [*way, child])

    walk(0, [])
    return found


@pytest.mark.parametrize("name", GAMES)
def test_ends_that_look_alike_by_definition(name):
    tree, ways = game(name), paths(game(name))
    moves = [
        tuple(str(tree.actions[tree.choice[h]]) for h in w if tree.choice[h] >= 0) for w in ways
    ]
    pays = defaultdict(set)
    for z, said in enumerate(moves):
        pays[said].add(tuple(tree.utility[z]))
    for player in (0, 1):
        groups = defaultdict(set)
        for z, way in enumerate(ways):
            own = [(tree.infoset[tree.parent[h]], tree.choice[h])
                   for h in way if tree.player[tree.parent[h]] == player]  # fmt: skip
            shown = z if len(pays[moves[z]]) > 1 else -1
            groups[tuple(own), moves[z], shown].add(z)
        assert {frozenset(one) for one in groups.values()} == {
            frozenset(Hand.ended(tree, player, z).ends.tolist()) for z in range(len(ways))
        }


def test_folds_hide_and_showdowns_show():
    tree = game("leduc")
    fold = [(-1, "K"), (-1, "J"), (0, "r"), (1, "f")]
    shown = [*fold[:3], (1, "c"), (-1, "Q"), (0, "c"), (1, "c")]
    assert len(Hand.played(tree, 0, fold).ends) == 3  # she had a Jack, a Queen or the other King
    assert len(Hand.played(tree, 0, shown).ends) == 1


@pytest.mark.parametrize("name", GAMES)
def test_one_sweep_shares_hidden_cards_as_bayes_does(name, monkeypatch):
    tree, ways = game(name), paths(game(name))
    drawn, random = random_strategy(tree, 3), np.random.default_rng(0)
    prior = drawn.weighted(drawn.probs + 0.1)  # nothing is impossible
    monkeypatch.setattr("workbench.models.beliefs.SWEEPS", 1)
    model, counts = Counts(prior, weight=1.5), np.zeros(tree.num_choices)
    for _ in range(30):
        player, end = int(random.integers(2)), int(random.integers(tree.num_terminals))
        hand = Hand.ended(tree, player, end)
        model.saw(hand)
        likely = {
            z: prod(
                tree.chance[h]
                * (prior.probs[tree.choice[h]] if tree.player[tree.parent[h]] != player
                   and tree.choice[h] >= 0 else 1.0)
                for h in ways[z]
            )
            for z in hand.ends.tolist()
        }  # fmt: skip
        for z, weight in likely.items():
            for h in ways[z]:
                if tree.player[tree.parent[h]] == 1 - player:
                    counts[tree.choice[h]] += weight / sum(likely.values())
    wanted = prior.weighted(1.5 * prior.probs + counts)
    np.testing.assert_allclose(model.strategy.probs, wanted.probs, atol=1e-12)
    np.testing.assert_allclose(model.times.sum(), counts.sum())


def sampled(tree, mine, hers, hands, seed):
    """(player, end) of many hands, half of them in each seat."""
    random, ends = np.random.default_rng(seed), ends_of(tree).history
    for player in (0, 1):
        table = seated([mine, hers] if player == 0 else [hers, mine])
        chances = reach(tree, table.probs)[ends]
        for end in random.choice(len(ends), hands // 2, p=chances / chances.sum()):
            yield player, int(end)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_counts_converge_to_how_she_plays_where_she_goes(name):
    """Also where her cards stay hidden: what is never shown is found by going round."""
    tree, far = game(name), []
    hers, mine = random_strategy(tree, 1), Strategy.uniform(tree)
    for hands in (200, 20_000):
        model = Counts(Strategy.uniform(tree), weight=1)
        for player, end in sampled(tree, mine, hers, hands, seed=2):
            model.saw(Hand.ended(tree, player, end))
        wrong = np.add.reduceat(np.abs(model.strategy.probs - hers.probs), tree.first_choice[:-1])
        far.append(float(model.times @ wrong / model.times.sum()))
    assert far[1] < 0.1
    assert far[1] < far[0] / 2


def test_the_order_of_hands_does_not_matter():
    tree = game("kuhn")
    hands = [Hand.ended(tree, k % 2, 7 * k % tree.num_terminals) for k in range(20)]
    models = [Counts(Strategy.uniform(tree)) for _ in range(2)]
    for model, order in zip(models, (hands, hands[::-1]), strict=True):
        for hand in order:
            model.saw(hand)
    np.testing.assert_allclose(models[0].strategy.probs, models[1].strategy.probs)
    assert list(models[0].table().columns)[-3:] == ["probability", "times", "prior"]


def test_types_are_weighed_by_hand():
    """Kuhn: she folds once to a bet of the Queen. She had J or K, one time in two each."""
    tree = game("kuhn")
    folds = {"shy": {"J": 1.0, "K": 0.5}, "sane": {"J": 1.0, "K": 0.0}, "calls": {"J": 0.2, "K": 0}}

    def strategy(fold):
        def say(player, seen, actions):
            p = fold.get(seen[0], 0.5) if seen[1].endswith("b") else 0.5
            return {"p": p, "b": 1 - p}

        return Strategy.from_function(tree, say)

    types = {name: strategy(fold) for name, fold in folds.items()}
    model = Types(types, {"shy": 1, "sane": 2, "calls": 1}, tremble=0)
    for _ in range(2):
        model.saw(Hand.played(tree, 0, [(-1, "Q"), (-1, "J"), (0, "b"), (1, "p")]))
    wanted = np.array([1 * 0.75**2, 2 * 0.5**2, 1 * 0.1**2])
    np.testing.assert_allclose(model.weights, wanted / wanted.sum())
    # the mixture decides before the hand who it will be: one decision, so a plain mean
    p = model.strategy.at("K b")["p"]
    assert p == pytest.approx(model.weights @ np.array([0.5, 0.0, 0.0]))


def test_the_mixture_wins_what_its_types_win_on_average():
    tree = game("leduc")
    types = {str(k): random_strategy(tree, k) for k in range(3)}
    model, me = Types(types, {"0": 1, "1": 2, "2": 5}, tremble=0), random_strategy(tree, 9)
    each = [expected_values([me, one])[0] for one in types.values()]
    assert expected_values([me, model.strategy])[0] == pytest.approx(model.weights @ each)


def test_what_no_type_does_teaches_nothing():
    tree = game("kuhn")
    shy = Strategy.from_function(tree, lambda *_: "p")
    model = Types({"a": shy, "b": shy}, tremble=0)
    model.saw(Hand.played(tree, 0, [(-1, "Q"), (-1, "J"), (0, "p"), (1, "b"), (0, "p")]))
    np.testing.assert_allclose(model.weights, 0.5)


def test_players_zero_and_one_learn_about_each_other():
    """A hand seen from seat 0 says nothing of how she plays there."""
    tree = game("kuhn")
    for player, deal in product((0, 1), (("Q", "K"), ("K", "J"))):
        model = Counts(Strategy.uniform(tree))
        cards = [(-1, deal[0]), (-1, deal[1])]
        model.saw(Hand.played(tree, player, [*cards, (0, "p"), (1, "b"), (0, "b")]))
        sets = np.flatnonzero(model.times)
        assert set(tree.infoset_player[sets]) == {1 - player}
