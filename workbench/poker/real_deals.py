"""Real deals of Hold'em: cards from a deck, the buckets that players see, hands played out.

Everyday example: matrices say what buckets win on average. To see whether that is so, deal cards
from a full deck, let each player look up her bucket, and let the better hand win the pot.

    look        two cards and a board as they came: the buckets of all four rounds
    play        a hand between two strategies, by the betting tree of each round
    walk        external sampling: all moves of one player, one of the other's, on one deal

A deal costs three searches for its boards and six looks into the tables, about 3 µs, most of it
waiting for memory; so half a million duplicate hands take seconds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.evaluation.intervals import no_scores
from workbench.kernels import kernel
from workbench.poker.betting import FOLD
from workbench.poker.board_sets import Longs, find
from workbench.poker.card_passes import (
    COUNT,
    END_NUMBER,
    FIRST,
    KIND,
    PARENT,
)
from workbench.poker.holdem_buckets import NEVER
from workbench.poker.holdem_signals import Cards, Cuts, bucket_after
from workbench.poker.seven_cards import strength
from workbench.random import RandomState, draw, random_state
from workbench.solvers.regret import NOTHING
from workbench.tree import FloatArray

Four = tuple[Any, Any, Any, Any]


class Deal(NamedTuple):
    """Scratch for one deal."""

    deck: Longs  # (52,) shuffled as far as needed: two cards for each of n hands, and five
    boards: Longs  # (3, 2) where the flop, turn and river are found, and under which renaming
    pairs: Longs  # (n,)
    seen: Longs  # (n players, n hands, 4 rounds) buckets
    masks: Longs  # (n + 1, 4) the board, and with each hand


def new_deal(hands: int = 2) -> Deal:
    return Deal(
        np.arange(52), np.zeros((3, 2), np.int64), np.zeros(hands, np.int64),
        np.zeros((hands, hands, 4), np.int64), np.zeros((hands + 1, 4), np.int64),
    )  # fmt: skip


@kernel
def deal_hands(rng: RandomState, deal: Deal) -> None:
    """Shuffle the private cards."""
    deck = deal.deck
    for k in range(52):  # the same deck whatever was dealt before: a run may stop and go on
        deck[k] = k
    for hand in range(len(deal.pairs)):
        for k in (2 * hand, 2 * hand + 1):
            other = k + int(draw(rng) * (52 - k))
            deck[k], deck[other] = deck[other], deck[k]
        one, two = min(deck[2 * hand], deck[2 * hand + 1]), max(deck[2 * hand], deck[2 * hand + 1])
        deal.pairs[hand] = one * 51 - one * (one - 1) // 2 + two - one - 1


@kernel
def deal_board(cards: Cards, rng: RandomState, deal: Deal) -> None:
    """Shuffle five more cards, find the boards, and put each hand together with the last."""
    deck, masks, hands = deal.deck, deal.masks, len(deal.pairs)
    masks[:] = 0
    for n in range(5):
        k = 2 * hands + n
        other = k + int(draw(rng) * (52 - k))
        deck[k], deck[other] = deck[other], deck[k]
        masks[0, deck[k] & 3] |= 1 << (deck[k] >> 2)
        if n == 2:
            deal.boards[0] = find(cards.flops, masks[0])
        elif n == 3:
            deal.boards[1] = find(cards.turns, masks[0])
    deal.boards[2] = find(cards.rivers, masks[0])
    for hand in range(hands):
        masks[1 + hand] = masks[0]
        for card in (deck[2 * hand], deck[2 * hand + 1]):
            masks[1 + hand, card & 3] |= 1 << (card >> 2)


@kernel
def strength_in(deal: Deal, hand: int) -> int:
    """How strong a hand is with all five public cards."""
    masks = deal.masks[1 + hand]
    return strength(masks[0], masks[1], masks[2], masks[3])


@kernel
def deal_cards(cards: Cards, rng: RandomState, deal: Deal) -> int:
    """Deal for two; the sign of the showdown for the first hand."""
    deal_hands(rng, deal)
    deal_board(cards, rng, deal)
    mine, theirs = strength_in(deal, 0), strength_in(deal, 1)
    return int(mine > theirs) - int(mine < theirs)


@kernel
def look(cards: Cards, cuts: Four, deal: Deal, hand: int, seen: Longs) -> None:
    """seen: (4,) the buckets of one of the hands."""
    pair = deal.pairs[hand]
    z = bucket_after(cuts[0], 0, cards.preflop[pair])
    seen[0] = z
    z = bucket_after(
        cuts[1], z, cards.flop[deal.boards[0, 0], cards.moved[deal.boards[0, 1], pair]]
    )
    seen[1] = z
    z = bucket_after(
        cuts[2], z, cards.turn[deal.boards[1, 0], cards.moved[deal.boards[1, 1], pair]]
    )
    seen[2] = z
    z = bucket_after(
        cuts[3], z, cards.river[deal.boards[2, 0], cards.moved[deal.boards[2, 1], pair]]
    )
    seen[3] = z


class Seat(NamedTuple):
    """A strategy as kernels read it. Experts may know other buckets than the base; whoever has one
    kind of buckets is G = 1 kind."""

    cards: Cards
    cuts: Four  # of each round, kind after kind
    rows: Longs  # (G, 4) where the cuts of a kind begin
    probs: FloatArray  # (K,)
    places: Four  # of each round (starts, nodes, 4): `CardGame.places`


def seat_of(sigma: Any) -> Seat:
    """A strategy with buckets, ready to play."""
    known = sigma.played.known
    rows = np.zeros((len(known), 4), np.int64)
    cuts = []
    for r in range(4):
        some = [one.cuts[r] for one in known]
        rows[1:, r] = np.cumsum([len(one.first) for one in some])[:-1]
        wide = max(one.cuts.shape[1] for one in some)
        padded = np.full((sum(len(one.first) for one in some), wide), NEVER, np.int64)
        for low, one in zip(rows[:, r], some, strict=True):
            padded[low : low + len(one.first), : one.cuts.shape[1]] = one.cuts
        cuts.append(Cuts(np.concatenate([one.first for one in some]), padded))
    probs, places = np.ascontiguousarray(sigma.probs), tuple(sigma.played.places)
    return Seat(known[0].cards, tuple(cuts), rows, probs, places)  # type: ignore[arg-type]


@kernel
def _look(seat: Seat, deal: Deal, hand: int, seen: Longs) -> None:
    """seen: (G, 4) the buckets of one of the two hands, for each kind of buckets."""
    cards, pair = seat.cards, deal.pairs[hand]
    flop = cards.flop[deal.boards[0, 0], cards.moved[deal.boards[0, 1], pair]]
    turn = cards.turn[deal.boards[1, 0], cards.moved[deal.boards[1, 1], pair]]
    river = cards.river[deal.boards[2, 0], cards.moved[deal.boards[2, 1], pair]]
    for g in range(len(seat.rows)):
        z = bucket_after(seat.cuts[0], seat.rows[g, 0], cards.preflop[pair])
        seen[g, 0] = z
        z = bucket_after(seat.cuts[1], seat.rows[g, 1] + z, flop)
        seen[g, 1] = z
        z = bucket_after(seat.cuts[2], seat.rows[g, 2] + z, turn)
        seen[g, 2] = z
        seen[g, 3] = bucket_after(seat.cuts[3], seat.rows[g, 3] + z, river)


@kernel
def _play(
    betting: Four, first: Seat, second: Seat, mine: Longs, theirs: Longs, sign: int,
    dice: RandomState,
) -> float:  # fmt: skip
    """What seat 0 wins, who sees the buckets `mine`, (G, 4)."""
    start = 0
    for r in range(4):
        one, d = betting[r], 0
        while one.tree[d, KIND] < FOLD:
            if one.tree[d, KIND] == 0:
                at, probs = first.places[r][start, d], first.probs
                index = at[0] + mine[at[3], r] * at[1]
            else:
                at, probs = second.places[r][start, d], second.probs
                index = at[0] + theirs[at[3], r] * at[1]
            luck, taken = draw(dice), 0
            for a in range(one.tree[d, COUNT]):
                p = probs[index + a * at[2]]
                if p > 0.0 and luck >= 0.0:
                    taken = a
                    luck -= p
            d = one.moves[one.tree[d, FIRST] + taken]
        if one.tree[d, KIND] == FOLD:
            loser = one.tree[one.tree[d, PARENT], KIND]
            return float(one.pay[d, start] if loser == 1 else -one.pay[d, start])
        if r == 3:
            return float(sign * one.pay[d, start])
        start = start * (one.tree[:, END_NUMBER].max() + 1) + one.tree[d, END_NUMBER]
    return 0.0


@kernel
def _match(
    betting: Four, one: Seat, two: Seat, duplicate: bool, rng: RandomState, dice: RandomState,
    deal: Deal, scores: FloatArray,
) -> None:  # fmt: skip
    mine = np.zeros((2, len(one.rows), 4), np.int64)
    theirs = np.zeros((2, len(two.rows), 4), np.int64)
    sign = 0
    for k in range(len(scores)):
        won = 0.0
        for turn in range(2):
            if turn == 0 or not duplicate:
                sign = deal_cards(one.cards, rng, deal)
                for hand in range(2):
                    _look(one, deal, hand, mine[hand])
                    _look(two, deal, hand, theirs[hand])
            if turn == 0:
                won += _play(betting, one, two, mine[0], theirs[1], sign, dice)
            else:
                won -= _play(betting, two, one, theirs[0], mine[1], sign, dice)
        scores[k, 0], scores[k, 1] = won / 2, -won / 2


def match_scores(
    first: Any, second: Any, *, deals: int, seed: int = 0, duplicate: bool = True
) -> FloatArray:
    """(deals, 2) what two strategies win from each deal, the mean over both seatings."""
    scores = no_scores(deals, 2)
    _match(
        first.played.betting, seat_of(first), seat_of(second), duplicate, random_state(2 * seed),
        random_state(2 * seed + 1), new_deal(), scores,
    )  # fmt: skip
    return scores


# ---- external sampling -----------------------------------------------------------------


@kernel(forceinline=True)
def _match_regrets(regret: FloatArray, row: int, count: int, apart: int, probs: FloatArray) -> None:
    """probs: (3,) regret matching."""
    total = 0.0
    for a in range(count):
        probs[a] = max(regret[row + a * apart], 0.0)
        total += probs[a]
    for a in range(count):
        probs[a] = probs[a] / total if total > NOTHING else 1.0 / count


@kernel
def _walk(
    betting: Four, places: Four, player: int, weight: float, seen: Longs, sign: float,
    regret: FloatArray, strategy_sum: FloatArray, rng: RandomState, starts: Longs, counts: Longs,
    chosen: NDArray[np.int8],
    worth: FloatArray, probs: FloatArray, value: FloatArray,
) -> None:  # fmt: skip
    """One walk on one deal: forward, which starts of each round are reached; back, what they win.

    starts: (4, most) the starts reached; chosen: (4, most, nodes) the opponent's move, -1 where
    nobody comes; worth: (4, starts) what the start of a round wins; value: (nodes,) the same within
    one; probs: (3,) scratch.
    """
    starts[0, 0], counts[0] = 0, 1
    for r in range(4):
        one, ends = betting[r], betting[r].tree[:, END_NUMBER].max() + 1
        if r < 3:
            counts[r + 1] = 0
        for k in range(counts[r]):
            start = starts[r, k]
            chosen[r, k, 0] = 0
            for d in range(1, len(one.tree)):
                chosen[r, k, d] = -1
            for d in range(len(one.tree)):
                if chosen[r, k, d] < 0:
                    continue
                kind, c, count = one.tree[d, KIND], one.tree[d, FIRST], one.tree[d, COUNT]
                if kind == player:
                    for a in range(count):
                        chosen[r, k, one.moves[c + a]] = 0
                elif kind < FOLD:
                    at = places[r][start, d]
                    row, apart = at[0] + seen[kind * 4 + r] * at[1], at[2]
                    _match_regrets(regret, row, count, apart, probs)
                    luck, taken = draw(rng), 0
                    for a in range(count):
                        strategy_sum[row + a * apart] += weight * probs[a]
                        if probs[a] > 0.0 and luck >= 0.0:
                            taken = a
                            luck -= probs[a]
                    chosen[r, k, d] = taken
                    chosen[r, k, one.moves[c + taken]] = 0
                elif kind != FOLD and r < 3:
                    starts[r + 1, counts[r + 1]] = start * ends + one.tree[d, END_NUMBER]
                    counts[r + 1] += 1
    for r in range(3, -1, -1):
        one, ends = betting[r], betting[r].tree[:, END_NUMBER].max() + 1
        for k in range(counts[r]):
            start = starts[r, k]
            for d in range(len(one.tree) - 1, -1, -1):
                if chosen[r, k, d] < 0:
                    continue
                kind, c, count = one.tree[d, KIND], one.tree[d, FIRST], one.tree[d, COUNT]
                if kind == FOLD:
                    mine = one.tree[one.tree[d, PARENT], KIND] == player
                    value[d] = -one.pay[d, start] if mine else one.pay[d, start]
                elif kind > FOLD:
                    value[d] = (
                        sign * one.pay[d, start]
                        if r == 3
                        else worth[r + 1, start * ends + one.tree[d, END_NUMBER]]
                    )
                elif kind != player:
                    value[d] = value[one.moves[c + chosen[r, k, d]]]
                else:
                    at = places[r][start, d]
                    row, apart = at[0] + seen[kind * 4 + r] * at[1], at[2]
                    total, mean, most = 0.0, 0.0, 0.0
                    for a in range(count):
                        now = max(regret[row + a * apart], 0.0)
                        total += now
                        mean += now * value[one.moves[c + a]]
                        most += value[one.moves[c + a]]
                    value[d] = mean / total if total > NOTHING else most / count
                    for a in range(count):
                        gain = value[one.moves[c + a]] - value[d]
                        regret[row + a * apart] += weight * gain
            worth[r, start] = value[0]


@kernel
def _sample(
    done: int, iterations: int, linear: bool, betting: Four, places: Four, cards: Cards, cuts: Four,
    regret: FloatArray, strategy_sum: FloatArray, rng: RandomState, deal: Deal, starts: Longs,
    counts: Longs,
    chosen: NDArray[np.int8], worth: FloatArray, probs: FloatArray, value: FloatArray,
) -> None:  # fmt: skip
    seen = np.empty(8, np.int64)
    for t in range(done + 1, done + iterations + 1):
        for player in range(2):
            sign = deal_cards(cards, rng, deal)
            look(cards, cuts, deal, 0, seen[:4])
            look(cards, cuts, deal, 1, seen[4:])
            _walk(
                betting, places, player, float(t) if linear else 1.0, seen,
                float(sign) if player == 0 else -float(sign), regret, strategy_sum, rng, starts,
                counts, chosen, worth, probs, value,
            )  # fmt: skip


def sample(game: Any, solver: Any, state: Any, iterations: int) -> None:
    """So many iterations of external sampling, in place: one deal and one walk for each player."""
    most, nodes = game.rules.betting.starts[-1], max(len(one.tree) for one in game.betting)
    _sample(
        state.iteration, iterations, solver.linear, game.betting, tuple(game.places),
        game.buckets.cards, game.buckets.cuts, state.regret, state.strategy_sum, state.rng,
        new_deal(),
        np.zeros((4, most), np.int64), np.zeros(4, np.int64), np.zeros((4, most, nodes), np.int8),
        np.zeros((4, most)), np.zeros(3), np.zeros(nodes),
    )  # fmt: skip
