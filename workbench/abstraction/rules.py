"""Two ready-made kinds of abstraction: forget something, or give up some actions.

>>> from workbench.games import load_game
>>> from workbench.compiling import compile_game
>>> from workbench.abstraction import abstract
>>> tree = compile_game(load_game("leduc"))
>>> by_rank = merge_infosets(lambda seen: (seen[0][0], seen[1][:1], seen[2]))
>>> abstract(tree, by_rank)
Abstraction 'merge_infosets' of 'leduc': 936 -> 288 infosets
>>> abstract(tree, restrict_actions(lambda seen, action: action != "r" or "r" not in seen[2]))
Abstraction 'restrict_actions' of 'leduc': 936 -> 264 infosets, 672 uncovered
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

__all__ = ["merge_infosets", "restrict_actions"]


def merge_infosets(remember: Callable[[Any], Hashable]) -> Callable[..., Any]:
    """Players know only `remember(seen)` of what they have seen."""

    def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> Hashable:
        return remember(seen)

    rule.__name__ = "merge_infosets"
    return rule


def restrict_actions(
    allowed: Callable[[Any, Any], bool], remember: Callable[[Any], Hashable] | None = None
) -> Callable[..., Any]:
    """Players use only the actions with `allowed(seen, action)`; they may forget as well."""

    def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Hashable, list[Any]]:
        label = seen if remember is None else remember(seen)
        return label, [action if allowed(seen, action) else None for action in actions]

    rule.__name__ = "restrict_actions"
    return rule
