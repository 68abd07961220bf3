"""Kuhn and Leduc have the published sizes, and the rules of their docstrings."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.games.kuhn import Kuhn
from workbench.games.leduc import Leduc
from workbench.rules import Chance, Decision, Rules, Terminal


def count(rules: Rules) -> dict[str, Any]:
    """Walk the whole game: how many nodes of each kind, and what uniform play is worth."""
    kinds = {Chance: 0, Decision: 0, Terminal: 0}
    infosets: dict[Any, tuple[Any, ...]] = {}
    values = [0.0] * rules.players
    stack = [(rules.start(), 1.0)]
    while stack:
        state, reach = stack.pop()
        node = rules.node(state)
        kinds[type(node)] += 1
        if isinstance(node, Chance):
            assert sum(node.probabilities.values()) == pytest.approx(1, abs=1e-12)
            moves = list(node.probabilities.items())
        elif isinstance(node, Decision):
            assert infosets.setdefault((node.player, node.seen), node.actions) == node.actions
            moves = [(action, 1 / len(node.actions)) for action in node.actions]
        else:
            assert sum(node.payoffs) == pytest.approx(0, abs=1e-12)
            values = [value + reach * won for value, won in zip(values, node.payoffs, strict=True)]
            moves = []
        stack.extend((rules.next(state, move), reach * p) for move, p in moves)
    return {
        "histories": tuple(kinds[kind] for kind in (Decision, Terminal, Chance)),
        "infosets": len(infosets),
        "uniform": values,
    }


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
    found = count(rules)
    assert found["histories"] == histories
    assert found["infosets"] == infosets
    assert found["uniform"] == pytest.approx(uniform, abs=5e-7)


@pytest.mark.parametrize("cards", [4, 13])
def test_larger_kuhn_has_four_sets_per_card(cards):
    assert count(Kuhn(cards=cards))["infosets"] == 4 * cards


def play(rules: Any, moves: str) -> Any:
    state = rules.start()
    for move in moves.split():
        node = rules.node(state)
        offered = node.probabilities if isinstance(node, Chance) else node.actions
        assert move in offered, f"{move} is not among {list(offered)}"
        state = rules.next(state, move)
    return rules.node(state)


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


@pytest.mark.parametrize(("players", "moves", "payoffs"), SHOWDOWNS)
def test_payoffs_by_hand(players, moves, payoffs):
    node = play(Leduc(players=players), moves)
    assert isinstance(node, Terminal)
    assert tuple(node.payoffs) == payoffs


def test_who_acts_what_they_see_and_what_they_may_do():
    leduc = Leduc(players=3)
    assert play(leduc, "J♠ Q♠ K♠ c r") == Decision(2, ("K♠", "", "cr"), ("f", "c", "r"))
    raised = play(leduc, "J♠ Q♠ K♠ c r r")
    assert raised == Decision(0, ("J♠", "", "crr"), ("f", "c")), "at most two bets a round"
    flop = play(leduc, "J♠ Q♠ K♠ r f c K♥")
    assert flop == Decision(0, ("J♠", "K♥", "rfc/"), ("c", "r")), "no fold without a bet"
    flop = play(leduc, "J♠ Q♠ K♠ c r c f K♥")
    assert flop == Decision(1, ("Q♠", "K♥", "crcf/"), ("c", "r")), "lowest seat still in"


def test_merged_cards_carry_their_multiplicity():
    leduc = Leduc(suit_isomorphism=True)
    assert play(leduc, "Q") == Chance({"J": 2 / 5, "Q": 1 / 5, "K": 2 / 5})
    assert play(leduc, "Q Q c c") == Chance({"J": 1 / 2, "K": 1 / 2})
