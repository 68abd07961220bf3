"""How a person names histories: by their moves.

A history is its number in the tree, its moves as a tuple ("a", "l"), or its moves as one text,
"al" or "a l". A set of histories is a collection of such names, or a function of the tuple of
moves that says yes or no.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Any

from workbench.rules import GameError, label_of
from workbench.tree import GameTree


def children(tree: GameTree, history: int) -> range:
    """The histories one move later."""
    return range(int(tree.first_child[history]), int(tree.first_child[history + 1]))


def path_to(tree: GameTree, history: int) -> list[int]:
    """The histories on the way, the root first and the history itself last."""
    way = [history]
    while way[-1] > 0:
        way.append(int(tree.parent[way[-1]]))
    return way[::-1]


History = int | str | tuple[Any, ...]
Selection = Collection[History] | Callable[[tuple[str, ...]], bool]


def find_history(tree: GameTree, what: History) -> int:
    """The number of a history.

    >>> import workbench as wb
    >>> kuhn = wb.compile_game(wb.load_game("kuhn"))
    >>> find_history(kuhn, "QJpb"), find_history(kuhn, ("Q", "J")), find_history(kuhn, 7)
    (31, 6, 7)
    >>> find_history(kuhn, "QX")
    Traceback (most recent call last):
        ...
    workbench.rules.GameError: 'kuhn' has no history 'QX'; after 'Q' come J, K
    """
    if isinstance(what, int):
        if not 0 <= what < tree.num_histories:
            raise GameError(f"{tree.name!r} has {tree.num_histories:,} histories, no number {what}")
        return what
    if not isinstance(what, (str, tuple)):
        raise GameError(f"a history is a number, a text or a tuple of moves, not {what!r}")
    rest: Any = what if isinstance(what, str) else tuple(map(label_of, what))
    waiting, at = [(0, rest)], 0  # at: the deepest history that can be spelt
    while waiting:
        history, rest = waiting.pop()
        rest, at = rest.lstrip() if isinstance(rest, str) else rest, max(at, history)
        if not rest:
            return history
        for child in reversed(children(tree, history)):
            label = tree.edge_label(child)
            used: Any = label if isinstance(rest, str) else (label,)
            if label and rest[: len(used)] == used:
                waiting.append((child, rest[len(used) :]))
    moves = ", ".join(map(tree.edge_label, children(tree, at))) or "no moves: it is over"
    raise GameError(
        f"{tree.name!r} has no history {what!r}; after {tree.history_label(at)!r} come {moves}"
    )


def select(tree: GameTree, histories: Iterable[int], selection: Selection | None) -> set[int]:
    """Those of the histories that are in a selection."""
    if selection is None:
        return set()
    if callable(selection):
        return {
            h for h in histories if selection(tuple(map(tree.edge_label, path_to(tree, h)[1:])))
        }
    if isinstance(selection, (str, int)):
        raise GameError(f"give a set of histories, {{{selection!r}}}, or a function of the moves")
    return {find_history(tree, what) for what in selection} & set(histories)
