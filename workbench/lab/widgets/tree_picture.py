"""The tree around a history, as a picture with words, in HTML.

>>> from workbench.compiling import compile_game
>>> from workbench.games.registry import load_game
>>> from workbench.strategy import Strategy
>>> kuhn = compile_game(load_game("kuhn"))
>>> page = draw_tree(kuhn, 31, Strategy.uniform(kuhn))
>>> page[:26], "The way Q J p b is outlined; here player 1 moves." in page
('<img src="data:image/png;b', True)
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

from workbench.lab.plots.game_tree import plot_game_tree, tree_size
from workbench.lab.plots.tree_layout import neighbourhood
from workbench.lab.widgets.style import figure, paint
from workbench.strategy import Strategy
from workbench.tree import CHANCE, GameTree

MOST = 70  # histories in one picture
WIDTH = 8.9  # inches: as wide as a panel
FOOT = 0.75  # inches for the legend

_DRAWING = threading.Lock()


def drawable(tree: GameTree, history: int) -> bool:
    """False where there are too many moves next to each other."""
    root, depth = neighbourhood(tree, history, MOST)
    return depth != 1 or int(tree.first_child[root + 1] - tree.first_child[root]) <= MOST // 2


def draw_tree(
    tree: GameTree,
    history: int,
    strategy: Strategy | None = None,
    tell: Callable[[], None] = lambda: None,
) -> str:
    """The tree around a history: the way there outlined, the place itself marked.

    One at a time, since drawing is work; `tell` is called in between and may raise.
    """
    with _DRAWING:
        tell()
        return _draw(tree, history, strategy, tell)


def _draw(tree: GameTree, history: int, strategy: Strategy | None, tell: Callable[[], None]) -> str:
    root, depth = neighbourhood(tree, history, MOST)
    width, height = tree_size(tree, root=root, depth=depth)
    made = figure(min(width, WIDTH), height + FOOT)
    made.subplots_adjust(left=0.01, right=0.99, top=0.99, bottom=FOOT / (height + FOOT))
    plot_game_tree(
        tree, made.add_subplot(), strategy=strategy, root=root, depth=depth, title="",
        highlight=set(path_to(tree, history)), shade=_shades(tree, history),
    )  # fmt: skip
    tell()
    after = f" after {tree.history_label(root)}, {depth} moves" if root else ""
    place = SimpleNamespace()
    paint(
        place,
        made,
        f"The tree of {tree.name}{after}. The way {tree.history_label(history)} is outlined; "
        f"here {who(tree, history)}.",
    )
    return str(place.value)


def _shades(tree: GameTree, history: int) -> dict[str, set[int]]:
    """What is marked: the place itself, and what looks the same from there."""
    here, infoset = {"you are here": {history}}, tree.infoset[history]
    alike = set(np.flatnonzero(tree.infoset == infoset).tolist()) if infoset >= 0 else set()
    return {"looks the same": alike - {history}, **here} if len(alike) > 1 else here


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
