"""Trees as pictures with words, in HTML: what is around a history, and who plays where.

>>> from workbench.compiling import compile_game
>>> from workbench.games.registry import load_game
>>> from workbench.strategy import Strategy
>>> kuhn = compile_game(load_game("kuhn"))
>>> page = draw_tree(kuhn, 31, Strategy.uniform(kuhn))
>>> page[:4], "The way Q J p b is outlined; here player 1 moves." in page
('<img', True)
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from workbench.lab.plots.game_tree import plot_game_tree, tree_size
from workbench.lab.plots.partition import plot_partition
from workbench.lab.plots.tree_layout import neighbourhood
from workbench.lab.widgets.pictures import figure, painted
from workbench.stitching.partition import GraftingPartition
from workbench.strategy import Strategy
from workbench.tree import CHANCE, GameTree

MOST = 70  # histories in one picture
SMALL = 200  # histories of a game whose whole tree is drawn
WIDTH = 8.9  # inches: as wide as a panel

_ONE_AT_A_TIME = threading.Lock()  # since drawing is work


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
    """The tree around a history: the way there outlined, the place itself marked; `tell` is called
    in between and may raise."""
    with _ONE_AT_A_TIME:
        tell()
        root, depth = neighbourhood(tree, history, MOST)
        width, height = tree_size(tree, root=root, depth=depth)
        foot = 0.75  # for the legend
        made = figure(min(width, WIDTH), height + foot)
        made.subplots_adjust(left=0.01, right=0.99, top=0.99, bottom=foot / (height + foot))
        plot_game_tree(
            tree, made.add_subplot(), strategy=strategy, root=root, depth=depth, title="",
            highlight=set(path_to(tree, history)), shade=_shades(tree, history),
        )  # fmt: skip
        tell()
        after = f" after {tree.history_label(root)}, {depth} moves" if root else ""
        way = f"The way {tree.history_label(history)} is outlined; here {who(tree, history)}."
        return painted(made, f"The tree of {tree.name}{after}. {way}")


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


def draw_partition(
    part: GraftingPartition, title: str, *, by_card: bool = False,
    tell: Callable[[], None] = lambda: None,
) -> str:  # fmt: skip
    """Who plays where. Bets do not tell experts by card apart, so in a large game those are one."""
    small = part.tree.num_histories <= SMALL
    said = ", ".join(f"{name} {size:,}" for name, size in part.sizes().items())
    if by_card and not small:
        part = GraftingPartition(part.tree, (" ".join(part.names),), np.minimum(part.part, 1))
    whole = small and by_card
    width, height = (8.8, 6.2) if whole else (6.0, 3.0) if small else (8.8, 5.4)
    made = figure(width, height)
    made.subplots_adjust(left=0.01, right=0.99, top=1 - 0.32 / height, bottom=0.85 / height)
    plot_partition(part, made.add_subplot(), bets=not whole, title=title)
    tell()
    return painted(made, f"The tree, coloured by who plays where; information sets: {said}.")
