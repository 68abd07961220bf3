"""A card game without a tree: one betting tree, and what players can tell apart at each node.

    rules ─► CardGame ─► state ─► PublicStrategy

A `CardGame` stands where others have a `GameTree`: it has a name, counts of information sets and
choices, a fingerprint. Rules that want to be solved this way say so themselves: their
`public_game(buckets=None)` makes one of these. What players tell apart, and where it stands in the
arrays, says card_layout.py; here the game is walked, solved and judged.

Hold'em without buckets is too large to be walked: it has a name and a size, and judges nothing.
With buckets that forget (no perfect recall) a game on boards is walked hand by hand.

The state of a solver is large here (160 MB for Rhode Island), so it is not copied: an iteration
changes it in place, and whoever wants to go on from it twice takes a copy (`solve` does).
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.arrays import alone, machine, need_room
from workbench.files import fitting, naming
from workbench.kernels import is_compiled, random_state
from workbench.poker.betting.betting_tree import MOVES, BettingParts
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.buckets.mixed_buckets import SeatedBuckets, restored_buckets
from workbench.poker.cards.board_sets import PAIRS
from workbench.poker.cards.threads import one_blas_thread
from workbench.poker.engine import deal_walk
from workbench.poker.engine.card_arrays import CardArrays
from workbench.poker.engine.card_layout import CardLayout
from workbench.poker.engine.card_passes import BEST, LEARN, VALUE, Indices, Lessons, Space, up
from workbench.poker.engine.card_smoothing import SmoothCards
from workbench.poker.engine.card_walk import NO_LESSONS, NOTHING, Walk, make_block, schedule_of
from workbench.poker.engine.hand_space import Matrices, board_spaces
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.progress import StatusLine
from workbench.rules import GameError, shown
from workbench.settings import need_whole
from workbench.solvers.base import State, needs
from workbench.solvers.cfr import CFR
from workbench.solvers.regret import match_arrays
from workbench.solvers.smoothing import FirstOrder
from workbench.strategy import need_numbers, need_probabilities, need_same_game
from workbench.tree import FloatArray, FormAbstraction, IntArray


@dataclass(frozen=True, eq=False)
class PublicState(State):
    """Where a solver stands. `probs` holds the regrets that a predictive solver expects, else
    nothing. Unlike other states it is changed in place, one whole iteration at a time; with three
    players it has floats of 32 bits."""

    def __post_init__(self) -> None:
        for name in ("regret", "strategy_sum", "probs"):
            value = getattr(self, name)
            if value.dtype not in (np.float64, np.float32) or value.shape not in (
                self.regret.shape, (0,) if name == "probs" else self.regret.shape
            ):  # fmt: skip
                raise GameError(f"{name} of a state has shape {value.shape}, type {value.dtype}")
            if not value.flags.writeable:  # it comes out of a store
                object.__setattr__(self, name, value.copy())
        object.__setattr__(self, "rng", self.rng.copy())

    def copy(self) -> PublicState:
        kept = ("regret", "probs", "strategy_sum", "memory")
        return replace(self, **{name: getattr(self, name).copy() for name in kept})


class CardGame(CardLayout):
    """Rules, and the buckets that its players can tell apart; see the first lines of this file."""

    dtype: Any = np.float64  # of what is kept for choices
    after: Any = ""  # the betting at which it begins; with static experts of three, where they do

    @property
    def unjudged(self) -> str:
        """Why nobody computes a best response here, if it is not `judged`."""
        return (
            f"an exact best response in {self.name!r} takes hours (for two players `workbench "
            "best-response` works it out, or estimates it from some flops); how good a strategy is "
            "within its buckets says run.abstract_exploitability"
        )

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the game itself: rules, cards, payoffs and buckets."""
        of_buckets = "" if self.lossless else self.buckets.fingerprint
        digest = hashlib.sha256(f"cards {self.rules!r} {of_buckets}".encode())
        for r in range(len(self.rules.betting.rounds)):
            digest.update(self.rules.betting.pay(r).tobytes())
        for space in self.spaces() if self.on_boards else ():
            digest.update(space.hand.tobytes() + space.strength.tobytes())
        return digest.hexdigest()[:32]

    @cached_property
    def real(self) -> CardGame:
        """The game without buckets; itself, if nobody can walk that."""
        return CardGame(self.rules) if self.on_boards and not self.lossless else self

    def matched(self, weights: FloatArray) -> FloatArray:
        """Probabilities proportional to weights ≥ 0, uniform where there are none."""
        probs, many = np.empty(self.num_choices), 1 << 13
        for _, one, d, where in self.deciding():
            each, to = (x[where].reshape(1, one.count[d], -1) for x in (weights, probs))
            for low in range(0, each.shape[2], many):  # with little beside them in memory
                piece = np.s_[:, :, low : low + many]
                to[piece] = match_arrays(np.where, each[piece])
        return probs

    def by_moves(self, weights: Mapping[str, float]) -> FloatArray:
        """(K,) these weights of f, c and r at each choice, whatever the cards; and 1 for the last
        move that is allowed where these have none."""
        values = np.zeros(self.num_choices)
        for _, one, d, where in self.deciding():
            each = np.array([weights.get(move, 0.0) for move in one.moves(d)])
            each[-1] += not each.any()
            values[where].reshape(len(each), -1)[:] = each[:, None]
        return values

    def copy_choices(
        self, values: FloatArray, sigma: PublicStrategy, wanted: NDArray[np.bool_]
    ) -> None:
        """Write what a strategy does into an array over choices, in the `wanted` groups of the
        layout; both know the same there."""
        deal_walk.copy(wanted, self.layout, values, sigma.played.layout, sigma.probs)

    # ---- games and strategies ----------------------------------------------------------

    def abstraction(self, buckets: Any) -> PublicAbstraction:
        """The game in which players tell apart only buckets."""
        if isinstance(buckets, str):
            from workbench.poker.buckets.hand_clustering import named_buckets

            such = "2" * len(self.rules.public_cards)
            how = f"a name, or a number for each round such as {such} or {'-'.join(such)}"
            every = buckets == "null" and self.on_boards
            with naming(f"abstraction: {how}"):
                buckets = self.real.known[0] if every else named_buckets(self.rules, buckets)
        if isinstance(buckets, PublicAbstraction):
            if not buckets.full.same_as(self):
                raise GameError(f"{buckets!r} is of another game than {self.name!r}")
            return buckets
        if not isinstance(buckets, FormAbstraction):
            raise GameError(
                f"{self.name!r} has no tree: it is abstracted by buckets of hands, by name or from "
                f"wb.cluster_hands, not by {shown(buckets)}"
            )
        return PublicAbstraction(buckets.name, self, self.rules.public_game(buckets))

    def parts(self, moves: Any) -> BettingParts:
        """Where experts play: behind these moves, ["r", "cr"] or [("c", "r")]."""
        return BettingParts(self.rules, moves)

    def round_parts(self, start: int) -> BettingParts:
        """Where experts play who take over at the beginning of a round."""
        last = len(self.rules.betting.bets) - 1
        return BettingParts.of_round(self.rules, need_whole("start", start, 1, last))

    @property
    def stitching(self) -> Any:
        from workbench.poker.bucket_experts import BucketStitching

        return BucketStitching

    def restored(self, saved: Any, where: str) -> PublicStrategy:
        """The strategy of the real game out of its arrays, which were kept in `where`."""
        rules = self.rules
        with fitting(where):
            played = rules.public_game(restored_buckets(rules, saved))
        run = need_same_game(where, saved, rules.name, played.fingerprint)

        def at(infoset: int) -> str:
            total = played.sums(probs)[infoset]
            return f"infoset {infoset} of {played.name!r} the probabilities sum to {total}"

        with fitting(where):
            shape, whose = (played.num_choices,), f"a strategy of {played.name!r}"
            probs = need_numbers("probabilities", saved["probs"], shape, whose, played.dtype)
            need_probabilities(probs, played.sums, at, 1e-9 if probs.itemsize > 4 else 1e-5)
            return PublicStrategy(rules.public_game(), played, probs, run)

    def seated(self, strategies: Sequence[PublicStrategy]) -> PublicStrategy:
        """The strategy that plays as the first in seat 0, as the second in seat 1, …"""
        if self.on_boards:
            played: CardGame = self.real
            strategies = [
                PublicStrategy(played, played, played.spelled_out(one)) for one in strategies
            ]
        else:
            seats: list[Any] = []
            for i, one in enumerate(strategies):
                known = one.played.buckets
                seats.append(known.seats[i] if isinstance(known, SeatedBuckets) else known)
            played = self.rules.public_game(SeatedBuckets(*seats))
        probs = np.zeros(played.num_choices, played.dtype)
        for i, one in enumerate(strategies):
            played.copy_choices(probs, one, played.layout.groups[:, deal_walk.PLAYER] == i)
        return PublicStrategy(self, played, probs)

    def sample_scores(
        self, strategies: Sequence[Any], *, deals: int, seed: int, duplicate: bool
    ) -> FloatArray:
        """(deals, n) what n strategies win from each deal."""
        if self.on_boards:  # of a static expert's game the base is a part
            strategies = [self.seated([s, s]) if s.played.base else s for s in strategies]
        for sigma in strategies:
            sigma.played.need_whole()
        return deal_walk.match_scores(
            self.flat, strategies, deals=deals, seed=seed, duplicate=duplicate
        )

    def spelled_out(self, sigma: PublicStrategy, probs: FloatArray | None = None) -> FloatArray:
        """The probabilities of a strategy for each choice of this game: its own, or those of
        buckets for all of their hands (in `probs`, if that is given)."""
        if sigma.played.same_as(self):
            return sigma.probs
        if not self.on_boards or not self.lossless:
            raise GameError(
                f"strategies of {self.name!r} and {sigma.played.name!r} know different buckets, so "
                "their values are not a sum over matrices; let them play: wb.sample_match({...})"
            )
        probs = np.empty(self.num_choices) if probs is None else probs
        played, whole = sigma.played, self.views(probs)
        if (base := played.base) is not None:  # where the game of an expert does not go
            self.spelled_out(base, probs)
        for group, one, d, where in played.deciding():
            to = whole[group.number][one.choices(d)]
            given = sigma.probs[where].reshape(len(to), -1, len(group.starts))
            thing = played.known[group.kind[d]].of_class[group.number]
            if len(group.starts) == to.shape[2]:
                np.take(given, thing, axis=1, out=to)
            else:
                to[:, :, group.starts] = given[:, thing]
        return probs

    # ---- passes ------------------------------------------------------------------------

    def spaces(self, kind: int = 0) -> list[Space]:
        """Of a game on boards, in each round: hands, or buckets that forget nothing."""
        plain = self.lossless or self._by_hand
        return board_spaces(self.rules, None if plain else self.known[kind])

    @cached_property
    def walk(self) -> Walk:
        """The passes over this game."""
        limit, rounds = self.rules.betting, list[Any]([] for _ in self.rules.betting.rounds)
        if isinstance(self.buckets, SeatedBuckets):
            raise GameError(
                f"the seats of {self.name!r} know different buckets, so nothing is a sum over one "
                "pair of matrices; let it play: wb.sample_match({...})"
            )
        if self.lossless and not self.judged:
            raise GameError(
                f"{self.name!r} has {self.num_infosets:.1e} information sets; solve it with "
                f"buckets: abstraction={self.example}; the game with them is "
                "rules.public_game(buckets)"
            )
        if self.num_players > 2:
            raise GameError(self.unjudged)
        if not self.perfect_recall:
            raise GameError(
                f"in {self.name!r} players forget what they knew; matrices need perfect recall: "
                'solve it by "external-sampling", or take recall="perfect"'
            )
        matrices = None if self.on_boards else Matrices(self.known)
        for group in self.groups:
            if matrices is None:
                space = self.spaces(int(group.kind[0]))[group.number]
                kinds = np.where(group.kind < 0, -1, 0)
            else:
                used = list(dict.fromkeys([group.kind[0], *group.kind[group.wide > 0]]))
                space = matrices.space(group.number, used)
                kinds = np.array([used.index(k) if k in used else -1 for k in group.kind])
            block = make_block(
                limit, group.number, group.starts, group.row, space, kinds=kinds, fixed=group.fixed
            )
            rounds[group.number].append((group.starts, block))
        return Walk(limit, 0, rounds, self.num_choices)

    @cached_property
    def base(self) -> PublicStrategy | None:
        """The strategy that players follow where they are held to one."""
        if self.lossless or (given := self.buckets.base_probs) is None:
            return None
        game = self.rules.public_game(self.known[0])
        return PublicStrategy(game, game, given)

    @one_blas_thread()
    def worth(
        self, player: int, theirs: FloatArray, mine: FloatArray | None = None,
        chosen: FloatArray = NOTHING,
    ) -> float:  # fmt: skip
        """What a player wins against these probabilities of the other: with some of her own, or at
        best; then her choices go into `chosen`."""
        walk, reach = self.walk, self.walk.down(1 - player, theirs)
        how = BEST if mine is None else VALUE
        held = any(group.fixed.any() for group in self.groups)
        plan = mine if mine is not None else theirs if held else NOTHING
        return float(walk.up(player, how, theirs, reach, plan, chosen=chosen)[0])

    def start_state(self, seed: int = 0) -> PublicState:
        """Before the first iteration: no regrets, uniform play; a fixed strategy where it is
        followed, which nobody ever adds to."""
        if self.lossless and not self.judged:
            self.walk  # says why not  # noqa: B018
        regret = np.zeros(self.num_choices, self.dtype)
        total = np.zeros(self.num_choices, self.dtype)
        if (base := self.base) is not None and self.layout.groups[:, deal_walk.FIXED].any():
            for values in (regret, total):
                self.copy_choices(values, base, self.layout.groups[:, deal_walk.FIXED] > 0)
        return PublicState(0, regret, np.zeros(0), total, random_state(seed), self.checksum)

    @one_blas_thread()
    def advance(self, solver: Any, state: PublicState, iterations: int) -> PublicState:
        """So many more iterations, in place: of the CFR family, or of external sampling.
        Ctrl-C lets the iteration end that has begun, so the state is always one that can go on."""
        if needs(solver) == "deals":
            return self._sample(solver, state, iterations)
        if isinstance(solver, CFR) and solver.engine == "gpu":
            self._expect(solver, state)
            with alone, need_room(self.name):
                self.arrays.run(solver, state, iterations)
            return state
        walk = self.real.walk if self._by_hand else self.walk
        if not iterations:  # load or compile the kernels
            status = StatusLine(after=0.0)
            if not is_compiled(up):
                status.show("compiling the engine of card games, once on this computer: some 15 s")
            walk.rehearsal().iterate(CFR(), NO_LESSONS)
            status.clear()
            return state
        step = self._smooth if isinstance(solver, FirstOrder) else self._iterate
        stop = threading.Event()

        def work() -> None:
            for t in range(state.iteration + 1, state.iteration + iterations + 1):
                if not stop.is_set():
                    step(solver, state)
                    object.__setattr__(state, "iteration", t)

        with ThreadPoolExecutor(1) as worker:
            try:
                worker.submit(work).result()
            finally:
                stop.set()
        if isinstance(solver, FirstOrder) and solver.leaves_room:
            object.__setattr__(state, "regret", np.zeros(self.num_choices))  # 80 MB for judging
        return state

    def _sample(self, solver: Any, state: PublicState, iterations: int) -> PublicState:
        """External sampling: one deal and one walk for each player."""
        root, walkers = self.flat.node(self.after), self.rules.betting.follow(self.after).live
        shape = self.num_players, len(self.kinds), len(self.flat.first) - 1
        found = deal_walk.sample(
            state.iteration, iterations, solver.linear, root, np.array(walkers), self.layout,
            self.flat.depth, *self._deals, *self._path, state.regret, state.strategy_sum,
            state.rng, deal_walk.new_deal(self.num_players), np.zeros(shape, np.int32),
        )  # fmt: skip
        if not found:
            raise GameError(
                f"the base hardly ever plays to where {self.name!r} begins, so nothing can be "
                "learnt there; train it for longer, let it tremble (tremble=0.01), or leave this "
                "expert out"
            )
        object.__setattr__(state, "iteration", state.iteration + iterations)
        return state

    @cached_property
    def _deals(self) -> tuple[Any, Any, Any]:
        """What is dealt, and what is known of it."""
        return deal_walk.deals_of(self.kinds)

    @cached_property
    def _path(self) -> tuple[FloatArray, Indices]:
        """(moves, hands) the chance that a hand makes each move on the way to where the game
        begins, and (moves,) who makes it."""
        many = len(self.after)
        path_probs, path_player = np.ones((many, PAIRS)), np.zeros(many, np.int64)
        for k, move in enumerate(self.after):
            node, n = self.flat.node(self.after[:k]), self.known[0].classes[0]
            probs = self.buckets.base_probs[3 * n * node :][: 3 * n].reshape(n, 3)
            path_player[k] = self.rules.betting.follow(self.after[:k]).player
            path_probs[k] = probs[self.known[0].on(()), MOVES.index(move)]
        return path_probs, path_player

    @property
    def _by_hand(self) -> bool:
        """Whether buckets forget, so that each hand has a reach of its own."""
        return self.on_boards and not self.perfect_recall

    @cached_property
    def smooth(self) -> SmoothCards:
        """The passes with smoothed responses."""
        return SmoothCards(self)

    def _smooth(self, solver: FirstOrder, state: PublicState) -> None:
        memory = state.memory.copy()
        if solver.begins(state):
            memory = memory[:0]
            object.__setattr__(state, "probs", self.average(state).probs)
            for player in (0, 1):
                self.smooth.towards(
                    player, 1.0, state.strategy_sum, state.probs, state.strategy_sum
                )
        arrays = state.strategy_sum, state.regret, state.probs
        memory = solver.run(self.smooth, state.iteration, 1, memory, *arrays)
        object.__setattr__(state, "memory", memory)

    @cached_property
    def arrays(self) -> CardArrays:
        """The passes as array operations."""
        return CardArrays(self.walk, machine())

    @staticmethod
    def _expect(solver: Any, state: PublicState) -> None:
        if solver.predictive and not len(state.probs):
            object.__setattr__(state, "probs", state.regret.copy())

    def _iterate(self, solver: Any, state: PublicState) -> None:
        self._expect(solver, state)
        schedule = schedule_of(solver, state.iteration + 1)
        lessons = Lessons(state.regret, state.probs, state.strategy_sum, schedule)
        if not self._by_hand:
            self.walk.iterate(solver, lessons)
            return
        walk = self.real.walk
        real, plan = self.real, lessons.predicted if solver.predictive else lessons.regret
        probs, gain, played = self._scratch
        mine = PublicStrategy(self, self, self.matched(plan))
        real.spelled_out(mine, probs)
        for i in (0, 1):
            gain[:], played[:] = 0.0, 0.0
            reach = [walk.down(player, probs) for player in (0, 1)]
            learnt = Lessons(gain, NOTHING, played, np.ones(3))
            walk.up(i, LEARN, probs, reach[1 - i], probs, reach[i], learnt)
            self._share_out(i, real.views(gain), real.views(played), lessons)
            if solver.alternating and i == 0:
                real.spelled_out(replace(mine, probs=self.matched(plan)), probs)

    @cached_property
    def _scratch(self) -> FloatArray:
        return np.empty((3, self.real.num_choices))

    @cached_property
    def _members(self) -> list[Any]:
        """For each round (buckets, hands) how often each hand is dealt, where it is in a bucket."""
        from scipy.sparse import csr_array

        found = []
        for r, thing in enumerate(self.known[0].of_class):
            often, shape = self.real.known[0].sizes(r), (self.buckets.classes[r], len(thing))
            found.append(csr_array((often.astype(float), (thing, np.arange(len(thing)))), shape))
        return found

    def _share_out(self, player: int, gain: Any, played: Any, lessons: Lessons) -> None:
        """What the hands of each bucket have learnt, each as often as it is dealt: regrets add up,
        and the average takes the mean of their reach."""
        regret, total = self.views(lessons.regret), self.views(lessons.total)
        predicted = self.views(lessons.predicted) if len(lessons.predicted) else None
        positive, negative, share = lessons.schedule
        rounds = zip(self.rules.betting.rounds, self._members, strict=True)
        for r, (one, members) in enumerate(rounds):
            everybody = members.sum(axis=1)[:, None]
            for c in np.flatnonzero(np.repeat(one.kind, one.count) == player):
                won = members @ gain[r][c]
                new = regret[r][c] + won
                regret[r][c] = new * np.where(new > 0.0, positive, negative)
                total[r][c] += share * (members @ played[r][c]) / everybody
                if predicted is not None:
                    predicted[r][c] = regret[r][c] + won

    def average(self, state: PublicState) -> PublicStrategy:
        """The average strategy."""
        if not np.isfinite(state.strategy_sum.max(initial=0.0)):
            raise GameError(
                f"numbers outgrew the computer after {state.iteration:,} iterations on "
                f"{self.name!r}; take fewer iterations"
            )
        return self.normalised(state.strategy_sum)

    def normalised(self, weights: FloatArray) -> PublicStrategy:
        """The strategy proportional to weights ≥ 0, uniform where there are none."""
        return PublicStrategy(self, self, self.matched(weights))


@dataclass(frozen=True, eq=False)
class PublicAbstraction(FormAbstraction):
    """A game, and the same with buckets: what `workbench.abstraction.Abstraction` is for trees."""

    name: str
    full: CardGame
    coarse: CardGame
    choice_map: IntArray = field(default_factory=lambda: np.zeros(0, np.int32))  # the buckets say

    @property
    def rule(self) -> Any:
        return self.coarse.buckets if isinstance(self.coarse.buckets, HandBuckets) else None

    def lift(self, coarse: PublicStrategy) -> PublicStrategy:
        """The same strategy as one of the real game."""
        return replace(coarse, tree=self.full)

    def __repr__(self) -> str:
        return (
            f"HandBuckets {self.name} of {self.full.name!r}: {self.full.num_infosets:,} -> "
            f"{self.coarse.num_infosets:,} infosets"
        )
