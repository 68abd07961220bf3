"""The tree around a history, as a picture with words.

>>> from workbench.compiling import compile_game
>>> from workbench.games import load_game
>>> from workbench.strategy import Strategy
>>> kuhn = compile_game(load_game("kuhn"))
>>> drawn = draw_tree(kuhn, 31, Strategy.uniform(kuhn))
>>> drawn.png[:4], drawn.words
(b'\\x89PNG', 'The tree of kuhn. The way Q J p b is outlined; here player 1 moves.')
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.plots.game_tree import plot_game_tree, tree_size
from workbench.plots.tree_layout import neighbourhood
from workbench.strategy import Strategy
from workbench.tree import CHANCE, GameTree
from workbench.widgets.style import figure, png

__all__ = ["Drawn", "draw_tree", "drawable"]

MOST = 70  # histories in one picture


@dataclass(frozen=True)
class Drawn:
    """A picture and what is seen in it."""

    png: bytes
    words: str
    width: float  # inches


def drawable(tree: GameTree, history: int) -> bool:
    """False where there are too many moves next to each other."""
    root, depth = neighbourhood(tree, history, MOST)
    return depth != 1 or int(tree.first_child[root + 1] - tree.first_child[root]) <= 2 * MOST


def draw_tree(tree: GameTree, history: int, strategy: Strategy | None = None) -> Drawn:
    """The tree around a history: the way there outlined, the place itself marked."""
    root, depth = neighbourhood(tree, history, MOST)
    way = path_to(tree, history)
    width, height = tree_size(tree, root=root, depth=depth)
    made = figure(width, height + 0.25)
    made.set_layout_engine("constrained")
    ax = made.add_subplot()
    plot_game_tree(
        tree, ax, strategy=strategy, root=root, depth=depth, highlight=set(way),
        shade={"you are here": {history}}, title="", max_histories=2 * MOST + 1,
    )  # fmt: skip
    part = f"The tree of {tree.name}" + (
        f" after {tree.history_label(root)}, {depth} moves" if root else ""
    )
    return Drawn(
        png(made),
        f"{part}. The way {tree.history_label(history)} is outlined; here {who(tree, history)}.",
        width,
    )


def path_to(tree: GameTree, history: int) -> list[int]:
    """The histories on the way, the root first and the history itself last."""
    way = [history]
    while way[-1] > 0:
        way.append(int(tree.parent[way[-1]]))
    return way[::-1]


def who(tree: GameTree, history: int) -> str:
    """What happens next."""
    player = int(tree.player[history])
    if player >= 0:
        return f"player {player + 1} moves"
    return "chance moves" if player == CHANCE else "the game is over"
