"""Buckets of Hold'em: hands cut by their strength, round by round.

Everyday example: with three buckets a round a player knows "weak, then strong, then middling": how
good her hand was in each round compared with all hands that looked the same until then. That makes
3, 9, 27 and 81 things to know, instead of 169, a million, 55 million and two billion.

Hold'em has too many boards to list the bucket of every hand on each (buckets.py does that for
smaller games). Here a bucket is found when it is asked for: from the bucket of the round before
and the hand's signal (holdem_signals.py). If rounds before are remembered, a bucket tells the whole
sequence, and players forget nothing (`nested`).

`cluster_hands(rules, buckets, …)` in `workbench.abstraction` makes them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.arrays import Torch, gpu
from workbench.poker.buckets.buckets import Buckets
from workbench.poker.cards.board_sets import CARDS, PAIRS, Longs, board_sets, masks_of
from workbench.poker.cards.hand_classes import CLASS_OF_PAIR
from workbench.poker.cards.threads import in_pieces
from workbench.poker.strength import table_arrays
from workbench.poker.strength.holdem_signals import (
    METRICS,
    Cards,
    Cuts,
    count_hands,
    next_buckets,
    signals,
)
from workbench.poker.strength.holdem_tables import need_board, need_deal
from workbench.progress import ProgressBar
from workbench.rules import GameError
from workbench.settings import need_one_of, need_whole
from workbench.strategy import need_numbers
from workbench.tree import FloatArray, IntArray

ROUNDS = {0: 0, 3: 1, 4: 2, 5: 3}  # by public cards
LABELS = {0: (1326,), 1: (1755, 1326), 2: (16432, 1326)}  # hands, on boards up to suits
NEVER = 1 << 20  # a cut that no signal reaches
FORGET = Cuts(np.zeros(1, np.int64), np.zeros((1, 0), np.int64))  # one bucket for all

Numbers = NDArray[np.integer[Any]]


class HoldemBuckets(Buckets):
    """The cuts of every round; `metric` says which signals they cut. `labels` are signals of one's
    own for rounds before the river."""

    def __init__(
        self, rules: Any, cuts: Iterable[tuple[Any, Any]], metric: str = "ehs2", name: str = "",
        labels: Mapping[int, NDArray[np.uint16]] | None = None,
    ) -> None:  # fmt: skip
        given = dict(labels or {})
        self.labels = {r: self._whole(own, LABELS[r], np.uint16) for r, own in given.items()}
        self.rules, self.metric = rules, need_one_of("metric", metric, METRICS)
        self.cuts = tuple(Cuts(self._whole(first), self._whole(some)) for first, some in cuts)
        if len(self.cuts) != 4:
            raise GameError(f"buckets for {len(self.cuts)} rounds, but {rules.name!r} has 4")
        before, counts = 1, []
        for r, one in enumerate(self.cuts, start=1):
            if one.first.shape != (before,) or one.cuts.ndim != 2 or len(one.cuts) != before:
                rows = one.cuts.shape[:1] or (0,)
                raise GameError(
                    f"cuts of round {r} have {rows[0]} rows; the round before has {before} "
                    "buckets, and each needs one"
                )
            if (one.first < 0).any() or (np.diff(one.cuts) < 0).any():
                raise GameError(f"cuts of round {r} must rise, and buckets be numbered from 0 on")
            counts.append(before := _count(one))
        self.classes = tuple(counts)
        self.name = name or "-".join(map(str, self.classes))

    @staticmethod
    def _whole(given: Any, shape: tuple[int, ...] | None = None, kind: Any = np.int64) -> Any:
        return need_numbers("cuts or labels", given, shape, "a table of buckets", kind)

    @cached_property
    def nested(self) -> bool:
        """Whether each bucket tells the bucket of the round before: perfect recall."""
        return all(_children(self.cuts[r]).sum() == self.classes[r] for r in (1, 2, 3))

    def parents(self, round: int) -> NDArray[np.int64]:
        """For each bucket the one of the round before that leads to it."""
        if not self.nested:
            raise GameError(
                f"in {self!r} players forget what they knew, so no bucket tells the one of the "
                'round before; take recall="perfect"'
            )
        found = np.zeros(self.classes[need_whole("round", round, 0, 3)], np.int64)
        cut = self.cuts[round]
        for before, (first, count) in enumerate(zip(cut.first, _children(cut), strict=True)):
            found[first : first + count] = before
        return found

    @cached_property
    def cards(self) -> Cards:
        """The boards and signals that kernels read."""
        usual = signals(self.metric).cards
        own: Any = {("preflop", "flop", "turn")[r]: labels for r, labels in self.labels.items()}
        return usual._replace(**own)

    def sequence(
        self, hand: str | Sequence[int], board: str | Sequence[int] = ()
    ) -> tuple[int, ...]:
        """The buckets of two cards in the rounds so far; the board in the order it came."""
        hand, board = need_deal(hand, board)
        return tuple(self.at(hand, board[:seen]) for seen in ROUNDS if seen <= len(board))

    def on(self, public: Sequence[int], before: Longs | None = None) -> Longs:
        """(1326,) the bucket of each pair on public cards, in the order they came, -1 if they share
        a card; `before` are those of the round before, if they are known."""
        r, out = ROUNDS[len(public)], np.empty(PAIRS, np.int64)
        if self.classes[r] == 1:  # needs no table of hands
            return np.where(np.isin(CARDS, public).any(axis=1), -1, 0)
        of = self.cards
        if r == 0:
            cut, signal = self.cuts[0], of.preflop.astype(np.int64)[:, None]
            return np.asarray(cut.first[0] + (signal >= cut.cuts[0]).sum(axis=1))
        before = self.on(public[:-1] if r > 1 else ()) if before is None else before
        codes, table = ((of.flops, of.flop), (of.turns, of.turn), (of.rivers, of.river))[r - 1]
        next_buckets(masks_of(public), codes, table, of.moved, CARDS, self.cuts[r], before, out)
        return out

    def sizes(self, round: int) -> NDArray[np.int64]:
        """How many real holdings (a hand and a real board, in order) are in each bucket."""
        need_whole("round", round, 0, 3)
        counts = count_signals(self.metric, self.cuts[:round], self.cards)
        before, signal = np.nonzero(counts)
        cut = self.cuts[round]
        bucket = cut.first[before] + (signal[:, None] >= cut.cuts[before]).sum(axis=1)
        return np.bincount(bucket, counts[before, signal]).round().astype(np.int64)

    def chart(self, board: str | Sequence[int] = ()) -> IntArray:
        """(13, 13) the bucket of each class of hands, aces first, suited above the diagonal; on a
        board the bucket of most hands of the class, -1 where the board leaves none."""
        bucket = self.on(need_board(board))
        votes = np.zeros((169, bucket.max() + 1), np.int64)
        np.add.at(votes, (CLASS_OF_PAIR[bucket >= 0], bucket[bucket >= 0]), 1)
        most = np.where(votes.any(axis=1), votes.argmax(axis=1), -1)
        return most.astype(np.int32).reshape(13, 13)

    @cached_property
    def fingerprint(self) -> str:
        """Equal for equal buckets of the same game."""
        digest = hashlib.sha256(f"{self.rules.name} {self.metric}".encode())
        for one in self.cuts:
            digest.update(one.first.tobytes() + one.cuts.tobytes())
        for own in self.labels.values():
            digest.update(own.tobytes())
        return digest.hexdigest()

    def saved(self) -> dict[str, Any]:
        """The arrays that `restored` needs."""
        arrays: dict[str, Any] = {f"first{r}": one.first for r, one in enumerate(self.cuts)}
        arrays |= {f"cuts{r}": one.cuts for r, one in enumerate(self.cuts)}
        for r, own in self.labels.items():
            arrays[f"labels{r}"] = own.astype(np.uint8) if own.max() < 256 else own
        return {**arrays, "metric": self.metric, "name": self.name}

    @classmethod
    def restored(cls, rules: Any, saved: Any) -> HoldemBuckets:
        cuts = [(saved[f"first{r}"], saved[f"cuts{r}"]) for r in range(4)]
        labels = {r: saved[f"labels{r}"] for r in range(3) if f"labels{r}" in saved}
        return cls(rules, cuts, str(saved["metric"]), str(saved["name"]), labels)


def count_signals(metric: str, cuts: Sequence[Cuts], cards: Cards | None = None) -> FloatArray:
    """(buckets before, signals) how many hands on real boards of the next round have each signal;
    boards of every order. On the river 2.9 billion: measured 30 s on one core."""
    found = signals(metric)
    cards = found.cards if cards is None else cards
    r, sizes = len(cuts), len(found.values[len(cuts)])
    parents = _count(cuts[-1]) if cuts else 1
    if r == 0:
        return np.bincount(cards.preflop, minlength=sizes)[None].astype(np.float64)
    sets, pieces = board_sets(r + 2), (4, 10, 100)[r - 1]
    table, total = (cards.flop, cards.turn, cards.river)[r - 1], np.zeros((parents, sizes))
    if isinstance(machine := gpu(), Torch):
        seen = table_arrays.Seen(cards, tuple(cuts))
        return table_arrays.count(machine, r + 2, seen, table, parents, sizes)
    with ProgressBar(f"hands of round {r + 1}", pieces) as bar:
        known = (*cuts, *[FORGET] * 4)[:4]  # kernels want four of them
        arguments = sets.code, sets.weight, table, cards, known, parents, sizes
        for done, some in enumerate(in_pieces(count_hands, len(sets.code), pieces, *arguments), 1):
            total += some
            bar.show(done)
    return total


def as_cuts(before: Numbers, signal: Numbers, label: Numbers, parents: int) -> Cuts:
    """The cuts that put a signal after a bucket (n,) into the buckets `label`; those of one bucket
    before are neighbours."""
    rows = [np.flatnonzero(before == one) for one in range(parents)]
    firsts = [int(label[own].min()) if len(own) else 0 for own in rows]
    starts = [
        [int(signal[own][label[own] == one].min()) for one in np.unique(label[own])[1:]]
        for own in rows
    ]
    cuts = np.full((parents, max(map(len, starts))), NEVER)
    for row, own in zip(cuts, starts, strict=True):
        row[: len(own)] = own
    return Cuts(np.array(firsts, np.int64), cuts.astype(np.int64))


def _children(cut: Cuts) -> NDArray[np.int64]:
    return np.asarray(1 + (cut.cuts < NEVER).sum(axis=1))


def _count(cut: Cuts) -> int:
    return int((cut.first + _children(cut)).max())
