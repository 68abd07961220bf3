"""Decisions that decide nothing, against a walk through the rules; and the thesis's examples."""

from collections import defaultdict

import numpy as np
import pytest
from workbench.lab.ledger.papers.predetermined import predetermined

import workbench as wb
from tests.oracles import positions
from workbench.rules import Chance, Decision, Terminal


def payoffs_below(rules, state, player):
    node = rules.node(state)
    if isinstance(node, Terminal):
        return frozenset({node.payoffs[player]})
    moves = node.probabilities if isinstance(node, Chance) else node.actions
    return frozenset().union(*(payoffs_below(rules, rules.next(state, m), player) for m in moves))


@pytest.mark.parametrize(
    "rules",
    [
        wb.load_game("kuhn"),
        wb.load_game("figure1"),
        wb.load_game("odd_one_out"),
        wb.load_game("toepen", suits=2, ranks=3, betting=False),
        wb.load_game("toepen", suits=3, ranks=2, betting=False),
    ],
    ids=lambda rules: rules.name,
)
def test_a_walk_through_the_rules_finds_the_same(rules):
    tree, ends = wb.compile_game(rules), defaultdict(list)
    for state, node in positions(rules):
        if isinstance(node, Decision) and len(node.actions) > 1:
            ends[node.player, node.seen].append(payoffs_below(rules, state, node.player))
    found = predetermined(tree)
    for m, (player, seen) in enumerate(zip(tree.infoset_player.tolist(), tree.seen, strict=True)):
        sets = ends[player, seen]
        assert found.dealt[m] == all(len(one) == 1 for one in sets)
        assert found.known[m] == (len(frozenset().union(*sets)) == 1)
    assert not (found.known & ~found.dealt).any()


def test_12_of_the_21_sets_of_the_thesis():
    """Le (2021), section 4.1.4: 12 where the deal decides; she knows it herself in 8 of them."""
    tree = wb.compile_game(wb.load_game("toepen", suits=2, ranks=3, betting=False))
    found = predetermined(wb.abstract(tree, "thesis-suits").coarse)
    assert (len(found), found.dealt.sum(), found.known.sum()) == (21, 12, 8)
    betting = wb.compile_game(wb.load_game("toepen", suits=2, ranks=3))
    assert predetermined(betting).dealt.sum() == 0, "who may bet always has something to decide"


@pytest.mark.parametrize(
    ("leader", "value"),
    [
        ("10♠ 9♠ 8♠ 7♠", 1), ("J♠ Q♠ J♦ Q♦", 1), ("10♠ 10♦ 10♣ A♥", -1), ("10♠ 9♠ A♥ J♥", -1),
        ("A♥ K♥ Q♥ J♥", -1),
    ],
)  # fmt: skip
def test_example_2_with_and_without_a_heart(leader, value):
    """The four highest hearts, second to play, lose exactly if the leader has no heart (3.1.2)."""
    rules = wb.load_game("toepen", suits=4, ranks=8, hand=4, betting=False)
    found = wb.solve(wb.theory.subgame(rules, f"{leader} | 10♥ 9♥ 8♥ 7♥"), "lp").strategy
    assert wb.expected_values(found)[0] == pytest.approx(value, abs=1e-9)


@pytest.mark.slow
def test_example_3_and_the_cards_that_betting_revives():
    """Dominated card choices on 3/3/2, suits without names: 15 of 54, with betting 1 of 192."""
    for betting, dominated, cards in ((False, 15, 54), (True, 1, 192)):
        tree = wb.compile_game(wb.load_game("toepen", betting=betting, suit_isomorphism=True))
        card = np.array([action[-1] in "♠♥♦" for action in tree.actions])
        found = wb.judge.dominated_choices(tree, card)
        assert (found.sum(), card.sum()) == (dominated, cards)
        # 3.1.3: the 8 of another suit is led, and she throws the ten away
        table = "8♥" if not betting else "check 8♥ check"
        at = tree.find_infoset(("10♠ 8♠", table), 1)
        throws = tree.first_choice[at] + tree.actions_at(at).index("10♠")
        assert found[throws] == (not betting)


def test_example_3_of_section_3_3():
    """Hands of one mean rank are one, whether she must follow suit or cannot (Example 3.3.3)."""
    tree = wb.compile_game(wb.load_game("toepen", suits=2, ranks=5, hand=3, betting=False))
    mean = wb.abstract(
        tree, wb.toepen.hand_rule(lambda hand, table: (hand.mean_rank, table.cards), name="mean")
    )
    best = wb.solve(tree, "cfr+", 60, checkpoints=60).strategy
    high, low = ("10♠ 7♠ A♠", "8♠"), ("10♥ 7♥ A♥", "8♠")
    same = {
        int(mean.choice_map[tree.first_choice[tree.find_infoset(seen, 1)]]) for seen in (high, low)
    }
    assert len(same) == 1
    assert best.at(high)["10♠"] > 0.99
    assert best.at(low)["10♥"] < 0.01
