"""A card game for the public-state engine: solved without a tree, by the same verbs.

    rules ─► PublicGame ─► state ─► PublicStrategy

A `PublicGame` stands where others have a `GameTree`: it has a name, counts of information sets and
choices, a fingerprint. Its players tell hands apart as far as its buckets do; without buckets,
only the names of suits are left out. Rules that want to be solved this way say so themselves:
their `public_game(buckets=None)` makes one of these.

The state of a solver is large here (160 MB for Rhode Island), so it is not copied: an iteration
changes it in place, and whoever wants to go on from it twice takes a copy (`solve` does).
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from workbench.poker.boards import boards_of
from workbench.poker.buckets import HandBuckets
from workbench.poker.public_passes import learn_up, normalise, reach_down, share_out
from workbench.poker.public_strategy import PublicStrategy
from workbench.poker.public_tables import PublicRules, make_betting, make_hands
from workbench.random import random_state
from workbench.rules import GameError
from workbench.solvers.base import State
from workbench.tree import FloatArray, IntArray

NOTHING = np.zeros((0, 1))
PIECES = 6  # of a round, per thread
SMALL = 100_000  # choices; a game with fewer is not worth waking threads for


@dataclass(frozen=True, eq=False)
class PublicState(State):
    """Where a solver stands. `probs` holds the regrets that a predictive solver expects, else
    nothing. Unlike other states it is changed in place, one whole iteration at a time."""

    def __post_init__(self) -> None:
        for name in ("regret", "strategy_sum", "probs"):
            value = getattr(self, name)
            if value.dtype != np.float64 or value.shape not in (
                self.regret.shape, (0,) if name == "probs" else self.regret.shape
            ):  # fmt: skip
                raise GameError(f"{name} of a state has shape {value.shape}, type {value.dtype}")

    def copy(self) -> PublicState:
        return PublicState(
            self.iteration, self.regret.copy(), self.probs.copy(), self.strategy_sum.copy(),
            self.rng, self.game,
        )  # fmt: skip


class PublicGame:
    """Rules, and the buckets that its players can tell apart; see the first lines of this file."""

    num_players = 2
    derived_from = None

    def __init__(self, rules: PublicRules, buckets: HandBuckets | None = None) -> None:
        if buckets is not None and buckets.rules != rules:
            raise GameError(f"{buckets!r} are of another game than {rules.name!r}")
        self.rules = self.origin = rules
        self.buckets = HandBuckets.lossless(rules) if buckets is None else buckets
        self.lossless = buckets is None
        self.name = rules.name if self.lossless else f"{rules.name} [{self.buckets.name}]"
        self.tables = tables(rules)
        limit, classes = rules.betting, self.buckets.classes
        self.shapes = [
            (count * one.num_choices, starts)
            for count, one, starts in zip(classes, limit.rounds, limit.starts, strict=True)
        ]

    def __reduce__(self) -> Any:
        return PublicGame, (self.rules, None if self.lossless else self.buckets)

    @property
    def real(self) -> PublicGame:
        """The game without buckets."""
        return self if self.lossless else PublicGame(self.rules)

    @property
    def num_choices(self) -> int:
        return sum(rows * starts for rows, starts in self.shapes)

    @property
    def num_infosets(self) -> int:
        """Of both players together."""
        limit = self.rules.betting
        sets = zip(self.buckets.classes, limit.rounds, limit.starts, strict=True)
        return sum(n * (one.decisions(0) + one.decisions(1)) * s for n, one, s in sets)

    @property
    def perfect_recall(self) -> bool:
        return self.buckets.nested

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the game itself: rules, cards, payoffs and buckets."""
        digest = hashlib.sha256(f"public {self.rules!r} {self.buckets.fingerprint}".encode())
        for betting, hands in self.tables:
            digest.update(betting.pay.tobytes() + hands.strength.tobytes())
        return digest.hexdigest()[:32]

    @property
    def checksum(self) -> int:
        return int(self.fingerprint[:8], 16) or 1

    def same_as(self, other: Any) -> bool:
        """Whether this is the same game."""
        return self is other or bool(self.fingerprint == other.fingerprint)

    def __repr__(self) -> str:
        return (
            f"PublicGame {self.name!r}: 2 players, {self.num_infosets:,} infosets, "
            f"{self.num_choices:,} choices"
        )

    def views(self, values: FloatArray) -> list[FloatArray]:
        """The rounds of an array over choices, each (buckets · C, S)."""
        ends = np.cumsum([rows * starts for rows, starts in self.shapes])
        return [
            values[end - rows * starts : end].reshape(rows, starts)
            for (rows, starts), end in zip(self.shapes, ends, strict=True)
        ]

    @cached_property
    def bucket_of(self) -> list[IntArray]:
        """The bucket of each hand of the tables, (n,) for each round."""
        return [_by_class(one, buckets) for one, buckets in self._rounds()]

    @cached_property
    def members(self) -> list[tuple[IntArray, IntArray, FloatArray]]:
        """For each round: the hands of bucket b are hand[first[b]:first[b + 1]], and how many real
        deals a hand stands for, as floats."""
        made = []
        for (one, _), bucket, (_, hands) in zip(
            self._rounds(), self.bucket_of, self.tables, strict=True
        ):
            hand = np.argsort(bucket, kind="stable").astype(np.int32)
            first = np.searchsorted(bucket[hand], np.arange(int(bucket.max()) + 2))
            weight = np.repeat(one.weight, np.diff(hands.first)) * hands.size
            made.append((first.astype(np.int32), hand, weight))
        return made

    def _rounds(self) -> Iterator[tuple[Any, IntArray]]:
        return zip(boards_of(self.rules), self.buckets.rounds, strict=True)

    # ---- what solvers ask --------------------------------------------------------------

    def start_state(self, seed: int = 0) -> PublicState:
        """Before the first iteration: no regrets, uniform play."""
        zeros = (np.zeros(self.num_choices) for _ in range(2))
        regret, total = zeros
        return PublicState(0, regret, np.zeros(0), total, random_state(seed), self.checksum)

    def advance(self, solver: Any, state: PublicState, iterations: int) -> PublicState:
        """So many more iterations of a solver of the CFR family, in place. Ctrl-C lets the
        iteration end that has begun, so the state is always one that can go on."""
        if solver.predictive and not len(state.probs):
            object.__setattr__(state, "probs", state.regret.copy())
        stop, failed = threading.Event(), []

        def work() -> None:
            try:
                for t in range(state.iteration + 1, state.iteration + iterations + 1):
                    if not stop.is_set():
                        self._iterate(solver, state, float(t))
                        object.__setattr__(state, "iteration", t)
            except BaseException as error:
                failed.append(error)

        worker = threading.Thread(target=work)
        worker.start()
        try:
            worker.join()
        finally:
            stop.set()
            worker.join()
        if failed:
            raise failed[0]
        return state

    def _iterate(self, solver: Any, state: PublicState, t: float) -> None:
        schedule = np.array([float(one[0]) for one in solver.weights(np.array([t]))])
        regret, total = self.views(state.regret), self.views(state.strategy_sum)
        hope = self.views(state.probs) if solver.predictive else [NOTHING] * len(regret)
        plan = hope if solver.predictive else regret
        if not solver.alternating:
            plan = [one.copy() for one in plan]
        reach = [self.reach(player, plan) for player in (0, 1)]
        for player in (0, 1):
            later = NOTHING
            for r in reversed(range(len(self.tables))):
                betting, hands = self.tables[r]
                first, hand, weight = self.members[r]
                gain = played = NOTHING
                if len(first) - 1 < len(hand):
                    gain, played = (np.empty((len(hand) * len(betting.own), plan[r].shape[1])) for _ in "gp")
                found = np.empty((len(hand), plan[r].shape[1]))
                self.spread(
                    learn_up, len(hands.first) - 1, betting, hands, player, self.bucket_of[r],
                    plan[r], regret[r], hope[r], total[r], schedule, reach[1 - player][r],
                    reach[player][r], later, found, gain, played,
                )  # fmt: skip
                if len(gain):
                    self.spread(
                        share_out, len(first) - 1, betting, player, first, hand, weight, schedule,
                        regret[r], hope[r], total[r], gain, played,
                    )  # fmt: skip
                later = found
            if solver.alternating and player == 0:
                reach[0] = self.reach(0, plan)

    def reach(self, player: int, plan: list[FloatArray]) -> list[FloatArray]:
        """The reach of one player at the starts of each round, (hands of the round before, S)."""
        found = [np.ones((1, 1))]
        for (betting, hands), bucket, one in zip(self.tables[:-1], self.bucket_of, plan, strict=False):
            ends = np.empty((len(hands.size), one.shape[1] * (int(betting.end[-1]) + 1)))
            self.spread(
                reach_down, len(hands.first) - 1, betting, hands, player, one, bucket, found[-1],
                ends,
            )  # fmt: skip
            found.append(ends)
        return found

    def average(self, state: PublicState) -> PublicStrategy:
        """The average strategy."""
        if not np.isfinite(state.strategy_sum.sum()):
            raise GameError(
                f"numbers outgrew the computer after {state.iteration:,} iterations on {self.name!r}"
            )
        return self.normalised(state.strategy_sum)

    def normalised(self, weights: FloatArray) -> PublicStrategy:
        """The strategy proportional to weights ≥ 0, uniform where there are none."""
        probs = np.empty(self.num_choices)
        rounds = zip(self.tables, self.buckets.classes, self.views(weights), self.views(probs), strict=True)
        for (betting, _), count, given, found in rounds:
            self.spread(normalise, count, betting, given, found)
        return PublicStrategy(self, self, probs)

    def spelled_out(self, sigma: PublicStrategy) -> FloatArray:
        """The probabilities of a strategy with buckets, for each choice of this game without."""
        probs = np.empty(self.num_choices)
        for (betting, _), bucket, given, found in zip(
            self.tables, sigma.played.bucket_of, sigma.played.views(sigma.probs),
            self.views(probs), strict=True,
        ):  # fmt: skip
            shape = (-1, len(betting.own), given.shape[1])
            found.reshape(shape)[:] = given.reshape(shape)[bucket]
        return probs

    def spread(self, function: Callable[..., None], count: int, *arguments: Any) -> None:
        """Call a kernel on boards or buckets 0 .. count, in pieces on all cores."""
        threads = cores()
        if threads == 1 or count < 2 or self.num_choices < SMALL:
            function(0, count, *arguments)
            return
        edges = np.linspace(0, count, min(count, PIECES * threads) + 1).astype(int).tolist()
        pieces = zip(edges[:-1], edges[1:], strict=True)
        for done in [_pool(threads).submit(function, *piece, *arguments) for piece in pieces]:
            done.result()


@cache
def tables(rules: PublicRules) -> tuple[Any, ...]:
    """The betting and the hands of each round."""
    hands = make_hands(rules)
    return tuple((make_betting(rules, number), one) for number, one in enumerate(hands))


def _by_class(boards: Any, buckets: IntArray) -> IntArray:
    of_class = np.zeros(boards.num_classes, np.int32)
    free = boards.classes >= 0
    of_class[boards.classes[free]] = buckets[free]
    return of_class


def cores() -> int:
    """On how many cores this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "public-states")


if hasattr(os, "register_at_fork"):  # threads do not survive in a forked process
    os.register_at_fork(after_in_child=_pool.cache_clear)
