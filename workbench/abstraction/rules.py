"""Ready-made kinds of abstraction: forget something, give up some actions, here but not there.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> wb.abstract(tree, merge_infosets(lambda player, seen: (seen[0][0], seen[1][:1], seen[2])))
Abstraction 'merge_infosets' of 'leduc': 936 -> 288 infosets
>>> one_raise = restrict_actions(
...     lambda player, seen, action: action != "r" or "r" not in seen[2], name="one raise"
... )
>>> wb.abstract(tree, one_raise)
Abstraction 'one raise' of 'leduc': 936 -> 264 infosets, 672 uncovered

Somebody who is careful only once a bet is on the table:

>>> rules = tree.rules.abstractions
>>> def serious(player, seen):
...     return "serious" if "r" in seen[2] else ""
>>> wb.abstract(tree, piecewise(serious, {"": rules["JQ-K"], "serious": rules["null"]}))
Abstraction 'piecewise' of 'leduc': 936 -> 444 infosets
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from workbench.abstraction.registry import label_and_names
from workbench.games.merge_cards import merge_cards as merge_cards


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


def piecewise(
    place: Callable[[int, Any], Hashable],
    rules: Mapping[Any, Callable[..., Any]],
    *,
    name: str = "piecewise",
) -> Callable[..., Any]:
    """Another rule in every place: the one of `place(player, seen)`.

    What lies in different places is never merged, even if the rules' labels are equal.
    """

    def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> tuple[Hashable, list[Any]]:
        here = place(player, seen)
        label, names = label_and_names(rules[here](player, seen, actions), seen, actions)
        return (here, label), names

    rule.__name__ = name
    return rule
