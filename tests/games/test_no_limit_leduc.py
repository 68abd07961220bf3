"""No-limit Leduc: its size as counted elsewhere, its bets, and what jam or fold costs."""

from __future__ import annotations

import pytest

import workbench as wb
from workbench.games.no_limit_leduc import NoLimitLeduc, follow
from workbench.games.words import words_for


@pytest.mark.parametrize(
    ("stack", "histories", "infosets"), [(4, 3_553, 480), (6, 18_625, 2_448), (8, 71_833, 9_288)]
)
def test_its_size(stack: int, histories: int, infosets: int) -> None:
    tree = wb.compile_game(wb.load_game("no_limit_leduc", stack=stack))
    assert (tree.num_histories, tree.num_infosets) == (histories, infosets)
    assert tree.perfect_recall


def test_bets() -> None:
    assert follow(6, "").actions == ("c", "r2", "r3", "r4", "r5", "r6")
    assert follow(6, "r3").actions == ("f", "c", "r5", "r6")  # at least the last raise
    assert follow(6, "r3r5").actions == ("f", "c", "r6")  # or all-in
    assert follow(6, "r6").actions == ("f", "c")
    assert follow(6, "r3c/").actions == ("c", "r4", "r5", "r6")
    assert follow(6, "r3f").remaining == (0,)
    assert follow(6, "r6c").player == -1  # nobody can bet any more
    assert follow(6, "r6c/").player == -1


def test_two_chips_are_jam_or_fold() -> None:
    """With one chip behind there is no bet but all-in."""
    gaps = wb.jamfold.jam_fold_gaps([2])
    assert gaps["gap"].tolist() == pytest.approx([0], abs=1e-9)


def test_the_gap_grows_with_the_stack() -> None:
    gaps = wb.jamfold.jam_fold_gaps([2, 3, 4, 5, 6])
    assert gaps["gap"].is_monotonic_increasing
    assert gaps["gap"].iloc[1] < 0.001  # three chips: a thousandth of a chip
    assert gaps["gap"].iloc[4] == pytest.approx(0.0938, abs=1e-3)
    assert (gaps[["gap_first", "gap_second"]] > -1e-9).all().all()


def test_its_words() -> None:
    rules = NoLimitLeduc(4)
    words = words_for(rules)
    assert words.move("r4", ("Q", "", ""), ("c", "r2", "r3", "r4")) == "go all-in"
    assert words.move("r3", ("Q", "", "r2"), ("f", "c", "r3", "r4")) == "raise to 3"
    assert words.move("c", ("Q", "", ""), ("c", "r2")) == "check"
