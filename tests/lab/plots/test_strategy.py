"""A strategy as a map and as a table: every information set once, whatever it is called."""

from dataclasses import replace

import numpy as np
import pytest
from workbench.lab.lectures.strategy_map import plot_strategy_map

import workbench as wb
from tests.lab.plots.artists import kinds, legible, named, outside, overlaps, texts
from tests.lab.reports.reader import Reader
from tests.test_compiling import told
from workbench.lab.plots.strategy_table import strategy_html


def test_kuhn_as_hands_and_moves(kuhn):
    ax = plot_strategy_map(wb.Strategy.uniform(kuhn))
    assert named(ax.get_yticklabels()) == ["J", "Q", "K"]
    heads = ["player 1 at the start", "player 2 after p", "player 2 after b", "player 1 after pb"]
    assert texts(ax, "head") == heads
    assert texts(ax, "probability") == ["0.50"] * kuhn.num_choices
    legible(ax)


def test_the_right_number_is_in_the_right_cell(kuhn):
    sigma = wb.Strategy.from_function(
        kuhn, lambda player, seen, actions: [0.1, 0.9] if seen == ("Q", "pb") else "p"
    )
    ax = plot_strategy_map(sigma, player=0)
    (cell,) = (text for text in ax.texts if text.get_text() == "0.90")
    column = named(ax.get_xticklabels())
    ticks = np.asarray(ax.get_xticks())
    assert column[int(np.argmin(abs(ticks - cell.get_position()[0])))] == "b"
    assert cell.get_position()[0] == max(ticks)  # the last action of the last moves
    assert cell.get_position()[1] == ax.get_yticks()[1]  # the row of Q


def test_other_games_get_one_row_per_information_set(figure1):
    ax = plot_strategy_map(wb.Strategy.uniform(figure1))
    assert len(ax.get_yticks()) == figure1.num_infosets
    assert named(ax.get_xticklabels()) == ["l", "r", "x", "y"]
    assert outside(ax) == []
    rock = wb.compile_game(wb.load_game("rock_paper_scissors"))
    assert outside(plot_strategy_map(wb.Strategy.uniform(rock))) == []


def test_leduc_with_and_without_a_filter(ranked):
    uniform = wb.Strategy.uniform(ranked)
    ax = plot_strategy_map(uniform, where=lambda player, seen: seen[1] == "")
    assert len(texts(ax, "head")) == 6
    assert overlaps(ax) == []
    everything = plot_strategy_map(uniform)  # too narrow for numbers: shades and a scale
    assert kinds(everything)["probability"] == 0
    assert len(everything.figure.axes) == 2
    assert everything.collections[0].get_array().size == ranked.num_choices


def the_hint_fits(uniform, **how):
    with pytest.raises(wb.GameError, match=r"do not fit .* for instance where=") as refused:
        plot_strategy_map(uniform, **how)
    hint = eval(str(refused.value).split("where=")[-1])
    assert plot_strategy_map(uniform, where=hint).collections


@pytest.mark.parametrize("suit_isomorphism", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_map_that_is_too_large_says_what_would_fit(suit_isomorphism):
    game = wb.load_game("leduc", players=3, suit_isomorphism=suit_isomorphism)
    uniform = wb.Strategy.uniform(wb.compile_game(game))
    the_hint_fits(uniform)
    the_hint_fits(uniform, where=lambda player, seen: seen[1] != "")


def test_table_escapes_what_games_say():
    rude = told(wb.Decision(0, "<script>alert(1)</script>", ("a&b", "<i>")), wb.Terminal([1.0]))
    tree = wb.compile_game(replace(rude, players=1, name="<b>rude</b>"))
    page = strategy_html(wb.Strategy.uniform(tree))
    assert not Reader(page).all("script", "i")
    assert "&lt;b&gt;rude" in page
    assert "a&amp;b" in page


def test_the_table_needs_no_matplotlib(run_python):
    code = (
        "import sys, workbench as wb; from workbench.lab.plots import strategy_html;"
        "strategy_html(wb.Strategy.uniform(wb.compile_game(wb.load_game('kuhn'))));"
        "print('matplotlib' in sys.modules, dir(wb.plots))"
    )
    done = run_python("-W", "error", "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("False ['VERDICT_COLOURS', 'WON_AND_LOST', 'colour', 'describe'")
