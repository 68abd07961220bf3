"""The best response on a flop as array operations, for a GPU: all its turns and rivers at once.

The same walk as flop_response.py. Measured on an H200: all 1,755 flops take 15 s for k = 2; one
flop takes 44 ms for k = 3, 89 for k = 5 and 144 for k = 8 (data/results/gpu.csv), where two cores
take nights, because nearly all of the work is two products of matrices (hand_arrays.py, and
river_response.py says why):

    W, N            who beats and who meets whom on each river, by the opponent's buckets there
    W · ends        what each hand wins at each showdown, N · folds at each fold
    max, sum        the betting of the river backed up, rivers of a turn added up

On a GPU with triton these are two kernels (fused.py) in which no leaf's value goes through memory.
Elsewhere they are plain array operations, slow, for tests: compiled kernels are faster there.

**Rounding.** W and N are exact in 16 bits. A column is the sum of two numbers of 16 bits, after all
columns of a start were multiplied by a power of two that brings the largest to 2¹³ or more: it is
right to 2⁻²² of itself, or to 2⁻³⁸ of the largest. Products are added up in 32 bits, the turn too;
the flop and what comes before in 64. Measured on one flop (k = 2): hands win 0.0381204908 in all by
the compiled kernels, which use 32 bits as well, and 2.1e-8 less here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from functools import cached_property, partial, reduce
from importlib.util import find_spec
from itertools import groupby
from operator import add
from typing import Any

import numpy as np

from workbench.arrays import Array, Machine
from workbench.poker.betting.betting import END, FOLD
from workbench.poker.cards.board_sets import CARDS, MOVED, PAIRS
from workbench.poker.engine.card_passes import KIND
from workbench.poker.response.flop_response import IN_CLASS, FixedOpponent, keeping, next_cards
from workbench.poker.response.response_rounds import Alike, OpponentReach, backed_up
from workbench.poker.strength.hand_arrays import HandArrays

ROOM = 6e9  # bytes of W and N at a time
FREE = 1128  # pairs that a turn leaves


class FlopArrays:
    """An opponent on a machine: what a responder wins from her on one flop after the other."""

    def __init__(self, opponent: FixedOpponent, on: Machine, kernels: bool | None = None) -> None:
        self.opponent, self.on, self.hands = opponent, on, HandArrays(on)
        self.every = on.put(np.arange(PAIRS))
        self.kinds = sorted(enumerate(opponent.known), key=lambda one: one[1].fingerprint)
        self.holds = on.put((CARDS[:, :, None] == np.arange(52)).any(axis=1).T.astype(np.float32))
        self.cards = on.put(CARDS.astype(np.int64))
        self.classes, self.moved = on.put(IN_CLASS), on.put(MOVED.astype(np.int64))
        self.fused: Any = None
        self.compiling = list[Future[Any]]()  # where another thread does, the first river waits
        if kernels is None:
            kernels = on.gpu and bool(find_spec("triton"))
        if kernels:
            from workbench.poker.response import fused

            self.fused = fused
        self.kind = "float32" if self.fused else "float64"  # of river and turn
        self.rivers, self.folds, self.takes = ([list[Any](), list[Any]()] for _ in range(3))
        for seat, (flop, turn, river) in enumerate(opponent.starts):
            kinds, by_end = opponent.seats[seat], np.lexsort((river.kept // 9, river.kept % 9))
            stand = np.argsort(by_end)  # starts of rivers that follow on the same move, together
            self.rivers[seat] = [self._river(of, river, stand) for of in kinds[3]]
            for r, starts in ((1, flop), (2, turn)):
                self.folds[seat].append([self._folds(of, starts, r) for of in kinds[r]])
            then, after = (one.following().reshape(-1, 9).T.ravel() for one in (turn, flop))
            self.takes[seat] = [
                self._take(flop.place, flop.times),
                self._take(turn.place[after], turn.times[after]),
                self._take(stand[river.place[then]], river.times[then]),
            ]

    @cached_property
    def first(self) -> list[Array]:
        """For each kind of buckets those before the flop; they come with the tables."""
        return [self.on.put(one.on(())) for one in self.opponent.known]

    def compile_kernels(self) -> None:
        """Have a GPU's kernels compiled, by a river on which nobody holds a hand: it needs no
        tables, so another thread can do it while they are read."""
        none, turn = self.on.zeros((1, FREE), "int64"), np.zeros(1, int)
        for k, one in enumerate(self.opponent.known if self.fused else ()):
            given = self.on.cast(none, "float16"), none - 1, none, turn, np.zeros(1)
            made = self.fused.Rivers(self.hands, one.classes[3], *given)
            for rivers, starts in zip(self.rivers, self.opponent.starts, strict=True):
                of, columns, place = rivers[k]
                if len(place):
                    out = self.on.zeros((1, PAIRS, len(starts[2].kept)), self.kind)
                    made.won(of, columns, place, out)

    def _river(self, of: OpponentReach, starts: Alike, stand: Any) -> tuple[Any, Any, Any]:
        """The round, its columns (folds, ends) here, and where its starts stand among all that are
        worked out."""
        kept, here = starts.among(of)
        columns = [self.opponent.chance[3] * one[:, :, kept] for one in (of.folds, of.ends)]
        place = stand[here]
        if self.fused:
            return of, self.fused.packed(*columns, place, self.on) if len(kept) else None, place
        return of, [self.on.put(one) for one in columns], place

    def _folds(self, of: OpponentReach, starts: Alike, r: int) -> tuple[OpponentReach, Array, Any]:
        """The round, (Z, F · S) what folds are worth by bucket, and where its starts stand."""
        kept, here = starts.among(of)
        folds = self.opponent.chance[r] * of.folds[:, :, kept]
        rows = folds.transpose(1, 0, 2).reshape(folds.shape[1], -1)
        rows = rows.astype(self.kind if r == 2 else "float64")
        return of, self.on.put(rows), here

    def _take(self, place: Any, times: Any) -> Callable[[Array], Array]:
        """What gives each start its value: that of another, so many times."""
        if np.array_equal(place, np.arange(len(place))) and (times == 1).all():
            return lambda values: values[:, :, : len(place)]
        at, many = self.on.put(place), self.on.put(times)
        return lambda values: (
            values[:, :, at] * self.on.cast(many, str(values.dtype).split(".")[-1])
        )

    def records(self, flops: Sequence[tuple[int, ...]]) -> Array:
        """(F, 2, 169, 7) as `flop_record` of each, here; what follows on all of them together."""
        on, hands, groups = self.on, self.hands, [keeping(flop) for flop in flops]
        turns = [
            (keeping((card,), group), f, weight, (*flop, card))
            for f, (flop, group) in enumerate(zip(flops, groups, strict=True))
            for card, weight in next_cards(flop, group)
        ]
        kept, of, often, boards = zip(*sorted(turns), strict=True)  # those with one group together
        rivers = [next_cards(*one) for one in zip(boards, kept, strict=True)]
        share = np.zeros((len(flops), len(of)), self.kind)  # of turns in their flops
        share[[*of], np.arange(len(of))] = often
        flop_of, adds = on.put(np.array(of)), on.put(share)
        threes, fours = on.put(np.array(flops)), on.put(np.array(boards))
        ones, twos = list[Array](), list[Array]()
        for one, before in zip(self.opponent.known, self.first, strict=True):
            ones.append(hands.buckets(one, threes, self.every, before[None]))
            twos.append(hands.buckets(one, fours, self.every, ones[-1][flop_of]))
        won, found = self._rivers(boards, fours, rivers, twos), []
        for seat, take in enumerate(self.takes):
            later = take[2](self._sum_renamed(won[seat], kept))
            values = on.xp.tensordot(adds, self._answered(seat, 1, twos, later), 1)
            below = take[1](self._sum_renamed(on.cast(values, "float64"), groups))
            found.append(self.classes @ take[0](self._answered(seat, 0, ones, below)))
        return on.xp.stack(found, 1)

    def _sum_renamed(self, values: Array, groups: Sequence[tuple[int, ...]]) -> Array:
        """(T, 1326, S) Σ over the renamings of each turn's group: values[t, g · hand], in place."""
        low = 0
        for group, alike in groupby(groups):
            some = values[low : (low := low + len([*alike]))]
            if others := group[1:]:  # without the first, which renames nothing
                some += reduce(add, [some[:, self.moved[g]] for g in others])
        return values

    def _answered(self, seat: int, r: int, buckets: Any, later: Array) -> Array:
        """As `answered`, on all turns, for the starts that are worked out: (T, 1326, S')."""
        xp, starts = self.on.xp, len(self.opponent.starts[seat][r].kept)
        found, later = None, later.reshape(*later.shape[:2], -1, starts)
        for (of, folds, place), bucket in zip(self.folds[seat][r], buckets, strict=True):
            if not len(place):
                continue
            every = len(place) == starts
            here = later if every else later[:, :, :, self.on.put(place)]
            within = self.hands.within(bucket, len(folds))
            met = within + within.sum(1)[:, None]  # how many hands of each bucket a pair may meet
            held = self.holds @ within
            for side in (0, 1):
                met -= held[:, self.cards[:, side]]
            met = self.on.cast(met, self.kind if r else "float64") @ folds
            met = met.reshape(*met.shape[:2], -1, len(place))

            def leaf(d: int, of: Any = of, met: Any = met, here: Any = here) -> Array:
                k = int(of.number[d])
                return here[:, :, k] if of.tree[d, KIND] == END else met[:, :, k]

            value = backed_up(of, leaf, best=partial(reduce, xp.maximum))
            value = xp.where((bucket >= 0)[:, :, None], value, 0.0)
            if every:
                return value
            found = 0.0 * later[:, :, 0] if found is None else found
            found[:, :, self.on.put(place)] = value
        return found

    def _rivers(self, boards: Any, fours: Array, rivers: Any, before: Any) -> list[Array]:
        """For each seat (T, 1326, S) what pairs win on all rivers of each turn, in its weights."""
        on, xp, shown = self.on, self.on.xp, self.hands
        out = [
            on.zeros((len(boards), PAIRS, len(starts[2].kept)), self.kind)
            for starts in self.opponent.starts
        ]
        free = xp.where(shown.taken(fours, self.every), PAIRS, self.every)
        hands = on.sort(free)[:, :FREE] + 0  # a copy, side by side
        many = [len(some) for some in rivers]
        wide = max(min(one.classes[3], 1081) for one in self.opponent.known)
        most = int(ROOM / (4 * 1152 * (wide + 64))) // 96 * 2 if self.fused else 1  # 2: aligned
        for low in range(0, len(boards), most):
            some = slice(low, low + most)
            turn = np.repeat(np.arange(len(many[some])), many[some])
            card, weight = (
                np.array([one[k] for each in rivers[some] for one in each]) for k in (0, 1)
            )
            turn_of, mine = on.put(turn), hands[some]
            fives = xp.concatenate([fours[some][turn_of], on.put(card.astype(int))[:, None]], 1)
            theirs = mine[turn_of]  # (B, 1128)
            if on.gpu:
                strength = shown.signals(shown.strong, fives, theirs)
            else:
                strength = shown.strengths(fives, theirs)
            made: Any = None
            last = ""
            for k, one in self.kinds:
                if one.fingerprint != last:  # seats and experts may know the same
                    was = before[k][some][turn_of[:, None], theirs]
                    bucket = shown.buckets(one, fives, theirs, was)
                    kind = self.fused.Rivers if self.fused else Rivers
                    wait(self.compiling)
                    made = kind(shown, one.classes[3], strength, bucket, mine, turn, weight)
                    last = one.fingerprint
                for seat in (0, 1):
                    of, columns, place = self.rivers[seat][k]
                    if len(place):
                        made.won(of, columns, place, out[seat][some])
        return out


class Rivers:
    """The rivers of one turn in plain array operations."""

    def __init__(
        self, shown: Any, n: int, strength: Array, bucket: Array, hands: Array, _: Any, weight: Any
    ) -> None:
        self.on, self.hands, self.weight = shown.on, hands, weight
        self.ahead = [
            shown.ahead(strength[b][None], bucket[b][None], n, hands) for b in range(len(weight))
        ]

    def won(self, of: OpponentReach, columns: Any, place: Any, out: Array) -> None:
        """Write the sum over rivers of what hands win into out (1, 1326, S)."""
        total: Any = 0.0
        for (wins, meets), weight in zip(self.ahead, self.weight.tolist(), strict=True):
            both = {FOLD: self.on.cast(meets, "float64"), END: self.on.cast(wins, "float64")}

            def leaf(d: int, both: Any = both) -> Array:
                kind = of.tree[d, KIND]
                return both[kind] @ columns[int(kind == END)][int(of.number[d])]

            total = total + weight * backed_up(of, leaf, best=partial(reduce, self.on.xp.maximum))
        out[0, self.hands[0][:, None], self.on.put(place)] = total[0]
