"""Hold'em with buckets that differ by what has been bet, and players who may be held to a strategy.

The betting falls into pieces (betting_parts.py); within a piece everybody has the same buckets, and
each player decides or follows what is fixed. So a pass goes from piece to piece where that of
bucket_game.py goes from round to round, with the same kernels:

    down    a player's reach at the ends of a piece is that at the starts of the pieces behind it
    up      what buckets win there is added up for the bucket that they come from

A player who follows a fixed strategy in a piece has its probabilities where others have regrets:
regret matching gives them back, and nobody ever adds to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from workbench.poker import public_game, threads
from workbench.poker.betting_parts import Piece, copy_choices, find_choices, pieces_of
from workbench.poker.bucket_game import BucketGame
from workbench.poker.holdem_buckets import HoldemBuckets
from workbench.poker.joint_buckets import joint_buckets
from workbench.poker.mixed_buckets import LANES, MixedBuckets
from workbench.poker.public_game import NOTHING, PublicState
from workbench.poker.public_passes import END_NUMBER, Hands, Indices, normalise, reach_down
from workbench.poker.public_strategy import PublicStrategy
from workbench.poker.public_tables import PublicRules, betting_of
from workbench.rules import GameError
from workbench.tree import FloatArray

Step = Callable[[int, FloatArray], FloatArray]


class MixedGame(BucketGame):
    """The game of dynamic experts, or of one static expert; see the first lines of this file."""

    def __init__(self, rules: PublicRules, buckets: MixedBuckets) -> None:
        self.rules = self.origin = rules
        self.buckets: MixedBuckets = buckets
        self.name = f"{rules.name} [{buckets.name}]"
        self.pieces, self.free = _kept(rules, buckets)
        self.shapes = [
            (count * piece.num_choices, len(piece.starts))
            for piece, count in zip(self.pieces, self.classes, strict=True)
        ]

    def __reduce__(self) -> Any:
        return MixedGame, (self.rules, self.buckets)

    @property
    def known(self) -> tuple[HoldemBuckets, ...]:
        return self.buckets.all

    @cached_property
    def classes(self) -> list[int]:
        """How many buckets there are in each piece."""
        return [self.known[piece.part].classes[piece.number] for piece in self.pieces]

    @cached_property
    def places(self) -> list[Indices]:
        return find_choices(self.rules.betting, self.pieces, self.classes)

    @property
    def num_infosets(self) -> int:
        """Of both players together, where they decide."""
        return sum(
            count * piece.decisions(player)
            for piece, count, free in zip(self.pieces, self.classes, self.free, strict=True)
            for player in (0, 1)
            if free[player]
        )

    def sums(self, values: FloatArray) -> FloatArray:
        pieces = zip(self.pieces, self.views(values), strict=True)
        return np.concatenate([piece.round.sums(values) for piece, values in pieces])

    @cached_property
    def behind(self) -> list[list[int]]:
        """The pieces behind each piece."""
        found: list[list[int]] = [[] for _ in self.pieces]
        for k, piece in enumerate(self.pieces):
            if piece.above >= 0:
                found[piece.above].append(k)
        return found

    @cached_property
    def tables(self) -> tuple[Any, ...]:  # type: ignore[override]
        """The betting and the buckets of each piece."""
        joint = [joint_buckets(one) for one in self.known]
        meets = [one.rounds(of) for one, of in zip(joint, self.known, strict=True)]
        found: list[Any] = []
        for piece, count in zip(self.pieces, self.classes, strict=True):
            r, each = piece.number, np.arange(count)
            above = np.zeros(count) if piece.above < 0 else each
            if piece.above >= 0 and not piece.same_round:
                above = np.array(self.known[piece.part].parents(r))
            table = np.column_stack([above, each, np.zeros(count)]).astype(np.int64)
            wins = joint[piece.part].wins if r == 3 else np.zeros((0, 0))
            hands = Hands(
                np.array([0, count], np.int64), np.ones(count), table,
                np.arange(count + 1), each, np.ones(count), meets[piece.part][r], wins,
            )  # fmt: skip
            paid = self.rules.betting.paid(r)[piece.starts]
            found.append((betting_of(piece.round, paid), hands))
        return tuple(found)

    # ---- passes ------------------------------------------------------------------------

    def decides(self, player: int, r: int) -> bool:
        return self.free[r][player]

    def reach(self, player: int, plan: list[FloatArray]) -> list[FloatArray]:
        found: list[Any] = [np.ones((1, 1))] + [None] * (len(plan) - 1)

        def down(k: int) -> None:
            betting, hands = self.tables[k]
            lanes = plan[k].shape[1] * (int(betting.tree[:, END_NUMBER].max()) + 1)
            ends = np.empty((len(hands.size), lanes))
            bucket = self.bucket_of[k]
            reach_down(0, 1, betting, hands, player, plan[k], bucket, found[k], ends)
            for later in self.behind[k]:
                found[later] = np.ascontiguousarray(ends[:, self.pieces[later].ends])

        for wave in reversed(self.waves):
            self._each([k for k in wave if self.behind[k]], down)
        return found

    @threads.one_blas_thread()
    def climb(self, step: Step, learner: int | None = None) -> FloatArray:
        """As in any game, from piece to piece instead of from round to round."""
        found: dict[int, FloatArray] = {}
        for wave in self.waves:  # pieces of a wave do not wait for one another
            now = [k for k in wave if learner is None or self.free[k][learner]]
            won = self._each(now, partial(self._step, step, found))
            found = dict(zip(now, won, strict=True))
        return found.get(0, NOTHING)

    @cached_property
    def waves(self) -> list[list[int]]:
        """The pieces, those furthest from the first one first."""
        deep: list[int] = []
        for piece in self.pieces:
            deep.append(0 if piece.above < 0 else deep[piece.above] + 1)
        return [
            [k for k, one in enumerate(deep) if one == d] for d in reversed(range(max(deep) + 1))
        ]

    def _each(self, some: list[int], function: Callable[[int], Any]) -> list[Any]:
        """What a function answers for some pieces, on all cores."""
        if len(some) < 2 or self.num_choices < public_game.SMALL or threads.cores() == 1:
            return [function(k) for k in some]
        found: dict[int, Any] = {}

        def work(low: int, high: int) -> None:
            found.update((k, function(k)) for k in some[low:high])

        for _ in threads.in_pieces(work, len(some), len(some)):
            pass
        return [found[k] for k in some]

    def _step(self, step: Step, found: dict[int, FloatArray], k: int) -> FloatArray:
        return step(k, self._later(k, found))

    def _later(self, k: int, found: dict[int, FloatArray]) -> FloatArray:
        """What the buckets of a piece win behind its ends, (n, S · ends)."""
        piece = self.pieces[k]
        if piece.number + 1 == len(self.rules.betting.rounds):
            return NOTHING
        later = np.zeros((self.classes[k], len(piece.starts) * piece.round.num_ends))
        for behind in self.behind[k]:
            if behind in found:
                to, won = self.pieces[behind], found[behind]
                if not to.same_round:
                    parents = self.tables[behind][1].table[:, 0]
                    first = np.searchsorted(parents, np.arange(self.classes[k]))
                    won = np.add.reduceat(won, first, axis=0)
                later[:, to.ends] = won
        return later

    def start_state(self, seed: int = 0) -> PublicState:
        state = super().start_state(seed)
        for values in (state.regret, state.strategy_sum):
            self.fill(values)
        return state

    def fill(self, values: FloatArray) -> None:
        """Write the fixed strategy into an array over choices, where it is followed."""
        base, sigma = BucketGame(self.rules, self.known[0]), self.buckets.seeding
        for piece, count, free in zip(self.pieces, self.classes, self.free, strict=True):
            for player in (0, 1):
                if not free[player]:
                    assert sigma is not None
                    copy_choices(piece, player, count, self.places, values, base.places, sigma)

    def advance(self, solver: Any, state: Any, iterations: int) -> Any:
        if not getattr(solver, "public", False):
            raise GameError(
                f"{solver.name} plays real deals and knows one kind of buckets; experts are solved "
                'by the CFR family: "cfr+"'
            )
        return super().advance(solver, state, iterations)

    def normalised(self, weights: FloatArray) -> PublicStrategy:
        probs = np.empty(self.num_choices)
        for (betting, _), count, given, found in zip(
            self.tables, self.classes, self.views(weights), self.views(probs), strict=True
        ):
            normalise(0, count, betting, given, found)
        return PublicStrategy(self, self, probs)

    def bucket_at(self, private: Sequence[int], public: Sequence[int]) -> int:
        """A number for the buckets of a hand in all parts together."""
        if {*private} & {*public}:
            return -1
        found = 0
        for one in self.known:
            found = found * one.classes[-1] + one.sequence(private, public)[-1]
        return int(found)


def _kept(rules: PublicRules, buckets: MixedBuckets) -> tuple[list[Piece], list[tuple[bool, bool]]]:
    """The pieces where somebody decides, or behind which somebody does; and who decides there."""
    pieces = pieces_of(rules.betting, buckets.part.spots(), LANES)
    expert = buckets.expert
    free = [
        tuple(not expert or piece.part == expert or i not in buckets.players for i in (0, 1))
        for piece in pieces
    ]
    needed = [any(decides) for decides in free]
    for k in reversed(range(len(pieces))):
        if needed[k] and pieces[k].above >= 0:
            needed[pieces[k].above] = True
    number = np.cumsum(needed) - 1
    kept = [k for k in range(len(pieces)) if needed[k]]
    return (
        [
            replace(pieces[k], above=int(number[pieces[k].above]) if pieces[k].above >= 0 else -1)
            for k in kept
        ],
        [free[k] for k in kept],  # type: ignore[misc]
    )
