"""A card game between buckets: no boards, only what players remember and how buckets meet.

The public-state engine walks boards with a vector over hands. In Hold'em with nested buckets there
is one "board" a round, whose "hands" are the buckets: 3, 9, 27 and 81 of them. All cards are in two
matrices at the leaves (joint_buckets.py): what a bucket wins at a fold or a showdown is a matrix
product with the opponent's reach. So an iteration for 477,000 information sets is some vector
operations over betting sequences and one product of an (81, 81) with an (81, 567) matrix for each
leaf of the river.

    HoldemGame     the real game: its name, its size, its cards; too large to be solved
    BucketGame     what is solved: `PublicGame` with other tables
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from math import comb
from typing import Any

import numpy as np

from workbench.poker.betting_parts import BUCKET, CHOICE, FIRST, PART, find_choices, pieces_of
from workbench.poker.holdem_buckets import HoldemBuckets
from workbench.poker.joint_buckets import joint_buckets
from workbench.poker.mixed_buckets import MixedBuckets, SeatedBuckets, restored_buckets
from workbench.poker.public_game import PublicAbstraction, PublicGame
from workbench.poker.public_passes import Betting, Hands, Indices, normalise
from workbench.poker.public_strategy import PublicStrategy
from workbench.poker.public_tables import PublicRules, chances, infosets_per_player, make_betting
from workbench.poker.real_deals import match_scores, sample
from workbench.poker.threads import one_blas_thread
from workbench.rules import GameError, shown
from workbench.tree import FloatArray


class HoldemGame(PublicGame):
    """The real game. It names what is played and judges nothing: an exact best response takes
    hours, so a run knows only the exploitability within its buckets."""

    judged = False
    lossless = True
    perfect_recall = True

    def __init__(self, rules: PublicRules) -> None:
        self.rules = self.origin = rules
        self.name = rules.name

    def __reduce__(self) -> Any:
        return HoldemGame, (self.rules,)

    @property
    def holdings(self) -> tuple[int, ...]:
        """How many hands on real boards there are in each round."""
        found, left = [comb(52, 2)], 50
        for new in self.rules.public_cards[1:]:
            found.append(found[-1] * comb(left, new))
            left -= new
        return tuple(found)

    @property
    def num_infosets(self) -> int:
        """Of both players together: 319 trillion."""
        first = infosets_per_player(self.rules, self.holdings)
        return first + infosets_per_player(self.rules, self.holdings, 1)

    @property
    def num_choices(self) -> int:
        rounds = zip(
            self.holdings, self.rules.betting.rounds, self.rules.betting.starts, strict=True
        )
        return sum(hands * one.num_choices * starts for hands, one, starts in rounds)

    @cached_property
    def fingerprint(self) -> str:
        return hashlib.sha256(f"public {self.rules!r}".encode()).hexdigest()[:32]

    def __repr__(self) -> str:
        return f"HoldemGame {self.name!r}: 2 players, {self.num_infosets:,} infosets"

    def abstraction(self, buckets: Any) -> PublicAbstraction:
        """The game in which players tell apart only buckets."""
        known = isinstance(buckets, HoldemBuckets | MixedBuckets)
        if not known or buckets.rules != self.rules:
            raise GameError(
                f"{shown(buckets)} are no buckets of {self.name!r}; make them with "
                "wb.cluster_hands(rules, (3, 3, 3, 3), metric='ehs2', method='percentile')"
            )
        made: PublicGame = self.rules.public_game(buckets)  # type: ignore[attr-defined]
        return PublicAbstraction(buckets.name, self, made)

    def played_by(self, saved: Any) -> PublicGame:
        """The game with the buckets of a saved strategy."""
        made: PublicGame = self.rules.public_game(restored_buckets(self.rules, saved))  # type: ignore[attr-defined]
        return made

    def seated(self, strategies: Sequence[PublicStrategy]) -> PublicStrategy:
        """The strategy that plays as the first in seat 0 and as the second in seat 1."""
        of_seats: Any = [sigma.played for sigma in strategies]
        parts = [game.of_seat(i, strategies[i].probs) for i, game in enumerate(of_seats)]
        buckets = SeatedBuckets(*(known for known, _ in parts))
        made: PublicGame = self.rules.public_game(buckets)  # type: ignore[attr-defined]
        return PublicStrategy(self, made, np.concatenate([probs for _, probs in parts]))

    def sample_scores(
        self, strategies: Sequence[Any], *, deals: int, seed: int, duplicate: bool
    ) -> FloatArray:
        """(deals, 2) what two strategies win from each deal."""
        return match_scores(*strategies, deals=deals, seed=seed, duplicate=duplicate)

    def start_state(self, seed: int = 0) -> Any:
        raise GameError(
            f"{self.name!r} has {self.num_infosets:,} information sets; solve it with buckets: "
            "abstraction='3333', or others by wb.cluster_hands(rules, …)"
        )

    def normalised(self, weights: FloatArray) -> Any:
        return self.start_state()


class BucketGame(PublicGame):
    """Hold'em with nested buckets."""

    lossless = True  # each "hand" of its tables is a bucket

    def __init__(self, rules: PublicRules, buckets: HoldemBuckets) -> None:
        self.rules = self.origin = rules
        self.buckets: Any = buckets
        self.name = f"{rules.name} [{buckets.name}]"
        limit = rules.betting
        self.shapes = [
            (count * one.num_choices, starts)
            for count, one, starts in zip(buckets.classes, limit.rounds, limit.starts, strict=True)
        ]

    def __reduce__(self) -> Any:
        return BucketGame, (self.rules, self.buckets)

    @cached_property
    def betting(self) -> tuple[Betting, ...]:
        """The betting of each round; the chance of a deal is not in it, but in the matrices."""
        made = [make_betting(self.rules, r) for r in range(4)]
        luck = chances(self.rules)
        return tuple(one._replace(pay=one.pay / luck[r]) for r, one in enumerate(made))

    @cached_property
    def tables(self) -> tuple[Any, ...]:  # type: ignore[override]
        """The betting and the buckets of each round; counted when first asked for."""
        if not self.perfect_recall:
            raise GameError(
                f"in {self.name!r} players forget what they knew; matrices need perfect recall: "
                'solve it by "external-sampling", or take recall="perfect"'
            )
        joint = joint_buckets(self.buckets)
        found: list[Any] = []
        for r, (meets, betting) in enumerate(
            zip(joint.rounds(self.buckets), self.betting, strict=True)
        ):
            count = len(meets)
            above = np.array(self.buckets.parents(r)) if r else np.zeros(count, np.int64)
            table = np.column_stack([above, np.arange(count), np.zeros(count)]).astype(np.int64)
            below, first = np.zeros(0, np.int64), np.zeros(count + 1, np.int64)
            if r < 3:
                later = np.array(self.buckets.parents(r + 1))
                below = np.argsort(later, kind="stable").astype(np.int64)
                first = np.searchsorted(later[below], np.arange(count + 1)).astype(np.int64)
            wins = joint.wins if r == 3 else np.zeros((0, 0))
            hands = Hands(
                np.array([0, count], np.int64), np.ones(count), table, first, below,
                np.ones(len(below)), meets, wins,
            )  # fmt: skip
            found.append((betting, hands))
        return tuple(found)

    @property
    def real(self) -> PublicGame:
        return self

    @one_blas_thread()
    def climb(self, *arguments: Any) -> FloatArray:
        return super().climb(*arguments)

    @one_blas_thread()
    def advance(self, solver: Any, state: Any, iterations: int) -> Any:
        """So many more iterations: of the CFR family on matrices, or of sampling on real deals."""
        if getattr(solver, "public", False):
            return super().advance(solver, state, iterations)
        sample(self, solver, state, iterations)
        object.__setattr__(state, "iteration", state.iteration + iterations)
        return state

    def normalised(self, weights: FloatArray) -> PublicStrategy:
        probs = np.empty(self.num_choices)
        rounds = zip(
            self.betting, self.classes, self.views(weights), self.views(probs), strict=True
        )
        for betting, count, given, found in rounds:
            normalise(0, count, betting, given, found)
        return PublicStrategy(self, self, probs)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the rules and the buckets, which decide the matrices."""
        text = f"public {self.rules!r} {self.buckets.fingerprint}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @cached_property
    def classes(self) -> list[int]:
        """How many buckets there are in each round."""
        return list(self.buckets.classes)

    @cached_property
    def bucket_of(self) -> list[Indices]:
        return [np.arange(count) for count in self.classes]

    @cached_property
    def members(self) -> list[tuple[Indices, Indices, FloatArray]]:
        return [(np.arange(n + 1), np.arange(n), np.ones(n)) for n in self.classes]

    @cached_property
    def known(self) -> tuple[HoldemBuckets, ...]:
        """The buckets that somebody uses somewhere."""
        return (self.buckets,)

    @cached_property
    def places(self) -> list[Indices]:
        """Where choices stand, and which of the `known` buckets count there: `find_choices`."""
        pieces = pieces_of(self.rules.betting, {})
        return find_choices(self.rules.betting, pieces, self.buckets.classes)

    def of_seat(self, seat: int, probs: FloatArray) -> tuple[Any, FloatArray]:
        """The buckets and probabilities that one seat plays with."""
        return self.buckets, probs

    def choices_at(
        self, private: Sequence[int], public: Sequence[int], r: int, start: int, node: int
    ) -> tuple[int, int]:
        if {*private} & {*public}:
            return -1, 0
        here = self.places[r][start, node]
        bucket = self.known[here[PART]].sequence(private, public)[-1]
        return int(here[FIRST] + bucket * here[BUCKET]), int(here[CHOICE])

    def bucket_at(self, private: Sequence[int], public: Sequence[int]) -> int:
        if {*private} & {*public}:
            return -1
        return int(self.buckets.sequence(private, public)[-1])

    def class_at(self, private: Sequence[int], public: Sequence[int]) -> int:
        return self.bucket_at(private, public)

    def saved_buckets(self) -> dict[str, Any]:
        found: dict[str, Any] = self.buckets.saved()
        return found

    def meets(self, other: PublicGame) -> None:
        if not self.same_as(other):
            raise GameError(
                f"strategies of {self.name!r} and {other.name!r} know different buckets, so their "
                "values are not a sum over matrices; let them play: wb.sample_match({...})"
            )
