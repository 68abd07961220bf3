"""The classes of hands, and their equities against slow counts and published numbers."""

import runpy
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest

import workbench as wb
from workbench.jamfold import equity_tables as tables
from workbench.jamfold.equity_tables import ORDERS, free_pairs, free_triples, triples
from workbench.jamfold.stage import deal_of
from workbench.poker.cards.hand_classes import CARDS, CLASS, COMBOS, FIRST_PAIR, NAMES, hand_class
from workbench.poker.cards.seven_cards import strength
from workbench.shipped import shipped

making = SimpleNamespace(**runpy.run_path(str(shipped("data/equities/make.py"))))


def cards_of(name: str, k: int = 0) -> list[int]:
    bits = int(CARDS[FIRST_PAIR[CLASS[name]] + k])
    return [card for card in range(52) if bits >> card & 1]


def test_169_classes_hold_1326_pairs():
    assert len({*NAMES}) == 169
    assert COMBOS.sum() == 1326
    assert sorted(map(int, {*COMBOS})) == [4, 6, 12]
    assert {card & 3 for card in cards_of("AKs")} in [{0}, {1}, {2}, {3}]
    assert {card >> 2 for card in cards_of("72o")} == {0, 5}
    assert hand_class("kas") == hand_class("AKs")
    masks = [1 << a | 1 << b for a, b in combinations(range(52), 2)]
    assert sorted(map(int, CARDS)) == sorted(masks)


def test_published_equities():
    assert wb.jamfold.equity("AA", "KK") == pytest.approx(0.81946, abs=5e-6)
    assert wb.jamfold.equity("AA") == pytest.approx(0.85204, abs=5e-6)
    assert wb.jamfold.equity("KK", "AA") == pytest.approx(1 - 0.81946, abs=5e-6)
    assert wb.jamfold.equity("AKs", "AKs") == pytest.approx(0.5)


def test_how_many_triples_there_are():
    assert len(triples()) == 818_805
    orders = wb.jamfold.equities().orders
    assert (orders.sum(axis=1, dtype=int) > 0).sum() == 818_480
    free = free_triples(FIRST_PAIR, CARDS)
    a, b, c = triples().T
    assert (free[a, b, c] > 0).sum() == 818_480
    assert free_pairs().sum() == 1326 * 1225
    assert free.sum(dtype=float) == 1326 * 1225 * 1128


def sampled_shares(hands, rng, n):
    """Suits and boards at random, n deals: the hands' shares of the pot, card by card."""
    pairs = [CARDS[FIRST_PAIR[a] : FIRST_PAIR[a + 1]].tolist() for a in hands]
    apart = [each for each in product(*pairs) if sum(each).bit_count() == 2 * len(hands)]
    held = rng.choice(apart, n).T
    free = held.sum(axis=0) >> np.arange(52)[:, None] & 1 == 0
    board = np.where(free, rng.random(free.shape), -1.0).argpartition(-5, axis=0)[-5:]
    cards = held + (np.int64(1) << board).sum(axis=0)
    suits = [sum((cards >> 4 * rank + suit & 1) << rank for rank in range(13)) for suit in range(4)]
    best = np.array([[strength(*masks) for masks in zip(*each, strict=True)]
                     for each in np.swapaxes(np.array(suits), 0, 1).tolist()])  # fmt: skip
    won = best == best.max(axis=0)
    return (won / won.sum(axis=0)).mean(axis=1)


@pytest.mark.parametrize(
    "names", [("QJs", "99"), ("A5o", "KTs"), ("72o", "32s"), ("AKs", "QQ", "76s")]
)
def test_hands_against_sampled_deals(names):
    """Within four standard errors of the table."""
    n = 20_000
    share = sampled_shares([CLASS[name] for name in names], np.random.default_rng(1), n)[0]
    error = 0.5 / n**0.5 + (wb.jamfold.equities().largest if len(names) == 3 else 0.0)
    assert abs(share - wb.jamfold.equity(*names)) < 4 * error


@pytest.mark.slow
def test_the_stated_error_against_an_outside_sample():
    """200 triples, dealt again card by card: the differences are as large as the table says, or a
    little smaller, since blocks do not know that the boards are evenly spread."""
    table, rng, n = wb.jamfold.equities(), np.random.default_rng(11), 20_000
    assert 0.003 < table.error < table.largest < 0.01
    every = triples()
    apart, sampled = [], []
    for t in rng.choice(np.flatnonzero(table.orders.any(axis=1)), 200, replace=False):
        order = table.orders[t].astype(float)
        share = sampled_shares(every[t], rng, n)
        apart.append(order @ tables.SHARE / order.sum() - share)
        sampled.append(share * (1 - share) / n)  # the variance of the outside sample, at most
    mean = float(np.sqrt(np.mean(np.square(apart)) - np.mean(sampled)))
    assert 0.7 * table.error < mean < 1.05 * table.error
    assert np.abs(apart).max() < 4.5 * np.hypot(table.largest, np.sqrt(np.max(sampled)))


def test_marginals_of_three_hands_are_the_exact_two_hands():
    """The table of three was fitted to the table of two; what is left is rounding."""
    three, exact = deal_of(wb.jamfold.equities()).duels
    chance = exact.sum(axis=0)
    assert np.abs(three.sum(axis=0) - chance).max() < 1e-9
    met = chance > 0
    off = (np.abs(three - exact)[:, met] / chance[met]).ravel()
    assert np.sqrt(np.mean(off**2)) < 3e-4
    assert off.max() < 3e-3


def test_raking_reaches_the_exact_duels_and_keeps_what_fits():
    """Shares that are off by ten percent come back to the duels; those that fit stay."""
    every = triples()[:3000]
    every = every[(every[:, 0] < every[:, 1]) & (every[:, 1] < every[:, 2])]
    rng = np.random.default_rng(6)
    weight, true = rng.random(len(every)), rng.dirichlet(np.ones(13), len(every))
    exact = making.duels_of(every, true, weight)
    fitted = true * rng.uniform(0.9, 1.1, true.shape)
    fitted /= fitted.sum(axis=1, keepdims=True)
    before = np.abs(making.duels_of(every, fitted, weight) - exact).max()
    making.rake(every, fitted, weight, exact)
    assert np.abs(making.duels_of(every, fitted, weight) - exact).max() < 0.01 * before
    assert fitted.sum(axis=1) == pytest.approx(np.ones(len(every)))
    kept = true.copy()
    assert making.rake(every, kept, weight, exact) < 1e-9
    assert (kept == true).all()


def test_duels_of_a_triple_by_hand():
    """The first hand always wins, the others tie: three duels, seen from both sides."""
    every = np.array([[0, 5, 9]], np.int32)
    orders = np.zeros((1, 13))
    orders[0, ORDERS.index((0, 1, 1))] = 1.0
    found = making.duels_of(every, orders, np.array([6.0]))
    assert (found[0, 0, 5], found[2, 5, 0], found[0, 0, 9], found[2, 9, 0]) == (1, 1, 1, 1)
    assert (found[1, 5, 9], found[1, 9, 5]) == (1, 1)
    assert found.sum() == 6


def test_the_same_deal_looks_the_same_from_all_seats():
    table = wb.jamfold.equities()
    rng = np.random.default_rng(3)
    for _ in range(200):
        h, y, z = rng.integers(169, size=3)
        for w, (a, b, c) in enumerate(ORDERS):
            other = ORDERS.index((b, a, c))
            third = ORDERS.index((c, a, b))
            assert table.finishes[h, w, y, z] == table.finishes[y, other, h, z]
            assert table.finishes[h, w, y, z] == table.finishes[z, third, h, y]


def test_a_folded_hand_matters():
    """AA against KK, and a third player has folded an ace: the aces hold up less often."""
    table = wb.jamfold.equities()
    share = np.array([0.5 * ((p[0] < p[1]) + (p[0] <= p[1])) for p in ORDERS])

    def against(third: str) -> float:
        order = table.finishes[CLASS["AA"], :, CLASS["KK"], CLASS[third]].astype(float)
        return float(share @ order / order.sum())

    assert against("A2o") < against("K2o") - 0.01


def test_a_sample_of_boards_is_spread_evenly():
    sample = making.board_sample(5000, 0.5)
    flushes = [max(int(mask).bit_count() for mask in board) == 5 for board in sample]
    assert np.mean(flushes) == pytest.approx(5148 / 2_598_960, abs=2 / 5000)


@pytest.mark.slow
def test_counting_again_gives_the_table_that_comes_along(tmp_path):
    made = making.compute(boards=256, seed=1)
    kept = wb.jamfold.equities()
    assert np.abs(made.win - kept.win).max() < 1e-12
    apart = made.orders[::64].astype(float) - kept.orders[::64]
    found = np.sqrt(((apart @ tables.SHARE / 255) ** 2).mean())
    assert 0.7 < found / np.hypot(made.error, kept.error) < 1.05
    again = wb.jamfold.equities(making.save(made, tmp_path / "made"))
    assert (again.boards, again.seed) == (256, 1)
    assert (again.orders == made.orders).all()
