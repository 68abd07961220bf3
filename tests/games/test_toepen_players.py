"""Toepen for two to four: as a naive replay tells it, zero sum, perfect recall, and solved."""

from __future__ import annotations

import numpy as np
import pytest

import workbench as wb
from tests.games.naive_toepen import Naive
from tests.games.test_toepen import play
from workbench.games.toepen.rules import Toepen
from workbench.rules import GameError, Terminal

# suits, ranks, hand, betting, players, limits
SMALL = [
    (2, 2, 2, True, 2, None),
    (2, 3, 2, "leader", 2, None),
    (2, 2, 2, True, 2, (1, 3)),
    (3, 2, 2, False, 3, None),
    (3, 2, 2, "leader", 3, None),
    (2, 2, 1, True, 3, None),
    (2, 2, 1, True, 3, (2, 1, 3)),
    (2, 2, 1, True, 4, None),
]
LARGE = pytest.param((3, 2, 2, True, 3, None), marks=pytest.mark.slow)


@pytest.mark.parametrize("options", [*SMALL, LARGE], ids=str)
def test_the_naive_replay_agrees(options):
    suits, ranks, hand, betting, players, limits = options
    histories, infosets, values = Naive(*options).measure()
    for isomorphism in (False, True):
        rules = Toepen(suits, ranks, hand, betting, True, isomorphism, players, limits)
        tree = wb.compile_game(rules)
        assert tree.num_players == players
        assert tree.zero_sum
        assert tree.perfect_recall
        if isomorphism:
            assert tree.num_infosets < infosets
        else:
            assert (tree.num_histories, tree.num_infosets) == (histories, infosets)
            uniform = wb.Strategy.uniform(tree)
            assert wb.expected_values([uniform] * players) == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize("options", [(3, 2, 2, False), (3, 2, 2, "leader"), (2, 2, 1, True)])
def test_three_players_find_no_better_reply(options):
    """CFR+ on three players has no guarantee; here nobody gains much by deviating."""
    before = []
    for isomorphism in (False, True):
        tree = wb.compile_game(Toepen(*options, suit_isomorphism=isomorphism, players=3))
        strategy = wb.solve(tree, "cfr+", iterations=2000, checkpoints=[2000]).strategy
        assert sum(wb.expected_values([strategy] * 3)) == pytest.approx(0, abs=1e-12)
        before.append(wb.gains(wb.Strategy.uniform(tree)))
        assert max(wb.gains(strategy)) < max(before[-1]) / 30
    assert before[0] == pytest.approx(before[1], abs=1e-12), "suits have no names, play is the same"


THREE = Toepen(suits=3, ranks=3, hand=2, players=3)
DEAL = "8♠ 8♥ | 10♠ 9♥ | 9♠ 10♥"

ENDS = [
    ("bet fold fold", (2, -1, -1)),
    ("bet call fold 8♠ check 10♠ check 9♥ 8♥", (-2, 3, -1)),
    # The leader folds; her card still tells the suit, and the others fight for the trick.
    ("check 8♠ bet call fold 10♠ check 9♠ 9♥ check 10♥", (-1, -2, 3)),
    # The second bet is answered by those who are in; the first fold has paid one point.
    ("bet call fold 8♠ bet fold", (-2, 3, -1)),
    ("check 8♠ check 10♠ check 9♠ bet call call 9♥ bet call fold 10♥ check 8♥", (-3, -2, 5)),
]


@pytest.mark.parametrize(("moves", "payoffs"), ENDS)
def test_three_players_by_hand(moves, payoffs):
    node = play(THREE, f"{DEAL} : {moves}")
    assert isinstance(node, Terminal)
    assert tuple(node.payoffs) == payoffs


def test_nobody_left_has_the_suit():
    """The leader folds and nobody can follow: the first who plays to the trick has it."""
    deal = "8♠ 8♥ | 10♥ 9♥ | 9♦ 10♦"
    node = play(THREE, f"{deal} : check 8♠ bet call fold 9♥ check 9♦")
    assert node.player == 1
    assert node.actions == ("10♥",), "she leads, but was the last to bet"


def test_order_of_answers_and_of_play():
    asked = play(THREE, f"{DEAL} : check 8♠ bet")
    assert (asked.player, asked.actions) == (2, ("call", "fold")), "the next one answers first"
    assert play(THREE, f"{DEAL} : check 8♠ bet call").player == 0
    assert play(THREE, f"{DEAL} : check 8♠ bet call call").player == 1, "then the bettor plays"
    node = play(THREE, f"{DEAL} : check 8♠ bet call call 10♠ check 9♠")
    assert (node.player, node.seen) == (1, ("10♠ 9♥", "check 8♠ bet call call 10♠ check 9♠ /"))


def test_limits_forbid_bets_and_keep_the_words():
    rules = Toepen(limits=(1, 2))
    deal = "10♠ 9♥ | 9♠ 10♥"
    assert play(rules, deal).actions == ("check",)
    assert play(rules, f"{deal} : check 9♥").actions == ("bet", "check")
    won = play(rules, f"{deal} : check 9♥ bet call 10♥ 9♠")
    assert won.actions == ("check",), "the stake is two"
    assert won.seen == play(Toepen(), f"{deal} : check 9♥ bet call 10♥ 9♠").seen
    far, free = (wb.compile_game(Toepen(limits=limits)) for limits in ((9, 9), None))
    assert far.seen == free.seen
    assert np.array_equal(far.utility, free.utility)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 5}, "players must be a whole number from 2 to 4, not 5"),
        ({"players": 3, "hand": 4}, "three hands of 4 need 12 cards, 3 suits of 3 ranks give 9"),
        ({"limits": (3,)}, "limits must be 2 whole numbers, one for each player, not \\(3,\\)"),
        ({"limits": (3, 0)}, "limits must be a whole number of at least 1, not 0"),
        ({"limits": 3}, "limits must be a list of whole numbers, not 3"),
    ],
)
def test_impossible_tables_are_refused(options, message):
    with pytest.raises(GameError, match=message):
        Toepen(**options)


def test_names():
    assert Toepen(players=3, hand=1).name == "toepen(hand=1, players=3)"
    assert wb.load_game("toepen", limits=[1, 2]) == Toepen(limits=(1, 2))
