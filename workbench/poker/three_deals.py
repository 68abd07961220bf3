"""Three players on real deals: external sampling.

Everyday example: deal three hands and a board, and let one player try everything she could do while
the other two play as they would. After a million deals each has learnt from all three seats.

What a player knows is a *spot*: a node of the betting tree and her bucket in its round. It has
three slots, for fold, call and raise; those of moves that are not allowed stay empty. A game may
be cut into *parts*, each with buckets of its own (part 0 is the base, others are experts'), so

    spans    (parts, rounds, 4) from, to: the nodes of the part, counted from the round's first;
             begin: its first spot; buckets. The last part that has a node owns it
    spot     begin + (node − from) · buckets + bucket

A deal says what each seat sees and who would win: `share[mask, seat]` is the part of the pot that
goes to a seat if the seats of the mask are left at the end. Sums are floats of 32 bits. No kernel
calls itself: a walk keeps its own stack. Measured: 18,000 iterations of the whole game a second
with three buckets a round (a deal and a walk for each player), 40,000 of an expert's.

**The average.** A walk of player i adds w_t · σ at the nodes of the other two, where it comes with
the probability that chance and *both* of them let it. With two players the average is right (see
solvers/external_sampling.py); with three it weighs iteration t by the third one's reach as well.
There is no guarantee for three players anyhow, and no walk is needed for the average alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.poker.betting_tree import Longs
from workbench.poker.holdem_signals import Cards
from workbench.poker.real_deals import Deal, Four, deal_board, deal_hands, look, strength_in
from workbench.random import RandomState, draw
from workbench.solvers.regret import NOTHING
from workbench.tree import FloatArray

Slots = NDArray[np.float32]  # (3 · spots,)
Child = NDArray[np.int32]
Info = NDArray[np.uint8]
FROM, TO, BEGIN, BUCKETS = 0, 1, 2, 3
TRIES = 10_000_000  # deals in a row that do not lead to where an expert plays


@kernel
def part_of(spans: Longs, r: int, place: int) -> int:
    """The part that owns a node."""
    part = len(spans) - 1
    while part > 0 and not spans[part, r, FROM] <= place < spans[part, r, TO]:
        part -= 1
    return part


@kernel
def shares(strengths: Longs, share: FloatArray) -> None:
    """share: (8, 3) of the pot, by who is left and seat."""
    for mask in range(1, 8):
        best, many = -1, 0
        for seat in range(3):
            if mask >> seat & 1:
                if strengths[seat] > best:
                    best, many = strengths[seat], 0
                many += strengths[seat] == best
        for seat in range(3):
            won = mask >> seat & 1 and strengths[seat] == best
            share[mask, seat] = 1.0 / many if won else 0.0


@kernel(forceinline=True)
def won_at(code: int, seat: int, share: FloatArray) -> float:
    """What a seat wins at the end of a hand, in units."""
    first, second, third = code >> 3 & 63, code >> 9 & 63, code >> 15 & 63
    paid = first if seat == 0 else second if seat == 1 else third
    return np.float64(share[code & 7, seat] * (first + second + third) - paid)


@kernel(forceinline=True)
def _match(child: Child, node: int, values: Slots, slot: int, probs: FloatArray) -> None:
    """probs: (3,) regret matching; what is not allowed has no regret, and gets nothing."""
    total, many = 0.0, 0
    for a in range(3):
        probs[a] = max(np.float64(values[slot + a]), 0.0)
        total += probs[a]
        many += child[node, a] != 0
    for a in range(3):
        if total > NOTHING:
            probs[a] /= total
        else:
            probs[a] = 1.0 / many if child[node, a] != 0 else 0.0


@kernel
def walk(
    root: int, i: int, weight: float, child: Child, info: Info, first: Longs, spans: Longs,
    alone: int, held: Slots, seen: Longs, share: FloatArray, regret: Slots, strategy_sum: Slots,
    rng: RandomState, at: Longs, value: FloatArray, probs: FloatArray,
) -> float:  # fmt: skip
    """One walk of player i on one deal: what she wins, in units.

    alone: a player who plays `held` wherever no expert does, or nobody (-1); seen: (3, 2, 4)
    buckets of each seat outside and inside experts' parts; scratch for i's nodes above this one:
    at (D, 3) node, slot and the move that is tried; value, probs (D, 3).
    """
    node, top, worth = root, 0, 0.0
    while True:
        while node >= 0:
            player, r = info[node] & 3, info[node] >> 2
            place = node - first[r]
            part = part_of(spans, r, place)
            spot = spans[part, r, BEGIN] + (place - spans[part, r, FROM]) * spans[part, r, BUCKETS]
            slot = 3 * (spot + seen[player, int(part > 0), r])
            fixed = player == alone and part == 0
            if fixed:
                for a in range(3):
                    probs[top, a] = held[slot + a]
            else:
                _match(child, node, regret, slot, probs[top])
            if player == i and not fixed:
                move = 0 if child[node, 0] != 0 else 1
                at[top, 0], at[top, 1], at[top, 2] = node, slot, move
                top += 1
                node = child[node, move]
            else:
                luck, taken = draw(rng), 0
                for a in range(3):
                    p = probs[top, a]
                    if not fixed:
                        strategy_sum[slot + a] += np.float32(weight * p)
                    if p > 0.0 and luck >= 0.0:
                        taken = a
                        luck -= p
                node = child[node, taken]
        worth = won_at(~node, i, share)
        while top > 0:
            here = top - 1
            node, slot, move = at[here, 0], at[here, 1], at[here, 2]
            value[here, move] = worth
            move += 1
            if move < 3 and child[node, move] != 0:
                at[here, 2] = move
                node = child[node, move]
                break
            top, worth = here, 0.0
            for a in range(3):
                if child[node, a] != 0:
                    worth += probs[here, a] * value[here, a]
            for a in range(3):
                if child[node, a] != 0:
                    regret[slot + a] += np.float32(weight * (value[here, a] - worth))
        else:
            return worth


@kernel
def deal_three(cards: Cards, gate: FloatArray, keeper: Longs, rng: RandomState, deal: Deal) -> int:
    """Deal until the hands are such that their owners play to where the walk begins; how often.

    gate: (moves, 1326) the chance that a hand makes each move on the way; keeper: (moves,) who.
    """
    tries = 0
    while tries < TRIES:
        tries += 1
        deal_hands(rng, deal)
        chance = 1.0
        for k in range(len(keeper)):
            chance *= gate[k, deal.pairs[keeper[k]]]
        if len(keeper) == 0 or draw(rng) < chance:
            deal_board(cards, rng, deal)
            return tries
    return 0


@kernel
def sample(
    done: int, iterations: int, linear: bool, root: int, walkers: Longs, child: Child, info: Info,
    first: Longs, depth: int, spans: Longs, cards: Cards, cuts: Four, fine_cards: Cards,
    fine_cuts: Four, gate: FloatArray, keeper: Longs, alone: int, held: Slots, regret: Slots,
    strategy_sum: Slots, rng: RandomState, deal: Deal,
) -> int:  # fmt: skip
    """So many iterations: one deal and one walk for each of the walkers; how many hands were
    dealt for them, 0 if none leads to the root."""
    seen, strengths = np.zeros((3, 2, 4), np.int64), np.zeros(3, np.int64)
    share = np.zeros((8, 3))
    at, value, probs = np.zeros((depth, 3), np.int64), np.zeros((depth, 3)), np.zeros((depth, 3))
    dealt = 0
    for t in range(done + 1, done + iterations + 1):
        for i in walkers:
            tries = deal_three(cards, gate, keeper, rng, deal)
            if tries == 0:
                return 0
            dealt += tries
            for seat in range(3):
                look(cards, cuts, deal, seat, seen[seat, 0])
                if len(spans) > 1:
                    look(fine_cards, fine_cuts, deal, seat, seen[seat, 1])
                strengths[seat] = strength_in(deal, seat)
            shares(strengths, share)
            walk(
                root, i, float(t) if linear else 1.0, child, info, first, spans, alone, held,
                seen, share, regret, strategy_sum, rng, at, value, probs,
            )  # fmt: skip
    return max(dealt, 1)


@kernel
def normalise(child: Child, first: Longs, spans: Longs, sums: Slots, out: Slots) -> None:
    """The strategy proportional to sums; all allowed moves alike where there are none."""
    for part in range(len(spans)):
        for r in range(spans.shape[1]):
            count = spans[part, r, BUCKETS]
            for place in range(spans[part, r, FROM], spans[part, r, TO]):
                node = first[r] + place
                many = 0
                for a in range(3):
                    many += child[node, a] != 0
                spot = spans[part, r, BEGIN] + (place - spans[part, r, FROM]) * count
                for slot in range(3 * spot, 3 * (spot + count), 3):
                    total = 0.0
                    for a in range(3):
                        total += sums[slot + a] if child[node, a] != 0 else 0.0
                    for a in range(3):
                        if child[node, a] == 0:
                            out[slot + a] = 0.0
                        else:
                            out[slot + a] = sums[slot + a] / total if total > NOTHING else 1 / many
