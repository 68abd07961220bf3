"""Hand strength in Hold'em against slow counts and the numbers everybody finds."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from workbench.lab.ledger.papers.holdem_sizes import hand_classes

import workbench as wb
from workbench import disk_cache
from workbench.games.deck import Deck
from workbench.poker.buckets.holdem_clustering import SEEN, STRENGTHS
from workbench.poker.cards.board_sets import CARDS, MOVED, board_sets, held, masks_of
from workbench.poker.cards.boards import make_boards
from workbench.poker.cards.seven_cards import strength_of
from workbench.poker.strength.holdem_signals import signals
from workbench.poker.strength.holdem_tables import count_river, holdem_tables

DECK = Deck()


def slow_strength(hand, board):
    """(E[HS], E[HS²]) by dealing everything that is left, without tables."""
    seen = {*hand, *board}
    rest = [card for card in range(52) if card not in seen]
    found = []
    for more in combinations(rest, 5 - len(board)):
        public = (*board, *more)
        mine, points, count = strength_of((*hand, *public)), 0.0, 0
        for other in combinations([card for card in rest if card not in more], 2):
            theirs = strength_of((*other, *public))
            points += (mine > theirs) + (mine == theirs) / 2
            count += 1
        found.append(points / count)
    return np.mean(found), np.mean(np.square(found))


@pytest.mark.slow
def test_hands_on_boards_and_ordered_boards():
    assert [hand_classes(n) for n in (4, 5)] == [13960050, 123156254]
    ordered = make_boards(DECK, 2, (3, 1, 1))
    assert [len(one.cards) for one in ordered] == [1755, 63193, 2554656]
    assert ordered[-1].weight.sum() == 51979200


def test_how_many_hands_can_be_told_apart_if_the_order_of_the_rounds_counts():
    """By Burnside's lemma: the mean number of deals that a renaming of suits does not change."""
    cards, found = np.arange(52), np.zeros(4, np.int64)
    for one in DECK.suit_orders():
        fixed = int((one == cards).sum())
        twos = int((one[one] == cards).sum() - fixed) // 2  # two cards that change places
        threes = int((one[one[one]] == cards).sum() - fixed) // 3
        for hands, free, two in ((comb(fixed, 2), fixed - 2, twos), (twos, fixed, twos - 1)):
            flops = (comb(max(free, 0), 3), free - 3), (free * two, free - 1), (threes, free)
            for flop, left in flops:
                found[1:] += hands * flop * np.array([1, left, left * (left - 1)])
            found[0] += hands
    assert tuple(found // 24) == SEEN
    assert not (found % 24).any()


@pytest.mark.slow
def test_different_strengths():
    tables = holdem_tables()
    rivers = np.zeros(2**16, bool)
    for low in range(0, len(tables.river), 1000):
        rivers[tables.river[low : low + 1000]] = True
    assert rivers[:1981].sum() == 1950
    for metric in ("ehs", "ehs2"):
        found = signals(metric)
        rounds = zip((found.cards.flop, found.cards.turn), found.values[1:3], strict=True)
        there = [int((np.unique(table) < len(values)).sum()) for table, values in rounds]
        assert STRENGTHS[metric] == (169, *there, 1950)


@pytest.mark.slow
def test_a_draw_is_great_or_worthless():
    """The example of the module: how strong A♥ K♥ will be on the river after Q♥ J♥ 2♣."""
    hand, flop = DECK.parse("AhKh"), DECK.parse("QhJh2c")
    first, second = wb.poker.hand_strength(hand, flop)
    assert (round(first, 6), round(second, 6)) == (0.763301, 0.646644)
    rest = [card for card in range(52) if card not in (*hand, *flop)]
    rivers = [wb.poker.hand_strength(hand, (*flop, *two))[0] for two in combinations(rest, 2)]
    counts, _ = np.histogram(rivers, [0, 0.6, 0.8, 0.9, 1.01])
    assert counts.tolist() == [378, 40, 181, 482]


@pytest.mark.parametrize("cards", ["7h2c9s", "AhAsAd4c", "2c3d4h5s9s", "KhQhJhTh2h"])
def test_a_board_is_found_and_hands_move_with_it(cards):
    board = DECK.parse(cards)
    at, renaming = board_sets(len(board)).find(masks_of(board))
    moved = np.flatnonzero(held(board_sets(len(board)).code[[at]])[0])
    pairs = [pair for pair in range(1326) if {*CARDS[pair].tolist()} <= {*board}]
    assert {*CARDS[MOVED[renaming, pairs]].ravel().tolist()} == {*moved.tolist()}


def test_the_river_against_dealing_every_hand():
    board = DECK.parse("QhJh2c9d9s")
    codes = board_sets(5).code
    at, renaming = board_sets(5).find(masks_of(board))
    out = np.empty((len(codes), 1326), np.uint16)
    count_river(at, at + 1, codes, CARDS, out)
    for hand in ("AhKh", "9h9c", "2d2s", "3c4s"):
        pair = MOVED[renaming, DECK.hand(DECK.parse(hand))]
        assert out[at, pair] / 1980 == pytest.approx(slow_strength(DECK.parse(hand), board)[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "first", "second"),
    [
        ("AhAs", 0.852037, 0.737211), ("7h2c", 0.345836, 0.207292),
        ("AsKs", 0.670446, 0.511127), ("2d2c", 0.503340, 0.311154),
    ],
)  # fmt: skip
def test_before_the_flop(hand, first, second):
    assert wb.poker.hand_strength(hand) == pytest.approx((first, second), abs=5e-7)


@pytest.mark.slow
def test_means_over_all_hands():
    tables = holdem_tables()
    for k, mean in ((0, 0.5), (1, 0.336917)):
        total = tables.preflop[k] @ wb.poker.COMBOS / 1326 / 2118760 / 1980 ** (k + 1)
        assert total == pytest.approx(mean, abs=5e-7)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hand", "board"),
    [("AhKh", "QhJh2c5d"), ("9c8c", "TsJd2h2c"), ("7d7s", "7h2d3d"), ("5h4h", "3h2hKsAd9c")],
)
def test_later_rounds_against_dealing_everything(hand, board):
    cards = DECK.parse(hand), DECK.parse(board)
    if len(cards[1]) == 3:  # its turns, each of them dealt out above
        rest = [card for card in range(52) if card not in (*cards[0], *cards[1])]
        later = [wb.poker.hand_strength(cards[0], (*cards[1], card)) for card in rest]
        slow = np.mean(later, axis=0)
    else:
        slow = slow_strength(*cards)
    assert wb.poker.hand_strength(hand, board) == pytest.approx(tuple(slow), abs=1e-9)


def test_large_arrays_are_mapped_and_damage_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path))
    arrays = {"a": np.arange(5, dtype=np.uint16), "b": np.eye(3)}
    assert disk_cache.load_mapped("big", "key") is None
    disk_cache.save_mapped("big", "key", arrays)
    found = disk_cache.load_mapped("big", "key")
    assert all((found[name] == array).all() for name, array in arrays.items())
    assert isinstance(found["a"], np.memmap)
    assert not found["a"].flags.writeable
    (file,) = (tmp_path / "workbench" / "big").glob("*-a.npy")
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    assert disk_cache.load_mapped("big", "key") is None
    file.unlink()
    assert disk_cache.load_mapped("big", "key") is None
