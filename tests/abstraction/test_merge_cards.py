"""Merged cards against the published buckets and counts by hand; which sets were merged."""

from __future__ import annotations

import numpy as np
import pytest

import workbench as wb


@pytest.mark.parametrize(
    ("groups", "named"), [(("JQ", "K"), "JQ-K"), (("QK",), "J.QK"), ((), "J.Q.K")]
)
def test_groups_are_the_published_buckets(leduc, groups, named):
    ours, theirs = wb.abstract(leduc, wb.merge_cards(*groups)), wb.abstract(leduc, named)
    assert np.array_equal(ours.choice_map, theirs.choice_map)


@pytest.mark.parametrize(
    ("board", "flop"),
    [("pair", 2 * 2), ("rank", 2 * 3), ("group", 3 + 2)],  # what is told apart on the flop
)
def test_counts_by_hand(leduc, board, flop):
    ab = wb.abstract(leduc, wb.merge_cards("JQ", board=board))  # type: ignore[arg-type]
    assert ab.coarse.num_infosets == 6 * 2 + 5 * 6 * flop  # 6 decisions a round, 5 ways to the flop


def test_kuhn_with_more_cards():
    tree = wb.compile_game(wb.load_game("kuhn", cards=5))
    assert wb.abstract(tree, wb.merge_cards("TJ", "QK")).coarse.num_infosets == 4 * 3


@pytest.mark.parametrize("name", ["null", "JQ-K"])
def test_merged_sets_are_all_of_them(leduc, name):
    ab = wb.abstract(leduc, name)
    where = ab.infoset_map
    for infoset in range(leduc.num_infosets):  # the slow way
        choice = ab.choice_map[leduc.first_choice[infoset]]
        first = ab.coarse.first_choice
        assert first[where[infoset]] <= choice < first[where[infoset] + 1]
    table = wb.merged_table(ab, first=10_000)
    alone = ab.coarse.num_infosets - len(table)
    assert table["sets"].sum() + alone == leduc.num_infosets
    assert table["sets"].is_monotonic_decreasing


def test_sets_that_the_coarse_game_does_not_have(leduc):
    rule = wb.abstraction.restrict_actions(
        lambda player, seen, action: action != "r" or "r" not in seen[2]
    )
    ab = wb.abstract(leduc, rule)
    assert (ab.infoset_map == -1).sum() == ab.uncovered
    assert len(wb.merged_table(ab)) == 0
