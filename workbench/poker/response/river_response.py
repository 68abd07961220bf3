"""The last round of Hold'em against a known strategy: a product of two matrices on every board.

Everyday example: five cards are on the table, the pot is yours or hers. You know how she plays each
of her 81 bucket sequences, so you know how likely she is to be here with each. What your hand wins
at a showdown is a sum over them: (hands of z that I beat) - (hands of z that beat me), times what
is at stake, times the probability that she plays so. The first factor belongs to the board, the
other ones (a *column*, response_rounds.py) are the same on every board:

    value[hand, leaf, start] = Σ_z W[hand, z] · column[z, leaf, start]

Then the betting is backed up from its leaves: the better of my moves, the sum of hers.

W[hand, z] is R[first card, rank, z] + R[second card, rank, z], where R is half of all hands that
this rank is ahead of, less those that hold the card. So it suffices to multiply the rows R that
occur, and to add up two rows of the product for each hand: a third of the multiplications. All of
it in 32 bits (W is exact in them), in pieces of 64 starts.

**An opponent who does not look at her cards.** She tosses a coin for every move. Whatever was bet,
she may hold any of the 990 hands that are left, so all that counts is how many of them yours beats,
and the table of all hands has that of every hand on every board (holdem_tables.py). So the betting
of the river is backed up once for each such number, and the rivers of a flop are looked up:

    worth[2 · wins + ties, start]     what a hand of this strength wins, the same on all boards

>>> import workbench as wb
>>> from workbench.poker.response.flop_response import FixedOpponent
>>> opponent = FixedOpponent(wb.poker.opponent_named(wb.load_game("limit_holdem"), "uniform"))
>>> [len(starts.kept) for starts in opponent.starts[0]]  # kinds of 7, 63 and 567 ways to begin
[4, 8, 16]
>>> [worth.shape for worth in opponent.worth]
[(1981, 16), (1981, 16)]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.poker.betting.betting import END, FOLD
from workbench.poker.cards.board_sets import Longs, find
from workbench.poker.cards.seven_cards import rank_hands
from workbench.poker.engine.card_passes import COUNT, FIRST, KIND, ahead_of
from workbench.poker.response.response_rounds import Alike, OpponentReach, backed_up
from workbench.poker.strength.holdem_signals import Cards
from workbench.poker.strength.holdem_tables import MOST
from workbench.tree import FloatArray

LANES = 64  # starts that are backed up together, at most
HANDS = 1081  # that a board of five leaves

Singles = NDArray[np.float32]


class RiverReach(NamedTuple):
    """The columns of the river in pieces of L starts, those that are worked out.

    T pieces, Z buckets, E ends, F folds, L at most LANES.
    """

    round: OpponentReach  # without columns of its own
    folds: Singles  # (T, Z, F, L)
    ends: Singles  # (T, Z, E, L)
    kept: Longs  # which of the columns' starts these are
    place: Longs  # and where they stand among all that are worked out


def river_reach(of: OpponentReach, starts: Alike) -> RiverReach:
    """Cut the columns of the river into pieces."""
    kept, place = starts.among(of)
    pieces = -(-len(kept) // LANES)
    lanes = min(LANES, -(-len(kept) // 8) * 8)

    def cut(columns: FloatArray) -> Singles:
        leaves, buckets, _ = columns.shape
        padded = np.zeros((leaves, buckets, pieces * lanes), np.float32)
        padded[:, :, : len(kept)] = columns[:, :, kept]
        shaped = padded.reshape(leaves, buckets, pieces, lanes).transpose(2, 1, 0, 3)
        return np.ascontiguousarray(shaped)

    nothing = np.zeros((0, 0, 0))
    without = of._replace(folds=nothing, ends=nothing)
    return RiverReach(without, cut(of.folds), cut(of.ends), kept, place)


@kernel
def with_card(before: Longs, card: int, masks: Longs) -> None:
    """masks: (4,) a board with one more card; assigned suit by suit, which compiles faster."""
    for suit in range(4):
        masks[suit] = before[suit]
    masks[card & 3] |= 1 << (card >> 2)


class Showdown(NamedTuple):
    """Who beats whom on one board, by buckets of the opponent; n of them occur."""

    order: Longs  # (1081,) pairs from weak to strong
    bucket: Longs  # (1081,) place of the opponent's bucket among those that occur
    occur: Longs  # (n,) the buckets that occur
    rows: Longs  # (1081, 2) the rows of `ahead` that add up to W: first card, second card
    ahead: Singles  # (R, n) of a card and a rank: half the hands ahead of, less those with the card
    meets: Singles  # (52, n) of a card: half of all hands, less those with the card


@kernel
def showdown(masks: Longs, bucket_of: Longs, pairs: NDArray[np.int32]) -> Showdown:
    """Sort the hands of a board and count; bucket_of: (1326,) the opponent's buckets."""
    strength, order = np.empty(len(pairs), np.int32), np.empty(HANDS, np.int64)
    rank_hands(masks, strength, order)
    place = np.full(bucket_of.max() + 1, -1)
    bucket, many = np.empty(HANDS, np.int64), 0
    for k in range(HANDS):
        z = bucket_of[order[k]]
        if place[z] < 0:
            place[z] = many
            many += 1
        bucket[k] = place[z]
    occur = np.empty(many, np.int64)
    for z in range(len(place)):
        if place[z] >= 0:
            occur[place[z]] = z
    x, held = np.zeros((len(pairs), many), np.float32), np.zeros((53, many), np.float32)
    for k in range(HANDS):
        x[order[k], bucket[k]] = 1
        held[pairs[order[k], 0], bucket[k]] += 1  # hands that hold a card; the last row: all
        held[pairs[order[k], 1], bucket[k]] += 1
        held[52, bucket[k]] += 1
    rows, half = np.empty((HANDS, 2), np.int64), np.float32(0.5)
    ahead = ahead_of(order, strength, pairs, x, rows)
    meets = np.empty((52, many), np.float32)
    for card in range(52):
        for z in range(many):
            meets[card, z] = half * held[52, z] - held[card, z]
    return Showdown(order, bucket, occur, rows, ahead, meets)


@kernel
def answer_river(
    found: Showdown, of: RiverReach, pairs: NDArray[np.int32], weight: float, out: Singles
) -> None:
    """Add to out (1326, T, L), `weight` times, what each pair wins from each start."""
    many, rows, lanes = len(found.occur), len(found.ahead), of.ends.shape[3]
    wide, narrow = of.ends.shape[2] * lanes, of.folds.shape[2] * lanes
    end = np.empty((many, of.ends.shape[2], lanes), np.float32)
    fold = np.empty((many, of.folds.shape[2], lanes), np.float32)
    show = np.empty((rows, of.ends.shape[2], lanes), np.float32)
    give = np.empty((52, of.folds.shape[2], lanes), np.float32)
    ends, folds = end.reshape(many, wide), fold.reshape(many, narrow)
    shows, gives = show.reshape(rows, wide), give.reshape(52, narrow)
    tree, moves, number, player = of.round[:4]
    values, times = np.empty((len(tree), lanes), np.float32), np.float32(weight)
    for piece in range(len(of.ends)):
        for k in range(many):
            for e in range(end.shape[1]):
                for s in range(lanes):
                    end[k, e, s] = of.ends[piece, found.occur[k], e, s]
            for f in range(fold.shape[1]):
                for s in range(lanes):
                    fold[k, f, s] = of.folds[piece, found.occur[k], f, s]
        np.dot(found.ahead, ends, shows)
        np.dot(found.meets, folds, gives)
        for k in range(HANDS):
            pair, own = found.order[k], found.bucket[k]
            a, b, i, j = pairs[pair, 0], pairs[pair, 1], found.rows[k, 0], found.rows[k, 1]
            for d in range(len(tree) - 1, -1, -1):
                kind = tree[d, KIND]
                if kind >= FOLD:
                    continue
                mine, empty = kind == player, True
                c, last = tree[d, FIRST], tree[d, FIRST] + tree[d, COUNT]
                if (
                    last - c > 1
                    and tree[moves[c], KIND] == FOLD
                    and tree[moves[c + 1], KIND] == END
                ):  # the usual case: fold or call, and the round is over
                    f, e = number[moves[c]], number[moves[c + 1]]
                    if mine:
                        for s in range(lanes):
                            values[d, s] = max(
                                give[a, f, s] + give[b, f, s] + fold[own, f, s],
                                show[i, e, s] + show[j, e, s],
                            )
                    else:
                        for s in range(lanes):
                            values[d, s] = (
                                give[a, f, s] + give[b, f, s] + fold[own, f, s]
                                + show[i, e, s] + show[j, e, s]
                            )  # fmt: skip
                    empty = False
                    c += 2
                for choice in range(c, last):
                    below = moves[choice]
                    if tree[below, KIND] == END:
                        e = number[below]
                        for s in range(lanes):
                            values[below, s] = show[i, e, s] + show[j, e, s]
                    elif tree[below, KIND] == FOLD:
                        f = number[below]
                        for s in range(lanes):
                            values[below, s] = give[a, f, s] + give[b, f, s] + fold[own, f, s]
                    if empty:
                        for s in range(lanes):
                            values[d, s] = values[below, s]
                    elif mine:
                        for s in range(lanes):
                            values[d, s] = max(values[d, s], values[below, s])
                    else:
                        for s in range(lanes):
                            values[d, s] += values[below, s]
                    empty = False
            for s in range(lanes):
                out[pair, piece, s] += times * values[0, s]


# ---- against one who does not look at her cards ----------------------------------------


def river_worth(of: OpponentReach, river: RiverReach) -> Singles:
    """(1981, T · L) by 2 · wins + ties: what a hand wins from each start that is worked out."""
    ahead, met = np.arange(MOST + 1)[:, None] - MOST / 2, np.full((MOST + 1, 1), MOST / 2)
    out = np.zeros((MOST + 1, len(river.ends) * river.ends.shape[3]), np.float32)

    def leaf(d: int) -> FloatArray:
        folds = of.tree[d, KIND] == FOLD
        column = (of.folds if folds else of.ends)[of.number[d], 0, river.kept]
        return np.asarray((met if folds else ahead) * column)

    out[:, : len(river.kept)] = backed_up(of, leaf)
    return out


@kernel
def look_up_rivers(
    rivers: Longs, weight: FloatArray, turn: Longs, cards: Cards, first: Singles, second: Singles,
    one: Singles, two: Singles,
) -> None:  # fmt: skip
    """Add up over rivers, for both seats: one, two (1326, T · L); first, second: their worths."""
    masks = np.empty(4, np.int64)
    for k in range(len(rivers)):
        with_card(turn, rivers[k], masks)
        board, renaming = find(cards.rivers, masks)
        times = np.float32(weight[k])
        for pair in range(len(one)):
            wins = cards.river[board, cards.moved[renaming, pair]]
            if wins < len(first):  # the pair has no card of the board
                for s in range(one.shape[1]):
                    one[pair, s] += times * first[wins, s]
                for s in range(two.shape[1]):
                    two[pair, s] += times * second[wins, s]
