"""Two ready-made kinds of abstraction: forget something, or give up some actions.

>>> from workbench.games import load_game
>>> from workbench.compiling import compile_game
>>> from workbench.abstraction import abstract
>>> tree = compile_game(load_game("leduc"))
>>> abstract(tree, merge_infosets(lambda player, seen: (seen[0][0], seen[1][:1], seen[2])))
Abstraction 'merge_infosets' of 'leduc': 936 -> 288 infosets
>>> one_raise = restrict_actions(
...     lambda player, seen, action: action != "r" or "r" not in seen[2], name="one raise"
... )
>>> abstract(tree, one_raise)
Abstraction 'one raise' of 'leduc': 936 -> 264 infosets, 672 uncovered
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

__all__ = ["merge_infosets", "restrict_actions"]


def merge_infosets(
    remember: Callable[[int, Any], Hashable], *, name: str = "merge_infosets"
) -> Callable[..., Any]:
    """A player knows only `remember(player, seen)` of what she has seen."""

    def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> Hashable:
        return remember(player, seen)

    rule.__name__ = name
    return rule


def restrict_actions(
    allowed: Callable[[int, Any, Any], bool], *, name: str = "restrict_actions"
) -> Callable[..., Any]:
    """A player uses only the actions with `allowed(player, seen, action)`."""

    def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Hashable, list[Any]]:
        return seen, [action if allowed(player, seen, action) else None for action in actions]

    rule.__name__ = name
    return rule
