"""Toepen has the values of an independent prototype, and the rules of its docstring."""

from collections import Counter

import numpy as np
import pytest

import workbench as wb
from tests.games.naive_toepen import Naive
from tests.games.test_toepen_suits import solved, toepen
from tests.oracles import node_after
from workbench.games.toepen.rules import Toepen
from workbench.rules import Chance, Terminal

# Values to the first player: an independent prototype's.
VALUES = {
    ("plain", "222"): 0.666667,
    ("plain", "232"): 0.377778,
    ("plain", "322"): 0.433333,
    ("plain", "332"): 0.376984,
    ("plain", "333"): 0.235714,
    ("follow", "222"): 0.666667,
    ("follow", "332"): 0.4963,
    ("free", "222"): 0.666667,
    ("free", "332"): 0.4485,
}
LONG_WAYS = {("plain", "333"), ("follow", "332"), ("free", "332")}


@pytest.mark.parametrize(
    ("kind", "deck"),
    [pytest.param(*key, marks=[pytest.mark.slow] * (key in LONG_WAYS)) for key in VALUES],
)
def test_values(kind, deck):
    value = VALUES[kind, deck]
    for nameless in (False, True):
        tree = toepen(kind, deck, nameless)
        assert solved(tree, "cfr+")[0] == pytest.approx(value, abs=1e-4)
        if kind == "plain" or deck == "222":
            assert solved(tree, "lp")[0] == pytest.approx(value, abs=1e-6)


def test_deals_are_merged_with_their_number():
    named = Toepen().node(Toepen().start())
    nameless = Toepen(suit_isomorphism=True).node(Toepen().start())
    assert len(named.probabilities) == 36 * 21
    assert sum(nameless.probabilities.values()) == pytest.approx(1, abs=1e-12)
    assert min(nameless.probabilities.values()) == pytest.approx(3 / 756), "a fixed suit"
    assert max(nameless.probabilities.values()) == pytest.approx(6 / 756)
    assert set(nameless.probabilities) < set(named.probabilities)


def play(rules, moves):
    """The node after a deal and the moves behind the colon."""
    deal, _, later = moves.partition(" :")
    return node_after(rules, deal, *later.split())


TWO, THREE = "10♠ 9♥ | 9♠ 10♥ :", "8♠ 8♥ | 10♠ 9♥ | 9♠ 10♥ :"
PLAYING, LEADER, ALIKE = {"betting": False}, {"betting": "leader"}, {"suit_isomorphism": True}
ANY = {"betting": "anytime"}

# Options, deal and moves -> who is asked, what she may do.
ASKED = [
    ({}, TWO, 0, ("bet", "check")),
    ({}, f"{TWO} bet", 1, ("call", "fold")),
    ({}, f"{TWO} bet call", 0, ("10♠", "9♥")),
    ({}, f"{TWO} bet call 9♥ check 10♥ check 9♠", 0, ("10♠",)),  # the last to bet may not again
    (LEADER, f"{TWO} check 9♥", 1, ("10♥",)),
    (LEADER, f"{TWO} check 9♥ 10♥", 1, ("bet", "check")),
    (PLAYING, f"{TWO} 10♠", 1, ("9♠",)),
    (PLAYING | {"follow_suit": False}, f"{TWO} 10♠", 1, ("9♠", "10♥")),
    (PLAYING, "10♠ 9♠ | 9♥ 10♦ : 10♠", 1, ("9♥", "10♦")),  # without the suit any card will do
    (PLAYING | ALIKE, "9♠ 9♥ | 10♠ 10♥", 0, ("9♠",)),  # cards that look alike are one action
    (PLAYING | ALIKE, "9♠ 9♥ | 10♦ 8♦ : 9♠ 9♥", 1, ("10♠", "8♠")),  # her suit is the first one
    ({"players": 3}, f"{THREE} check 8♠ bet", 2, ("call", "fold")),  # the next one answers first
    ({"players": 3}, f"{THREE} check 8♠ bet call call", 1, ("10♠",)),  # then the bettor plays
    # The leader folds and nobody can follow: the first who plays to the trick has it. She leads,
    # but was the last to bet.
    ({"players": 3}, "8♠ 8♥ | 10♥ 9♥ | 9♦ 10♦ : check 8♠ bet call fold 9♥ check 9♦", 1, ("10♥",)),
    ({"limits": (1, 2)}, TWO, 0, ("check",)),
    # At any point: before a card all are asked, its player first, and again after a call.
    (ANY, f"{TWO} check", 1, ("bet", "check")),
    (ANY, f"{TWO} check check", 0, ("10♠", "9♥")),
    (ANY, f"{TWO} check bet call bet call", 1, ("bet", "check")),
    (ANY, f"{TWO} check bet call check 9♥", 0, ("bet", "check")),  # the last to bet is not asked
    (ANY | {"limits": (1, 2)}, TWO, 1, ("bet", "check")),  # nor is who has reached her limit
    (ANY | {"limits": (1, 2)}, f"{TWO} bet call", 0, ("10♠", "9♥")),
    (ANY | {"players": 3}, f"{THREE} check check bet fold call", 1, ("bet", "check")),  # leads now
    # The third folds before her card: the trick is over, and the second has won it.
    (
        ANY | {"players": 3},
        f"{THREE} check check check 8♠ check check check 10♠ check bet call fold",
        1,
        ("bet", "check"),
    ),
    ({"limits": (1, 2)}, f"{TWO} check 9♥ bet call 10♥ 9♠", 0, ("check",)),  # the stake is two
]


@pytest.mark.parametrize(("options", "moves", "player", "actions"), ASKED)
def test_who_is_asked_and_what_she_may_do(options, moves, player, actions):
    node = play(Toepen(**options), moves)
    assert (node.player, node.actions) == (player, actions)


def test_what_she_sees():
    won = play(Toepen(), f"{TWO} bet call 9♥ check 10♥")
    assert won.seen == ("9♠ 10♥", "bet call 9♥ check 10♥ /")
    node = play(Toepen(players=3), f"{THREE} check 8♠ bet call call 10♠ check 9♠")
    assert (node.player, node.seen) == (1, ("10♠ 9♥", "check 8♠ bet call call 10♠ check 9♠ /"))
    nameless = Toepen(**PLAYING, **ALIKE)
    assert play(nameless, "9♠ 9♥ | 10♠ 8♥ : 9♠") == Chance({"9♠": 0.5, "9♥": 0.5})
    assert play(nameless, "9♠ 9♥ | 10♦ 8♦ : 9♠ 9♥").seen == ("10♠ 8♠", "9♥")
    near, free = (play(Toepen(limits=x), f"{TWO} check 9♥ bet call 10♥ 9♠") for x in ((1, 2), None))
    assert near.seen == free.seen


def test_limits_that_nobody_reaches_change_nothing():
    far, free = (wb.compile_game(Toepen(limits=limits)) for limits in ((9, 9), None))
    assert far.seen == free.seen
    assert np.array_equal(far.utility, free.utility)


# Deal and moves -> payoffs by hand.
ENDS = [
    (f"{TWO} bet fold", (1, -1)),
    (f"{TWO} bet call 9♥ bet fold", (-2, 2)),
    (f"{TWO} check 10♠ check 9♠ check 9♥ check 10♥", (-1, 1)),
    (f"{TWO} bet call 9♥ bet call 10♥ 9♠ bet call 10♠", (4, -4)),
    ("10♠ 9♥ | 9♠ 8♥ : bet call 10♠ bet call 9♠ bet call 9♥ bet call 8♥", (5, -5)),
    ("8♠ 8♥ | 10♦ 9♦ : check 8♠ check 9♦ check 8♥ check 10♦", (1, -1)),  # not the led suit
    (f"{THREE} bet fold fold", (2, -1, -1)),
    (f"{THREE} bet call fold 8♠ check 10♠ check 9♥ 8♥", (-2, 3, -1)),
    # The leader folds; her card still tells the suit, and the others fight for the trick.
    (f"{THREE} check 8♠ bet call fold 10♠ check 9♠ 9♥ check 10♥", (-1, -2, 3)),
    (
        f"{THREE} check 8♠ check 10♠ check 9♠ bet call call 9♥ bet call fold 10♥ check 8♥",
        (-3, -2, 5),
    ),
]


@pytest.mark.parametrize(("moves", "payoffs"), ENDS)
def test_payoffs_by_hand(moves, payoffs):
    node = play(Toepen(players=len(payoffs)), moves)
    assert isinstance(node, Terminal)
    assert tuple(node.payoffs) == payoffs


def payoffs_below(rules, moves):
    """All that player 0 can still win after these moves, whatever both do."""
    node = play(rules, moves)
    if isinstance(node, Terminal):
        return {node.payoffs[0]}
    return set().union(*(payoffs_below(rules, f"{moves} {a}") for a in node.actions))


def test_example_1_of_the_thesis():
    """Alice wins three points after two calls (3.1.1); the formal payoff there lacks the ante."""
    rules = Toepen(suits=4, ranks=8, hand=4)
    moves = (
        "J♠ K♥ 10♦ 8♦ | A♥ 7♦ 9♣ K♣ : check J♠ check K♣ check K♥ bet call A♥ 9♣ check 8♦ 7♦ "
        "bet call 10♦"
    )
    assert play(rules, moves) == Terminal((3.0, -3.0))


def test_example_3_of_the_thesis():
    """Who cannot win the trick keeps the high card, if nobody bets (Example 3.1.3)."""
    rules = Toepen(suits=4, betting=False)
    better = 0
    for last in set(rules.deck) - {"10♣", "8♣", "8♥"}:
        deal = f"8♥ {last} | 10♣ 8♣ : 8♥"
        if last[-1] == "♥":
            continue  # she could lead it instead; the trick is the same
        (keeps_low,) = payoffs_below(rules, f"{deal} 10♣")
        (keeps_high,) = payoffs_below(rules, f"{deal} 8♣")
        assert keeps_high <= keeps_low
        better += keeps_high < keeps_low
    assert better == 1, "the 9♣"
    # With betting the 10♣ may be thrown away to look strong: a bluff that works wins the hand.
    rules = Toepen(suits=4)
    lost = "8♥ 9♦ | 10♣ 8♣ : check 8♥ check 10♣ check 9♦"
    assert play(rules, f"{lost} check 8♣") == Terminal((1.0, -1.0))
    assert play(rules, f"{lost} bet fold") == Terminal((-1.0, 1.0))
    assert play(rules, f"{lost} bet call 8♣") == Terminal((2.0, -2.0))


@pytest.mark.parametrize(
    "rules",
    [
        Toepen(suits=2, ranks=2),
        Toepen(suits=3, ranks=2, suit_isomorphism=True),
        Toepen(suits=3, ranks=2, hand=1, players=3, suit_isomorphism=True),
    ],
    ids=lambda rules: rules.name,
)
def test_drawn_deals_are_as_likely_as_listed_ones(rules):
    random, number = np.random.default_rng(0), 20_000
    drawn = Counter(rules.draw(rules.start(), random) for _ in range(number))
    listed = rules.node(rules.start()).probabilities
    assert set(drawn) == set(listed), "every deal, and no other"
    for deal, probability in listed.items():
        spread = (number * probability * (1 - probability)) ** 0.5
        assert abs(drawn[deal] - number * probability) < 4.5 * spread, deal


def test_drawn_cards_among_those_that_look_alike():
    rules = Toepen(betting=False, suit_isomorphism=True)
    state = rules.next(rules.next(rules.start(), "9♠ 9♥ | 10♠ 8♥"), "9♠")
    random = np.random.default_rng(0)
    drawn = Counter(rules.draw(state, random) for _ in range(1000))
    assert set(drawn) == set(rules.node(state).probabilities)
    assert abs(drawn["9♠"] - 500) < 80


# ---- two players and more, and what a naive replay of every hand finds ------------------------

# suits, ranks, hand, betting, players, limits; at any point as the game is told, elsewhere as the
# thesis studies it
AGAIN = [
    (2, 2, 2, True, 2, None),
    (2, 3, 2, "leader", 2, None),
    (2, 2, 2, True, 2, (1, 3)),
    (3, 2, 2, False, 3, None),
    (3, 2, 2, "leader", 3, None),
    (2, 2, 1, True, 3, None),
    (2, 2, 1, True, 3, (2, 1, 3)),
    (2, 2, 1, True, 4, None),
    (2, 2, 1, "anytime", 2, None),
    (2, 2, 2, "anytime", 2, (2, 2)),
    (2, 2, 2, "anytime", 2, (3, 1)),
    (2, 2, 1, "anytime", 3, (3, 3, 3)),
]
LARGER = [
    (3, 2, 2, True, 3, None),
    (2, 3, 2, "anytime", 2, (3, 3)),
    (3, 2, 2, "anytime", 3, (2, 2, 2)),
    (2, 2, 1, "anytime", 4, (2, 2, 1, 3)),
    (1, 5, 1, "anytime", 5, (2, 1, 1, 2, 1)),
]


@pytest.mark.parametrize(
    "options", [*AGAIN, *(pytest.param(one, marks=pytest.mark.slow) for one in LARGER)], ids=str
)
def test_the_naive_replay_agrees(options):
    suits, ranks, hand, betting, players, limits = options
    histories, infosets, values = Naive(*options).measure()
    for isomorphism in (False, True):
        rules = Toepen(suits, ranks, hand, betting, True, isomorphism, players, limits)
        tree = wb.compile_game(rules)
        assert tree.num_players == players
        assert tree.zero_sum
        assert tree.perfect_recall
        uniform = wb.expected_values(wb.Strategy.uniform(tree))
        assert uniform == pytest.approx(values, abs=1e-11)
        if isomorphism and suits > 1:
            assert tree.num_infosets < infosets
        else:
            assert (tree.num_histories, tree.num_infosets) == (histories, infosets)


def test_where_nobody_bets_it_does_not_matter_when():
    """At the limit nothing can be said: the game without betting, history by history."""
    told, plain = (
        wb.compile_game(Toepen(betting=betting, limits=limits))
        for betting, limits in (("anytime", (1, 1)), (False, None))
    )
    assert told.fingerprint == plain.fingerprint


@pytest.mark.parametrize("options", [(3, 2, 2, "leader"), (2, 2, 1, True)])
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
