"""Limit Hold'em for three: the card game that is solved on real deals only.

    rules ─► ThreeGame ─► state ─► PublicStrategy

With three players a round depends on who is still in, so no two rounds are alike, and there are no
lanes: each information set has three slots, for fold, call and raise; those of moves that are not
allowed stay empty. The base's nodes come first, round after round, then those of each expert; the
base's slots where an expert plays stay empty, too. Buckets say what the game is (mixed_buckets.py);
without any it is the real one, 10¹⁷ information sets, played only.

The state holds two 32-bit floats for fold, call and raise each, 24 bytes an information set: 0.7 GB
for 169-3-3-3 and its 29 million sets. It is changed in place.
"""

import hashlib
import math
import os
from functools import cached_property
from typing import Any

import numpy as np

from workbench.poker.buckets.mixed_buckets import MixedBuckets, SeatedBuckets
from workbench.poker.engine.card_game import CardGame, PublicState
from workbench.poker.engine.deal_walk import BUCKETS, COLUMNS, Layout, normalise
from workbench.rules import GameError
from workbench.tree import FloatArray, frozen


class ThreeGame(CardGame):
    """See the first lines of this file."""

    num_players = 3
    offers = ("deals",)  # type: ignore[assignment]
    dtype = np.float32
    example = (
        "'169-3-3-3', or "
        'wb.cluster_hands(rules, (169, 3, 3, 3), metric="ehs2", method="percentile", '
        'recall="imperfect")'
    )

    def __init__(self, rules: Any, buckets: Any = None) -> None:
        super().__init__(rules, buckets)
        self.judged = False
        if len(self.known) > 16:
            raise GameError(f"{self.name!r} has {len(self.known) - 1} experts; 15 are the most")

    @cached_property
    def after(self) -> str:
        mixed = self.buckets
        if isinstance(mixed, MixedBuckets) and mixed.expert and len(mixed.players) == 3:
            return mixed.part.names[mixed.expert - 1].replace("/", "")
        return ""

    @property
    def _blocks(self) -> list[tuple[int, str, tuple[int, ...]]]:
        """Which of the `known` buckets count from which betting on, for which seats."""
        if isinstance(self.buckets, SeatedBuckets):
            found, before = list[tuple[int, str, tuple[int, ...]]](), 0
            for seat, buckets in enumerate(self.buckets.seats):
                alone = ThreeGame(self.rules, buckets)
                found += [(before + part, after, (seat,)) for part, after, _ in alone._blocks]
                before += len(alone.known)
            return found
        names = self.buckets.part.names if isinstance(self.buckets, MixedBuckets) else ()
        blocks = [*enumerate(("", *names))][1 if self.after else 0 :]
        return [(part, after, (0, 1, 2)) for part, after in blocks]

    @cached_property
    def layout(self) -> Layout:
        tree, group, at = self.flat, self.flat.info, 0
        if len(self.known) > 1:  # player, round and part
            group = frozen(group + 16 * np.maximum(self.nodes.kind, 0).astype(np.uint8))
        groups = np.zeros((len(self.known), 16, len(COLUMNS)), np.int64)
        for part, after, seats in self._blocks:
            for r, (low, high) in enumerate(tree.blocks(after).tolist()):
                begin, n = int(tree.first[r]) + low, self.known[part].classes[r]
                for seat in seats:
                    fixed = part == 0 and seat in self.buckets.players
                    stands = at - 3 * n * begin, 3 * n, 3, 1
                    whose = seat, r, part, self.kind_of(part), n, fixed
                    groups[part, seat + 4 * r] = *whose, *stands
                at += 3 * n * (high - low)
        return Layout(tree.child, group, groups.reshape(-1, len(COLUMNS)))

    @cached_property
    def num_choices(self) -> int:
        """Slots of a state: fold, call and raise for each information set, allowed or not."""
        if self.lossless:
            return 3 * self.num_infosets
        blocks = [(self.flat.blocks(after), self.known[part]) for part, after, _ in self._blocks]
        return 3 * sum(int((found[:, 1] - found[:, 0]) @ of.classes) for found, of in blocks)

    @cached_property
    def num_infosets(self) -> int:
        if self.lossless:
            return super().num_infosets
        many = np.bincount(self.layout.group, minlength=len(self.layout.groups))
        return int(many @ self.layout.groups[:, BUCKETS])

    @cached_property
    def fingerprint(self) -> str:
        of_buckets = "" if self.lossless else self.buckets.fingerprint
        said = f"three {self.rules!r} {of_buckets}"
        return hashlib.sha256(said.encode()).hexdigest()[:32]

    def matched(self, weights: FloatArray) -> FloatArray:
        probs: Any = np.zeros(self.num_choices, self.dtype)
        normalise(self.layout, weights, probs)
        return probs  # type: ignore[no-any-return]

    @property
    def unjudged(self) -> str:
        return (
            f"in {self.name!r} three may meet at a showdown, which is no sum over pairs of hands, "
            'so deals are only sampled: "external-sampling" finds strategies, nobody computes how '
            "exploitable they are; let them play: wb.sample_match"
        )

    def start_state(self, seed: int = 0) -> PublicState:
        """Before the first iteration, if there is room for it."""
        need = 12 * self.num_choices  # bytes: a state, and the strategy of it
        said = hasattr(os, "sysconf")  # how large this computer's memory is
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if said else math.inf
        if need > there and not self.lossless:
            raise GameError(
                f"{self.num_choices // 3:,} information sets take {need / 1e9:,.0f} GB, and this "
                f"computer has {there / 1e9:,.0f}; take fewer buckets, for three players with "
                'recall="imperfect"'
            )
        return super().start_state(seed)
