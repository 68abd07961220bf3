"""Clustering: buckets are what they promise, and beat rules of the same size."""

from itertools import combinations

import numpy as np
import pytest

import workbench as wb
from tests.games.test_toepen_suits import toepen
from workbench.abstraction.clustering import divide
from workbench.games.toepen.hand_rules import hand_rule
from workbench.rules import GameError


def error(points, bucket):
    parts = [points[bucket == b] for b in np.unique(bucket)]
    return sum(float(((part - part.mean(axis=0)) ** 2).sum()) for part in parts)


def test_two_buckets_on_a_line_are_the_best_ones():
    rng = np.random.default_rng(0)
    for _ in range(20):
        points = rng.random((8, 1))
        found = divide([(np.arange(8, dtype=np.int32), points)], np.ones(8), 2)
        best = min(
            error(points, np.isin(np.arange(8), left))
            for size in range(1, 8)
            for left in combinations(range(8), size)
        )
        assert error(points, found) == pytest.approx(best)


def test_more_buckets_have_less_error():
    points = np.random.default_rng(1).random((60, 3))
    everything = [(np.arange(60, dtype=np.int32), points)]
    errors = []
    for buckets in range(1, 61):
        found = divide(everything, np.ones(60), buckets)
        assert len(np.unique(found)) == buckets
        errors.append(error(points, found))
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] == pytest.approx(0)


def test_equal_points_stay_together_and_groups_apart():
    points = np.repeat([[0.0, 1.0], [2.0, 0.0], [5.0, 5.0]], 4, axis=0)
    numbers = np.arange(12, dtype=np.int32)
    found = divide([(numbers, points)], np.ones(12), 10)
    assert found.tolist() == np.repeat([0, 1, 2], 4).tolist()
    two = divide([(numbers[::2], points[::2]), (numbers[1::2], points[1::2])], np.ones(12), 2)
    assert two.tolist() == [0, 1] * 6


def test_weights_decide_where_to_cut():
    points = np.array([[0.0], [1.0], [10.0], [11.0]])
    numbers = np.arange(4, dtype=np.int32)
    assert divide([(numbers, points)], np.ones(4), 2).tolist() == [0, 0, 1, 1]
    assert divide([(numbers, points)], np.array([1e4, 1e4, 1.0, 1.0]), 3).tolist() == [0, 1, 2, 2]


def test_strength_by_hand(kuhn):
    """Kuhn, everybody uniform: the King who calls a bet wins two, the Jack loses two."""
    uniform = wb.Strategy.uniform(kuhn)
    worth = wb.abstraction.strength(uniform, tremble=1.0)
    for seen, call in [(("K", "b"), 2.0), (("J", "b"), -2.0), (("Q", "b"), 0.0)]:
        low = kuhn.first_choice[kuhn.find_infoset(seen)]
        assert worth.values[low : low + 2] == pytest.approx([-1.0, call])
    value = sum(
        worth.weights[i] * (worth.values[2 * i : 2 * i + 2] @ uniform.probs[2 * i : 2 * i + 2])
        for i in (kuhn.find_infoset((card, "")) for card in "JQK")
    )
    assert value == pytest.approx(wb.expected_values([uniform, uniform])[0])


@pytest.mark.parametrize("buckets", [8, 38, 200])
def test_as_many_sets_as_wanted(buckets):
    tree = toepen("follow", "322", True)
    rng = np.random.default_rng(0)
    rule = wb.cluster(tree, rng.random((tree.num_choices, 2)), buckets=buckets)
    ab = wb.abstract(tree, rule)
    assert ab.coarse.num_infosets == buckets
    assert ab.name == f"{buckets} buckets"
    assert wb.abstract(tree, "naive-by-kind").coarse.num_infosets <= 8


def test_within_is_respected():
    tree = toepen("follow", "322", True)
    cards = hand_rule(lambda hand, table: table.cards, name="cards")
    rule = wb.cluster(tree, np.zeros(tree.num_infosets), buckets=10_000, within=cards)
    assert wb.abstract(tree, rule).coarse.num_infosets == (
        wb.abstract(tree, cards).coarse.num_infosets
    ), "points are all the same, so only what must be apart is"
    with pytest.raises(GameError, match=r"3 buckets are too few: 'cards' keeps .* kinds"):
        wb.cluster(tree, np.zeros(tree.num_infosets), buckets=3, within=cards)


def test_a_bit_of_sampling_beats_the_rules_at_equal_size():
    """200,000 sampled iterations are enough to know what is alike."""
    tree = toepen("follow", "322", True)
    trained = wb.solve(
        tree, "external-sampling", iterations=200_000, checkpoints=[200_000]
    ).strategy

    def real(rule, iterations=300):
        ab = wb.abstract(tree, rule)
        run = wb.solve(
            tree, "cfr+", iterations=iterations, abstraction=ab, checkpoints=[iterations]
        )
        return ab.coarse.num_infosets, wb.exploitability(run.strategy)

    for name in ("simple-hand-by-kind", "simple-history-by-kind"):
        size, exploitable = real(name)
        ours, clustered = real(wb.cluster(tree, wb.abstraction.strength(trained), buckets=size))
        assert ours <= size
        assert clustered < exploitable


def test_same_answer_again_and_on_an_equal_tree():
    tree = toepen("plain", "332")
    features = np.random.default_rng(3).random(tree.num_infosets)
    rules = [wb.cluster(tree, features, buckets=50, within="simple-hand") for _ in range(2)]
    assert rules[0].bucket.tolist() == rules[1].bucket.tolist()
    again = wb.abstract(toepen.__wrapped__("plain", "332"), rules[0])
    assert again.coarse.fingerprint == wb.abstract(tree, rules[1]).coarse.fingerprint
    with pytest.raises(GameError, match="'50 buckets' was made for"):
        wb.abstract(toepen("plain", "322"), rules[0])
