"""Hold'em between seats that know different buckets: a strategy put together of one for each seat.

Static experts with S = {i} are made for one seat at a time, and fine for that seat only. Such a
strategy can be played, asked and kept; its worth is not a sum over one pair of matrices, so it is
measured in matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from workbench.poker.betting_parts import FIRST, PART
from workbench.poker.bucket_game import BucketGame
from workbench.poker.holdem_buckets import HoldemBuckets
from workbench.poker.mixed_buckets import SeatedBuckets
from workbench.poker.public_game import PublicGame
from workbench.poker.public_passes import Indices
from workbench.poker.public_strategy import PublicStrategy
from workbench.poker.public_tables import PublicRules
from workbench.rules import GameError
from workbench.tree import FloatArray


class SeatedGame(BucketGame):
    """The choices of each seat's game, one after the other; only those of that seat are played."""

    def __init__(self, rules: PublicRules, buckets: SeatedBuckets) -> None:
        self.rules = self.origin = rules
        self.buckets: SeatedBuckets = buckets
        self.name = f"{rules.name} [{buckets.name}]"
        self.seats: list[BucketGame] = [
            rules.public_game(one)  # type: ignore[attr-defined]
            for one in buckets.seats
        ]
        self.shapes = [(game.num_choices, 1) for game in self.seats]

    def __reduce__(self) -> Any:
        return SeatedGame, (self.rules, self.buckets)

    @cached_property
    def known(self) -> tuple[HoldemBuckets, ...]:
        return tuple(one for game in self.seats for one in game.known)

    @cached_property
    def places(self) -> list[Indices]:
        first, second = self.seats
        found = []
        for one, here, there in zip(
            self.rules.betting.rounds, first.places, second.places, strict=True
        ):
            shifted = there.copy()
            shifted[..., FIRST] += first.num_choices
            shifted[..., PART] += len(first.known)
            found.append(np.where((one.kind == 1)[None, :, None], shifted, here))
        return found

    def of_seat(self, seat: int, probs: FloatArray) -> tuple[Any, FloatArray]:
        return self.buckets.seats[seat], self.views(probs)[seat][:, 0]

    @property
    def num_infosets(self) -> int:
        """Of both players together."""
        total = 0
        for r, here in enumerate(self.places):
            count = np.array([one.classes[r] for one in self.known])
            total += int(count[here[..., PART][here[..., FIRST] >= 0]].sum())
        return total

    def sums(self, values: FloatArray) -> FloatArray:
        seats = zip(self.seats, self.views(values), strict=True)
        return np.concatenate([game.sums(values.ravel()) for game, values in seats])

    def bucket_at(self, private: Sequence[int], public: Sequence[int]) -> int:
        """A number for the buckets of a hand in both seats together."""
        first, second = (game.bucket_at(private, public) for game in self.seats)
        return -1 if first < 0 else first * 10**9 + second

    @property
    def tables(self) -> tuple[Any, ...]:  # type: ignore[override]
        return self._only_plays()

    def normalised(self, weights: FloatArray) -> PublicStrategy:
        return self._only_plays()

    def meets(self, other: PublicGame) -> None:
        self._only_plays()

    def _only_plays(self) -> NoReturn:
        raise GameError(
            f"the seats of {self.name!r} know different buckets, so nothing is a sum over one pair "
            "of matrices; let it play: wb.sample_match({...})"
        )
