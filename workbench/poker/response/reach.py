"""With which hands a player comes: what a strategy does with hands on a board, and their reach.

Everyday example: she has raised before the flop and bet on it. She raises with good hands, so now
she has one more often than not: each hand is as likely as her strategy is to bet so with it.

    buckets_on    which bucket each hand is in on a board
    choices       what a strategy does at a node of the betting; experts know other buckets there
    played        the probability of her moves up to each node of a round
    reaching      the same up to where a round begins: her *reach*
    meeting       a reach summed over the hands that somebody may meet who holds two cards
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.poker.betting.betting import END
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.holdem_buckets import ROUNDS
from workbench.poker.cards.board_sets import CARDS, PAIRS, Longs, find, masks_of
from workbench.poker.strength.holdem_signals import Cuts, bucket_after
from workbench.tree import FloatArray


def buckets_on(buckets: Any, board: Sequence[int], before: Longs | None = None) -> Any:
    """The bucket of each hand on public cards, in the order they came, -1 if they share a card;
    `before` are those of the round before, if they are known."""
    if isinstance(buckets, HandBuckets):
        return buckets.on(board)
    r = ROUNDS[len(board)]
    if buckets.classes[r] == 1:  # needs no table of hands
        return np.where(np.isin(CARDS, board).any(axis=1), -1, 0)
    of = buckets.cards
    if r == 0:
        signal, cut = of.preflop.astype(np.int64)[:, None], buckets.cuts[0]
        return cut.first[0] + (signal >= cut.cuts[0]).sum(axis=1)
    before = buckets_on(buckets, board[:-1] if r > 1 else ()) if before is None else before
    codes, table = ((of.flops, of.flop), (of.turns, of.turn), (of.rivers, of.river))[r - 1]
    out = np.empty(PAIRS, np.int64)
    next_buckets(masks_of(board), codes, table, of.moved, CARDS, buckets.cuts[r], before, out)
    return out


@kernel
def next_buckets(
    masks: Longs, codes: Longs, table: NDArray[np.uint16], moved: NDArray[np.uint16],
    pairs: NDArray[np.int32], cut: Cuts, before: Longs, out: Longs,
) -> None:  # fmt: skip
    """out: (1326,) the bucket of each pair on a board, -1 where they share a card."""
    board, renaming = find(codes, masks)
    for pair in range(len(pairs)):
        one, two = pairs[pair, 0], pairs[pair, 1]
        taken = masks[one & 3] >> (one >> 2) & 1 or masks[two & 3] >> (two >> 2) & 1
        if taken or before[pair] < 0:
            out[pair] = -1
        else:
            out[pair] = bucket_after(cut, before[pair], table[board, moved[renaming, pair]])


def choices(
    strategy: Any, r: int, starts: Longs, node: int, things: Callable[[Any], Longs]
) -> FloatArray:
    """(choices, n, S) what a strategy does at a node of some starts of a round, with n things:
    `things(buckets)` says which of some buckets each of them is in."""
    game = strategy.played
    part, *place = game.place(r, starts, node)
    count, found = game.rules.betting.rounds[r].count[node], None
    for kind in np.unique(part).tolist():
        here = part == kind
        if kind < 0:  # where the game of an expert does not go
            some = choices(game.base, r, starts[here], node, things)
        else:
            first, step, apart = (x[here] for x in place)
            of_bucket = first + step * things(game.known[kind])[:, None]
            some = strategy.probs[of_bucket + apart * np.arange(count)[:, None, None]]
        found = np.empty((*some.shape[:2], len(starts))) if found is None else found
        found[:, :, here] = some
    return np.asarray(found)


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
            sigma = choices(strategy, r, starts, d, things)
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
