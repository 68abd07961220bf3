"""Passes over public states: on each board a vector over hands, for all starts of a round at once.

A round of betting looks the same wherever it starts, so one line of memory holds one hand at all S
starts, and every inner loop below runs over starts (49 in the last round of Rhode Island) without
a branch. Of hands that differ only in the names of suits one is kept, with its `size`.

    x, y    (rows, hands, S)   reach of the opponent and of the player who looks: row 0 at the
                               start of the round, row 1 + k after the k-th choice of that player
    worth   (nodes, hands, S)  what a hand wins at a node of the round, times the probability that
                               chance and the opponent bring it there
    plan    (buckets · C, S)   what a strategy keeps for bucket b and choice c, in row b · C + c:
                               weights (regrets, sums, probabilities); regret matching makes
                               probabilities of them

Folds and showdowns take time linear in the hands. With one private card, the opponent may hold any
card but mine: at a fold the sum over all hands without my own, at a showdown the weaker ones minus
the stronger ones, and my own card ties. Where hands are buckets of a larger game (bucket_game.py),
nobody knows their cards: a matrix says how likely two of them meet and who wins, and a leaf is its
product with the opponent's reach.

Every function works on boards low .. high and writes only what belongs to them, so threads may
share a round, and the result does not depend on how.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.poker.betting import END, FOLD
from workbench.solvers.regret import NOTHING
from workbench.tree import FloatArray

Indices = NDArray[np.int64]


KIND, PARENT, FIRST, COUNT, END_NUMBER = range(5)  # columns of `Betting.tree`
ROW, SLOT, ADDS = 5, 7, 9  # ... of which each player has one
NODE, OWN = range(2)  # columns of `Betting.moves`
ABOVE, ORDER, STRENGTH = range(3)  # columns of `Hands.table`


class Betting(NamedTuple):
    """One round of betting as kernels read it; see `workbench.poker.betting.Round`.

    Few arrays with many columns, and whole numbers of one type: numba compiles once for each.
    """

    tree: Indices  # (nodes, 11)
    #   KIND        who decides, FOLD or END
    #   PARENT      the node before
    #   FIRST       the first choice
    #   COUNT       how many choices: 2 or 3
    #   END_NUMBER  which end of the round it is
    #   ROW + i     which row of reach holds here for player i
    #   SLOT + i    where the worth of the node is kept while player i looks
    #   ADDS + i    1 if it is added to what is there
    moves: Indices  # (C, 2)
    #   NODE        the node that a choice leads to
    #   OWN         which of its player's choices it is
    pay: FloatArray  # (nodes, S) at a leaf: what the loser has paid, times the chance of a deal


class Hands(NamedTuple):
    """The n hands of one round on all its boards; see `workbench.poker.boards.Boards`."""

    first: Indices  # (B + 1,) hands of board b: first[b] .. first[b + 1]
    size: FloatArray  # (n,) how many real hands it stands for
    table: Indices  # (n, 3)
    #   ABOVE       the hand of the round before
    #   ORDER       the hands of each board from weak to strong
    #   STRENGTH    at a showdown
    first_below: Indices  # (n + 1,) hands of the next round: below[first_below[h]] ...
    below: Indices
    share: FloatArray  # how often each of them follows
    meets: FloatArray  # (n, n) instead of cards: how likely hands meet; else (0, 0)
    wins: FloatArray  # (n, n) the same at a showdown, with the sign of who wins


@kernel(inline="always")
def _most(hands: Hands) -> int:
    """The largest number of hands on a board."""
    most = 0
    for b in range(len(hands.first) - 1):
        most = max(most, hands.first[b + 1] - hands.first[b])
    return most


@kernel
def _match(
    plan: FloatArray, row: int, count: int, before: FloatArray, here: int, hand: int,
    after: FloatArray, to: int, at: int,
) -> None:  # fmt: skip
    """Regret matching for one hand at all starts: after[to …] = before[here] · σ."""
    uniform = 1.0 / count
    if count == 2:
        for s in range(plan.shape[1]):
            one, two = max(plan[row, s], 0.0), max(plan[row + 1, s], 0.0)
            total = one + two
            scale = 1.0 / total if total > NOTHING else 0.0
            extra = 0.0 if total > NOTHING else uniform
            now = before[here, hand, s]
            after[to, at, s] = now * (one * scale + extra)
            after[to + 1, at, s] = now * (two * scale + extra)
    else:
        for s in range(plan.shape[1]):
            one, two = max(plan[row, s], 0.0), max(plan[row + 1, s], 0.0)
            three = max(plan[row + 2, s], 0.0)
            total = one + two + three
            scale = 1.0 / total if total > NOTHING else 0.0
            extra = 0.0 if total > NOTHING else uniform
            now = before[here, hand, s]
            after[to, at, s] = now * (one * scale + extra)
            after[to + 1, at, s] = now * (two * scale + extra)
            after[to + 2, at, s] = now * (three * scale + extra)


@kernel
def _arrive(hands: Hands, board: int, start: FloatArray, reach: FloatArray) -> None:
    """Row 0 of a reach: what the round before has left, for each hand of a board."""
    low = hands.first[board]
    for j in range(hands.first[board + 1] - low):
        above = hands.table[low + j, ABOVE]
        for s in range(start.shape[1]):
            reach[0, j, s] = start[above, s]


@kernel
def _forward(
    betting: Betting, hands: Hands, board: int, player: int, plan: FloatArray, bucket: Indices,
    start: FloatArray, reach: FloatArray,
) -> None:  # fmt: skip
    """The reach of one player on a board, from the start of a round."""
    _arrive(hands, board, start, reach)
    low, choices = hands.first[board], len(betting.moves)
    for d in range(len(betting.tree)):
        if betting.tree[d, KIND] == player:
            c, count, here = (
                betting.tree[d, FIRST],
                betting.tree[d, COUNT],
                betting.tree[d, ROW + player],
            )
            to = 1 + betting.moves[c, OWN]
            for j in range(hands.first[board + 1] - low):
                row = bucket[low + j] * choices + c
                _match(plan, row, count, reach, here, j, reach, to, j)


@kernel
def reach_down(
    low: int, high: int, betting: Betting, hands: Hands, player: int, plan: FloatArray,
    bucket: Indices, start: FloatArray, ends: FloatArray,
) -> None:  # fmt: skip
    """The reach of one player at the ends of a round, (n, S · ends)."""
    lanes = plan.shape[1]
    reach = np.empty((1 + len(betting.moves), _most(hands), lanes))
    each = ends.shape[1] // lanes
    for b in range(low, high):
        _forward(betting, hands, b, player, plan, bucket, start, reach)
        for d in range(len(betting.tree)):
            if betting.tree[d, KIND] == END:
                here, end = betting.tree[d, ROW + player], betting.tree[d, END_NUMBER]
                for j in range(hands.first[b + 1] - hands.first[b]):
                    for s in range(lanes):
                        ends[hands.first[b] + j, s * each + end] = reach[here, j, s]


@kernel(inline="always")
def _put(worth: FloatArray, to: int, j: int, adds: int, values: FloatArray) -> None:
    if adds:
        for s in range(len(values)):
            worth[to, j, s] += values[s]
    else:
        for s in range(len(values)):
            worth[to, j, s] = values[s]


@kernel
def _leaf(
    betting: Betting, hands: Hands, board: int, d: int, player: int, x: FloatArray,
    later: FloatArray, total: FloatArray, below: FloatArray, value: FloatArray, worth: FloatArray,
) -> None:  # fmt: skip
    """What each hand wins at a leaf of the round: a fold, a showdown, or a later round."""
    low, high = hands.first[board], hands.first[board + 1]
    lanes, here = x.shape[2], betting.tree[d, ROW + 1 - player]
    to, adds = betting.tree[d, SLOT + player], betting.tree[d, ADDS + player]
    if betting.tree[d, KIND] == END and len(later):
        each, end = later.shape[1] // lanes, betting.tree[d, END_NUMBER]
        for j in range(high - low):
            for s in range(lanes):
                value[s] = 0.0
            for k in range(hands.first_below[low + j], hands.first_below[low + j + 1]):
                hand, share = hands.below[k], hands.share[k]
                for s in range(lanes):
                    value[s] += share * later[hand, s * each + end]
            _put(worth, to, j, adds, value)
        return
    if len(hands.meets):
        folds = betting.tree[d, KIND] == FOLD
        mine = betting.tree[betting.tree[d, PARENT], KIND] == player
        sign = -1.0 if folds and mine else 1.0
        product = np.dot(hands.meets if folds else hands.wins, x[here])
        for j in range(high - low):
            for s in range(lanes):
                value[s] = sign * betting.pay[d, s] * product[j, s]
            _put(worth, to, j, adds, value)
        return
    for s in range(lanes):
        total[s] = 0.0
    for j in range(high - low):
        size = hands.size[low + j]
        for s in range(lanes):
            total[s] += size * x[here, j, s]
    if betting.tree[d, KIND] == FOLD:
        sign = 1.0 if betting.tree[betting.tree[d, PARENT], KIND] != player else -1.0
        for s in range(lanes):
            below[s] = sign * betting.pay[d, s]
        for j in range(high - low):
            if adds:
                for s in range(lanes):
                    worth[to, j, s] += below[s] * (total[s] - x[here, j, s])
            else:
                for s in range(lanes):
                    worth[to, j, s] = below[s] * (total[s] - x[here, j, s])
        return
    for s in range(lanes):
        below[s] = -total[s]  # weaker minus stronger
    k = low
    while k < high:
        strength, after = hands.table[hands.table[k, ORDER], STRENGTH], k
        for s in range(lanes):
            value[s] = 0.0
        while after < high and hands.table[hands.table[after, ORDER], STRENGTH] == strength:
            hand = hands.table[after, ORDER]
            size, j = hands.size[hand], hand - low
            for s in range(lanes):
                value[s] += size * x[here, j, s]
            after += 1
        for s in range(lanes):
            tied = value[s]
            value[s] = betting.pay[d, s] * (below[s] + tied)
            below[s] += tied + tied
        for at in range(k, after):
            _put(worth, to, hands.table[at, ORDER] - low, adds, value)
        k = after


@kernel
def _add_up(betting: Betting, d: int, player: int, number: int, worth: FloatArray) -> None:
    """Where the opponent decides: the choices add up, her reach is in them already."""
    to = betting.tree[d, SLOT + player]
    for a in range(betting.tree[d, COUNT]):
        child = betting.moves[betting.tree[d, FIRST] + a, NODE]
        other = betting.tree[child, SLOT + player]
        if other != to:
            for j in range(number):
                for s in range(worth.shape[2]):
                    worth[to, j, s] += worth[other, j, s]


@kernel
def learn_up(
    low: int, high: int, betting: Betting, hands: Hands, player: int, bucket: Indices,
    plan: FloatArray, regret: FloatArray, hope: FloatArray, strategy_sum: FloatArray,
    schedule: FloatArray, start_x: FloatArray, start_y: FloatArray, later: FloatArray,
    found: FloatArray, gain: FloatArray, played: FloatArray,
) -> None:  # fmt: skip
    """One player learns on the boards low .. high of a round: regrets and average strategy.

    `plan` is what both play; `hope` (empty unless predictive) takes the next plan. `later` (n', S')
    is the worth of hands in the next round, `found` (n, S) takes it for this one. Where a bucket
    holds several hands, what was learnt waits in `gain` and `played` (else empty) for `share_out`.
    """
    lanes, choices, most = plan.shape[1], len(betting.moves), _most(hands)
    nodes = len(betting.tree)
    positive, negative, share = schedule[0], schedule[1], schedule[2]
    alone, predictive = len(gain) == 0, len(hope) > 0
    zero = low - low  # a plain 0 would be a type of its own, and compiled anew
    total, below, value = np.empty(lanes), np.empty(lanes), np.empty(lanes)
    ones, probs = np.ones((1, 1, lanes)), np.empty((choices, most, lanes))
    x, y = np.empty((1 + choices, most, lanes)), np.empty((1 + choices, most, lanes))
    worth = np.empty((nodes, most, lanes))
    for b in range(low, high):
        first, number = hands.first[b], hands.first[b + 1] - hands.first[b]
        _forward(betting, hands, b, 1 - player, plan, bucket, start_x, x)
        _arrive(hands, b, start_y, y)
        for d in range(nodes):
            if betting.tree[d, KIND] != player:
                continue
            c, count, here = (
                betting.tree[d, FIRST],
                betting.tree[d, COUNT],
                betting.tree[d, ROW + player],
            )
            mine = betting.moves[c, OWN]
            for j in range(number):
                row = bucket[first + j] * choices + c
                _match(plan, row, count, ones, zero, zero, probs, mine, j)
                for a in range(mine, mine + count):
                    for s in range(lanes):
                        y[1 + a, j, s] = y[here, j, s] * probs[a, j, s]
                for a in range(count):
                    if alone:
                        for s in range(lanes):
                            strategy_sum[row + a, s] += share * y[1 + mine + a, j, s]
                    else:
                        for s in range(lanes):
                            played[(first + j) * choices + c + a, s] = y[1 + mine + a, j, s]
        for d in range(nodes - 1, -1, -1):
            if betting.tree[d, KIND] >= FOLD:
                _leaf(betting, hands, b, d, player, x, later, total, below, value, worth)
                continue
            if betting.tree[d, KIND] != player:
                _add_up(betting, d, player, number, worth)
                continue
            c, count, to = (
                betting.tree[d, FIRST],
                betting.tree[d, COUNT],
                betting.tree[d, SLOT + player],
            )
            mine = betting.moves[c, OWN]
            for j in range(number):
                for s in range(lanes):
                    total[s] = 0.0
                for a in range(count):
                    at = betting.tree[betting.moves[c + a, NODE], SLOT + player]
                    for s in range(lanes):
                        total[s] += probs[mine + a, j, s] * worth[at, j, s]
                for a in range(count):
                    at = betting.tree[betting.moves[c + a, NODE], SLOT + player]
                    if alone:
                        row = bucket[first + j] * choices + c + a
                        for s in range(lanes):
                            new = regret[row, s] + (worth[at, j, s] - total[s])
                            regret[row, s] = new * (positive if new > 0.0 else negative)
                        if predictive:
                            for s in range(lanes):
                                hope[row, s] = regret[row, s] + (worth[at, j, s] - total[s])
                    else:
                        row = (first + j) * choices + c + a
                        for s in range(lanes):
                            gain[row, s] = worth[at, j, s] - total[s]
                for s in range(lanes):
                    worth[to, j, s] = total[s]
        to = betting.tree[0, SLOT + player]
        for j in range(number):
            for s in range(lanes):
                found[first + j, s] = worth[to, j, s]


@kernel
def share_out(
    low: int, high: int, betting: Betting, player: int, first_hand: Indices, hand: Indices,
    weight: FloatArray, schedule: FloatArray, regret: FloatArray, hope: FloatArray,
    strategy_sum: FloatArray, gain: FloatArray, played: FloatArray,
) -> None:  # fmt: skip
    """What the hands of the buckets low .. high have learnt, each as often as it is dealt: regrets
    add up, and the average takes the mean of their reach (with perfect recall they are equal)."""
    lanes, choices = regret.shape[1], len(betting.moves)
    positive, negative, share = schedule[0], schedule[1], schedule[2]
    total, reach = np.empty(lanes), np.empty(lanes)
    for b in range(low, high):
        everybody = 0.0
        for k in range(first_hand[b], first_hand[b + 1]):
            everybody += weight[hand[k]]
        for d in range(len(betting.tree)):
            if betting.tree[d, KIND] != player:
                continue
            for c in range(betting.tree[d, FIRST], betting.tree[d, FIRST] + betting.tree[d, COUNT]):
                for s in range(lanes):
                    total[s] = 0.0
                    reach[s] = 0.0
                for k in range(first_hand[b], first_hand[b + 1]):
                    often, row = weight[hand[k]], hand[k] * choices + c
                    for s in range(lanes):
                        total[s] += often * gain[row, s]
                        reach[s] += often * played[row, s]
                row = b * choices + c
                for s in range(lanes):
                    new = regret[row, s] + total[s]
                    regret[row, s] = new * (positive if new > 0.0 else negative)
                    strategy_sum[row, s] += share * (reach[s] / everybody)
                if len(hope):
                    for s in range(lanes):
                        hope[row, s] = regret[row, s] + total[s]


@kernel
def answer_up(
    low: int, high: int, betting: Betting, hands: Hands, player: int, theirs: FloatArray,
    their_bucket: Indices, mine: FloatArray, my_bucket: Indices, start_x: FloatArray,
    later: FloatArray, found: FloatArray, chosen: FloatArray,
) -> None:  # fmt: skip
    """What a player wins with each hand who answers with the plan `mine`, or, if that is empty, as
    well as she can: the best choices then go into `chosen` (n · C, S), if that is not empty."""
    lanes, choices, most = theirs.shape[1], len(betting.moves), _most(hands)
    nodes, best, zero = len(betting.tree), len(mine) == 0, low - low
    total, below, value = np.empty(lanes), np.empty(lanes), np.empty(lanes)
    ones, probs = np.ones((1, 1, lanes)), np.empty((3, 1, lanes))
    x, worth = np.empty((1 + choices, most, lanes)), np.empty((nodes, most, lanes))
    for b in range(low, high):
        first, number = hands.first[b], hands.first[b + 1] - hands.first[b]
        _forward(betting, hands, b, 1 - player, theirs, their_bucket, start_x, x)
        for d in range(nodes - 1, -1, -1):
            if betting.tree[d, KIND] >= FOLD:
                _leaf(betting, hands, b, d, player, x, later, total, below, value, worth)
                continue
            if betting.tree[d, KIND] != player:
                _add_up(betting, d, player, number, worth)
                continue
            c, count, to = (
                betting.tree[d, FIRST],
                betting.tree[d, COUNT],
                betting.tree[d, SLOT + player],
            )
            for j in range(number):
                at = betting.tree[betting.moves[c, NODE], SLOT + player]
                if best:
                    for s in range(lanes):
                        total[s] = worth[at, j, s]
                    for a in range(1, count):
                        at = betting.tree[betting.moves[c + a, NODE], SLOT + player]
                        for s in range(lanes):
                            total[s] = max(total[s], worth[at, j, s])
                else:
                    _match(
                        mine,
                        my_bucket[first + j] * choices + c,
                        count,
                        ones,
                        zero,
                        zero,
                        probs,
                        zero,
                        zero,
                    )
                    for s in range(lanes):
                        total[s] = probs[0, 0, s] * worth[at, j, s]
                    for a in range(1, count):
                        at = betting.tree[betting.moves[c + a, NODE], SLOT + player]
                        for s in range(lanes):
                            total[s] += probs[a, 0, s] * worth[at, j, s]
                if len(chosen):
                    row = (first + j) * choices + c
                    for s in range(lanes):
                        taken = False
                        for a in range(count):
                            at = betting.tree[betting.moves[c + a, NODE], SLOT + player]
                            take = not taken and worth[at, j, s] == total[s]
                            chosen[row + a, s] = 1.0 if take else 0.0
                            taken = taken or take
                for s in range(lanes):
                    worth[to, j, s] = total[s]
        to = betting.tree[0, SLOT + player]
        for j in range(number):
            for s in range(lanes):
                found[first + j, s] = worth[to, j, s]


@kernel
def answer_in_buckets(
    betting: Betting, hands: Hands, player: int, theirs: FloatArray, bucket: Indices,
    weight: FloatArray, buckets: int, start_x: FloatArray, later: FloatArray, found: FloatArray,
) -> None:  # fmt: skip
    """As `answer_up`, by a player who knows only her bucket: one choice for all hands in it."""
    lanes, choices, nodes = theirs.shape[1], len(betting.moves), len(betting.tree)
    n, most = len(hands.size), _most(hands)
    total, below, value = np.empty(lanes), np.empty(lanes), np.empty(lanes)
    x, worth = np.empty((1 + choices, most, lanes)), np.empty((nodes, most, lanes))
    kept = np.empty((nodes, n, lanes))  # 82 MB in the last round of Rhode Island
    sums = np.empty((buckets, 3, lanes))
    for b in range(len(hands.first) - 1):
        first, number = hands.first[b], hands.first[b + 1] - hands.first[b]
        _forward(betting, hands, b, 1 - player, theirs, bucket, start_x, x)
        for d in range(nodes - 1, -1, -1):
            if betting.tree[d, KIND] >= FOLD:
                # each leaf by itself: nothing is known yet of the decisions above it
                for j in range(number):
                    for s in range(lanes):
                        worth[betting.tree[d, SLOT + player], j, s] = 0.0
                _leaf(betting, hands, b, d, player, x, later, total, below, value, worth)
                for j in range(number):
                    for s in range(lanes):
                        kept[d, first + j, s] = worth[betting.tree[d, SLOT + player], j, s]
    for d in range(nodes - 1, -1, -1):
        c, count = betting.tree[d, FIRST], betting.tree[d, COUNT]
        if betting.tree[d, KIND] >= FOLD:
            continue
        kept[d] = 0.0
        if betting.tree[d, KIND] != player:
            for a in range(count):
                kept[d] += kept[betting.moves[c + a, NODE]]
            continue
        sums[:] = 0.0
        for h in range(n):
            for a in range(count):
                for s in range(lanes):
                    sums[bucket[h], a, s] += weight[h] * kept[betting.moves[c + a, NODE], h, s]
        for h in range(n):
            for s in range(lanes):
                best = 0
                for a in range(1, count):
                    if sums[bucket[h], a, s] > sums[bucket[h], best, s]:
                        best = a
                kept[d, h, s] = kept[betting.moves[c + best, NODE], h, s]
    for h in range(n):
        for s in range(lanes):
            found[h, s] = kept[0, h, s]


@kernel
def normalise(
    low: int, high: int, betting: Betting, weights: FloatArray, probs: FloatArray
) -> None:
    """Probabilities proportional to weights, for the buckets low .. high."""
    lanes, choices = weights.shape[1], len(betting.moves)
    ones, found, zero = np.ones((1, 1, lanes)), np.empty((3, 1, lanes)), low - low
    for b in range(low, high):
        for d in range(len(betting.tree)):
            if betting.tree[d, KIND] < FOLD:
                row, count = b * choices + betting.tree[d, FIRST], betting.tree[d, COUNT]
                _match(weights, row, count, ones, zero, zero, found, zero, zero)
                for a in range(count):
                    for s in range(lanes):
                        probs[row + a, s] = found[a, 0, s]
