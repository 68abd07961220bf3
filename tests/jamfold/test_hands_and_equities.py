"""The classes of hands, and their equities against slow counts and published numbers."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from workbench.files import DamagedError, load_arrays
from workbench.jamfold import equity_tables as tables
from workbench.jamfold.hands import CARDS, CLASS, COMBOS, FIRST_PAIR, NAMES, hand_class
from workbench.jamfold.showdowns import (
    ORDERS,
    board_sample,
    free_pairs,
    free_triples,
    triples,
)
from workbench.poker.board_sets import canonical_masks
from workbench.poker.seven_cards import strength_of
from workbench.rules import GameError


def cards_of(name: str, k: int = 0) -> list[int]:
    bits = int(CARDS[FIRST_PAIR[CLASS[name]] + k])
    return [card for card in range(52) if bits >> card & 1]


def test_169_classes_hold_1326_pairs() -> None:
    assert len({*NAMES}) == 169
    assert COMBOS.sum() == 1326
    assert sorted(map(int, {*COMBOS})) == [4, 6, 12]
    assert {card & 3 for card in cards_of("AKs")} in [{0}, {1}, {2}, {3}]
    assert {card >> 2 for card in cards_of("72o")} == {0, 5}


@pytest.mark.parametrize("name", ["", "AK", "AAs", "1Ks", "AKx", "AKso", 7, None, "A♠K♠"])
def test_no_such_hand(name: object) -> None:
    with pytest.raises(GameError, match="there is no hand"):
        hand_class(name)


def test_small_letters_and_order_do_not_matter() -> None:
    assert hand_class("kas") == hand_class("AKs")


def test_published_equities() -> None:
    assert wb.jamfold.equity("AA", "KK") == pytest.approx(0.81946, abs=5e-6)
    assert wb.jamfold.equity("AA") == pytest.approx(0.85204, abs=5e-6)
    assert wb.jamfold.equity("KK", "AA") == pytest.approx(1 - 0.81946, abs=5e-6)
    assert wb.jamfold.equity("AKs", "AKs") == pytest.approx(0.5)


def test_how_many_boards_and_triples_there_are() -> None:
    boards, weights = canonical_masks(5)
    assert len(boards) == 134_459
    assert weights.sum() == 2_598_960
    assert len(triples()) == 818_805
    orders = wb.jamfold.equities().orders
    assert (orders.sum(axis=1, dtype=int) > 0).sum() == 818_480
    free = free_triples(FIRST_PAIR, CARDS)
    a, b, c = triples().T
    assert (free[a, b, c] > 0).sum() == 818_480
    assert free_pairs().sum() == 1326 * 1225
    assert free.sum(dtype=float) == 1326 * 1225 * 1128


def test_two_hands_against_sampled_boards() -> None:
    """Suits as dealt, boards at random: within four standard errors of the exact table."""
    rng = np.random.default_rng(1)
    for one, two in (("QJs", "99"), ("A5o", "KTs"), ("72o", "32s")):
        shares = []
        for _ in range(3000):
            mine = cards_of(one, int(rng.integers(COMBOS[CLASS[one]])))
            yours = cards_of(two, int(rng.integers(COMBOS[CLASS[two]])))
            if {*mine} & {*yours}:
                continue
            left = [card for card in range(52) if card not in mine + yours]
            board = [int(card) for card in rng.choice(left, 5, replace=False)]
            x, y = strength_of(mine + board), strength_of(yours + board)
            shares.append(0.5 * ((x > y) + (x >= y)))
        error = np.std(shares) / len(shares) ** 0.5
        assert abs(np.mean(shares) - wb.jamfold.equity(one, two)) < 4 * error


def test_three_hands_against_sampled_boards() -> None:
    rng = np.random.default_rng(2)
    names = ("AKs", "QQ", "76s")
    held = [cards_of("AKs", 0), cards_of("QQ", 5), cards_of("76s", 2)]
    taken = {card for hand in held for card in hand}
    left = [card for card in range(52) if card not in taken]
    shares = []
    for _ in range(4000):
        board = [int(card) for card in rng.choice(left, 5, replace=False)]
        found = [strength_of(hand + board) for hand in held]
        best = max(found)
        shares.append((found[0] == best) / found.count(best))
    error = np.std(shares) / len(shares) ** 0.5 + wb.jamfold.equities().error
    assert abs(np.mean(shares) - wb.jamfold.equity(*names)) < 4 * error


def test_marginals_of_three_hands_are_the_exact_two_hands() -> None:
    """Summed over the third hand, thousands of samples agree with the exact table."""
    table = wb.jamfold.equities()
    for one, two in (("AA", "KK"), ("A5o", "KTs"), ("72o", "32s"), ("TT", "TT")):
        h, y = CLASS[one], CLASS[two]
        order = table.finishes[h, :, y].astype(float)  # (13, z)
        dealt = table.deals[h, y] / np.maximum(order.sum(axis=0), 1)
        share = [0.5 * ((p[0] < p[1]) + (p[0] <= p[1])) for p in ORDERS]
        found = (np.array(share) @ order @ dealt) / (order.sum(axis=0) @ dealt)
        assert found == pytest.approx(wb.jamfold.equity(one, two), abs=0.002)


def test_the_same_deal_looks_the_same_from_all_seats() -> None:
    table = wb.jamfold.equities()
    rng = np.random.default_rng(3)
    for _ in range(200):
        h, y, z = rng.integers(169, size=3)
        for w, (a, b, c) in enumerate(ORDERS):
            other = ORDERS.index((b, a, c))
            third = ORDERS.index((c, a, b))
            assert table.finishes[h, w, y, z] == table.finishes[y, other, h, z]
            assert table.finishes[h, w, y, z] == table.finishes[z, third, h, y]


def test_a_folded_hand_matters() -> None:
    """AA against KK, and a third player has folded an ace: the aces hold up less often."""
    table = wb.jamfold.equities()
    share = np.array([0.5 * ((p[0] < p[1]) + (p[0] <= p[1])) for p in ORDERS])

    def against(third: str) -> float:
        order = table.finishes[CLASS["AA"], :, CLASS["KK"], CLASS[third]].astype(float)
        return float(share @ order / order.sum())

    assert against("A2o") < against("K2o") - 0.01


def test_impossible_deals_and_numbers_of_hands() -> None:
    with pytest.raises(GameError, match="not enough cards for AA, AA, AKs"):
        wb.jamfold.equity("AA", "AA", "AKs")
    with pytest.raises(GameError, match="one, two or three hands"):
        wb.jamfold.equity()


def test_a_sample_of_boards_is_spread_evenly() -> None:
    sample = board_sample(5000, 0.5)
    flushes = [max(int(mask).bit_count() for mask in board) == 5 for board in sample]
    assert np.mean(flushes) == pytest.approx(5148 / 2_598_960, abs=2 / 5000)


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "eq.npz"
    wb.jamfold.equities().save(path)
    assert load_arrays(path, tables.KIND)["made"].tolist() == [tables.BOARDS, tables.SEED]
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedError):
        load_arrays(path, tables.KIND)


@pytest.mark.slow
def test_counting_again_gives_the_table_that_comes_along() -> None:
    made = tables.compute(boards=256, seed=1)
    kept = wb.jamfold.equities()
    assert np.abs(made.win - kept.win).max() < 1e-12
    apart = made.orders[::1000].astype(float) - kept.orders[::1000]
    assert np.sqrt((apart**2).mean()) / 255 < made.error


def test_pairs_are_in_order() -> None:
    masks = [1 << a | 1 << b for a, b in combinations(range(52), 2)]
    assert sorted(map(int, CARDS)) == sorted(masks)
