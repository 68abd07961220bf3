"""Kuhn and Leduc have the published sizes, and the rules of their docstrings."""

import pytest

from tests.oracles import node_after
from workbench import Strategy, compile_game, expected_values
from workbench.games.kuhn import Kuhn
from workbench.games.leduc import Leduc
from workbench.rules import Chance, Decision, Terminal
from workbench.tree import CHANCE

# Histories are (decision, terminal, chance). OpenSpiel counts the same for Kuhn and for
# two-player Leduc (9,457 histories, 936 information states).
CASES = [
    (Kuhn(), (24, 30, 4), 12, [1 / 8, -1 / 8]),
    (Leduc(), (3780, 5520, 157), 936, [-0.078125, 0.078125]),
    (Leduc(suit_isomorphism=True), (774, 1116, 49), 288, [-0.078125, 0.078125]),
    (
        Leduc(players=3, suit_isomorphism=True),
        (25416, 33714, 757),
        4203,
        [-0.158613, -0.019097, 0.177710],
    ),
    (Leduc(players=3), (168120, 224280, 3757), 13878, [-0.158613, -0.019097, 0.177710]),
]


@pytest.mark.parametrize(
    ("rules", "histories", "infosets", "uniform"),
    [*CASES[:-1], pytest.param(*CASES[-1], marks=pytest.mark.slow)],
    ids=[case[0].name for case in CASES],
)
def test_published_sizes_and_uniform_values(rules, histories, infosets, uniform):
    tree = compile_game(rules)
    kinds = (tree.player >= 0).sum(), tree.num_terminals, (tree.player == CHANCE).sum()
    assert (kinds, tree.num_infosets) == (histories, infosets)
    assert expected_values(Strategy.uniform(tree)) == pytest.approx(uniform, abs=5e-7)
    assert tree.zero_sum


@pytest.mark.parametrize("cards", [4, 13])
def test_larger_kuhn_has_four_sets_per_card(cards):
    assert compile_game(Kuhn(cards=cards)).num_infosets == 4 * cards


# Private cards, then the first round, the board, the second round -> payoffs by hand.
SHOWDOWNS = [
    (2, "J♠ K♠ c r f", (-1, 1)),
    (2, "J♠ K♠ c c J♥ c c", (1, -1)),  # the pair beats the king
    (2, "J♠ K♠ c c Q♥ c c", (-1, 1)),
    (2, "Q♠ Q♥ r r c K♠ r r c", (0, 0)),  # a tie splits the pot
    (2, "K♥ Q♠ r r c J♠ r r c", (13, -13)),  # ante 1 + two bets of 2 + two bets of 4
    (3, "J♠ Q♠ K♠ r f f", (2, -1, -1)),
    (3, "J♠ Q♠ K♠ c r c f J♥ r c", (-1, -7, 8)),  # the jack has folded its pair
    (3, "Q♠ Q♥ J♠ c c c J♥ c c c", (-1, -1, 2)),
    (3, "Q♠ Q♥ J♠ r c c K♥ r c f", (1.5, 1.5, -3)),
]


def after(rules, moves):
    return node_after(rules, *moves.split())


@pytest.mark.parametrize(("players", "moves", "payoffs"), SHOWDOWNS)
def test_payoffs_by_hand(players, moves, payoffs):
    node = after(Leduc(players=players), moves)
    assert isinstance(node, Terminal)
    assert tuple(node.payoffs) == payoffs


def test_who_acts_what_they_see_and_what_they_may_do():
    leduc = Leduc(players=3)
    assert after(leduc, "J♠ Q♠ K♠ c r") == Decision(2, ("K♠", "", "cr"), ("f", "c", "r"))
    raised = after(leduc, "J♠ Q♠ K♠ c r r")
    assert raised == Decision(0, ("J♠", "", "crr"), ("f", "c")), "at most two bets a round"
    flop = after(leduc, "J♠ Q♠ K♠ r f c K♥")
    assert flop == Decision(0, ("J♠", "K♥", "rfc/"), ("c", "r")), "no fold without a bet"
    flop = after(leduc, "J♠ Q♠ K♠ c r c f K♥")
    assert flop == Decision(1, ("Q♠", "K♥", "crcf/"), ("c", "r")), "lowest seat still in"


def test_merged_cards_carry_their_multiplicity():
    leduc = Leduc(suit_isomorphism=True)
    assert after(leduc, "Q") == Chance({"J": 2 / 5, "Q": 1 / 5, "K": 2 / 5})
    assert after(leduc, "Q Q c c") == Chance({"J": 1 / 2, "K": 1 / 2})
