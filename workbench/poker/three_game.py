"""Limit Hold'em for three, as a game that solvers and matches know: without a tree of cards.

    rules ─► ThreeGame ─► state ─► ThreeStrategy

One class is five games, by its *parts*, each a preflop betting and the buckets from there on:

    none                                    the real game: 10¹⁷ information sets, played only
    (("", coarse),)                         the base's abstract game
    (("", coarse), ("f", fine), …)          the same with finer buckets in some places, solved as
                                            one: dynamic experts
    (("rf", fine),) with a base strategy    what follows on "rf", where everybody has played the
                                            base until then: the game of a static expert, S = N
    (("", coarse), ("rf", fine)) with a     the game of player i's static expert, S = {i}: she plays
    base strategy and `alone` = i           the base outside, the others whatever they like

With S = N an expert's deals are the hands with which the base would have come there: cards are
dealt until it does. With S = {i} every walk goes through the whole game.

The state holds two 32-bit floats for fold, call and raise each, 24 bytes an information set: 0.7 GB
for 169-3-3-3 and its 29 million sets. It is changed in place.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.form import Form
from workbench.poker.betting_tree import BettingTree, Longs, betting_tree
from workbench.poker.holdem_buckets import HoldemBuckets
from workbench.poker.real_deals import new_deal
from workbench.poker.three_deals import BEGIN, BUCKETS, normalise, sample
from workbench.poker.three_match import match_scores
from workbench.poker.three_strategy import Parts, ThreeStrategy, count_spots, spans_of
from workbench.random import random_state
from workbench.rules import GameError, shown
from workbench.solvers.base import State
from workbench.tree import FloatArray, IntArray

if TYPE_CHECKING:
    from pathlib import Path

NOTHING = np.zeros(0, np.float32)
NOTHING.flags.writeable = False
HINT = (
    'abstraction=wb.cluster_hands(rules, (169, 3, 3, 3), metric="ehs2", method="percentile", '
    'recall="imperfect")'
)


@dataclass(frozen=True, eq=False)
class ThreeState(State):
    """Where external sampling stands; changed in place, floats of 32 bits."""

    def __post_init__(self) -> None:
        for name in ("regret", "strategy_sum"):
            value = getattr(self, name)
            if value.dtype != np.float32 or value.shape != self.regret.shape:
                raise GameError(f"{name} of a state has shape {value.shape}, type {value.dtype}")
            if not value.flags.writeable:  # it comes out of a store
                object.__setattr__(self, name, value.copy())
        object.__setattr__(self, "rng", self.rng.copy())

    def copy(self) -> ThreeState:
        return ThreeState(
            self.iteration, self.regret.copy(), self.probs, self.strategy_sum.copy(), self.rng,
            self.game,
        )  # fmt: skip


@dataclass(frozen=True)
class ExpertBuckets:
    """Buckets for the whole game, and finer ones after some preflop betting: what is solved with
    them as one game has dynamic experts."""

    outside: HoldemBuckets
    inside: HoldemBuckets
    names: tuple[str, ...]
    of_hands = True  # what `workbench.runs.experiment` asks

    def __post_init__(self) -> None:
        need_experts(self.outside.rules, self.names)

    @property
    def parts(self) -> Parts:
        return (("", self.outside), *((name, self.inside) for name in self.names))

    @property
    def name(self) -> str:
        return f"{self.outside.name}, after {' '.join(self.names)} {self.inside.name}"


class ThreeGame(Form):
    """See the first lines of this file."""

    num_players = 3
    judged = perfect_recall = False

    def __init__(
        self, rules: Any, parts: Parts | HoldemBuckets | None = None, base: Any = None,
        after: str = "", alone: int = -1,
    ) -> None:  # fmt: skip
        self.rules = self.origin = rules
        given = () if parts is None else parts
        self.parts: Parts = (("", given),) if isinstance(given, HoldemBuckets) else given
        for _, buckets in self.parts:
            need_buckets(rules, buckets)
        self.base: ThreeStrategy | None = base
        self.alone = alone
        self.after = self.parts[0][0] if self.parts else after
        inside = "".join(f", {after} {buckets.name}" for after, buckets in self.parts[1:])
        place = f" after {self.after}" if self.after else ""
        place += f" for player {alone + 1}" if alone >= 0 else ""
        within = f" [{self.parts[0][1].name}{inside}]" if self.parts else ""
        self.name = f"{rules.name}{place}{within}"

    def __reduce__(self) -> Any:
        return ThreeGame, (self.rules, self.parts, self.base, self.after, self.alone)

    @property
    def betting(self) -> BettingTree:
        """The betting of the whole table."""
        return betting_tree(self.rules.betting)

    @cached_property
    def spans(self) -> Longs:
        """(parts, rounds, 4) see three_deals.py."""
        return spans_of(self.betting, self.parts)

    @property
    def num_infosets(self) -> int:
        """Of all three players together."""
        if self.parts:
            return self.num_choices // 3 - self._covered
        holdings, found, left = comb(52, 2), 0, 50
        for nodes, new in zip(self.betting.sizes, self.rules.public_cards, strict=True):
            holdings *= comb(left, new)
            left -= new
            found += holdings * nodes
        return found

    @property
    def num_histories(self) -> int:
        """Decisions of the tree that nobody builds."""
        deals, left = comb(52, 2) * comb(50, 2) * comb(48, 2), 46
        found = 0
        for nodes, new in zip(self.betting.sizes, self.rules.public_cards, strict=True):
            deals *= comb(left, new)
            left -= new
            found += deals * nodes
        return found

    @property
    def _covered(self) -> int:
        """Information sets of the base where an expert plays instead; they stay empty."""
        covered = self.spans[1:].copy()
        covered[..., BUCKETS] = self.spans[0, :, BUCKETS]
        return count_spots(covered)

    @property
    def num_choices(self) -> int:
        """Slots of a state: fold, call and raise for each information set, allowed or not."""
        return 3 * count_spots(self.spans)

    @cached_property
    def fingerprint(self) -> str:
        digest = hashlib.sha256(f"three {self.rules!r} {self.after} {self.alone}".encode())
        for after, buckets in self.parts:
            digest.update(f" {after} {buckets.fingerprint}".encode())
        gate, keeper = self._gate
        digest.update(gate.tobytes() + keeper.tobytes())
        if self.alone >= 0 and self.base is not None:
            digest.update(self.base.outside.data)
        return digest.hexdigest()[:32]

    def __repr__(self) -> str:
        return f"ThreeGame {self.name!r}: 3 players, {self.num_infosets:,} infosets"

    def abstraction(self, buckets: HoldemBuckets | ExpertBuckets) -> ThreeAbstraction:
        """The game in which players tell apart only buckets."""
        if isinstance(buckets, ExpertBuckets) and not self.after:
            parts: Parts = buckets.parts
        else:
            parts = ((self.after, need_buckets(self.rules, buckets)),)
        if self.alone >= 0 and self.base is not None:
            parts = (self.base.parts[0], *parts)
        game = ThreeGame(self.rules, parts, self.base, alone=self.alone)
        return ThreeAbstraction(buckets.name, self, game)

    def restored(self, saved: Any, where: str) -> ThreeStrategy:
        """A strategy out of its arrays."""
        return ThreeStrategy.restored(saved, self.rules, where)

    def load(self, path: str | Path) -> ThreeStrategy:
        """Read what the `save` of a strategy wrote."""
        return ThreeStrategy.load(path, self.rules)

    # ---- what solvers ask --------------------------------------------------------------

    def start_state(self, seed: int = 0) -> ThreeState:
        """Before the first iteration: no regrets."""
        if not self.parts:
            raise GameError(
                f"{self.name!r} has {self.num_infosets:.1e} information sets; solve it with "
                f"buckets: {HINT}"
            )
        need, there = 12 * self.num_choices, _memory()  # bytes: a state, and the strategy of it
        if need > there:
            raise GameError(
                f"{self.num_infosets:,} information sets take {need / 1e9:,.0f} GB, and this "
                f"computer has {there / 1e9:,.0f}; take fewer buckets, for three players with "
                'recall="imperfect"'
            )
        regret, total = (np.zeros(self.num_choices, np.float32) for _ in range(2))
        return ThreeState(0, regret, np.zeros(0), total, random_state(seed), self.checksum)  # type: ignore[arg-type]

    def advance(self, solver: Any, state: Any, iterations: int) -> Any:
        """So many more iterations of external sampling on real deals, in place."""
        if not getattr(solver, "deals", False):
            raise GameError(
                f"{solver.name!r} does not solve {self.name!r}: three players forget what they "
                'knew, and only "external-sampling" deals real cards'
            )
        if solver.average_at != "opponent" or solver.opponent != "current":
            raise GameError(
                f"{self.name!r} is solved by external sampling with its usual average_at and "
                "opponent; linear may be True or False"
            )
        tree, (gate, keeper) = self.betting, self._gate
        coarse: Any = self.parts[0][1]
        fine: Any = self.parts[-1][1]
        if len({buckets.fingerprint for _, buckets in self.parts[1:]}) > 1:
            raise GameError("experts that are solved together must share their buckets")
        root = tree.node(self.after)
        live = self.rules.betting.follow(self.after).live
        held = NOTHING if self.base is None or self.alone < 0 else self.base.outside
        found = sample(
            state.iteration, iterations, solver.linear, root, np.array(live), tree.child,
            tree.info, tree.first, tree.depth, self.spans, coarse.cards, coarse.cuts, fine.cards,
            fine.cuts, gate, keeper, self.alone, held, state.regret, state.strategy_sum, state.rng,
            new_deal(3),
        )  # fmt: skip
        if not found:
            raise GameError(
                f"the base hardly ever plays {self.after!r}, so nothing can be learnt there; train "
                "it for longer, or leave this expert out"
            )
        object.__setattr__(state, "iteration", state.iteration + iterations)
        return state

    def average(self, state: Any) -> ThreeStrategy:
        """The average strategy."""
        if not np.isfinite(state.strategy_sum.max(initial=0.0)):
            raise GameError(
                f"numbers outgrew 32 bits after {state.iteration:,} iterations on {self.name!r}; "
                "take fewer iterations, or linear=False"
            )
        tree, probs = self.betting, np.zeros(self.num_choices, np.float32)
        normalise(tree.child, tree.first, self.spans, state.strategy_sum, probs)
        begin = 3 * int(self.spans[1, 0, BEGIN]) if len(self.parts) > 1 else len(probs)
        return ThreeStrategy(self, self.parts, probs[:begin], probs[begin:])

    @cached_property
    def _gate(self) -> tuple[FloatArray, Longs]:
        """(moves, 1326) the chance that a hand makes each move on the way to `after` if all play
        the base, and (moves,) who makes it."""
        moves = len(self.after) if self.base is not None else 0
        gate, keeper = np.ones((moves, comb(52, 2))), np.zeros(moves, np.int64)
        for k in range(moves):
            assert self.base is not None
            keeper[k] = self.rules.betting.follow(self.after[:k]).player
            gate[k] = self.base.preflop(self.after[:k])[:, "fcr".index(self.after[k])]
        return gate, keeper

    def seated(self, strategies: Sequence[Any]) -> Any:
        raise GameError(
            f"seats of {self.name!r} are not put together to one strategy; give the strategies to "
            "wb.play_match, which lets them meet in all seatings"
        )

    def sample_scores(
        self, strategies: Sequence[Any], *, deals: int, seed: int, duplicate: bool
    ) -> FloatArray:
        """(deals, 3) what three strategies win from each deal, the mean over the six seatings."""
        if self.after:
            raise GameError(f"{self.name!r} is part of a game; stitch its expert to a base first")
        return match_scores(self.betting, strategies, deals=deals, seed=seed, duplicate=duplicate)


@dataclass(frozen=True, eq=False)
class ThreeAbstraction:
    """A game for three, and the same with buckets."""

    name: str
    full: ThreeGame
    coarse: ThreeGame
    choice_map: IntArray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        object.__setattr__(self, "choice_map", np.zeros(0, np.int32))  # the buckets say

    def lift(self, coarse: ThreeStrategy) -> ThreeStrategy:
        """The same strategy as one of the real game."""
        return replace(coarse, tree=self.full)


@dataclass(frozen=True, eq=False)
class Following:
    """What follows on a preflop betting when all have played the base until then: "rules" for
    `wb.solve`, whose strategy is an expert's."""

    rules: Any
    after: str
    base: ThreeStrategy
    alone: int = -1  # the only player who has to follow the base; -1: all do
    cut_by_signal = True

    @property
    def name(self) -> str:
        return self.public_game().name

    @property
    def players(self) -> int:
        return 3

    def start(self) -> Any:
        return self.rules.start()

    def next(self, state: Any, action: Any) -> Any:
        return self.rules.next(state, action)

    def node(self, state: Any) -> Any:
        return self.rules.node(state)

    def public_game(self) -> ThreeGame:
        return ThreeGame(self.rules, (), self.base, self.after, self.alone)


def _memory() -> float:
    """The bytes of this computer's memory, if it says."""
    if not hasattr(os, "sysconf"):
        return float("inf")
    return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def need_buckets(rules: Any, buckets: Any) -> HoldemBuckets:
    """Refuse what are no buckets of this game."""
    if not isinstance(buckets, HoldemBuckets) or buckets.rules != rules:
        raise GameError(
            f"{shown(buckets)} are no buckets of {rules.name!r}; make them with {HINT[12:]}"
        )
    return buckets


def need_experts(rules: Any, names: Sequence[str]) -> None:
    """Refuse a betting after which nobody decides, that is not before the flop, or that lies in
    another expert's part."""
    for k, name in enumerate(names):
        betting_tree(rules.betting).blocks(name)  # refuses what is no betting, or ends the hand
        if not name or "/" in name:
            raise GameError(
                f"an expert is named after the betting before the flop, such as 'rf', not {name!r}"
            )
        for other in names[:k]:
            if name.startswith(other) or other.startswith(name):
                raise GameError(f"experts {other!r} and {name!r} overlap: two would play there")
