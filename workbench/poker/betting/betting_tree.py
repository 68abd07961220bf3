"""Limit betting at a table of three, as one flat tree.

Everyday example: the button folds, and two players are left: from there on it is a game for two.
If he raises instead and nobody folds, three players go on. So a round depends on who is still in
and on what was paid before, and no two rounds are alike (betting.py is for two, where all are).

N decision nodes, numbered round by round, each round in the order of a walk that tries fold, call,
raise. So whatever lies below a node is one block in each round.

    child    (N, 3) where fold, call and raise lead: another node; 0 if the move is not allowed (the
             root is nobody's child); below 0 the end of a hand, as ~code
    info     (N,) who acts, and the round: player + 4 · round
    code     who is left, a bit a seat, and what each seat has paid, in `unit`s, six bits a seat

An end needs no table, and nothing is stored twice: 13 bytes a node.

>>> from workbench.poker.games.limit_holdem import LimitHoldem
>>> tree = betting_tree(LimitHoldem(players=3).betting)
>>> tree.sizes
(90, 4412, 205962, 9501342)
>>> tree.blocks("f").tolist()  # the blinds are left: before the flop, on flop, turn and river
[[1, 9], [0, 70], [0, 630], [0, 5670]]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.poker.betting.betting import Limit
from workbench.rules import GameError, shown

FOLD, CALL, RAISE = 0, 1, 2
MOVES = "fcr"
ROUND, LIVE, PAID, BETS, PLAYER, WAITING, DEPTH, PARENT, MOVE = 0, 1, 2, 5, 6, 7, 8, 9, 10
MOST = 63  # units that a seat may pay: six bits

Longs = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class BettingTree:
    """See the first lines of this file."""

    limit: Limit
    child: NDArray[np.int32]  # (N, 3)
    info: NDArray[np.uint8]  # (N,)
    first: Longs  # (rounds + 1,) the nodes of round r are first[r] .. first[r + 1]
    unit: int  # what one unit of a code is worth
    depth: int  # the most decisions of a hand

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many nodes each round has."""
        return tuple(np.diff(self.first).tolist())

    def node(self, betting: str) -> int:
        """Where a betting string leads: a node, or the end of a hand (below 0)."""
        at = 0
        for move in betting.replace("/", ""):
            at = int(self.child[at, MOVES.index(move)]) if at >= 0 and move in MOVES else 0
            if at == 0:
                raise GameError(
                    f"{shown(betting)} is no betting of this table; moves are f, c and r, and a "
                    "slash ends a round: 'rcf', 'fcc/r'"
                )
        return at

    def blocks(self, betting: str = "") -> Longs:
        """(rounds, 2) the nodes of each round from a betting string on: from .. to, counted from
        the first node of the round."""
        root = self.node(betting)
        if root < 0:
            raise GameError(f"after {betting!r} nobody decides anything")
        if root == 0:
            return np.column_stack([np.zeros_like(self.first[1:]), np.diff(self.first)])
        found = np.zeros((len(self.first) - 1, 2), np.int64)
        _blocks(root, self.child, self.info, found)
        return found - self.first[:-1, None] * (found > 0)


@cache
def betting_tree(limit: Limit) -> BettingTree:
    """The tree of a table of two or three; 9.7 million nodes in two seconds."""
    amounts = (*limit.antes, *limit.bets)
    unit = math.gcd(*amounts)
    most = max(limit.antes) + sum(b * m for b, m in zip(limit.bets, limit.most, strict=True))
    if not 2 <= len(limit.antes) <= 3 or most > MOST * unit:
        raise GameError(
            f"a betting tree is for two or three seats that pay at most {MOST} times {unit}, not "
            f"for {len(limit.antes)} that may pay {most}"
        )
    antes = np.array([one // unit for one in (*limit.antes, 0)][:3], np.int64)
    rounds = np.array(
        [
            (bet // unit, most, limit.starts_with(r))
            for r, (bet, most) in enumerate(zip(limit.bets, limit.most, strict=True))
        ],
        np.int64,
    )
    first = np.zeros(len(rounds) + 1, np.int64)
    nothing = np.zeros((0, 3), np.int32), np.zeros(0, np.uint8)
    counts = np.zeros(len(rounds), np.int64)
    _build(len(limit.antes), antes, rounds, first, counts, *nothing)  # count
    first[1:] = np.cumsum(counts)
    child, info = np.zeros((first[-1], 3), np.int32), np.zeros(first[-1], np.uint8)
    depth = _build(len(limit.antes), antes, rounds, first, counts, child, info)
    for array in (child, info, first):
        array.flags.writeable = False
    return BettingTree(limit, child, info, first, unit, int(depth))


@kernel
def _build(
    seats: int, antes: Longs, rounds: Longs, first: Longs, counts: Longs,
    child: NDArray[np.int32], info: NDArray[np.uint8],
) -> int:  # fmt: skip
    """Walk all betting; with no room for nodes, only count them. The longest hand's decisions."""
    counts[:] = 0
    stack = np.zeros((256, 11), np.int64)  # betting that still has to be walked
    now = np.zeros(11, np.int64)
    for seat in range(3):
        stack[0, PAID + seat] = antes[seat]
        if seat < seats and antes[seat] != antes[0]:
            stack[0, BETS] = 1  # a blind is one
    stack[0, LIVE] = (1 << seats) - 1
    stack[0, PLAYER], stack[0, WAITING] = rounds[0, 2], seats
    top, deepest = 1, 0
    while top > 0:
        top -= 1
        for place in range(len(now)):  # a copy of arrays would take four seconds to compile
            now[place] = stack[top, place]
        r, live, player = now[ROUND], now[LIVE], now[PLAYER]
        node = first[r] + counts[r]
        counts[r] += 1
        deepest = max(deepest, now[DEPTH] + 1)
        if len(child):
            info[node] = player + 4 * r
            if node:
                child[now[PARENT], now[MOVE]] = node
        highest = max(now[PAID], now[PAID + 1], now[PAID + 2])
        for move in (RAISE, CALL, FOLD):  # what is put on the stack last is walked first
            if move == RAISE and now[BETS] == rounds[r, 1]:
                continue
            if move == FOLD and now[PAID + player] == highest:
                continue
            then = stack[top]
            for place in range(len(now)):
                then[place] = now[place]
            then[PARENT], then[MOVE] = node, move
            then[DEPTH] += 1
            then[WAITING] -= 1
            if move == FOLD:
                then[LIVE] = live ^ (1 << player)
            else:
                then[PAID + player] = highest
            if move == RAISE:
                then[PAID + player] += rounds[r, 0]
                then[BETS] += 1
                then[WAITING] = -1
                for seat in range(seats):
                    then[WAITING] += live >> seat & 1
            left = then[LIVE]
            alone = left & (left - 1) == 0
            then[PLAYER] = _next_seat(player, left, seats)
            if then[WAITING] == 0 and not alone and r + 1 < len(rounds):
                then[ROUND], then[BETS] = r + 1, 0
                then[PLAYER] = _next_seat(rounds[r + 1, 2] - 1, left, seats)
                for seat in range(seats):
                    then[WAITING] += left >> seat & 1
            if alone or then[WAITING] == 0:
                if len(child):
                    code = left | then[PAID] << 3 | then[PAID + 1] << 9 | then[PAID + 2] << 15
                    child[node, move] = ~code
            else:
                top += 1
    return deepest


@kernel
def _next_seat(player: int, live: int, seats: int) -> int:
    """The next seat, clockwise, that is still in."""
    seat = (player + 1) % seats
    while not live >> seat & 1:
        seat = (seat + 1) % seats
    return seat


@kernel
def _blocks(root: int, child: NDArray[np.int32], info: NDArray[np.uint8], found: Longs) -> None:
    """found: (rounds, 2) the first node below the root in each round, and one beyond the last."""
    stack, top = np.zeros(256, np.int64), 1
    stack[0] = root
    while top > 0:
        top -= 1
        node = stack[top]
        r = info[node] >> 2
        if found[r, 1] == 0:
            found[r, 0] = found[r, 1] = node
        found[r, 0] = min(found[r, 0], node)
        found[r, 1] = max(found[r, 1], node + 1)
        for move in range(3):
            if child[node, move] > 0:
                stack[top] = child[node, move]
                top += 1
