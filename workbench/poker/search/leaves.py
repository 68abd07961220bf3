"""Where a thought stops at a card table: what the rest of a hand is worth, if it is cut off.

Everyday example: before the last card you do not work out every bet that may follow. You ask what
your hand will win from each of hers if both go on as usual, and grant her a second thought: she may
also go on timidly, or boldly, whatever her hand likes best.

    worth    (n, most, m · L)   what a hand wins from each hand on its board, at each of L starts of
                                the next round, if the other player goes on in one of m ways
                                (*continuations*) and this one plays the blueprint

She chooses among the ways by regret matching, with each hand where each betting ends, before the
next card comes; so she is one more decision of hers away from the end of this part of the game.

In Hold'em two hands on the turn meet on 44 rivers. What they do there depends on their buckets, so
for a hand, a river and a bucket of hers two numbers say it: what folds win, and what the stronger
hand wins at showdowns. Their sums are kept in single precision.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from workbench.kernels import kernel
from workbench.poker.betting.betting import END, FOLD
from workbench.poker.cards import threads
from workbench.poker.engine.card_passes import Indices
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.search.endgame import Part
from workbench.poker.search.phases import worth_of_pairs
from workbench.search.searcher import BIAS
from workbench.solvers.regret import match_arrays, proportional
from workbench.tree import FloatArray

Ways = list[tuple[PublicStrategy, str]]  # a strategy, and the kind of action it does more often
PIECES, SMALL = 6, 400_000  # pieces of the hands per core; worth that needs no threads


def cut_off(whole: Part, depth: int, player: int, plan: FloatArray, ways: Ways) -> Part:
    """The first rounds of a part, for a player who goes on by `plan`, a plan for all of it."""
    stop = slice(whole.first + depth)
    worth = (_on_boards if whole.hands else _on_rivers)(whole, depth, player, plan, ways)
    leaves = Leaves(whole, depth, player, worth, len(ways))
    return replace(
        whole, spaces=whole.spaces[:depth], held=whole.held[stop], hands=whole.hands[:depth],
        lanes=whole.lanes[:depth], leaves=leaves,
    )  # fmt: skip


class Leaves:
    """What the ends of a part are worth; the other player learns how to go on there."""

    def __init__(self, whole: Part, depth: int, player: int, worth: Any, ways: int) -> None:
        space, lanes = whole.spaces[depth - 1], whole.lanes[depth - 1]
        self.player, self.worth, self.size = player, worth, space.size
        self.scale = 1.0 if whole.hands else whole.spaces[depth].chance
        board = np.repeat(np.arange(len(space.first) - 1), np.diff(space.first))
        self.board = np.column_stack([space.first[board], space.first[board + 1]])
        n, starts = len(space.above), lanes.stop - lanes.start
        self.shape = worth.shape[2] // ways // starts, n, starts  # (ends, hands, starts)
        self.regret, self.total = np.zeros((2, ways, *self.shape))
        self.schedule: FloatArray | None = None  # of an iteration; None: nobody learns

    def __call__(self, player: int, reach: FloatArray) -> FloatArray:
        """What a player wins at the ends, if the opponent comes there so."""
        x, learns = reach.reshape(self.shape), self.schedule is not None
        plan = match_arrays(np.where, (self.regret if learns else self.total)[None])[0]
        if player == self.player:
            if self.schedule is not None:
                self.total += self.schedule[2] * x * plan
            return np.ascontiguousarray(self._won(x * plan, _rows).sum(axis=0)).ravel()
        each = self._won(np.broadcast_to(x * self.size[:, None], plan.shape), _columns)
        each = each / -self.size[:, None]
        value: FloatArray = (plan * each).sum(axis=0)
        if self.schedule is not None:
            new = self.regret + (each - value)
            self.regret = new * np.where(new > 0.0, self.schedule[0], self.schedule[1])
        return value.ravel()

    def _won(self, x: FloatArray, function: Any) -> FloatArray:
        """(ways, ends, n, starts) sums over the opponent's hands."""
        ends, n, starts = self.shape
        most, order = float(x.max()) or 1.0, (2, 0, 3, 1)
        given = np.ascontiguousarray((x / most).transpose(order).reshape(n, -1), self.worth.dtype)
        won = np.zeros_like(given)
        pieces = PIECES * threads.cores() if self.worth.size > SMALL else 1
        for _ in threads.in_pieces(function, n, pieces, self.board, self.worth, given, won):
            pass
        found = won.astype(np.float64).reshape(n, -1, starts, ends).transpose(1, 3, 0, 2)
        return found * (most * self.scale)


@kernel
def _rows(low: int, high: int, board: Indices, worth: Any, x: Any, won: Any) -> None:
    """Add up what hands low .. high win from the opponent's."""
    for h in range(low, high):
        to = won[h]
        for g in range(board[h, 0], board[h, 1]):
            one, theirs = worth[h, g - board[h, 0]], x[g]
            for k in range(len(to)):
                to[k] += one[k] * theirs[k]


@kernel
def _columns(low: int, high: int, board: Indices, worth: Any, x: Any, won: Any) -> None:
    """Add up what the opponent's hands win from hands low .. high of hers."""
    for h in range(len(x)):
        mine = x[h]
        for g in range(max(low, board[h, 0]), min(high, board[h, 1])):
            one, to = worth[h, g - board[h, 0]], won[g]
            for k in range(len(to)):
                to[k] += one[k] * mine[k]


def _more(one: Any, probs: FloatArray, kind: str) -> FloatArray:
    """(C, n, S) what is done in a round, with more weight on one kind of action."""
    found = probs.copy()
    found[
        [c for c, text in zip(one.choice, one.text, strict=True) if text and text[-1] == kind]
    ] *= BIAS
    for d in np.flatnonzero(one.count):
        some = slice(one.first[d], one.first[d] + one.count[d])
        found[some] = proportional(found[some])
    return found


def _on_boards(whole: Part, depth: int, player: int, plan: FloatArray, ways: Ways) -> FloatArray:
    """The worth of leaves by passes over the rest, for one hand of hers on each board at a time."""
    first, then = whole.first + depth, whole.spaces[depth]
    begins = then._replace(above=np.arange(len(then.above)), share=np.ones(len(then.above)))
    rest = replace(
        whole, first=first, spaces=[begins, *whole.spaces[depth + 1 :]],
        hands=whole.hands[depth:], lanes=whole.lanes[depth:],
    )  # fmt: skip
    found, mine = [], plan[-rest.walk.num_choices :]
    for sigma, kind in ways:
        theirs = rest.plan_of(sigma)
        rounds = whole.game.rules.betting.rounds[first:]
        for one, probs in zip(rounds, rest.walk.views(theirs), strict=True):
            probs[:] = _more(one, probs, kind)
        found.append(worth_of_pairs(rest, whole.spaces[depth - 1], then, player, mine, theirs))
    return np.concatenate(found, axis=2)


def _on_rivers(whole: Part, depth: int, player: int, plan: FloatArray, ways: Ways) -> Any:
    """The worth of the ends of a turn in Hold'em, but for the chance of a deal."""
    one, pay = whole.game.rules.betting.rounds[-1], whole.game.rules.betting.pay(3)
    space, n = whole.spaces[depth], len(whole.size)
    games = {sigma.played: sigma for sigma, _ in ways}
    known = [
        b for game in games for b in (*game.known, *(game.base.played.known if game.base else ()))
    ]
    rivers = np.repeat(np.arange(len(space.first) - 1), np.diff(space.first))
    labels = np.column_stack([rivers, *(whole.things(3, buckets) for buckets in known)])
    _, some, alike = np.unique(labels, axis=0, return_index=True, return_inverse=True)
    mine, last = whole.walk.views(plan)[depth][:, some], [*np.flatnonzero(one.kind == FOLD)]
    nodes = [*last, *np.flatnonzero(one.kind == END)]
    sign = np.where((one.kind[nodes] == FOLD) & (one.kind[one.parent[nodes]] == player), -1.0, 1.0)
    price = (sign[:, None] * pay[nodes][:, whole.lanes[depth]])[:, None]
    plans = {
        id(sigma): whole.walk.views(whole.plan_of(sigma))[depth][:, some]
        for sigma in games.values()
    }
    hers = [_reached(one, _more(one, plans[id(s)], kind), 1 - player)[nodes] for s, kind in ways]
    p, q = (
        np.ascontiguousarray(np.concatenate(x, axis=2).transpose(1, 0, 2), np.float32)
        for x in ([price * _reached(one, mine, player)[nodes]] * len(ways), hers)
    )
    place = np.full((len(space.first) - 1, n), -1)
    place[rivers, space.above] = np.arange(len(rivers))
    worth = np.zeros((n, n, p.shape[2]), np.float32)
    of_river = np.searchsorted(rivers[some], np.arange(len(space.first)))
    arguments = space.first, place, space.above, alike, of_river, len(last), p, q
    hands = space.strength, space.cards, worth
    for _ in threads.in_pieces(_add_rivers, n, PIECES * threads.cores(), *arguments, *hands):
        pass
    return worth


def _reached(one: Any, probs: FloatArray, player: int) -> FloatArray:
    """(nodes, n, S) how likely a player makes her moves to each node of a round."""
    x = np.ones((len(one.text), *probs.shape[1:]))
    for d in range(1, len(x)):
        x[d] = x[one.parent[d]]
        if one.kind[one.parent[d]] == player:
            x[d] *= probs[one.choice[d]]
    return x


@kernel
def _add_rivers(
    low: int, high: int, first: Indices, place: Indices, above: Indices, alike: Indices,
    of_river: Indices, folds: int, p: Any, q: Any, strength: Indices, cards: Indices, worth: Any,
) -> None:  # fmt: skip
    """Add up over all rivers what hands low .. high win from each hand.

    place    (rivers, n) which hand of the river each of the turn is, -1: its card has come
    alike    (hands of rivers,) those of a river whose buckets are the same
    p, q     (alike, leaves, m · L) how likely I and she play to each leaf, mine times what it pays;
             `folds` come first
    """
    most, lanes = 0, worth.shape[2]
    for c in range(len(place)):
        most = max(most, of_river[c + 1] - of_river[c])
    table = np.empty((2, most, lanes), worth.dtype)
    for h in range(low, high):
        for c in range(len(place)):
            j, begin = place[c, h], of_river[c]
            if j < 0:
                continue
            for u in range(begin, of_river[c + 1]):
                table[:, u - begin] = 0
                for t in range(q.shape[1]):
                    to, mine, hers = table[int(t >= folds), u - begin], p[alike[j], t], q[u, t]
                    for k in range(lanes):
                        to[k] += mine[k] * hers[k]
            one, two = cards[j, 0], cards[j, 1]
            for i in range(first[c], first[c + 1]):
                if cards[i, 0] in (one, two) or cards[i, 1] in (one, two):
                    continue
                wins = table.dtype.type(strength[j] > strength[i]) - table.dtype.type(
                    strength[j] < strength[i]
                )
                to, fold, shown = (
                    worth[h, above[i]],
                    table[0, alike[i] - begin],
                    table[1, alike[i] - begin],
                )
                for k in range(lanes):
                    to[k] += fold[k] + wins * shown[k]
