"""Game trees on paper: every history once, every information set joined, nothing illegible."""

from itertools import combinations

import numpy as np
import pytest

import workbench as wb
from tests.lab.plots.artists import kinds, legend, legible, nodes, overlaps, texts
from tests.random_games import land_or_water, tree_of
from tests.test_compiling import told
from workbench.lab.plots.game_tree import plot_game_tree
from workbench.lab.plots.tree_layout import tracks_of

BOLD = {"highlight": {"al", "bl", "cl"}}  # G_{2,1} in Figures 1 and 2 of Gibson and Szafron


def nobody_can_tell(player, seen, actions):
    """Figure 1a: neither player can distinguish between any of chance's outcomes."""
    return seen[1:] if isinstance(seen, tuple) else "chance moved"


def dynamic(player, seen, actions):
    """Figure 1b: as in 1a, but the null abstraction on {al, bl, cl}."""
    left = isinstance(seen, tuple) and seen[1] == "l"
    return seen if left else nobody_can_tell(player, seen, actions)


def merged(tree, rule):
    return {"abstraction": wb.abstract(tree, rule)}


def held(tree, fixed):
    base = wb.Strategy.from_function(tree, lambda player, *_: [[0.4, 0.6], [0.25, 0.75]][player])
    return {"strategy": base, "fixed": fixed}


FIGURES = {  # options, moves, artists
    # b–c of player 1, al–bl and ar–br of player 2; merged are a–b, bl–cl, br–cr
    "1a": (lambda tree: merged(tree, nobody_can_tell), {"l": 3, "r": 3},
           {"chance": 1, "player": 9, "payoff": 12, "infoset": 3, "merged": 3}),
    # merged are a–b and br–cr: behind l nothing is
    "1b": (lambda tree: merged(tree, dynamic) | BOLD, {"l": 3, "r": 3},
           {"player": 9, "infoset": 3, "merged": 2}),
    # the base strategy decides behind r, player 2 behind l
    "2a": (lambda tree: held(tree, {"ar", "br", "cr"}) | BOLD,
           {"x .25": 3, "y .75": 3, "x": 3, "y": 3, "l": 3, "r": 3},
           {"fixed": 3, "player": 6, "infoset": 2}),
    "2b": (lambda tree: held(tree, lambda moves: moves[1:] != ("l",)) | BOLD,
           {"l .40": 3, "x": 3, "y": 3}, {"fixed": 6, "player": 3, "infoset": 1}),
}  # fmt: skip


@pytest.mark.parametrize(("how", "moves", "drawn"), FIGURES.values(), ids=FIGURES)
def test_the_figures_of_the_paper(figure1, how, moves, drawn):
    options = how(figure1)
    ax = plot_game_tree(figure1, **options)
    assert {kind: kinds(ax)[kind] for kind in drawn} == drawn
    assert {move: texts(ax, "move").count(move) for move in moves} == moves
    bold = sum(node.get_markeredgewidth() > 2 for node in nodes(ax, "player"))
    assert bold == len(options.get("highlight", ()))
    legible(ax)


def test_kuhn_is_complete(kuhn):
    drawn = kinds(plot_game_tree(kuhn))
    terminals = kuhn.num_terminals
    assert drawn["payoff"] == terminals == 30
    assert drawn["chance"] + drawn["player"] == kuhn.num_histories - terminals
    assert drawn["infoset"] == 12  # twelve sets of two histories
    assert drawn["move"] == kuhn.num_histories - 1


def test_a_matrix_game_hides_the_first_move():
    drawn = kinds(plot_game_tree(wb.load_game("rock_paper_scissors")))
    assert drawn["infoset"] == 2  # three histories, joined from neighbour to neighbour
    assert drawn["payoff"] == 9


def test_everybody_gets_a_payoff_unless_it_is_zero_sum():
    three = texts(plot_game_tree(wb.load_game("odd_one_out")), "payoff")
    assert {payoffs.count(" ") for payoffs in three} == {2}
    assert "−2" in texts(plot_game_tree(wb.load_game("kuhn")), "payoff")


def test_a_strategy_is_drawn_as_width(kuhn):
    always = wb.Strategy.from_function(kuhn, lambda player, seen, actions: "p")
    ax = plot_game_tree(kuhn, strategy=always)
    edges = next(artist for artist in ax.collections if artist.get_gid() == "edges")
    decided = kuhn.choice[1:] >= 0
    widths = np.asarray(edges.get_linewidths())[decided]
    passes = np.array([kuhn.edge_label(h) == "p" for h in range(1, kuhn.num_histories)])[decided]
    assert widths[passes].min() > 3 > 1 > widths[~passes].max()


DICE = told(  # chance and players move by numbers
    wb.Chance({1: 1 / 3, 2: 1 / 3, 3: 1 / 3}),
    lambda moves: wb.Decision(0, moves, (1, 2)),
    wb.Decision(1, (), (1, 2)),
)


def test_a_number_after_a_number_stands_in_brackets(figure1):
    tree = wb.compile_game(DICE)
    moves = texts(plot_game_tree(tree), "move")
    assert moves[:3] == ["1 (1/3)", "2 (1/3)", "3 (1/3)"]
    assert moves.count("1") == moves.count("2") == 9
    ax = plot_game_tree(tree, strategy=wb.Strategy.uniform(tree))
    assert set(texts(ax, "move")[3:]) == {"1 (.50)", "2 (.50)"}
    assert overlaps(ax) == []
    assert texts(plot_game_tree(figure1), "move")[:3] == ["a 1/3", "b 1/3", "c 1/3"]


def test_merged_actions_show_their_share():
    coarse = wb.abstract(tree_of("rock_paper_scissors"), land_or_water).coarse
    ax = plot_game_tree(coarse)
    land = ["water", "land 1/2", "land 1/2"]
    assert texts(ax, "move") == ["rock", "paper", "scissors", *land * 3]
    assert "share of a merged action" in legend(ax)
    assert overlaps(ax) == []
    ax = plot_game_tree(coarse, strategy=wb.Strategy.uniform(coarse))  # probabilities instead
    assert texts(ax, "move")[3:] == ["water .50", "land .25", "land .25"] * 3


THREE_ANSWERS = told(  # 42 leaves as notebook 01's Peek has, and payoffs as long as its own
    wb.Chance(dict.fromkeys(range(7), 1 / 7)),
    wb.Decision(0, "nothing", (1, 2)),
    lambda moves: wb.Decision(1, moves[1:], (1, 2, 3)),
    lambda moves: wb.Terminal([(-1, 1), (2, -2), (-1.5, 1.5)][moves[-1] - 1]),
)


@pytest.mark.parametrize("game", [wb.load_game("kuhn"), THREE_ANSWERS])
def test_letters_are_legible_on_a_notebook_page(game):
    """A page is some ten inches wide: what is drawn larger is shrunk, letters and all."""
    ax = plot_game_tree(game)
    width = ax.figure.get_figwidth()
    shown = [text for text in ax.texts if text.get_text()]
    assert width <= 12.5
    assert min(text.get_fontsize() for text in shown) * 10 / width > 7
    assert {text.get_rotation() for text in shown} == {0.0}
    legible(ax)


def test_part_of_a_large_tree(ranked):
    ax = plot_game_tree(ranked, root="J Q", depth=2)
    assert ax.get_title().startswith("leduc(suit_isomorphism=True) after J Q: 8 of ")
    assert kinds(ax)["cut"] == len(texts(ax, "cut")) == 4
    assert overlaps(ax) == []


def test_curves_never_run_along_each_other():
    spans = [(float(a), float(b)) for a, b in combinations(range(6), 2)]
    placed = zip(tracks_of(spans), spans, strict=True)
    for (track, (a, b)), (other, (c, d)) in combinations(placed, 2):
        assert track != other or b <= c or d <= a
