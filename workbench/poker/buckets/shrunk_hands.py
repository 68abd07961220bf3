"""GameShrink on the hands of a card game (see abstraction/gameshrink.py)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from workbench.abstraction.gameshrink import Lossless, shrink, shrink_deals
from workbench.poker.strength.hand_signals import as_buckets, hand_signals


def gameshrink(
    game: Any,
    *,
    outcome: Callable[..., Hashable] | None = None,
    lossless: Lossless = "published",
    threshold: float = 0.0,
) -> Any:
    """The classes of signals in a game: of hands, for the rules of a card game, as `HandBuckets`;
    else given by its deals and an outcome function, as a `Partition`.

    >>> from workbench.games.registry import load_game
    >>> gameshrink(load_game("leduc")).classes, gameshrink(load_game("leduc"), lossless="refined")
    ((3, 7), HandBuckets refined GameShrink of 'leduc')
    """
    if outcome is not None:
        return shrink_deals(game, outcome, lossless, threshold)
    classes = shrink(hand_signals(game), lossless=lossless, threshold=threshold)
    limit = f", penalties up to {threshold:g}" if threshold else ""
    return as_buckets(game, classes, f"{lossless} GameShrink{limit}")
