"""What a game pays in."""

from __future__ import annotations

__all__ = ["unit_of"]

UNITS = {"kuhn": "chips per game", "leduc": "chips per game", "toepen": "points per hand"}


def unit_of(game: str) -> str:
    """What a game pays in; nothing for one that is not known here.

    >>> unit_of("toepen(ranks=4) [naive]"), unit_of("coin")
    ('points per hand', '')
    """
    return UNITS.get(game.split("(")[0].split(" ")[0], "")
