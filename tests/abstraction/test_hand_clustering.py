"""Clustering of hands: every method against all there is, on small decks."""

from functools import partial
from itertools import combinations, product

import numpy as np
import pytest

import workbench as wb
from workbench.poker.buckets.hand_clustering import expected, leaf_strengths
from workbench.poker.buckets.line_clusters import LineClusters, percentiles
from workbench.poker.buckets.point_clusters import PointClusters
from workbench.poker.buckets.round_clustering import share_children
from workbench.poker.cards.boards import boards_of, find_board
from workbench.poker.strength.hand_signals import hand_signals
from workbench.poker.strength.signals import parents

SMALL = [("leduc", {}), ("rhode_island", {"ranks": 3, "suits": 2})]
SMALL += [("rhode_island", {"ranks": 4, "suits": 2}), ("rhode_island", {"ranks": 2, "suits": 4})]


def partitions(n):
    """All ways to put n things into buckets; a new bucket is the next one."""
    found = [[0]]
    for _ in range(n - 1):
        found = [[*one, b] for one in found for b in range(max(one) + 2)]
    return [np.array(one) for one in found]


def error(points, weights, label, distance="l2"):
    """Σ w |x − mean|², or Σ w |x − median|₁."""
    total = 0.0
    rows = points[:, None] if points.ndim == 1 else points
    for bucket in np.unique(label):
        own, heavy = rows[label == bucket], weights[label == bucket]
        if distance == "l2":
            total += heavy @ ((own - heavy @ own / heavy.sum()) ** 2).sum(axis=1)
        else:  # one of the points is a median
            gaps = np.abs(own[:, None] - own[None]) * heavy[None, :, None]
            total += gaps.sum(axis=1).min(axis=0).sum()
    return float(total)


# ---- on a line -----------------------------------------------------------------------


def test_k_means_on_a_line_is_the_best_there_is():
    rng = np.random.default_rng(0)
    for trial in range(15):
        n = int(rng.integers(2, 8))
        values = rng.integers(0, 6, n) / 3 if trial % 2 else rng.random(n)
        weights = rng.integers(1, 5, n).astype(float)
        found = LineClusters(values, weights, n)
        everything = partitions(n)
        errors = [error(values, weights, label) for label in everything]
        for k, best in enumerate(found.errors, start=1):
            label = found.labels(k)
            assert len(np.unique(label)) == k
            assert error(values, weights, label) == pytest.approx(best, abs=1e-9)
            naive = min(e for e, of in zip(errors, everything, strict=True) if of.max() < k)
            assert best == pytest.approx(naive, abs=1e-9)
        assert len(found.errors) == len(np.unique(values))


def test_k_means_on_a_line_with_many_values():
    """Against the plain O(k n²) recursion."""
    rng = np.random.default_rng(1)
    values, weights = np.sort(rng.normal(size=120)), rng.random(120)
    sums = np.cumsum(np.stack([weights, weights * values, weights * values**2]), axis=1)
    sums = np.concatenate([np.zeros((3, 1)), sums], axis=1)
    part = sums[:, None, :] - sums[:, :, None]  # [:, j, i]: the values j … i − 1
    with np.errstate(divide="ignore", invalid="ignore"):
        cost = np.where(part[0] > 0, part[2] - part[1] ** 2 / part[0], np.inf)
    best = cost[0]
    found = LineClusters(values, weights, 20)
    for k in range(1, 20):
        best = (best[:, None] + cost).min(axis=0)
        assert found.errors[k] == pytest.approx(best[-1], rel=1e-9)


def test_percentiles_have_equal_shares_and_equal_values_stay_together():
    values = np.random.default_rng(2).permutation(100).astype(float)
    assert np.bincount(percentiles(values, np.ones(100), 4)).tolist() == [25] * 4
    assert (np.diff(percentiles(values, np.ones(100), 4)[np.argsort(values)]) >= 0).all()
    ties = np.array([0.0, 0, 0, 0, 1, 2])  # the middle of the mass of 0 is at a third
    assert percentiles(ties, np.ones(6), 2).tolist() == [0, 0, 0, 0, 1, 1]
    assert percentiles(ties, np.array([1.0, 1, 1, 7, 1, 1]), 4).tolist() == [0, 0, 0, 0, 1, 1]
    noisy = np.array([0.1 + 0.2, 0.3, 0.5])  # the same but for rounding
    assert percentiles(noisy, np.ones(3), 3).tolist() == [0, 0, 1]


# ---- points --------------------------------------------------------------------------


@pytest.mark.parametrize("distance", ["l1", "l2"])
def test_k_means_of_points_against_all_partitions(distance):
    rng = np.random.default_rng(3)
    for _ in range(6):
        n = int(rng.integers(3, 8))
        points, weights = rng.dirichlet(np.ones(4), n), rng.integers(1, 4, n).astype(float)
        found = PointClusters(points, weights, n, distance)
        everything = partitions(n)
        errors = [error(points, weights, label, distance) for label in everything]
        for k, ours in enumerate(found.errors, start=1):
            best = min(e for e, of in zip(errors, everything, strict=True) if of.max() < k)
            assert error(points, weights, found.labels(k), distance) <= ours + 1e-9
            assert best - 1e-9 <= ours <= best * 1.05 + 1e-9
        assert (np.diff(found.errors) <= 1e-12).all()


def test_children_against_all_ways_to_share():
    rng = np.random.default_rng(5)
    for trial in range(25):
        parents_, most = int(rng.integers(1, 5)), int(rng.integers(1, 6))
        errors = [np.sort(rng.random(rng.integers(1, most + 1)))[::-1] for _ in range(parents_)]
        if trial % 2:  # not falling, not convex
            errors = [rng.permutation(of) for of in errors]
        for total in range(parents_, sum(map(len, errors)) + 2):
            shares = share_children(errors, total)
            ours = sum(of[k - 1] for of, k in zip(errors, shares, strict=True))
            ways = product(*(range(1, len(of) + 1) for of in errors))
            costs = [
                sum(of[k - 1] for of, k in zip(errors, way, strict=True))
                for way in ways
                if sum(way) <= total
            ]
            assert shares.sum() <= total
            assert ours == pytest.approx(min(costs), abs=1e-9)


# ---- hands ---------------------------------------------------------------------------


def naive_strength(rules, private, public):
    """E[HS] and E[HS²] of real cards, by dealing everything."""
    cards = range(rules.deck.size)
    to_come = sum(rules.public_cards) - len(public)
    left = [card for card in cards if card not in (private, *public)]
    strengths = []
    for more in combinations(left, to_come):  # order matters to nobody at the showdown
        board = (*public, *more)
        score = []
        for other in left:
            if other not in more:
                mine, yours = rules.strength(np.array([[private, *board], [other, *board]]))
                score.append((1 + np.sign(mine - yours)) / 2)
        strengths.append(np.mean(score))
    return float(np.mean(strengths)), float(np.mean(np.square(strengths)))


@pytest.mark.parametrize(("game", "options"), SMALL)
def test_hand_strength_by_dealing_everything(game, options):
    rules = wb.load_game(game, **options)
    tree, boards = hand_signals(rules), boards_of(rules)
    hs = leaf_strengths(tree)
    tables = expected(tree, hs), expected(tree, hs**2)
    rng = np.random.default_rng(6)
    for r, one in enumerate(boards):
        for _ in range(6):
            cards = rng.permutation(rules.deck.size)[: 1 + one.cards.shape[1]].tolist()
            at, renamed = find_board(boards, tuple(cards[1:]))
            node = one.classes[at, renamed[cards[0]]]
            found = [table[r][node] for table in tables]
            assert found == pytest.approx(naive_strength(rules, cards[0], tuple(cards[1:])))
    assert tables[0][0] @ boards[0].sizes == pytest.approx(rules.deck.size / 2)


def labels_of(cut):
    """For each round (classes,) the buckets."""
    out = []
    for one, buckets in zip(cut.boards, cut.rounds, strict=True):
        label = np.zeros(one.num_classes, int)
        label[one.classes[one.classes >= 0]] = buckets[one.classes >= 0]
        out.append(label)
    return out


def best_shared(points, weights, group, total, distance="l2"):
    """The least error of cutting groups into `total` buckets: all partitions, all ways to share."""
    tables = []
    for one in np.unique(group):
        own = group == one
        rows, where = np.unique(np.round(points[own], 9), axis=0, return_inverse=True)
        heavy = np.bincount(where.ravel(), weights[own])
        errors = np.full(len(rows), np.inf)
        for label in partitions(len(rows)):
            k = label.max()
            errors[k] = min(errors[k], error(rows, heavy, label, distance))
        tables.append(errors)
    ways = product(*(range(1, len(of) + 1) for of in tables))
    return min(
        sum(of[k - 1] for of, k in zip(tables, way, strict=True))
        for way in ways
        if sum(way) <= total
    )


@pytest.mark.parametrize("metric", ["ehs", "ehs2"])
@pytest.mark.parametrize("buckets", [(2, 3), (2, 4), (3, 6)])
def test_leduc_is_cut_with_the_least_error(metric, buckets):
    rules = wb.load_game("leduc")
    tree = hand_signals(rules)
    points = expected(tree, leaf_strengths(tree) ** (2 if metric == "ehs2" else 1))
    heavy = [one.sizes for one in boards_of(rules)]
    cut = wb.cluster_hands(rules, buckets, metric=metric)
    label = labels_of(cut)
    assert cut.nested
    assert cut.classes[0] == buckets[0]
    group = np.zeros(3, int)
    for r in range(2):
        ours = error(points[r], heavy[r], label[r])
        assert ours == pytest.approx(best_shared(points[r], heavy[r], group, buckets[r]), abs=1e-6)
        group = parents(tree.edges[0], label[0])


@pytest.mark.parametrize("distance", ["l1", "l2"])
def test_other_points_go_to_the_nearest_centre(distance):
    random = np.random.default_rng(3)
    points, others = random.random((200, 3)), random.random((300, 3))
    found = PointClusters(points, np.ones(200), 5, distance)
    label, power = found.labels(5), 2 if distance == "l2" else 1
    middle = np.mean if distance == "l2" else partial(np.percentile, q=50, method="lower")
    centres = np.array([middle(points[label == c], axis=0) for c in range(5)])
    away = (np.abs(others[:, None] - centres) ** power).sum(axis=2)
    same = found.nearest(others, 5)
    assert len({*zip(same.tolist(), away.argmin(axis=1).tolist(), strict=True)}) == 5


@pytest.mark.parametrize("distance", ["l1", "l2", "emd"])
def test_potential_on_a_small_deck(distance):
    """Round two of a small Rhode Island: histograms by hand, all partitions."""
    rules = wb.load_game("rhode_island", ranks=3, suits=2)
    tree = hand_signals(rules)
    for buckets in ((3, 5, 30), (2, 4, 30)):
        cut = wb.cluster_hands(rules, buckets, metric="potential", distance=distance)
        label = labels_of(cut)
        group = parents(tree.edges[0], label[0])
        strengths = np.round(leaf_strengths(tree), 9)
        values = np.unique(strengths)  # every strength is a bucket of its own: 30 are plenty
        table = np.zeros((tree.nodes[1], len(values)))
        edges = tree.edges[1]
        for parent, child, count in zip(edges.parent, edges.child, edges.count, strict=True):
            table[parent, np.searchsorted(values, strengths[child])] += count
        table /= table.sum(axis=1, keepdims=True)
        if distance == "emd":
            table = np.cumsum(table, axis=1)[:, :-1] * np.diff(values)
        heavy = boards_of(rules)[1].sizes
        city = "l2" if distance == "l2" else "l1"
        best = best_shared(table, heavy, group, buckets[1], city)
        assert error(table, heavy, label[1], city) == pytest.approx(best, rel=0.02, abs=1e-9)


@pytest.mark.slow
def test_rhode_island_as_far_as_strength_goes():
    """With buckets for everything the three metrics end where the talk's figure ends."""
    rules = wb.load_game("rhode_island")
    most = (13, 325, 9997)
    cuts = {m: wb.cluster_hands(rules, most, metric=m) for m in ("ehs", "ehs2", "potential")}
    assert cuts["potential"].classes == (13, 205, 1751)
    assert all(1700 < cut.classes[2] < 1774 and cut.nested for cut in cuts.values())
    small = wb.cluster_hands(rules, (13, 50, 250), metric="ehs2", recall="imperfect")
    assert small.classes == (13, 50, 43)  # 43 different strengths on the last round
    assert not small.nested


@pytest.mark.parametrize("metric", ["ehs2", "potential"])
@pytest.mark.parametrize(
    "buckets", [(13, 25, 125), pytest.param((13, 100, 750), marks=pytest.mark.slow)]
)
def test_as_many_buckets_as_wanted(metric, buckets):
    rules = wb.load_game("rhode_island")
    cut = wb.cluster_hands(rules, buckets, metric=metric)
    assert cut.classes == buckets
    assert cut.nested
    assert cut.sizes(2).sum() == 52 * 51 * 50


def test_percentiles_cut_each_bucket_into_as_many():
    rules = wb.load_game("rhode_island")
    cut = wb.cluster_hands(rules, (3, 3, 3), metric="ehs2", method="percentile")
    assert cut.classes == (3, 9, 27)
    assert cut.nested
    assert cut.sizes(0).tolist() == [16, 20, 16]
    flat = wb.cluster_hands(rules, (3, 3, 3), method="percentile", recall="imperfect")
    assert flat.classes == (3, 3, 3)


def test_strengths_of_ones_own():
    """The same buckets from the same numbers, given as boards and hands."""
    rules = wb.load_game("rhode_island", ranks=5, suits=3)
    tree = hand_signals(rules)
    own = [
        np.where(one.classes >= 0, of[one.classes], np.nan)
        for one, of in zip(boards_of(rules), expected(tree, leaf_strengths(tree)), strict=True)
    ]
    ours = wb.cluster_hands(rules, (3, 9, 40), strengths=own)
    theirs = wb.cluster_hands(rules, (3, 9, 40))
    assert ours.fingerprint == theirs.fingerprint
