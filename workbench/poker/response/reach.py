"""With which hands a player comes: what a strategy does with hands on a board, and their reach.

Everyday example: she has raised before the flop and bet on it. She raises with good hands, so now
she has one more often than not: each hand is as likely as her strategy is to bet so with it.

    played        the probability of her moves up to each node of a round
    reaching      the same up to where a round begins: her *reach*
    meeting       a reach summed over the hands that somebody may meet who holds two cards
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.poker.betting.betting import END
from workbench.poker.cards.board_sets import Longs
from workbench.tree import FloatArray


def played(
    strategy: Any, player: int, r: int, starts: Longs, things: Callable[[Any], Longs],
    reach: FloatArray, tremble: float = 0.0,
) -> FloatArray:  # fmt: skip
    """(nodes, n, S) the probability that `player` plays to each node of some starts of a round,
    where she begins with `reach` (n, S). So often as she trembles she makes any move."""
    one = strategy.played.rules.betting.rounds[r]
    x = np.repeat(reach[None], len(one.text), axis=0)
    for d in np.flatnonzero(one.count).tolist():
        below = np.flatnonzero(one.parent == d)
        x[below] = x[d]
        if one.kind[d] == player:
            sigma = strategy.choices(strategy.played.nodes_at(r, starts, d), things)
            x[below] *= (1.0 - tremble) * sigma + tremble / len(below)
    return x


def reaching(
    strategy: Any, player: int, first: int, things: Callable[[int, Any], Longs], n: int,
    tremble: float = 0.0,
) -> FloatArray:  # fmt: skip
    """(n, S) the probability that `player` plays to each start of a round with each of n hands;
    `things(r, buckets)` says which bucket each is in round r."""
    reach, limit = np.ones((n, 1)), strategy.played.rules.betting
    for r, one in enumerate(limit.rounds[:first]):
        starts, of_round = np.arange(limit.starts[r]), cache(partial(things, r))
        x = played(strategy, player, r, starts, of_round, reach, tremble)
        reach = x[one.kind == END].transpose(1, 2, 0).reshape(n, -1)
    return reach


def meeting(cards: NDArray[np.integer[Any]], x: FloatArray) -> FloatArray:
    """(n, S) a reach of hands with these cards (n, 2), summed over those that each may meet."""
    held = np.zeros((52, x.shape[1]))
    for side in (0, 1):
        np.add.at(held, cards[:, side], x)
    return np.asarray(x.sum(axis=0) - held[cards[:, 0]] - held[cards[:, 1]] + x)
