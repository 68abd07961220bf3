"""Merged cards against the published buckets and counts by hand; which sets were merged."""

import numpy as np
import pytest

import workbench as wb
from tests.new_game import Nearest
from tests.test_compiling import END, Told
from workbench.stitching.partition import card_experts


@pytest.mark.parametrize(
    ("groups", "named"), [(("JQ", "K"), "JQ-K"), (("QK",), "J.QK"), ((), "J.Q.K")]
)
def test_groups_are_the_published_buckets(leduc, groups, named):
    ours, theirs = (
        wb.abstract(leduc, wb.abstraction.merge_cards(*groups)),
        wb.abstract(leduc, named),
    )
    assert np.array_equal(ours.choice_map, theirs.choice_map)


@pytest.mark.parametrize(
    ("board", "flop"),
    [("pair", 2 * 2), ("rank", 2 * 3), ("group", 3 + 2)],  # what is told apart on the flop
)
def test_counts_by_hand(leduc, board, flop):
    ab = wb.abstract(leduc, wb.abstraction.merge_cards("JQ", board=board))
    assert ab.coarse.num_infosets == 6 * 2 + 5 * 6 * flop  # 6 decisions a round, 5 ways to the flop


def dealt(deck, board=False, ranks=None, more=()):
    """Two cards of a deck, perhaps a third for all, and bets as in Kuhn; payoffs do not matter."""
    cards, public = deck.split(), 2 + board

    def tell(moves):
        if len(moves) < public:
            left = [card for card in cards if card not in moves]
            return wb.Chance(dict.fromkeys(left, 1 / len(left)))
        bets, me = "".join(moves[public:]), len(moves[public:]) % 2
        if bets not in ("", "p", "b", "pb"):
            return END
        return wb.Decision(me, (moves[me], *moves[2:public], bets, *more), ("p", "b"))

    return type("Dealt", (Told,), {"rank_names": ranks} if ranks else {})(tell)


NAMED = {"ranks": ["9", "10", "J"], "board": True}


@pytest.mark.parametrize(
    ("deck", "options", "groups", "infosets"),
    [
        ("9 10 J", {}, [["9", "10"]], 2 * 4),
        ("9♠ 9♥ 10♠ 10♥ J♠ J♥", {}, [["10", "J"]], 2 * 4),
        ("1 2 12", {}, [["1", "2"]], 2 * 4),  # 12 is another card
        ("1 2 12", {}, ["12"], 2 * 4),
        ("9h 9s 10h 10s", {}, [], 2 * 4),
        ("Jester King 10", {"ranks": ["Jester", "King", "10"]}, [["Jester", "King"]], 2 * 4),
        ("9♠ 9♥ 10♠ 10♥ J♠ J♥", NAMED, [["9", "10"]], 2 * 2 * 4),  # pair or not
    ],
)
def test_ranks_with_longer_names(deck, options, groups, infosets):
    tree = wb.compile_game(dealt(deck, **options))
    rule = wb.abstraction.merge_cards(*groups)
    ab = wb.abstract(tree, rule)
    assert ab.coarse.num_infosets == infosets
    again = wb.abstract(tree, eval(repr(rule), {"wb": wb}))
    assert np.array_equal(ab.choice_map, again.choice_map)
    assert again.name == ab.name
    names = card_experts(tree).names
    assert names == tuple(dict.fromkeys(card.strip("♠♥sh") for card in deck.split()))


def test_what_is_no_card_stays_as_it_is():
    tree = wb.compile_game(dealt("Q K", ranks="QK", more=(0,)))
    assert wb.abstract(tree, wb.abstraction.merge_cards("QK")).coarse.num_infosets == 4


class Shuffled(Nearest):
    """The same game, whose players see (card, card turned up, betting) in another order; in the
    first round, `grows`: only (card, betting)."""

    def __init__(self, order, says=False, grows=False):
        super().__init__()
        object.__setattr__(self, "cards", (lambda seen: seen[order.index("c")]) if says else None)
        object.__setattr__(self, "order", order)
        object.__setattr__(self, "grows", grows)

    def node(self, state):
        node = super().node(state)
        if not isinstance(node, wb.Decision):
            return node
        parts = dict(zip("ctb", node.seen, strict=True))
        order = self.order.replace("t", "") if self.grows and not parts["t"] else self.order
        return wb.Decision(node.player, tuple(parts[k] for k in order), node.actions)


@pytest.mark.parametrize("board", ["pair", "rank"])
@pytest.mark.parametrize(
    "rules", [Shuffled("cbt"), Shuffled("bct"), Shuffled("tbc", says=True),
              Shuffled("cbt", grows=True), Shuffled("bct", says=True, grows=True)],
)  # fmt: skip
def test_cards_are_found_at_every_place(rules, board):
    rule = wb.abstraction.merge_cards("56", "89", board=board)
    usual, other = (wb.abstract(wb.compile_game(one), rule) for one in (Nearest(), rules))
    turned_up = 5 + 4 + 5 if board == "rank" else 3 + 2 + 3  # beside 56, 7 and 89; nothing pairs
    assert usual.coarse.num_infosets == 4 * 3 + 3 * 4 * turned_up  # 4 decisions, 3 ways to go on
    assert np.array_equal(usual.choice_map, other.choice_map)


@pytest.mark.parametrize("name", ["null", "JQ-K"])
def test_merged_sets_are_all_of_them(leduc, name):
    ab = wb.abstract(leduc, name)
    where = ab.infoset_map
    for infoset in range(leduc.num_infosets):  # the slow way
        choice = ab.choice_map[leduc.first_choice[infoset]]
        first = ab.coarse.first_choice
        assert first[where[infoset]] <= choice < first[where[infoset] + 1]
    table = wb.abstraction.merged_table(ab, first=10_000)
    alone = ab.coarse.num_infosets - len(table)
    assert table["sets"].sum() + alone == leduc.num_infosets
    assert table["sets"].is_monotonic_decreasing


def test_sets_that_the_coarse_game_does_not_have(leduc):
    rule = wb.abstraction.restrict_actions(
        lambda player, seen, action: action != "r" or "r" not in seen[2]
    )
    ab = wb.abstract(leduc, rule)
    assert (ab.infoset_map == -1).sum() == ab.uncovered
    assert len(wb.abstraction.merged_table(ab)) == 0
