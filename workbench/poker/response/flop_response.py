"""From the flop on, exactly: what every hand can win against a known strategy on one flop.

Everyday example: the flop is Q♥ J♥ 2♣. All 49 turns and 48 rivers may follow; on each of these
boards each of 1,081 hands answers the opponent as well as possible (river_response.py). Their sums
are the ends of the turn's betting, which is backed up for each turn, and so on up to the flop.

Suits that nobody can tell apart spare most of the work. Renamings that keep the flop form a group;
of turns that it exchanges one is worked out, and of rivers those that the renamings left by the
turn exchange. What a hand wins on the other ones is what its renamed twin wins here. So

    Σ over all cards = Σ over renamings g of the group: A[g · hand],
    A = Σ over the cards worked out of (how many it stands for) / (size of the group) · value

The vectors are permuted and added; to multiply them with how many cards they stand for would be
wrong, because on this board A♥ K♥ and A♠ K♠ are different hands. Counted over all 1,755 flops:
63,193 turns and 2,554,656 rivers, 36 and 1,456 for one flop (at most 49 and 2,352).

>>> import workbench as wb
>>> rules = wb.load_game("limit_holdem")
>>> caller = wb.poker.opponent_named(rules, "always-call")  # or run.strategy of a bucketed game
>>> found = wb.poker.answer_flop(caller, "Qh Jh 2c")  # doctest: +SKIP
>>> found  # doctest: +SKIP
FlopResponse on Q♥ J♥ 2♣: 1,429 rivers
>>> [round(found.wins(0, "rc", hand)) for hand in ("", "AhKh", "7s3d")]  # doctest: +SKIP
[1097, 3782, -1127]

The small blind has raised and was called: with any hand a best response wins 1,097 mbb from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from workbench.games.deck import Deck
from workbench.kernels import kernel
from workbench.poker.cards.board_sets import CARDS, MOVED, PAIRS, RENAMED, Longs, masks_of
from workbench.poker.cards.boards import chances
from workbench.poker.cards.hand_classes import CLASS_OF_PAIR
from workbench.poker.cards.threads import in_pieces, one_blas_thread
from workbench.poker.response.reach import meeting, reaching
from workbench.poker.response.response_rounds import alike, answered, reach_by_kind
from workbench.poker.response.river_response import (
    RiverReach,
    Singles,
    answer_river,
    look_up_rivers,
    river_reach,
    river_worth,
    showdown,
    with_card,
)
from workbench.poker.strength.holdem_signals import Cards, Cuts, next_buckets
from workbench.progress import ProgressBar
from workbench.rules import GameError
from workbench.tree import FloatArray

IN_CLASS = (np.arange(169)[:, None] == CLASS_OF_PAIR).astype(np.float64)  # (169, 1326)


class FixedOpponent:
    """A strategy as its best response meets it: columns for both seats, and the cards."""

    def __init__(self, strategy: Any) -> None:
        seats = [reach_by_kind(strategy, seat) for seat in (0, 1)]
        self.seats, self.starts = seats, [alike(of) for of in seats]  # of flop, turn and river
        self.strategy, self.game = strategy, strategy.played
        self.known: tuple[Any, ...] = self.game.known
        self.worth: list[Singles] = []  # of one who does not look at her cards
        if [one.classes[3] for one in self.known] == [1]:
            self.worth = [
                river_worth(of[3][0], river)
                for of, (river,) in zip(seats, self.rivers, strict=True)
            ]
        self.chance = chances(self.game.rules).tolist()

    @cached_property
    def rivers(self) -> list[list[RiverReach]]:
        """The columns of the river as kernels read them, for each seat and kind of buckets."""
        return [
            [river_reach(one, starts[2]) for one in of[3]]
            for of, starts in zip(self.seats, self.starts, strict=True)
        ]

    def buckets(
        self, board: Sequence[int], before: Iterable[Longs | None] | None = None
    ) -> list[Longs]:
        """For each kind of buckets (1326,) that of each pair on a board, from those before."""
        before = [None] * len(self.known) if before is None else before
        return [one.on(board, was) for one, was in zip(self.known, before, strict=True)]

    def reach(self, player: int, flop: Sequence[int]) -> FloatArray:
        """(1326, 7) the probability that a player plays to each start of the flop with a pair; 0
        where the flop has a card."""
        taken: Any = np.isin(CARDS, flop).any(axis=1)
        found = reaching(self.strategy, player, 1, lambda r, one: one.on(()), PAIRS)
        return np.where(taken[:, None], 0.0, found)


@dataclass(frozen=True, eq=False)
class FlopResponse:
    """What a best response wins on one flop."""

    opponent: FixedOpponent
    flop: tuple[int, ...]
    values: FloatArray  # (2 seats, 1326, 7 ways to begin) in mbb, times the probability of the deal
    boards: int  # rivers that were worked out

    def often(self, seat: int, betting: str) -> FloatArray:
        """(1326,) how likely a deal gives this flop and the responder each pair, and the opponent
        comes here by her strategy after this betting ("rc"); 0 where the flop has a card."""
        reach = self.opponent.reach(1 - seat, self.flop)[:, [self._start(betting)]]
        free = ~np.isin(CARDS, self.flop).any(axis=1)
        return np.where(free, self.opponent.chance[1] * meeting(CARDS, reach)[:, 0], 0.0)

    def wins(self, seat: int, betting: str, hand: str | Iterable[int] = "") -> float:
        """In mbb: what a responder wins on average who comes to this flop with a hand (none: with
        any) after this betting, if the opponent comes here by her strategy."""
        deck, often = Deck(), self.often(seat, betting)
        won = self.values[seat, :, self._start(betting)]
        if held := deck.parse(hand):
            pair = deck.hand(held)
            often, won = often[pair : pair + 1], won[pair : pair + 1]
        return float(won.sum() / often.sum()) if often.any() else 0.0

    def _start(self, betting: str) -> int:
        ends: tuple[str, ...] = self.opponent.game.rules.betting.rounds[0].ends
        if betting not in ends:
            raise GameError(f"{betting!r} does not lead to a flop; {', '.join(ends)} do")
        return ends.index(betting)

    def exploitability(self, betting: str) -> float:
        """In mbb: both come to this flop by the strategy, after this betting ("rc"). What does a
        player win on average, mean over both seats, who answers perfectly from here on?"""
        s = self._start(betting)
        won = often = 0.0
        for seat in (0, 1):
            mine = self.opponent.reach(seat, self.flop)[:, s]
            won += float(mine @ self.values[seat, :, s])
            often += float(mine @ self.often(seat, betting))
        return won / often if often else 0.0

    def __repr__(self) -> str:
        names = " ".join(map(Deck().name, self.flop))
        return f"FlopResponse on {names}: {self.boards:,} rivers"


def by_class(values: FloatArray) -> FloatArray:
    """(…, 1326, S) as sums over classes, (…, 169, S)."""
    return np.asarray(IN_CLASS @ values)


# ---- cards to come ---------------------------------------------------------------------


EVERY = tuple(range(24))  # renamings of suits


@cache
def keeping(cards: tuple[int, ...], group: tuple[int, ...] = EVERY) -> tuple[int, ...]:
    """The renamings of a group that keep a set of cards."""
    held = [*cards]
    return tuple(g for g in group if {*RENAMED[g, held].tolist()} == {*held})


@cache
def kinds_of_cards(group: tuple[int, ...]) -> list[tuple[int, float]]:
    """One card of each kind that the group cannot tell apart, and its weight in A."""
    many = np.bincount(RENAMED[[*group]].min(axis=0), minlength=52)  # by the first of each kind
    return [(card, many[card] / len(group)) for card in np.flatnonzero(many).tolist()]


def next_cards(board: Sequence[int], group: tuple[int, ...]) -> list[tuple[int, float]]:
    """Those of them that may follow on a board."""
    return [one for one in kinds_of_cards(group) if one[0] not in board]


def sum_renamed(values: FloatArray, group: Sequence[int]) -> FloatArray:
    """Σ over renamings: A[g · hand]."""
    return np.asarray(sum(values[MOVED[g]] for g in group))


# ---- the walk --------------------------------------------------------------------------


@one_blas_thread()
def answer_flop(
    strategy: Any, flop: str | Iterable[int], *, threads: bool = True, progress: bool | None = None
) -> FlopResponse:
    """The best response on one flop to a strategy with buckets, also one that is stitched of base
    and experts or seated, or to a `FixedOpponent`."""
    opponent = strategy if isinstance(strategy, FixedOpponent) else FixedOpponent(strategy)
    cards = Deck().parse(flop)
    if len(cards) != 3:
        raise GameError(f"a flop has three cards, not {len(cards)}: 'Qh Jh 2c'")
    group = keeping(tuple(cards))
    turns = next_cards(cards, group)
    bucket = opponent.buckets(cards)
    later: list[FloatArray] = [np.zeros(0)] * len(turns)
    boards = 0

    def work(low: int, high: int) -> list[tuple[int, FloatArray, int]]:
        return [(k, *_turn(opponent, cards, turns[k][0], group, bucket)) for k in range(low, high)]

    pieces = in_pieces(work, len(turns), len(turns)) if threads else (
        work(k, k + 1) for k in range(len(turns))
    )  # fmt: skip
    with ProgressBar("turns", len(turns), shown=progress) as bar:
        for done, piece in enumerate(pieces, start=1):
            for k, found, rivers in piece:
                later[k] = turns[k][1] * found
                boards += rivers
            bar.show(done)
    values = np.empty((2, PAIRS, later[0].shape[2] // 9))
    for seat in (0, 1):
        of, starts = opponent.seats[seat][1], opponent.starts[seat][0]
        below = sum_renamed(sum(one[seat] for one in later), group)[:, starts.following()]
        values[seat] = answered(of, starts, bucket, opponent.chance[1], below)
    return FlopResponse(opponent, cards, values, boards)


def _turn(
    opponent: FixedOpponent, flop: Sequence[int], card: int, group: tuple[int, ...],
    before: list[Longs],
) -> tuple[FloatArray, int]:  # fmt: skip
    """(2, 1326, 63) what hands win from the turn on, and how many rivers that took."""
    board = (*flop, card)
    left = keeping((card,), group)
    rivers = next_cards(board, left)
    bucket = opponent.buckets(board, before)
    out = [
        [np.zeros((PAIRS, len(of.ends), of.ends.shape[3]), np.float32) for of in kinds]
        for kinds in opponent.rivers
    ]
    given = (
        np.array([one for one, _ in rivers]), np.array([weight for _, weight in rivers]),
        masks_of(board),
    )  # fmt: skip
    if opponent.worth:
        flat = (one.reshape(PAIRS, -1) for (one,) in out)
        look_up_rivers(*given, opponent.known[0].cards, *opponent.worth, *flat)
    else:
        for one, mine, *both in zip(opponent.known, bucket, *opponent.rivers, *out, strict=True):
            answer_rivers(*given, mine, one.cards, one.cuts[3], *both)
    values = []
    for of, won, pieces, (_, turn, river) in zip(
        opponent.seats, out, opponent.rivers, opponent.starts, strict=True
    ):
        kept = np.empty((PAIRS, len(river.kept)))
        for one, some in zip(won, pieces, strict=True):
            kept[:, some.place] = one.reshape(PAIRS, -1)[:, : len(some.place)]
        then, chance = turn.following(), opponent.chance[3]
        later = sum_renamed(kept, left)[:, river.place[then]] * (chance * river.times[then])
        values.append(answered(of[2], turn, bucket, opponent.chance[2], later))
    return np.array(values), len(rivers)


@kernel
def answer_rivers(
    rivers: Longs, weight: FloatArray, turn: Longs, before: Longs, cards: Cards, cut: Cuts,
    first: RiverReach, second: RiverReach, one: Singles, two: Singles,
) -> None:  # fmt: skip
    """Add up over rivers, for both seats: one, two (1326, T, L)."""
    bucket, masks = np.empty(len(before), np.int64), np.empty(4, np.int64)
    for k in range(len(rivers) if len(first.kept) + len(second.kept) else 0):
        with_card(turn, rivers[k], masks)
        next_buckets(
            masks, cards.rivers, cards.river, cards.moved, cards.pairs, cut, before, bucket
        )
        found = showdown(masks, bucket, cards.pairs)
        answer_river(found, first, cards.pairs, weight[k], one)
        answer_river(found, second, cards.pairs, weight[k], two)
