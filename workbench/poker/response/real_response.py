"""How much a strategy with buckets really loses: the best response summed over flops.

Everyday example: inside its 81 buckets a strategy looks nearly perfect, because its judges see no
more than it does. A responder who sees her cards wins hundreds of mbb a hand from it.

Each flop is worked out alone (flop_response.py) and leaves one small *record*: (2 seats, 169
classes of hands, 7 ways to the flop), what a responder wins there. With the records of all 1,755
flops the betting before the flop is backed up, and the answer is exact: 16 core-hours for k = 2 and
31 for k = 3, some minutes against an opponent who does not look at her cards (river_response.py).

With fewer flops it is an estimate. Real flops are drawn without replacement from all 22,100, in an
order that the seed decides, so a longer run only adds flops and the whole deck is the exact answer:

    values            backed up with the mean of the records. Biased upward: the responder chooses
                      her moves before the flop knowing which flops are in the sample
    standard_error    of their mean over seats, for the moves before the flop that were chosen
    held_out          moves chosen on every other flop, judged on the rest, and the other way
                      round: biased downward, because half a sample chooses worse

The exact answer lies between the two, up to the standard error: 12 to 13 mbb with 100 flops.

A lower bound in seconds (`bucket_response`): a responder who sees finer buckets than the strategy
does. The strategy knows two strengths of hands a round, you know five. Whatever you win from it
with your five, somebody who sees cards wins as well and more; it is a loose bound, 187 of 426 mbb
for k = 2. Who meets whom is counted between two bucketings (joint_buckets.py), on every 64th board
by default, 2,101 of them with their 20 orders; the responder's moves are chosen and judged on the
same boards, a bias upward that is small beside how loose the bound is.

>>> sorted(OPPONENTS)
['always-call', 'always-raise', 'call-or-raise', 'uniform']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from math import nan, sqrt
from typing import Any

import numpy as np

from workbench.arrays import Machine
from workbench.games.deck import Deck
from workbench.poker.betting.betting import END, FOLD
from workbench.poker.buckets.holdem_buckets import FORGET, HoldemBuckets
from workbench.poker.buckets.joint_buckets import added, joint_buckets
from workbench.poker.cards.board_sets import CARDS, Longs, board_sets
from workbench.poker.engine.card_passes import KIND
from workbench.poker.response.flop_response import FixedOpponent, answer_flop, by_class
from workbench.poker.response.reach import meeting
from workbench.poker.response.response_rounds import OpponentReach, backed_up, columns
from workbench.poker.strength.hand_arrays import HandArrays, cards_of
from workbench.rules import GameError, shown
from workbench.settings import need_whole, unknown_name
from workbench.tree import FloatArray, hands_unlisted

FLOPS = 22_100  # real ones
OPPONENTS = {  # that anybody can program: weights of f, c and r, whatever the cards
    "always-call": (0, 1, 0),
    "always-raise": (0, 0, 1),
    "call-or-raise": (0, 1, 1),
    "uniform": (1, 1, 1),
}


@dataclass(frozen=True)
class RealResponse:
    """What best responses win from a strategy, in mbb a hand."""

    values: tuple[float, float]  # in each seat
    standard_error: float  # of their mean; 0 if it is exact, nan if all flops drawn are alike
    held_out: float  # their mean, with moves before the flop chosen on other flops; nan if one
    flops: int  # real ones that were drawn
    replaced: tuple[str, ...] = field(default=(), compare=False)  # wrong records in the store
    each: FloatArray | None = field(default=None, compare=False, repr=False)  # (flops,) won on each

    @property
    def exploitability(self) -> float:
        """The mean of both seats: what both win, and a perfect strategy gives nothing."""
        return sum(self.values) / 2

    @property
    def exact(self) -> bool:
        return self.flops == FLOPS


def opponent_named(rules: Any, name: str) -> Any:
    """One of OPPONENTS as a strategy with a single bucket."""
    if not hands_unlisted(rules) or rules.players != 2:
        raise GameError(f"named opponents play limit_holdem for two players, not {shown(rules)}")
    if not isinstance(name, str) or name not in OPPONENTS:
        raise unknown_name("opponent", name, OPPONENTS)
    game = rules.public_game(HoldemBuckets(rules, [FORGET] * 4, name="1"))
    return game.normalised(game.by_moves(dict(zip("fcr", OPPONENTS[name], strict=True))))


# ---- flops -----------------------------------------------------------------------------


def drawn_flops(flops: int | None = None, seed: int = 0) -> Longs:
    """The canonical flops of the first so many real ones, in an order that the seed decides."""
    count = FLOPS if flops is None else need_whole("flops", flops, 1, FLOPS)
    numbers: Longs = HandArrays(Machine()).find(Deck().hands(3))[0]  # (22100,) of each real one
    return np.random.default_rng(need_whole("seed", seed, 0, None)).permutation(numbers)[:count]


def flop_cards(number: int) -> tuple[int, ...]:
    """The cards of a canonical flop."""
    cards = cards_of(board_sets(3).code[[number]])[0].tolist()
    return tuple(sorted(cards, key=lambda card: (card % 4, card)))


def flop_record(opponent: FixedOpponent, number: int) -> FloatArray:
    """(2, 169, 7) what a responder wins on one canonical flop, times the chance of the deals."""
    found = answer_flop(opponent, flop_cards(number), threads=False, progress=False)
    return by_class(found.values)


# ---- the betting before the flop -------------------------------------------------------


def summed(
    opponent: FixedOpponent, drawn: Sequence[int] | Longs, records: Mapping[int, FloatArray]
) -> RealResponse:
    """The best response from the records of the flops that were drawn."""
    given = np.asarray(drawn)
    numbers = np.unique(given)
    missing = [int(number) for number in numbers if int(number) not in records]
    if not len(given) or missing:
        raise GameError(f"the records of {len(missing):,} flops are missing; work them out first")
    won = np.array([records[int(number)] for number in numbers])  # (n, 2, 169, 7)
    often = _shares(numbers, given)
    halves = [_shares(numbers, given[k::2]) for k in (0, 1) if len(given) > 1]
    means = FLOPS * np.tensordot([often, *halves], won, 1)  # (1 or 3, 2, 169, 7)
    values, held_out, each = [], 0.0, np.zeros(len(numbers))
    for seat in (0, 1):
        of, folds = _folds(opponent, seat)
        fixed, ends = _chosen(of, folds, means[0, seat])
        on_flop = fixed + FLOPS * (won.reshape(len(won), 2, -1)[:, seat] @ ends.ravel())
        values.append(float(often @ on_flop))
        each += on_flop / 2
        for some, others in permutations(means[1:, seat], 2):
            fixed, ends = _chosen(of, folds, some)
            held_out += (fixed + float((others * ends).sum())) / 4
    mean, left = sum(values) / 2, 1 - len(given) / FLOPS
    spread = float(often @ (each - mean) ** 2)
    error = sqrt(left * spread / (len(given) - 1)) if len(numbers) > 1 else nan
    held_out = mean if not left else held_out if halves else nan
    on_each = each[np.searchsorted(numbers, given)]
    return RealResponse((values[0], values[1]), error, held_out, len(given), each=on_each)


def _shares(numbers: Longs, drawn: Longs) -> FloatArray:
    """(n,) how often each flop was drawn, of all draws."""
    return np.bincount(np.searchsorted(numbers, drawn), minlength=len(numbers)) / len(drawn)


def _folds(opponent: FixedOpponent, seat: int) -> tuple[OpponentReach, FloatArray]:
    """The round before the flop, and (F, 169) what classes win at its folds."""
    kinds = zip(opponent.seats[seat][0], opponent.buckets(()), strict=True)
    of, bucket = next(one for one in kinds if len(one[0].starts))
    won = np.array([meeting(CARDS, column[bucket]) for column in of.folds])
    return of, np.asarray(opponent.chance[0] * by_class(won)[:, :, 0])


def _chosen(of: OpponentReach, folds: FloatArray, later: FloatArray) -> tuple[float, FloatArray]:
    """The best moves before the flop: what they win by folds, and (169, 7) which ends they allow.

    Each node has a line (169, 2 + 7): what a class wins, by folds, and from which ends.
    """

    def leaf(node: int) -> FloatArray:
        found, k = np.zeros((169, 2 + later.shape[1])), of.number[node]
        if of.tree[node, KIND] == FOLD:
            found[:, 0] = found[:, 1] = folds[k]
        else:
            found[:, 0], found[:, 2 + k] = later[:, k], 1.0
        return found

    def best(below: list[FloatArray]) -> FloatArray:
        choice = np.argmax([one[:, 0] for one in below], axis=0)
        return np.asarray(np.array(below)[choice, np.arange(169)])

    root = backed_up(of, leaf, best=best)
    return float(root[:, 1].sum()), root[:, 2:]


# ---- between buckets -----------------------------------------------------------------------


def bucket_response(
    strategy: Any, finer: HoldemBuckets, *, every: int = 64, progress: bool | None = None
) -> tuple[float, float]:
    """What the best responder with these buckets wins in each seat, in mbb a hand."""
    if not isinstance(finer, HoldemBuckets) or not finer.nested:
        raise GameError(
            f"{shown(finer)} are no buckets with perfect recall; take wb.cluster_hands(rules, "
            "(5, 5, 5, 5), metric='ehs2', method='percentile')"
        )
    seats = [columns(strategy, seat) for seat in (0, 1)]
    theirs = strategy.played.buckets
    joint = joint_buckets(finer, every, progress, theirs=theirs)
    meets = joint.rounds(finer, theirs)
    first, second = (_answered(seat, meets, joint.wins, finer) for seat in seats)
    return first, second


def _answered(
    seat: list[OpponentReach], meets: list[FloatArray], wins: FloatArray, finer: HoldemBuckets
) -> float:
    """From the river up to the first move."""
    later = wins  # nothing follows the last round
    for r in (3, 2, 1, 0):

        def leaf(
            d: int, of: OpponentReach = seat[r], r: int = r, later: FloatArray = later
        ) -> FloatArray:
            k = of.number[d]
            if of.tree[d, KIND] != END:
                return np.asarray(meets[r] @ of.folds[k])
            return np.asarray(wins @ of.ends[k] if r == 3 else later[:, :, k])

        won = backed_up(seat[r], leaf)
        if r:
            up = added(won, finer.parents(r), finer.classes[r - 1])
            later = up.reshape(len(up), seat[r - 1].folds.shape[2], -1)
    return float(won.sum())
