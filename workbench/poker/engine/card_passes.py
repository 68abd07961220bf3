"""Passes over a betting tree with a hand space at every node: down, leaves, up.

All rounds that look alike are walked at once. A *block* holds the starts of one round at which
players tell the same things apart (buckets, or hands on boards): S starts times n things are its
*lanes*, and whatever is known of a node is one row over lanes. So every loop below runs over lanes
without a branch, whatever a lane is; only where a round begins and at a leaf does the hand space
matter. Lanes of buckets stand start after start, because a matrix multiplies rows over buckets;
lanes of hands stand hand after hand, because a board adds up rows over starts.

    reach    (1 + choices, lanes)   of one player: row 0 where the round begins, row 1 + c after her
                                    choice c; what others choose does not change it
    worth    (nodes, lanes)         what a thing wins at a node, times the probability that chance
                                    and the opponent bring it there
    plan     row[c] + lane          what a strategy keeps for a choice: regrets, sums or
                                    probabilities; regret matching makes probabilities of them

A block is walked in *units*, lanes that know everything about one another (some starts of buckets,
some boards of hands). A unit writes only its own lanes, so threads may share a block, and the
result does not depend on how.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.poker.betting.betting import END, FOLD
from workbench.solvers.regret import discounted, match_lanes
from workbench.solvers.smoothing import entropy_choice, euclidean_choice
from workbench.tree import FloatArray

Indices = NDArray[np.int64]

KIND, PARENT, FIRST, COUNT, END_NUMBER, FIXED, MATRIX, REACH = range(8)  # columns of `Block.tree`
ABSENT = 4  # a kind of node: what follows is not part of the game
LEARN, VALUE, BEST, ENTROPY, EUCLIDEAN = range(5)  # what `up` does where the player decides


class Space(NamedTuple):
    """What players tell apart in a round: n things."""

    above: Indices  # (n,) the thing of the round before
    share: FloatArray  # (n,) how often it follows that one
    meets: FloatArray  # (G, n, n) how likely things meet, or (0, 0, 0): hands on boards
    wins: FloatArray  # (G, n, n) the same at a showdown, with the sign of who wins
    first: Indices  # (B + 1,) hands of board b: first[b] .. first[b + 1]
    hand: Indices  # (h,) which thing a hand is
    size: FloatArray  # (h,) how many real hands it stands for
    weight: FloatArray  # (h,) how often it counts in its thing; (0,): each hand is a thing
    order: Indices  # (h,) the hands of each board from weak to strong
    strength: Indices  # (h,)
    chance: float  # of a deal
    cards: Indices = np.zeros((0, 2), np.int64)  # (h, 2) of hands of two cards


class Block(NamedTuple):
    """Some starts of a round."""

    tree: Indices  # (nodes, 9)
    #   KIND        who decides, FOLD, END or ABSENT
    #   PARENT      the node before
    #   FIRST       the first choice
    #   COUNT       how many choices: 2 or 3
    #   END_NUMBER  which end it is
    #   FIXED       1 where nobody learns
    #   MATRIX      which of the matrices holds
    #   REACH + i   which row of reach holds here for player i
    moves: Indices  # (C,) the node that a choice leads to
    row: Indices  # (C,) where its lanes begin in an array over choices
    pay: FloatArray  # (nodes, S) what the loser has paid
    came: Indices  # (S,) where its reach stands, of the first thing before the round
    hop: Indices  # (S,) ... and from one thing to the next
    goes: int  # where the lanes of its ends begin; -1: the last round
    units: Indices  # (U + 1, 2) lanes, and boards of hands, of each unit
    space: Space
    inertia: FloatArray = np.zeros((0, 0))  # (nodes, n) of a walk with smoothed responses


class Lessons(NamedTuple):
    """What a solver keeps, over choices; and its schedule of this iteration."""

    regret: FloatArray
    predicted: FloatArray  # (0,) unless it is predictive
    total: FloatArray
    schedule: FloatArray  # (3,) weights of positive and negative regrets, and of the average


@kernel
def _enter(block: Block, unit: int, before: FloatArray, reach: FloatArray) -> None:
    """Row 0 of a reach: what the round before has left, for each lane of a unit."""
    space, starts = block.space, len(block.came)
    n, low, lanes = len(space.above), block.units[unit, 0], len(reach)
    if len(space.meets):
        lane = 0
        for s in range(low // n, (low + lanes) // n):
            for j in range(n):
                reach[lane] = before[block.came[s] + block.hop[s] * space.above[j]]
                lane += 1
    else:
        lane = 0
        for j in range(low // starts, (low + lanes) // starts):
            above = space.above[j]
            for s in range(starts):
                reach[lane] = before[block.came[s] + block.hop[s] * above]
                lane += 1


@kernel
def leave(block: Block, won: FloatArray, later: FloatArray) -> None:
    """Add what a block wins to what the things that it comes from win."""
    space, starts = block.space, len(block.came)
    apart, hop = (len(space.above), 1) if len(space.meets) else (1, starts)
    for j in range(len(space.above)):
        above, share = space.above[j], space.share[j]
        for s in range(starts):
            later[block.came[s] + block.hop[s] * above] += share * won[s * apart + j * hop]


@kernel
def _forward(
    block: Block, player: int, plan: FloatArray, low: int, lanes: int, reach: FloatArray,
    probs: FloatArray, scratch: FloatArray,
) -> None:  # fmt: skip
    """The reach of one player, from row 0 on; and her probabilities."""
    for d in range(len(block.tree)):
        if block.tree[d, KIND] != player:
            continue
        c, count = block.tree[d, FIRST], block.tree[d, COUNT]
        match_lanes(plan, block.row, c, count, low, lanes, scratch, probs)
        here = reach[block.tree[d, REACH + player]]
        for a in range(c, c + count):
            to, sigma = reach[1 + a], probs[a]
            for s in range(lanes):
                to[s] = here[s] * sigma[s]


@kernel
def down(
    low: int, high: int, block: Block, player: int, plan: FloatArray, before: FloatArray,
    ends: FloatArray, tau: float, old: FloatArray, new: FloatArray,
) -> None:  # fmt: skip
    """The reach of one player where the next round begins; and (1 − τ) old + τ reach after each of
    her choices into `new`, if that is not empty."""
    wide = _widest(block)
    reach, probs = np.empty((1 + len(block.moves), wide)), np.empty((len(block.moves), wide))
    scratch = np.empty(wide)
    each = len(block.came) * len(block.space.above)
    for unit in range(low, high):
        lane, after = block.units[unit, 0], block.units[unit + 1, 0]
        lanes = after - lane
        _enter(block, unit, before, reach[0, :lanes])
        _forward(block, player, plan, lane, lanes, reach, probs, scratch)
        for d in range(len(block.tree)):
            if block.tree[d, KIND] == player and len(new):
                for c in range(block.tree[d, FIRST], block.tree[d, FIRST] + block.tree[d, COUNT]):
                    at = block.row[c] + lane
                    for s in range(lanes):
                        new[at + s] = (1.0 - tau) * old[at + s] + tau * reach[1 + c, s]
            elif block.tree[d, KIND] == END and block.goes >= 0:
                at = block.goes + each * block.tree[d, END_NUMBER] + lane
                last = reach[block.tree[d, REACH + player]]
                for s in range(lanes):
                    ends[at + s] = last[s]


@kernel(inline="always")
def _widest(block: Block) -> int:
    wide = 0
    for unit in range(len(block.units) - 1):
        wide = max(wide, block.units[unit + 1, 0] - block.units[unit, 0])
    return wide


@kernel
def _meet(block: Block, d: int, sign: float, low: int, x: FloatArray, worth: FloatArray) -> None:
    """A leaf of buckets: one product for all starts of a unit."""
    space = block.space
    n, m = len(space.above), block.tree[d, MATRIX]
    starts = len(x) // n
    matrix = space.meets[m] if block.tree[d, KIND] == FOLD else space.wins[m]
    np.dot(x.reshape(starts, n), matrix, worth.reshape(starts, n))
    for s in range(starts):
        pay = sign * block.pay[d, low // n + s]
        for j in range(s * n, s * n + n):
            worth[j] *= pay


@kernel
def ahead_of(
    order: Indices, strength: NDArray[np.integer], cards: NDArray[np.integer], x: Any, rows: Indices
) -> Any:
    """Who beats whom among hands of two cards, weighed by x (hands, S). A hand order[k] is ahead of
    found[rows[k, 0]] + found[rows[k, 1]]: of the weaker hands less the stronger ones that share no
    card with it.

    A row belongs to a card and a strength: half of all hands, less those that hold the card. Going
    up from weak to strong, sums of the hands so far say it in time linear in the hands."""
    lanes, many, half = x.shape[1], len(order), x.dtype.type(0.5)
    held, below = np.zeros((53, lanes), x.dtype), np.zeros((53, lanes), x.dtype)  # 52: all hands
    found, row_of = np.empty((2 * many, lanes), x.dtype), np.full(52, -1)
    _add_up(order, 0, many, cards, x, held)
    start = count = 0
    while start < many:
        end, begun = start, count
        while end < many and strength[order[end]] == strength[order[start]]:
            for side in range(2):
                card = cards[order[end], side]
                if row_of[card] < begun:  # what is weaker ...
                    row_of[card] = count
                    for s in range(lanes):
                        found[count, s] = half * (below[52, s] - held[52, s]) - (
                            below[card, s] - held[card, s]
                        )
                    count += 1
                rows[end, side] = row_of[card]
            end += 1
        _add_up(order, start, end, cards, x, below)
        for card in range(52):
            row = row_of[card]
            if row >= begun:  # ... and what is weaker or level, less all
                for s in range(lanes):
                    found[row, s] += half * below[52, s] - below[card, s]
        start = end
    return found[:count]


@kernel
def _add_up(
    order: Indices, start: int, end: int, cards: NDArray[np.integer], x: Any, sums: Any
) -> None:
    """Add hands start .. end of an order to sums (53, S): by their cards, and all."""
    for k in range(start, end):
        mine, one, two = x[order[k]], sums[cards[order[k], 0]], sums[cards[order[k], 1]]
        every = sums[52]
        for s in range(len(mine)):
            one[s] += mine[s]
            two[s] += mine[s]
            every[s] += mine[s]


@kernel
def _pairs_on_boards(
    block: Block, d: int, sign: float, unit: int, x: FloatArray, worth: FloatArray
) -> None:
    """A leaf of hands of two cards, none of which the opponent may hold."""
    space, starts = block.space, len(block.came)
    low = block.units[unit, 0] // starts
    for b in range(block.units[unit, 1], block.units[unit + 1, 1]):
        first, last = space.first[b], space.first[b + 1]
        mine = x[(first - low) * starts : (last - low) * starts].reshape(last - first, starts)
        to = worth[(first - low) * starts : (last - low) * starts].reshape(last - first, starts)
        order, cards = space.order[first:last] - first, space.cards[first:last]
        rows = np.empty((len(order), 2), np.int64)
        if block.tree[d, KIND] == FOLD:
            sums = np.zeros((53, starts))
            _add_up(order, 0, len(order), cards, mine, sums)
            for h in range(len(to)):
                one, two = cards[h, 0], cards[h, 1]
                for s in range(starts):
                    to[h, s] = sums[52, s] - sums[one, s] - sums[two, s] + mine[h, s]
        else:
            found = ahead_of(order, space.strength[first:last], cards, mine, rows)
            for k in range(len(order)):
                for s in range(starts):
                    to[order[k], s] = found[rows[k, 0], s] + found[rows[k, 1], s]
        for s in range(starts):
            pay = sign * space.chance * block.pay[d, s]
            for h in range(len(to)):
                to[h, s] *= pay


@kernel
def _on_boards(
    block: Block, d: int, sign: float, unit: int, x: FloatArray, worth: FloatArray,
    total: FloatArray, value: FloatArray, pay: FloatArray,
) -> None:  # fmt: skip
    """A leaf of hands: with one private card the opponent may hold any but mine. At a fold the sum
    over all hands without my own; at a showdown the weaker ones minus the stronger ones, and my own
    card ties."""
    space, starts = block.space, len(block.came)
    low = block.units[unit, 0] // starts
    alone = len(space.weight) == 0
    for s in range(starts):
        pay[s] = sign * space.chance * block.pay[d, s]
    if not alone:
        worth[:] = 0.0
    for b in range(block.units[unit, 1], block.units[unit + 1, 1]):
        first, last = space.first[b], space.first[b + 1]
        total[:] = 0.0
        for h in range(first, last):
            size, at = space.size[h], (space.hand[h] - low) * starts
            mine = x[at : at + starts]
            for s in range(starts):
                total[s] += size * mine[s]
        if block.tree[d, KIND] == FOLD:
            for h in range(first, last):
                at = (space.hand[h] - low) * starts
                mine, to = x[at : at + starts], worth[at : at + starts]
                if alone:
                    for s in range(starts):
                        to[s] = pay[s] * (total[s] - mine[s])
                else:
                    weight = space.weight[h]
                    for s in range(starts):
                        to[s] += weight * pay[s] * (total[s] - mine[s])
            continue
        for s in range(starts):
            total[s] = -total[s]  # weaker minus stronger
        k = first
        while k < last:
            after, strength = k, space.strength[space.order[k]]
            value[:] = 0.0
            while after < last and space.strength[space.order[after]] == strength:
                h = space.order[after]
                size, at = space.size[h], (space.hand[h] - low) * starts
                mine = x[at : at + starts]
                for s in range(starts):
                    value[s] += size * mine[s]
                after += 1
            for s in range(starts):
                tied = value[s]
                value[s] = pay[s] * (total[s] + tied)
                total[s] += tied + tied
            for equal in range(k, after):
                h = space.order[equal]
                at = (space.hand[h] - low) * starts
                to = worth[at : at + starts]
                if alone:
                    for s in range(starts):
                        to[s] = value[s]
                else:
                    weight = space.weight[h]
                    for s in range(starts):
                        to[s] += weight * value[s]
            k = after


@kernel
def up(
    low: int, high: int, block: Block, player: int, how: int, mine: FloatArray, theirs: FloatArray,
    before: FloatArray, own: FloatArray, later: FloatArray, won: FloatArray, lessons: Lessons,
    chosen: FloatArray,
) -> None:  # fmt: skip
    """What each lane of the units low .. high wins for a player.

    how      LEARN: plays `mine` and learns; VALUE: plays it; BEST: as well as she can (where she
             follows what is fixed, `mine`), and her choices go into `chosen`, if that is not empty;
             ENTROPY, EUCLIDEAN: the same less a price, of which the schedule of `lessons` has μ and
             its regret the centre; empty: uniform play
    theirs   what the opponent plays, who arrives with `before`; the player arrives with `own`
    later    what the ends are worth, `won` takes it for the starts
    """
    choices, nodes, wide = len(block.moves), len(block.tree), _widest(block)
    starts, each = len(block.came), len(block.came) * len(block.space.above)
    x, y = np.empty((1 + choices, wide)), np.empty((1 + choices, wide))
    probs, worth, scratch = np.empty((choices, wide)), np.empty((nodes, wide)), np.empty(wide)
    total, value, pay = np.empty(starts), np.empty(starts), np.empty(starts)
    for unit in range(low, high):
        lane = block.units[unit, 0]
        lanes = block.units[unit + 1, 0] - lane
        _enter(block, unit, before, x[0, :lanes])
        _forward(block, 1 - player, theirs, lane, lanes, x, probs, scratch)
        if len(mine):
            _enter(block, unit, own, y[0, :lanes])
            _forward(block, player, mine, lane, lanes, y, probs, scratch)
        for d in range(nodes - 1, -1, -1):
            kind, here = block.tree[d, KIND], worth[d, :lanes]
            if kind == ABSENT:
                here[:] = 0.0
            elif kind == END and block.goes >= 0:
                at = block.goes + each * block.tree[d, END_NUMBER] + lane
                for s in range(lanes):
                    here[s] = later[at + s]
            elif kind >= FOLD:
                folds = kind == FOLD and block.tree[block.tree[d, PARENT], KIND] == player
                reach = x[block.tree[d, REACH + 1 - player], :lanes]
                sign = -1.0 if folds else 1.0
                if len(block.space.meets):
                    _meet(block, d, sign, lane, reach, here)
                elif len(block.space.cards):
                    _pairs_on_boards(block, d, sign, unit, reach, here)
                else:
                    _on_boards(block, d, sign, unit, reach, here, total, value, pay)
            else:
                _decide(block, d, player, how, lane, lanes, worth, probs, y, lessons, chosen)
        for s in range(lanes):
            won[lane + s] = worth[0, s]


@kernel
def _decide(
    block: Block, d: int, player: int, how: int, low: int, lanes: int, worth: FloatArray,
    probs: FloatArray, y: FloatArray, lessons: Lessons, chosen: FloatArray,
) -> None:  # fmt: skip
    """The worth of a decision from that of its choices."""
    c, count, here = block.tree[d, FIRST], block.tree[d, COUNT], worth[d]
    first = worth[block.moves[c]]
    if block.tree[d, KIND] != player:  # the choices add up: her reach is in them already
        last, other = worth[block.moves[c + count - 1]], first
        if count == 3 and block.tree[block.moves[c + 1], KIND] >= FOLD:  # the raise, the call, ...
            first, other = worth[block.moves[c + 1]], first
        elif count == 3:
            other = worth[block.moves[c + 1]]
        for s in range(lanes):
            here[s] = last[s] + first[s]
        if count == 3:
            for s in range(lanes):
                here[s] += other[s]
        return
    if how == BEST and not block.tree[d, FIXED]:
        for s in range(lanes):
            here[s] = first[s]
        for a in range(1, count):
            other = worth[block.moves[c + a]]
            for s in range(lanes):
                here[s] = max(here[s], other[s])
        if len(chosen):
            for s in range(lanes):
                taken = False
                for a in range(count):
                    take = not taken and worth[block.moves[c + a], s] == here[s]
                    chosen[block.row[c + a] + low + s] = 1.0 if take else 0.0
                    taken = taken or take
        return
    if how >= ENTROPY and not block.tree[d, FIXED]:
        _smoothed(block, d, how, low, lanes, worth, lessons, chosen)
        return
    one = probs[c]
    for s in range(lanes):
        here[s] = one[s] * first[s]
    for a in range(1, count):
        one, other = probs[c + a], worth[block.moves[c + a]]
        for s in range(lanes):
            here[s] += one[s] * other[s]
    if how != LEARN or block.tree[d, FIXED]:
        return
    positive, negative, share = lessons.schedule[0], lessons.schedule[1], lessons.schedule[2]
    for a in range(c, c + count):
        other, at, reach = worth[block.moves[a]], block.row[a] + low, y[1 + a]
        regret, total = lessons.regret[at : at + lanes], lessons.total[at : at + lanes]
        for s in range(lanes):
            regret[s] = discounted(regret[s] + (other[s] - here[s]), positive, negative)
        for s in range(lanes):
            total[s] += share * reach[s]
        if len(lessons.predicted):
            predicted = lessons.predicted[at : at + lanes]
            for s in range(lanes):
                predicted[s] = regret[s] + (other[s] - here[s])


@kernel
def _smoothed(
    block: Block, d: int, how: int, low: int, lanes: int, worth: FloatArray, lessons: Lessons,
    chosen: FloatArray,
) -> None:  # fmt: skip
    """A decision by `solvers/smoothing.py`, lane after lane."""
    c, count, here = block.tree[d, FIRST], block.tree[d, COUNT], worth[d]
    things, starts, by_start = len(block.space.above), len(block.came), len(block.space.meets) > 0
    g, probs, centre = np.empty(3), np.empty(3), np.full(3, 1.0 / count)
    one, two = worth[block.moves[c]], worth[block.moves[c + 1]]
    three, mu, price, rate = worth[block.moves[c + count - 1]], lessons.schedule[0], 0.0, 0.0
    for s in range(lanes):
        lane = low + s
        if by_start or lane % starts == 0:
            thing = lane % things if by_start else lane // starts
            price = mu * block.inertia[d, thing]
            rate = 1.0 / price
        g[0], g[1], g[2] = one[s], two[s], three[s]
        if how == ENTROPY:
            here[s] = entropy_choice(np.uint64(0), count, price, rate, g, probs)
        else:
            for a in range(count if len(lessons.regret) else 0):
                centre[a] = lessons.regret[block.row[c + a] + lane]
            here[s] = euclidean_choice(0, count, price, centre, g, probs)
        for a in range(count):
            chosen[block.row[c + a] + lane] = probs[a]
