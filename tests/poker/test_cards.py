"""Cards, hand ranks and boards: counted, and compared with plain enumeration."""

import itertools
from collections import Counter

import numpy as np
import pytest

import workbench as wb
from workbench.games.deck import Deck
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.cards.boards import find_board, make_boards
from workbench.poker.games.rhode_island import three_cards


def test_three_card_hands_of_a_whole_deck():
    kinds = Counter((three_cards(Deck(), Deck().hands(3)) // 4096).tolist())
    assert kinds == {8: 48, 7: 52, 6: 720, 5: 1096, 4: 3744, 3: 16440}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("Ah2h3h", "KsKhKd"), ("2c2d2h", "QsKhAd"), ("Ac2d3h", "AhQh2h"), ("4c5d6h", "Ac2d3h"),
        ("2h3h5h", "AhAdKs"), ("3c3d2h", "2c2dAh"), ("3c3dAh", "3s3hKh"), ("AhKd3c", "AhKd2s"),
        ("QcKdAh", "JcQdKh"),
    ],
)  # fmt: skip
def test_order_of_hands(better, worse):
    deck = Deck()
    strength = [three_cards(deck, np.array(deck.parse(text))) for text in (better, worse)]
    assert strength[0] > strength[1]


def test_small_decks():
    deck = Deck(3, 2)
    assert [deck.name(card) for card in range(6)] == ["Q♥", "Q♠", "K♥", "K♠", "A♥", "A♠"]
    low = Deck(4, 4)  # the ace also stands below the jack
    wheel, straight = (three_cards(low, np.array(low.parse(t))) for t in ("AhJcQd", "JcQdKh"))
    assert wheel // 4096 == 6
    assert wheel < straight


@pytest.mark.parametrize(("ranks", "suits"), [(3, 2), (4, 3), (3, 4), (5, 1)])
def test_boards_stand_for_all_deals(ranks, suits):
    """Two deals of hand and board are one class exactly if a renaming of suits exchanges them."""
    deck, boards = Deck(ranks, suits), make_boards(Deck(ranks, suits), 1, (0, 1, 1))
    orders = deck.suit_orders()
    for public, one in enumerate(boards):
        real = Counter()
        found = {}
        for cards in itertools.permutations(range(deck.size), public + 1):
            least = min(tuple(order[list(cards)]) for order in orders)
            real[least] += 1
            board, renamed = find_board(boards, cards[1:])
            number = one.classes[board, renamed[cards[0]]]
            assert found.setdefault(least, number) == number
        assert len(set(found.values())) == len(found) == one.num_classes
        weights = np.broadcast_to(one.weight[:, None], one.classes.shape)[one.classes >= 0]
        counts = np.bincount(one.classes[one.classes >= 0], weights)
        assert {found[least]: n for least, n in real.items()} == dict(enumerate(counts))
        assert one.weight.sum() == len(list(itertools.permutations(range(deck.size), public)))
    assert (boards[2].weight == boards[1].weight[boards[2].parent] * boards[2].step).all()


RULES = wb.load_game("rhode_island", ranks=3, suits=2)


def test_nested_and_sizes():
    everything = HandBuckets.lossless(RULES)
    assert everything.nested
    assert everything.sizes(2).sum() == 6 * 5 * 4
    rounds = [np.zeros_like(one) if r == 1 else one for r, one in enumerate(everything.rounds)]
    rounds[1] = np.where(everything.rounds[1] >= 0, 0, -1)
    forgetful = HandBuckets(RULES, rounds)
    assert not forgetful.nested
    assert forgetful.classes[1] == 1
    assert forgetful.fingerprint != everything.fingerprint
