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
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.kernels import is_compiled
from workbench.poker import threads
from workbench.poker.boards import boards_of, find_board, round_of
from workbench.poker.buckets import HandBuckets
from workbench.poker.public_passes import (
    END_NUMBER,
    Indices,
    learn_up,
    normalise,
    reach_down,
    share_out,
)
from workbench.poker.public_strategy import PublicStrategy
from workbench.poker.public_tables import PublicRules, make_betting, make_hands, num_histories
from workbench.progress import StatusLine
from workbench.random import random_state
from workbench.rules import GameError
from workbench.solvers.base import State
from workbench.tree import FloatArray, IntArray

if TYPE_CHECKING:
    from pathlib import Path

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
            if not value.flags.writeable:  # it comes out of a store
                object.__setattr__(self, name, value.copy())
        object.__setattr__(self, "rng", self.rng.copy())

    def copy(self) -> PublicState:
        return PublicState(
            self.iteration, self.regret.copy(), self.probs.copy(), self.strategy_sum.copy(),
            self.rng, self.game,
        )  # fmt: skip


class PublicGame:
    """Rules, and the buckets that its players can tell apart; see the first lines of this file."""

    num_players = 2
    derived_from = None
    judged = True  # whether an exact best response is a matter of seconds

    def __init__(self, rules: PublicRules, buckets: HandBuckets | None = None) -> None:
        if buckets is not None and buckets.rules != rules:
            raise GameError(f"{buckets!r} are of another game than {rules.name!r}")
        self.rules = self.origin = rules
        self.buckets = HandBuckets.lossless(rules) if buckets is None else buckets
        self.lossless = buckets is None
        self.name = rules.name if self.lossless else f"{rules.name} [{self.buckets.name}]"
        self.tables = tables(rules)  # type: ignore[arg-type]  # rules are frozen dataclasses
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
            digest.update(betting.pay.tobytes() + hands.table.tobytes())
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

    def sums(self, values: FloatArray) -> FloatArray:
        """An array over choices, added up at each information set."""
        rounds = zip(self.rules.betting.rounds, self.views(values), strict=True)
        return np.concatenate([one.sums(values) for one, values in rounds])

    @cached_property
    def bucket_of(self) -> list[Indices]:
        """The bucket of each hand of the tables, (n,) for each round."""
        return [_by_class(one, buckets) for one, buckets in self._rounds()]

    @cached_property
    def members(self) -> list[tuple[Indices, Indices, FloatArray]]:
        """For each round: the hands of bucket b are hand[first[b]:first[b + 1]], and how many real
        deals a hand stands for, as floats."""
        made = []
        for (one, _), bucket, (_, hands) in zip(
            self._rounds(), self.bucket_of, self.tables, strict=True
        ):
            hand = np.argsort(bucket, kind="stable")
            first = np.searchsorted(bucket[hand], np.arange(int(bucket.max()) + 2))
            weight = np.repeat(one.weight, np.diff(hands.first)) * hands.size
            made.append((first, hand, weight))
        return made

    def _rounds(self) -> Iterator[tuple[Any, IntArray]]:
        return zip(boards_of(self.rules), self.buckets.rounds, strict=True)

    @property
    def num_histories(self) -> int:
        """Of the tree that nobody builds."""
        return num_histories(self.rules)

    def abstraction(self, buckets: HandBuckets) -> PublicAbstraction:
        """The game in which players tell apart only buckets."""
        return PublicAbstraction(buckets.name, self, PublicGame(self.rules, buckets))

    def load(self, path: str | Path) -> PublicStrategy:
        """Read what the `save` of a strategy wrote."""
        return PublicStrategy.load(path, self.rules)

    def restored(self, saved: Any, where: str) -> PublicStrategy:
        """A strategy out of its arrays."""
        return PublicStrategy.restored(saved, self.rules, where)

    def bucket_at(self, private: Sequence[int], public: Sequence[int]) -> int:
        """The bucket of private cards on real public ones; -1 if they share a card."""
        return self._at(private, public, self.buckets.rounds)

    def class_at(self, private: Sequence[int], public: Sequence[int]) -> int:
        """The same for the class of hands that differ only in the names of suits."""
        return self._at(private, public, [one.classes for one in boards_of(self.rules)])

    def _at(self, private: Sequence[int], public: Sequence[int], rounds: Sequence[IntArray]) -> int:
        deck = self.rules.deck
        board, renamed = find_board(boards_of(self.rules), deck, public)
        hand = deck.hand(renamed[list(private)])
        return int(rounds[round_of(self.rules, public)][board, hand])

    def choices_at(
        self, private: Sequence[int], public: Sequence[int], r: int, start: int, node: int
    ) -> tuple[int, int]:
        """Where the choices of a hand at a point of the betting begin in an array over all choices,
        and how far apart they stand; (-1, 0) if cards are named twice."""
        bucket, one = self.bucket_at(private, public), self.rules.betting.rounds[r]
        before = sum(rows * starts for rows, starts in self.shapes[:r])
        row, lanes = bucket * one.num_choices + int(one.first[node]), self.shapes[r][1]
        return (-1, 0) if bucket < 0 else (before + row * lanes + start, lanes)

    def saved_buckets(self) -> dict[str, Any]:
        """The arrays from which `played_by` makes this game again."""
        if self.lossless:
            return {}
        rounds = {f"buckets{r}": one for r, one in enumerate(self.buckets.rounds)}
        return {**rounds, "name": self.buckets.name}

    def played_by(self, saved: Any) -> PublicGame:
        """The game with the buckets of a saved strategy."""
        if "buckets0" not in saved:
            return self
        given = [saved[f"buckets{r}"] for r in range(len(self.shapes))]
        return PublicGame(self.rules, HandBuckets(self.rules, given, str(saved["name"])))

    def meets(self, other: PublicGame) -> None:
        """Refuse a game whose strategies cannot meet those of this one exactly."""

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
        if not iterations:  # load or compile the kernels
            status = StatusLine(after=0.0)
            if not is_compiled(learn_up):
                status.show("compiling the engine of card games, once on this computer: some 15 s")
            self._iterate(solver, state, 1.0, rehearsal=True)
            status.clear()
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

    def _iterate(self, solver: Any, state: PublicState, t: float, rehearsal: bool = False) -> None:
        """One iteration; at a rehearsal all kernels are called, on no board at all."""
        schedule = np.array([float(one[0]) for one in solver.weights(np.array([t]))])
        regret, total = self.views(state.regret), self.views(state.strategy_sum)
        hope = self.views(state.probs) if solver.predictive else [NOTHING] * len(regret)
        plan = hope if solver.predictive else regret
        if not solver.alternating:
            plan = [one.copy() for one in plan]
        some = 0 if rehearsal else 1
        reach = [self.reach(player, plan) for player in (0, 1)]

        def learn(player: int, r: int, later: FloatArray) -> FloatArray:
            betting, hands = self.tables[r]
            first, hand, weight = self.members[r]
            gain = played = NOTHING
            if len(first) - 1 < len(hand):
                gain, played = (
                    np.empty((len(hand) * len(betting.moves), plan[r].shape[1])) for _ in "gp"
                )
            found = np.zeros((len(hand), plan[r].shape[1]))
            self.spread(
                learn_up, some * (len(hands.first) - 1), betting, hands, player,
                self.bucket_of[r], plan[r], regret[r], hope[r], total[r], schedule,
                reach[1 - player][r], reach[player][r], later, found, gain, played,
            )  # fmt: skip
            if len(gain):
                self.spread(
                    share_out, some * (len(first) - 1), betting, player, first, hand, weight,
                    schedule, regret[r], hope[r], total[r], gain, played,
                )  # fmt: skip
            return found

        for player in (0, 1):
            self.climb(partial(learn, player), player)
            if solver.alternating and player == 0:
                reach[0] = self.reach(0, plan)

    def climb(
        self, step: Callable[[int, FloatArray], FloatArray], learner: int | None = None
    ) -> FloatArray:
        """From the last round to the first: `step(r, later)` is told what hands win in the next
        round and answers what they win in this one. `learner`: only where that player decides."""
        later = NOTHING
        for r in reversed(range(len(self.tables))):
            later = step(r, later)
        return later

    def decides(self, player: int, r: int) -> bool:
        """Whether a player decides in round r, or follows what is fixed."""
        return True

    def reach(self, player: int, plan: list[FloatArray]) -> list[FloatArray]:
        """The reach of one player at the starts of each round, (hands of the round before, S)."""
        found = [np.ones((1, 1))]
        for (betting, hands), bucket, one in zip(
            self.tables[:-1], self.bucket_of, plan, strict=False
        ):
            ends = np.empty(
                (len(hands.size), one.shape[1] * (int(betting.tree[:, END_NUMBER].max()) + 1))
            )
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
                f"numbers outgrew the computer after {state.iteration:,} iterations on "
                f"{self.name!r}; take fewer iterations"
            )
        return self.normalised(state.strategy_sum)

    def normalised(self, weights: FloatArray) -> PublicStrategy:
        """The strategy proportional to weights ≥ 0, uniform where there are none."""
        probs = np.empty(self.num_choices)
        rounds = zip(
            self.tables, self.buckets.classes, self.views(weights), self.views(probs), strict=True
        )
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
            shape = (-1, len(betting.moves), given.shape[1])
            found.reshape(shape)[:] = given.reshape(shape)[bucket]
        return probs

    def spread(self, function: Callable[..., None], count: int, *arguments: Any) -> None:
        """Call a kernel on boards or buckets 0 .. count, in pieces on all cores."""
        cores = threads.cores()
        if cores == 1 or count < 2 or self.num_choices < SMALL:
            function(0, count, *arguments)
            return
        for _ in threads.in_pieces(function, count, PIECES * cores, *arguments):
            pass


@dataclass(frozen=True, eq=False)
class PublicAbstraction:
    """A game, and the same with buckets: what `workbench.abstraction.Abstraction` is for trees."""

    name: str
    full: PublicGame
    coarse: PublicGame
    choice_map: IntArray = field(default_factory=lambda: np.zeros(0, np.int32))  # the buckets say

    def lift(self, coarse: PublicStrategy) -> PublicStrategy:
        """The same strategy as one of the real game."""
        return replace(coarse, tree=self.full)

    def __repr__(self) -> str:
        return (
            f"HandBuckets {self.name} of {self.full.name!r}: {self.full.num_infosets:,} -> "
            f"{self.coarse.num_infosets:,} infosets"
        )


@cache
def tables(rules: PublicRules) -> tuple[Any, ...]:
    """The betting and the hands of each round."""
    hands = make_hands(rules)
    return tuple((make_betting(rules, number), one) for number, one in enumerate(hands))


def _by_class(boards: Any, buckets: IntArray) -> Indices:
    of_class = np.zeros(boards.num_classes, np.int64)
    free = boards.classes >= 0
    of_class[boards.classes[free]] = buckets[free]
    return of_class
