"""No-limit Leduc: its size as counted elsewhere, its bets, and what jam or fold costs."""

import pytest

import workbench as wb
from workbench.abstraction.bets import BetSizes
from workbench.games.no_limit_leduc import NoLimitLeduc, follow
from workbench.games.words import words_for


@pytest.mark.parametrize(
    ("stack", "histories", "infosets", "coarse", "uniform"),
    [
        (4, 3_553, 480, 168, 0.9368),
        (6, 18_625, 2_448, 168, 1.6646),
        (8, 71_833, 9_288, 168, 2.4062),
        pytest.param(10, 231_541, 29_640, 360, 3.1587, marks=pytest.mark.slow),
    ],
)
def test_its_size_and_uniform_play(stack, histories, infosets, coarse, uniform):
    """Counted elsewhere; the fourth number with fold, call, pot and all-in alone."""
    tree = wb.compile_game(wb.load_game("no_limit_leduc", stack=stack))
    assert (tree.num_histories, tree.num_infosets) == (histories, infosets)
    assert tree.perfect_recall
    assert wb.abstract(tree, BetSizes(["pot", "all-in"])).coarse.num_infosets == coarse
    assert wb.exploitability(wb.Strategy.uniform(tree)) == pytest.approx(uniform, abs=5e-5)


@pytest.mark.slow
def test_ten_chips():
    run = wb.solve(wb.load_game("no_limit_leduc", stack=10), "cfr+", iterations=2500)
    assert run.exploitability < 5e-4
    assert wb.expected_values(run.strategy)[0] == pytest.approx(-0.0694, abs=5e-4)


def test_bets():
    assert follow(6, "").actions == ("c", "r2", "r3", "r4", "r5", "r6")
    assert follow(6, "r3").actions == ("f", "c", "r5", "r6")  # at least the last raise
    assert follow(6, "r3r5").actions == ("f", "c", "r6")  # or all-in
    assert follow(6, "r6").actions == ("f", "c")
    assert follow(6, "r3c/").actions == ("c", "r4", "r5", "r6")
    assert follow(6, "r3f").live == (0,)
    assert follow(6, "r6c").player == -1  # nobody can bet any more
    assert follow(6, "r6c/").player == -1


def test_the_gap_grows_with_the_stack():
    """With one chip behind there is no bet but all-in."""
    gaps = wb.jamfold.jam_fold_gaps([2, 3, 4, 5, 6])
    assert gaps["gap"].iloc[0] == pytest.approx(0, abs=1e-9)
    assert gaps["gap"].is_monotonic_increasing
    assert gaps["gap"].iloc[1] < 0.001  # three chips: a thousandth of a chip
    assert gaps["gap"].iloc[4] == pytest.approx(0.0938, abs=1e-3)
    assert (gaps[["gap_first", "gap_second"]] > -1e-9).all().all()


def test_its_words():
    rules = NoLimitLeduc(4)
    words = words_for(rules)
    assert words.move("r4", ("Q", "", ""), ("c", "r2", "r3", "r4")) == "go all-in"
    assert words.move("r3", ("Q", "", "r2"), ("f", "c", "r3", "r4")) == "raise to 3"
    assert words.move("c", ("Q", "", ""), ("c", "r2")) == "check"
