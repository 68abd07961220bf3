"""GameShrink: published counts, what is lost and what is not, and the algorithm as it is told."""

from functools import cache
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching
from workbench.lab.ledger.papers.lp_size import lp_rows
from workbench.lab.ledger.papers.real_signals import real_signals

import workbench as wb
from workbench.poker.buckets.gameshrink import Penalties, shrink, types
from workbench.poker.strength.hand_signals import hand_signals
from workbench.poker.strength.signals import signal_tree

PUBLISHED, REFINED = (13, 205, 1774), (13, 325, 7969)


def counts(classes):
    return tuple(int(of.max()) + 1 for of in classes)


def same(one, two):
    """Whether two arrays of labels are one partition."""
    pairs = len(set(zip(one.tolist(), two.tolist(), strict=True)))
    return pairs == len(set(one.tolist())) == len(set(two.tolist()))


# ---- published and golden numbers ----------------------------------------------------


def test_rhode_island_has_the_published_classes_and_rows():
    rules = wb.load_game("rhode_island")
    published = wb.gameshrink(rules)
    refined = wb.gameshrink(rules, lossless="refined")
    assert published.classes == PUBLISHED
    assert refined.classes == REFINED
    assert published.nested
    assert refined.nested
    assert lp_rows(rules, published.classes) == 1_237_238
    for fine, coarse in zip(refined.rounds, published.rounds, strict=True):
        assert len(np.unique(np.stack([fine, coarse]).reshape(2, -1), axis=1).T) <= fine.max() + 2


@pytest.mark.parametrize("deck", [(3, 2), (5, 3), pytest.param((13, 4), marks=pytest.mark.slow)])
@pytest.mark.parametrize("lossless", ["published", "refined"])
def test_suits_are_found_by_itself(deck, lossless):
    """From real cards, about whose suits nobody says anything."""
    rules = wb.load_game("rhode_island", ranks=deck[0], suits=deck[1])
    real = shrink(real_signals(rules), lossless=lossless)
    assert counts(real) == wb.gameshrink(rules, lossless=lossless).classes


@pytest.mark.parametrize(
    ("lossless", "classes", "nash_conv", "value"),
    [("published", (3, 7), 0.76459, -0.068701), ("refined", (3, 9), 0.0, -0.085606)],
)
@pytest.mark.parametrize("merged", [False, True])
def test_leduc_loses_with_the_published_classes_and_not_with_the_refined(
    lossless, classes, nash_conv, value, merged
):
    rules = wb.load_game("leduc", suit_isomorphism=merged)
    part = wb.gameshrink(rules, lossless=lossless)
    strategy = wb.solve(wb.compile_game(rules), "lp", abstraction=part).strategy
    assert part.classes == classes
    assert 2 * wb.exploitability(strategy) == pytest.approx(nash_conv, abs=1e-5)
    assert wb.expected_values([strategy, strategy])[0] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(
    "deck",
    [{"ranks": 3, "suits": 2}, pytest.param({"ranks": 4, "suits": 2}, marks=pytest.mark.slow)],
)
def test_small_rhode_islands_through_the_engine(deck):
    """With refined classes the abstract game is the real one; the published ones lose."""
    rules = wb.load_game("rhode_island", **deck)
    for lossless in ("published", "refined"):
        part = wb.gameshrink(rules, lossless=lossless)
        last = wb.solve(rules, "cfr+", 400, abstraction=part, checkpoints=400).trace.iloc[-1]
        assert last.abstract_exploitability < 0.05
        if lossless == "refined":
            assert last.exploitability == pytest.approx(last.abstract_exploitability, abs=1e-9)
        elif part.classes != wb.gameshrink(rules, lossless="refined").classes:
            assert last.exploitability > 0.3


# ---- the algorithm as it is told -----------------------------------------------------


def naive(tree):
    """Bottom up: a perfect matching between children for each pair. Top down: merge siblings."""
    rounds = len(tree.nodes)
    histogram = [
        sorted(tree.outcome[tree.leaf == leaf].repeat(tree.count[tree.leaf == leaf]).tolist())
        for leaf in range(tree.nodes[-1])
    ]
    children = [
        [edges.child[edges.parent == n].repeat(edges.count[edges.parent == n]) for n in range(many)]
        for edges, many in zip(tree.edges, tree.nodes, strict=False)
    ]

    @cache
    def alike(r, one, two):
        if r == rounds - 1:
            return histogram[one] == histogram[two]
        first, second = children[r][one], children[r][two]
        if len(first) != len(second):
            return False
        fits = [[alike(r + 1, int(a), int(b)) for b in second] for a in first]
        return bool((maximum_bipartite_matching(csr_matrix(fits)) >= 0).all())

    above, classes = np.zeros(tree.nodes[0], int), []
    for r, many in enumerate(tree.nodes):
        if r:
            above = np.empty(many, int)
            above[tree.edges[r - 1].child] = classes[-1][tree.edges[r - 1].parent]
        label = np.arange(many)
        for one, two in combinations(range(many), 2):
            if above[one] == above[two] and alike(r, one, two):
                label[label == label[two]] = label[one]
        classes.append(label)
    return classes


def test_signatures_find_what_matchings_find():
    signals = [
        real_signals(wb.load_game("leduc")),
        real_signals(wb.load_game("leduc", ranks=4)),
        real_signals(wb.load_game("rhode_island", ranks=2, suits=3)),
        real_signals(wb.load_game("rhode_island", ranks=4, suits=2)),
        signal_tree(oil_deals(), higher)[0],
    ]
    for tree in signals:
        for found, slow in zip(shrink(tree), naive(tree), strict=True):
            assert same(found, slow)


def test_refined_classes_preserve_the_opponents_classes():
    """What makes them lossless: equal chances to meet each class of opponents with each outcome,
    and to move on to each class of one's own."""
    tree = hand_signals(wb.load_game("rhode_island", ranks=5, suits=3))
    classes = shrink(tree, lossless="refined")
    meets = {}
    for leaf in range(tree.nodes[-1]):
        own = tree.leaf == leaf
        theirs = zip(tree.outcome[own], classes[-1][tree.others[own, 0]], strict=True)
        meets.setdefault(int(classes[-1][leaf]), set()).add(tuple(sorted(theirs)))
    assert all(len(kinds) == 1 for kinds in meets.values())
    for r, edges in enumerate(tree.edges):
        leads = {}
        for node in range(tree.nodes[r]):
            own = edges.parent == node
            chance = np.bincount(classes[r + 1][edges.child[own]], edges.count[own])
            leads.setdefault(int(classes[r][node]), set()).add((chance / chance.sum()).tobytes())
        assert all(len(kinds) == 1 for kinds in leads.values())


# ---- a game that is not poker --------------------------------------------------------

GUESSES, REPORTS = range(1, 7), (2, 3, 4)


def higher(mine, yours):
    (guess, most), (other, _) = mine, yours
    return int(np.sign(min(guess, most) - min(other, most)))


def oil_deals():
    return [((a, most), (b, most)) for a, b, most in product(GUESSES, GUESSES, REPORTS)]


def test_deals_one_by_one_are_the_hands_of_a_card_game(leduc):
    """Leduc told as deals and an outcome, as any game may be."""
    cards = [rank + suit for rank in "JQK" for suit in "♠♥"]
    deals = [((a, board), (b, board)) for a, b, board in permutations(cards, 3)]

    def showdown(mine, yours):
        worth = ["JQK".index(own[0]) + 3 * (own[0] == up[0]) for own, up in (mine, yours)]
        return int(np.sign(worth[0] - worth[1]))

    gain = {}
    for lossless in ("published", "refined"):
        part = wb.gameshrink(deals, outcome=showdown, lossless=lossless)
        assert part.classes == wb.gameshrink(leduc.rules, lossless=lossless).classes
        assert part("Q♠") == part("Q♥")
        ab = wb.abstract(leduc, lambda i, seen, _, of=part: (of(*filter(None, seen[:2])), seen[2]))
        assert ab.coarse.num_infosets < leduc.num_infosets
        gain[lossless] = wb.exploitability(wb.solve(leduc, "lp", abstraction=ab).strategy)
    assert gain["refined"] == pytest.approx(0, abs=1e-9)
    assert gain["published"] > 0.1


def test_three_players_and_private_signals_in_every_round():
    """Three cards of four, the highest wins; then each is told the parity of her left neighbour."""
    deals = [
        tuple((deal[seat], deal[seat - 1] % 2) for seat in range(3))
        for deal in permutations(range(4), 3)
    ]
    part = wb.gameshrink(deals, outcome=lambda mine, *others: mine > max(others))
    assert part.classes[0] == 3  # 0 and 1 never win
    refined = wb.gameshrink(
        deals, outcome=lambda mine, *others: mine > max(others), lossless="refined"
    )
    assert all(fine >= coarse for fine, coarse in zip(refined.classes, part.classes, strict=True))


def test_only_shares_matter_not_how_often_a_deal_is_listed():
    deals = oil_deals() + [deal for deal in oil_deals() if deal[0][1] == 2]  # likelier
    assert wb.gameshrink(deals, outcome=higher).classes == (4, 9)
    twice = [deal for deal in oil_deals() for _ in range(1 + (deal[0][0] == deal[1][0] == 6))]
    assert wb.gameshrink(twice, outcome=higher).classes[0] == 5  # 6 ties more often than 4 and 5


# ---- the lossy mode ------------------------------------------------------------------


def test_thresholds_merge_more_and_more():
    rules = wb.load_game("rhode_island", ranks=5, suits=2)
    several = [wb.gameshrink(rules, threshold=t) for t in (1e-9, 0.06, 0.08, 0.1, 1.0)]
    classes = [part.classes for part in several]
    assert classes[0] == wb.gameshrink(rules).classes
    assert all(a >= b for one, two in pairwise(classes) for a, b in zip(one, two, strict=True))
    assert classes[-1] == (1, 1, 1)
    assert len(set(classes)) > 3
    assert all(part.nested for part in several)


def test_penalties_are_the_cheapest_matchings():
    tree = hand_signals(wb.load_game("rhode_island", ranks=4, suits=2))
    kinds = types(tree)
    penalties = Penalties(tree, kinds)
    outcomes = int(tree.outcome.max()) + 1

    @cache
    def slow(r, one, two):
        if r == len(tree.edges):
            shares = [
                np.bincount(tree.outcome[tree.leaf == n], minlength=outcomes) for n in (one, two)
            ]
            first, second = (share / share.sum() for share in shares)
            return float(np.abs(first - second).sum()) / 2
        edges = tree.edges[r]
        sides = [
            edges.child[edges.parent == n].repeat(edges.count[edges.parent == n])
            for n in (one, two)
        ]
        sides = [
            np.repeat(side, np.lcm(len(sides[0]), len(sides[1])) // len(side)) for side in sides
        ]
        cost = np.array([[slow(r + 1, int(a), int(b)) for b in sides[1]] for a in sides[0]])
        return float(cost[linear_sum_assignment(cost)].mean())

    for r, many in enumerate(tree.nodes[:2]):
        for one, two in combinations(range(many), 2):
            a, b = int(kinds[r][one]), int(kinds[r][two])
            assert penalties.of(r, a, b) == pytest.approx(slow(r, one, two), abs=1e-12)
            assert penalties.bound(r, a, b) <= penalties.of(r, a, b) + 1e-12
