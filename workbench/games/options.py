"""A game's options are the fields of its dataclass: their names, their checks, their defaults.

`load_game("leduc", players=3)` makes `Leduc(players=3)`. What was changed from the default is
part of the game's name, so that two different games never look alike in a table:

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Dice:
...     sides: int = 6
...     loaded: bool = False
>>> option_names(Dice)
['sides', 'loaded']
>>> full_name("dice", Dice()), full_name("dice", Dice(sides=8))
('dice', 'dice(sides=8)')
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from workbench.rules import GameError

__all__ = ["full_name", "option_names", "require_bool", "require_whole"]


def option_names(game: Any) -> list[str]:
    """The options of a game's dataclass, in the order in which it declares them."""
    return [field.name for field in fields(game) if field.init]


def full_name(name: str, rules: Any) -> str:
    """`name`, followed by the options of `rules` that differ from their defaults."""
    changed = [
        f"{field.name}={getattr(rules, field.name)!r}"
        for field in fields(rules)
        if field.init and getattr(rules, field.name) != field.default
    ]
    return f"{name}({', '.join(changed)})" if changed else name


def require_whole(game: str, option: str, value: Any, least: int, most: int) -> None:
    """Refuse a value that is not a whole number in least ... most."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise GameError(
            f"{game}: {option} must be a whole number from {least} to {most}, not {value!r}"
        )


def require_bool(game: str, option: str, value: Any) -> None:
    """Refuse a value that is neither True nor False."""
    if not isinstance(value, bool):
        raise GameError(f"{game}: {option} must be True or False, not {value!r}")
