"""Where a thought stops at a card table: what the rest of a hand is worth, if it is cut off.

Everyday example: before the last card you do not work out every bet that may follow. You ask what
your hand will win from each of hers if both go on as usual, and grant her a second thought: she may
also go on timidly, or boldly, whatever her hand likes best.

    worth    (m · L, n, most)   what a hand wins from each hand on its board, at each of L starts of
                                the next round, if the other player goes on in one of m ways
                                (*continuations*) and this one plays the blueprint

She chooses among the ways by regret matching, with each hand where each betting ends, before the
next card comes; so she is one more decision of hers away from the end of this part of the game.

In Hold'em two hands on the turn meet on 44 rivers. What they do there depends on their buckets, so
for a hand, a river and a bucket of hers two numbers say it: what folds win, and what the stronger
hand wins at showdowns. Their sums are kept as whole numbers of 16 bits, because an iteration reads
all of them twice: the error is at most 1/65,534 of what is in the pot from one player.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from workbench.kernels import kernel
from workbench.poker.betting.betting import END, FOLD
from workbench.poker.betting.betting_tree import MOVES
from workbench.poker.cards.threads import spread
from workbench.poker.engine.card_passes import Indices, Space
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.response.reach import played
from workbench.poker.search.endgame import Part
from workbench.search.searcher import BIAS
from workbench.solvers.regret import match_arrays
from workbench.tree import FloatArray

Ways = Sequence[PublicStrategy]


def biased(sigma: PublicStrategy, kind: str) -> PublicStrategy:
    """The same strategy with more weight on one kind of action: "f", "c" or "r"; "": on none."""
    weights = {move: BIAS if move == kind else 1.0 for move in MOVES}
    return sigma.weighted(sigma.probs * sigma.played.by_moves(weights))


def cut_off(whole: Part, depth: int, player: int, sigma: PublicStrategy, ways: Ways) -> Part:
    """The first rounds of a part, for a player who goes on by a strategy."""
    stop = slice(whole.first + depth)
    return replace(
        whole, spaces=whole.spaces[:depth], held=whole.held[stop], hands=whole.hands[:depth],
        lanes=whole.lanes[:depth], leaves=Leaves(whole, depth, player, sigma, ways),
    )  # fmt: skip


class Leaves:
    """What the ends of a part are worth; the other player learns how to go on there."""

    def __init__(
        self, whole: Part, depth: int, player: int, sigma: PublicStrategy, ways: Ways
    ) -> None:
        find = _on_boards if whole.hands else _on_rivers
        worth, self.unit = find(whole, depth, player, sigma, ways)  # unit: (m · L,) of worth
        space, lanes = whole.spaces[depth - 1], whole.lanes[depth - 1]
        self.player, self.size, turned = player, space.size, np.zeros_like(worth)
        for low, high in pairwise(space.first):
            both = worth[:, low:high, : high - low]
            turned[:, low:high, : high - low] = both.swapaxes(1, 2)
        self.worth = worth, turned  # in rows of my hands, and of hers
        boards = np.column_stack([space.first[:-1], np.diff(space.first)])
        self.board = np.repeat(boards, boards[:, 1], axis=0)  # (n, 2) its first hand, how many
        n, starts = len(space.above), lanes.stop - lanes.start
        self.shape = len(worth) // len(ways) // starts, n, starts  # (ends, hands, starts)
        self.regret, self.total = np.zeros((2, len(ways), *self.shape))
        self.schedule: FloatArray | None = None  # of an iteration; None: nobody learns

    def __call__(self, player: int, reach: FloatArray) -> FloatArray:
        """What a player wins at the ends, if the opponent comes there so."""
        x, learns = reach.reshape(self.shape), self.schedule is not None
        plan = match_arrays(np.where, (self.regret if learns else self.total)[None])[0]
        if player == self.player:
            if self.schedule is not None:
                self.total += self.schedule[2] * x * plan
            return np.ascontiguousarray(self._won(x * plan, self.worth[1]).sum(axis=0)).ravel()
        each = self._won(np.broadcast_to(x * self.size[:, None], plan.shape), self.worth[0])
        each = each / -self.size[:, None]
        value: FloatArray = (plan * each).sum(axis=0)
        if self.schedule is not None:
            new = self.regret + (each - value)
            self.regret = new * np.where(new > 0.0, self.schedule[0], self.schedule[1])
        return value.ravel()

    def _won(self, x: FloatArray, worth: Any) -> FloatArray:
        """(ways, ends, n, starts) sums over the opponent's hands, which have rows in `worth`."""
        ends, n, starts = self.shape
        most = float(x.max()) or 1.0
        kind = np.float64 if worth.dtype == np.float64 else np.float32
        given = np.ascontiguousarray((x / most).transpose(0, 3, 1, 2).reshape(-1, n), kind)
        won = np.zeros_like(given)
        spread(_sums, len(won), worth.size, self.board, worth, given, won)
        found = (won * (most * self.unit[:, None])).reshape(-1, starts, ends, n)
        return found.transpose(0, 2, 3, 1)


@kernel
def _sums(low: int, high: int, board: Indices, worth: Any, x: Any, won: Any) -> None:
    """Add up rows of worth, weighed by x, for lanes low .. high."""
    for k in range(low, high):
        for h in range(len(board)):
            first, count, weight = board[h, 0], board[h, 1], x[k, h]
            row, to = worth[k, h], won[k, first : first + count]
            for g in range(count):
                to[g] += weight * x.dtype.type(row[g])


def _on_boards(
    whole: Part, depth: int, player: int, sigma: PublicStrategy, ways: Ways
) -> tuple[FloatArray, FloatArray]:
    """The worth of leaves by passes over the rest, for one hand of hers on each board at a time."""
    hands, then = whole.spaces[depth - 1 : depth + 1]
    begins = then._replace(above=np.arange(len(then.above)), share=np.ones(len(then.above)))
    rest = replace(
        whole, first=whole.first + depth, spaces=[begins, *whole.spaces[depth + 1 :]],
        hands=whole.hands[depth:], lanes=whole.lanes[depth:],
    )  # fmt: skip
    mine = rest.plan_of(sigma)
    found = [_worth_of_pairs(rest, hands, then, player, mine, rest.plan_of(way)) for way in ways]
    return np.concatenate(found, axis=2).transpose(2, 0, 1).copy(), np.ones(1)


def _worth_of_pairs(
    rest: Part, hands: Space, then: Space, player: int, mine: FloatArray, theirs: FloatArray
) -> FloatArray:
    """(n, most, S) what each hand of a player wins from each hand on its board, at each start of
    the rest, times the probability of the deal; the hands of the rest, `then`, come from these."""
    n, on_board = len(hands.above), np.diff(hands.first)
    place = np.concatenate([np.arange(count) for count in on_board])  # on its board
    starts = rest.lanes[0].stop - rest.lanes[0].start
    found = np.zeros((n, int(on_board.max()), starts))
    for at in range(found.shape[1]):
        holds = (place == at).astype(np.float64)[then.above]  # the opponent has this one
        start = np.repeat(holds[:, None], starts, axis=1)
        won = rest.answer(player, theirs, mine, start)
        np.add.at(found[:, at], then.above, then.share[:, None] * won)
    return found


def _on_rivers(
    whole: Part, depth: int, player: int, sigma: PublicStrategy, ways: Ways
) -> tuple[Any, FloatArray]:
    """The worth of the ends of a turn in Hold'em."""
    limit, space, n = whole.game.rules.betting, whole.spaces[depth], len(whole.size)
    one, lanes, rivers = limit.rounds[-1], whole.lanes[depth], len(space.first) - 1
    games = [strategy.played for strategy in (sigma, *ways)]
    games += [game.base.played for game in games if game.base]
    river = np.repeat(np.arange(rivers), np.diff(space.first))
    known = dict.fromkeys(buckets for game in games for buckets in game.known)
    labels = np.column_stack([river, *(whole.things(3, buckets) for buckets in known)])
    _, some, alike = np.unique(labels, axis=0, return_index=True, return_inverse=True)
    of_river = np.searchsorted(river[some], np.arange(rivers + 1))
    leaves = np.concatenate([np.flatnonzero(one.kind == kind) for kind in (FOLD, END)])
    lost = (one.kind[leaves] == FOLD) & (one.kind[one.parent[leaves]] == player)
    pay = limit.pay(3)[leaves][:, lanes]
    things = cache(lambda buckets: whole.things(3, buckets)[some])
    starts, comes = np.arange(lanes.start, lanes.stop), np.ones((len(some), pay.shape[1]))
    mine, *hers = (
        played(strategy, seat, 3, starts, things, comes)[leaves]
        for strategy, seat in ((sigma, player), *((way, 1 - player) for way in ways))
    )
    mine = (np.where(lost, -1.0, 1.0)[:, None] * pay)[:, None] * mine
    p, q = (np.concatenate(x, axis=2).astype(np.float32) for x in ([mine] * len(ways), hers))
    most, unit = np.diff(of_river).max(), np.tile((rivers - 2) * pay.max(axis=0) / 32767, len(ways))
    table = np.zeros((rivers, most + 1, most + 1, 3, len(unit)), np.float32)
    for c, (low, high) in enumerate(pairwise(of_river)):
        level, shown = np.zeros((2, high - low, high - low, len(unit)), np.float32)
        for t, fold in enumerate(one.kind[leaves] == FOLD):
            to = level if fold else shown
            to += p[t, low:high, None] * q[t, low:high]
        both = np.stack([level - shown, level, level + shown], axis=2)
        table[c, : high - low, : high - low] = both
    bucket, strength = np.full((rivers, n), most, np.int32), np.zeros((rivers, n), np.int32)
    bucket[river, space.above] = alike - of_river[river]
    strength[river, space.above] = space.strength
    worth = np.empty((len(unit), n, n), np.int16)
    per_unit, cards = (1 / unit).astype(np.float32), whole.spaces[depth - 1].cards
    spread(_add_rivers, n, worth.size, bucket, strength, table, per_unit, worth)
    worth[:, (cards[:, None, :, None] == cards[:, None]).any(axis=(2, 3))] = 0  # a card twice
    return worth, unit * space.chance


@kernel
def _add_rivers(
    low: int, high: int, bucket: Any, strength: Any, table: Any, per_unit: Any, worth: Any
) -> None:
    """Add up over all rivers what hands low .. high win from each hand.

    bucket   (rivers, n) of each hand of the turn on each river; the last, if its card has come
    table    what buckets win on their river: with the weaker hand, as good a one, the better one;
             nothing with the last
    """
    rivers, n = bucket.shape
    total = np.empty((n, len(worth)), table.dtype)
    for h in range(low, high):
        total[:] = 0
        for c in range(rivers):
            mine, mark = table[c, bucket[c, h]], strength[c, h]
            for g in range(n):
                wins = 1 + int(mark > strength[c, g]) - int(mark < strength[c, g])
                to, more = total[g], mine[bucket[c, g], wins]
                for k in range(len(to)):
                    to[k] += more[k]
        for k in range(len(worth)):
            for g in range(n):
                worth[k, h, g] = round(total[g, k] * per_unit[k])
