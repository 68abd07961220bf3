"""The best response on a flop as array operations, for a GPU: all its turns and rivers at once.

The same walk as flop_response.py. Measured on an H200: all 1,755 flops take 99 s for k = 3 and 177
for k = 5, one 0.18 s for k = 8 (data/results/gpu.csv), where two cores take nights, because nearly
all of the work is two products of matrices (hand_arrays.py, and river_response.py says why):

    W, N            who beats and who meets whom on each river, by the opponent's buckets there
    W · ends        what each hand wins at each showdown, N · folds at each fold
    max, sum        the betting of the river settled, rivers of a turn added up

On a GPU with triton these are two kernels (fused.py) in which no leaf's value goes through memory.
Elsewhere they are plain array operations, slow, for tests: compiled kernels are faster there.

**Rounding.** W and N are exact in 16 bits. A column is the sum of two numbers of 16 bits, after all
columns of a start were multiplied by a power of two that brings the largest to 2¹³ or more: it is
right to 2⁻²² of itself, or to 2⁻³⁸ of the largest. Products are added up in 32 bits, the turn too;
the flop and what comes before in 64. Measured on one flop (k = 2): hands win 0.0381204908 in all by
the compiled kernels, which use 32 bits as well, and 1.1e-8 less here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from importlib.util import find_spec
from typing import Any

import numpy as np

from workbench.arrays import Array, Machine
from workbench.poker.betting.betting import END, FOLD
from workbench.poker.cards.board_sets import CARDS, MOVED, PAIRS
from workbench.poker.engine.card_passes import KIND
from workbench.poker.response.flop_response import IN_CLASS, Opponent, keeping, next_cards
from workbench.poker.response.response_rounds import Alike, Columns, settled
from workbench.poker.strength.hand_arrays import HandArrays

ROOM = 6e9  # bytes of W and N at a time


class FlopArrays:
    """An opponent on a machine: what a responder wins from her on one flop after the other."""

    def __init__(self, opponent: Opponent, on: Machine, kernels: bool | None = None) -> None:
        self.opponent, self.on, self.hands = opponent, on, HandArrays(on)
        self.every = on.put(np.arange(PAIRS))
        self.first = [on.put(one.on(())) for one in opponent.known]
        self.kinds = sorted(enumerate(opponent.known), key=lambda one: one[1].fingerprint)
        self.holds = on.put((CARDS[:, :, None] == np.arange(52)).any(axis=1).T.astype(np.float64))
        self.cards = on.put(CARDS.astype(np.int64))
        self.classes, self.moved = on.put(IN_CLASS), on.put(MOVED.astype(np.int64))
        self.fused: Any = None
        if kernels is None:
            kernels = on.gpu and bool(find_spec("triton"))
        if kernels:
            from workbench.poker.response import fused

            self.fused = fused
        self.kind = "float32" if self.fused else "float64"  # of river and turn
        self.rivers, self.folds, self.takes = ([list[Any](), list[Any]()] for _ in range(3))
        for seat, (flop, turn, river) in enumerate(opponent.starts):
            kinds = opponent.seats[seat]
            self.rivers[seat] = [self._river(of, river) for of in kinds[3]]
            for r, starts in ((1, flop), (2, turn)):
                self.folds[seat].append([self._folds(of, starts, r) for of in kinds[r]])
            then, after = turn.following(), flop.following()
            self.takes[seat] = [
                self._take(flop.place, flop.times),
                self._take(turn.place[after], turn.times[after]),
                self._take(river.place[then], river.times[then]),
            ]

    def _river(self, of: Columns, starts: Alike) -> tuple[Any, Any, Any]:
        """The round, its columns (folds, ends) here, and where its starts stand among all that are
        worked out."""
        kept = np.flatnonzero(np.isin(of.starts, starts.kept))
        columns = [self.opponent.chance[3] * one[:, :, kept] for one in (of.folds, of.ends)]
        place = np.flatnonzero(np.isin(starts.kept, of.starts))
        if self.fused:
            return of, self.fused.packed(*columns, self.on) if len(kept) else None, place
        return of, [self.on.put(one) for one in columns], place

    def _folds(self, of: Columns, starts: Alike, r: int) -> tuple[Columns, Array, Any]:
        """The round, (1 + Z, F, S) what folds are worth by bucket, and where its starts stand."""
        folds = self.opponent.chance[r] * of.folds[:, :, np.isin(of.starts, starts.kept)]
        rows = np.concatenate([folds.transpose(1, 0, 2), np.zeros((1, *folds.shape[::2]))])
        rows = rows.astype(self.kind if r == 2 else "float64")
        return of, self.on.put(rows), np.flatnonzero(np.isin(starts.kept, of.starts))

    def _take(self, place: Any, times: Any) -> Callable[[Array], Array]:
        """What gives each start its value: that of another, so many times."""
        if np.array_equal(place, np.arange(len(place))) and (times == 1).all():
            return lambda values: values[:, :, : len(place)]
        at, many = self.on.put(place), self.on.put(times)
        return lambda values: (
            values[:, :, at] * self.on.cast(many, str(values.dtype).split(".")[-1])
        )

    def record(self, flop: tuple[int, ...]) -> Array:
        """(2, 169, 7) as `flop_record`, here."""
        on, known, hands = self.on, self.opponent.known, self.hands
        group = keeping(flop)
        turns = list(next_cards(flop, group))
        kept = [keeping((card,), group) for card, _ in turns]
        boards = [(*flop, card) for card, _ in turns]
        rivers = [list(next_cards(one, left)) for one, left in zip(boards, kept, strict=True)]
        flops, fours = on.put(np.array([flop])), on.put(np.array(boards))
        ones, twos = list[Array](), list[Array]()
        for one, before in zip(known, self.first, strict=True):
            ones.append(hands.buckets(one, flops, self.every, before[None]))
            twos.append(hands.buckets(one, fours, self.every, ones[-1]))
        won, found = self._rivers(boards, fours, rivers, twos), []
        often = on.put(np.array([weight for _, weight in turns], self.kind))[:, None, None]
        for seat, take in enumerate(self.takes):
            later = take[2](self._spread(won[seat], kept))
            values = (often * self._answered(seat, 1, twos, later)).sum(0)[None]
            below = take[1](self._spread(on.cast(values, "float64"), [group]))
            found.append(self.classes @ take[0](self._answered(seat, 0, ones, below))[0])
        return on.xp.stack(found)

    def _spread(self, values: Array, groups: list[list[int]]) -> Array:
        """(T, 1326, S) Σ over the renamings of each turn's group: values[t, g · hand]."""
        more = sorted({g for group in groups for g in group} - {0})  # all groups have 0: as it was
        found = values + 0.0 if more else values
        for g in more:
            at = self.on.put(np.array([t for t, group in enumerate(groups) if g in group]))
            found[at] += values[at][:, self.moved[g]]
        return found

    def _answered(self, seat: int, r: int, buckets: Any, later: Array) -> Array:
        """As `answered`, on all turns, for the starts that are worked out: (T, 1326, S')."""
        xp, starts = self.on.xp, len(self.opponent.starts[seat][r].kept)
        found, later = None, later.reshape(*later.shape[:2], starts, -1)
        for (of, folds, place), bucket in zip(self.folds[seat][r], buckets, strict=True):
            if not len(place):
                continue
            every = len(place) == starts
            own, here = folds[bucket], later if every else later[:, :, self.on.put(place)]
            many, _, leaves, size = own.shape  # where there is no bucket the last row, 0
            holds = self.on.cast(self.holds, self.kind if r else "float64")
            held = (holds @ own.reshape(many, PAIRS, -1)).reshape(many, 52, leaves, size)
            met = own + own.sum(1)[:, None]
            for side in (0, 1):
                met -= held[:, self.cards[:, side]]

            def leaf(d: int, of: Any = of, met: Any = met, here: Any = here) -> Array:
                k = int(of.number[d])
                return here[:, :, :, k] if of.tree[d, KIND] == END else met[:, :, k]

            value = settled(of, leaf, best=partial(reduce, xp.maximum))
            value = xp.where((bucket >= 0)[:, :, None], value, 0.0)
            if every:
                return value
            found = 0.0 * later[:, :, :, 0] if found is None else found
            found[:, :, self.on.put(place)] = value
        return found

    def _rivers(self, boards: Any, fours: Array, rivers: Any, before: Any) -> list[Array]:
        """For each seat (T, 1326, S) what pairs win on all rivers of each turn, in its weights."""
        on, xp, shown = self.on, self.on.xp, self.hands
        out = [
            on.zeros((len(boards), PAIRS, len(starts[2].kept)), self.kind)
            for starts in self.opponent.starts
        ]
        free = np.array([np.flatnonzero(~np.isin(CARDS, one).any(axis=1)) for one in boards])
        hands, many = on.put(free), [len(some) for some in rivers]
        wide = max(min(one.classes[3], 1081) for one in self.opponent.known)
        most = max(1, int(ROOM / (4 * 1152 * (wide + 64))) // 48) if self.fused else 1
        for low in range(0, len(boards), most):
            some = slice(low, low + most)
            turn = np.repeat(np.arange(len(many[some])), many[some])
            card, weight = (
                np.array([one[k] for each in rivers[some] for one in each]) for k in (0, 1)
            )
            turn_of, mine = on.put(turn), hands[some]
            fives = xp.concatenate([fours[some][turn_of], on.put(card.astype(int))[:, None]], 1)
            theirs = mine[turn_of]  # (B, 1128)
            strength = shown.strengths(fives, theirs)
            made: Any = None
            last = ""
            for k, one in self.kinds:
                if one.fingerprint != last:  # seats and experts may know the same
                    was = before[k][some][turn_of[:, None], theirs]
                    bucket = shown.buckets(one, fives, theirs, was)
                    about = one.classes[3], strength, bucket
                    if self.fused:
                        bits = shown.pair_bits[mine]
                        made = self.fused.Rivers(shown, *about, bits, turn, weight)
                    else:
                        made = Rivers(self, *about, theirs, weight)
                    last = one.fingerprint
                rows = on.put(np.arange(low, low + len(many[some])))[:, None]
                for seat in (0, 1):
                    of, columns, place = self.rivers[seat][k]
                    if len(place) == out[seat].shape[2]:
                        out[seat][rows, mine] = made.won(of, columns)
                    elif len(place):
                        where = rows[:, :, None], mine[:, :, None], on.put(place)
                        out[seat][where] = made.won(of, columns)
        return out


class Rivers:
    """The rivers of one turn in plain array operations."""

    def __init__(
        self, of: FlopArrays, n: int, strength: Array, bucket: Array, hands: Array, weight: Any
    ) -> None:
        self.of, self.weight = of, weight
        self.ahead = [
            of.hands.ahead(strength[b][None], bucket[b][None], n, hands[b][None])
            for b in range(len(weight))
        ]

    def won(self, of: Columns, columns: Any) -> Array:
        """(1, 1128, S) the sum over rivers of what hands win."""
        xp, total = self.of.on.xp, 0.0
        for (wins, meets), weight in zip(self.ahead, self.weight.tolist(), strict=True):
            both = {FOLD: self.of.on.cast(meets, "float64"), END: self.of.on.cast(wins, "float64")}

            def leaf(d: int, both: Any = both) -> Array:
                kind = of.tree[d, KIND]
                return both[kind] @ columns[int(kind == END)][int(of.number[d])]

            total = total + weight * settled(of, leaf, best=partial(reduce, xp.maximum))
        return total
