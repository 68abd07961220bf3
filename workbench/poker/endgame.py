"""A part of a card game: some of its rounds, with what both players are believed to hold there.

Everyday example: three cards into a hand of Rhode Island you stop and think. What came before is
history; all that is left of it is the pot and, for each card, how likely the other player would
have come here with it. That is a game again, much smaller than the whole.

    start    (n, S)   for each player: the reach of each hand where the part begins. By Bayes' rule
                      her hands are believed in proportion to it
    worth    (n, S)   what a hand wins from there on, times the probability that chance and the
                      opponent bring it there (as in `card_passes`)

Solved by itself a part is *unsafe*: its players trust the beliefs, but an opponent may come with
other hands. `Learner` therefore knows the gadget of Burch, Johanson and Bowling (2014): one player,
the *guest*, may decline to enter with each hand, and then wins `floor`, what that hand could win
without the new strategy. Whoever plays well in this game gives no hand more than its floor.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np

from workbench.poker.boards import boards_of
from workbench.poker.card_game import CardGame, proportional
from workbench.poker.card_passes import BEST, VALUE, Lessons, Space
from workbench.poker.card_walk import NOTHING, Walk, make_block, schedule_of
from workbench.poker.hand_space import board_part
from workbench.poker.public_strategy import PublicStrategy
from workbench.poker.public_tables import chances
from workbench.progress import ProgressBar
from workbench.solvers.regret import NOTHING as TINY
from workbench.tree import FloatArray


@dataclass(frozen=True, eq=False)
class Part:
    """Rounds of a game, from number `first` on; see the first lines of this file."""

    game: CardGame  # without buckets
    first: int
    spaces: list[Space]  # of each round
    hands: list[slice]  # for each round: which of its hands
    lanes: list[slice]  # ... and which of its starts
    start: tuple[FloatArray, FloatArray]
    leaves: Callable[[int, FloatArray], FloatArray] | None = None  # what ends are worth; `phases`

    @property
    def shapes(self) -> list[tuple[int, int, int]]:
        """Choices, hands and starts of each round: how a plan is kept, one after the other."""
        rounds = self.game.rules.betting.rounds[self.first :]
        return [
            (one.num_choices, len(space.above), lanes.stop - lanes.start)
            for one, space, lanes in zip(rounds, self.spaces, self.lanes, strict=False)
        ]

    @cached_property
    def num_choices(self) -> int:
        return sum(choices * hands * starts for choices, hands, starts in self.shapes)

    @cached_property
    def walk(self) -> Walk:
        """The passes over this part."""
        limit, blocks, at = self.game.rules.betting, [], 0
        for r, (choices, hands, starts) in enumerate(self.shapes):
            row = at + np.arange(choices) * (hands * starts)
            some = np.arange(self.lanes[r].start, self.lanes[r].stop)
            blocks.append([(some, make_block(limit, self.first + r, some, row, self.spaces[r]))])
            at += choices * hands * starts
        return Walk(limit, self.first, blocks, at, self.leaves)

    def views(self, plan: FloatArray) -> list[FloatArray]:
        """The rounds of an array over choices, each (choices, hands, starts)."""
        ends = np.cumsum([np.prod(shape) for shape in self.shapes])
        return [
            one.reshape(shape)
            for one, shape in zip(np.split(plan, ends[:-1]), self.shapes, strict=True)
        ]

    def plan_of(self, sigma: PublicStrategy) -> FloatArray:
        """What a strategy of the whole game does in this part."""
        whole = self.game.views(self.game.spelled_out(sigma))[self.first :]
        parts = zip(whole, self.hands, self.lanes, strict=False)
        return np.concatenate([one[:, hands, lanes].ravel() for one, hands, lanes in parts])

    def put(self, probs: FloatArray, plan: FloatArray, player: int) -> None:
        """Write what a player does in this part into the probabilities of the whole game."""
        whole = self.game.views(probs)[self.first :]
        rounds = self.game.rules.betting.rounds[self.first :]
        for one, given, target, hands, lanes in zip(
            rounds, self.views(plan), whole, self.hands, self.lanes, strict=False
        ):
            for c in np.flatnonzero(np.repeat(one.kind, one.count) == player):
                target[c, hands, lanes] = given[c]

    def answer(
        self, player: int, theirs: FloatArray, mine: FloatArray | None = None,
        start: FloatArray | None = None,
    ) -> FloatArray:  # fmt: skip
        """The worth of a player's hands against a plan: with a plan of her own, or at best."""
        start = self.start[1 - player] if start is None else start
        reach = self.walk.down(1 - player, theirs, np.ascontiguousarray(start).ravel())
        how, plan = (BEST, NOTHING) if mine is None else (VALUE, mine)
        return self.walk.up(player, how, theirs, reach, plan).reshape(start.shape)

    @property
    def size(self) -> FloatArray:
        """(n,) how many real hands each one of the first round stands for."""
        return self.spaces[0].size

    def believed(self, player: int) -> FloatArray:
        """(n, S) the probability of all that `player` can hold, seen by each hand of the other."""
        start = self.start[player]
        found = np.zeros(start.shape)
        for low, high in pairwise(self.spaces[0].first):
            found[low:high] = self.size[low:high] @ start[low:high] - start[low:high]
        return np.asarray(chances(self.game.rules)[self.first] * found)


def part_after(
    sigma: PublicStrategy, first: int, board: int | None, start: int, tremble: float
) -> Part:
    """All of a game from a round on, or what is below one board and one start of that round.

    Who plays `sigma` but for a `tremble` (a choice at random, so often) has the reach of `start`.
    Where nobody with any hand comes that way, all hands are believed to be equally likely.
    """
    game, limit = sigma.tree.real, sigma.tree.rules.betting
    spaces, boards = game.spaces, boards_of(game.rules)
    low, high = (0, limit.starts[first]) if board is None else (start, start + 1)
    hands, lanes = list[slice](), list[slice]()
    part = board_part(spaces, boards, first, board, hands)
    for one in limit.rounds[first:]:
        lanes.append(slice(low, high))
        low, high = low * one.num_ends, high * one.num_ends
    uniform = game.matched(np.zeros(game.num_choices))
    plan = (1.0 - tremble) * game.spelled_out(sigma) + tremble * uniform
    block, reach = game.walk.rounds[first][0], []
    at = block.came[lanes[0]] + block.hop * spaces[first].above[hands[0], None]
    for player in (0, 1):
        mine = game.walk.down(player, plan)[first][at]
        for begin, end in pairwise(part[0].first):
            mine[begin:end, mine[begin:end].max(axis=0) <= TINY] = 1.0
        reach.append(mine)
    return Part(game, first, part, hands, lanes, (reach[0], reach[1]))


class Learner:
    """A solver of the CFR family at work on a part; it can stop after any iteration, and go on."""

    def __init__(
        self, part: Part, solver: Any, guest: int | None = None, floor: FloatArray = NOTHING
    ) -> None:
        self.part, self.solver, self.guest, self.floor = part, solver, guest, floor.ravel()
        self.iteration = 0
        self.regret, self.total = np.zeros(part.num_choices), np.zeros(part.num_choices)
        self.hope = np.zeros(part.num_choices) if solver.predictive else NOTHING
        # regrets of a guest for staying away and for entering, with each hand
        self.wish = np.zeros((2, len(self.floor)))

    def run(self, iterations: int, seconds: float | None, bar: ProgressBar | None = None) -> None:
        """So many more iterations, or so many seconds; at least one iteration."""
        until = time.monotonic() + (float("inf") if seconds is None else seconds)
        for done in range(iterations):
            self.iteration += 1
            schedule = schedule_of(self.solver, self.iteration)
            lessons = Lessons(self.regret, self.hope, self.total, schedule)
            wish = partial(self._wish, schedule)
            self.part.walk.iterate(self.solver, lessons, self._start, wish)
            if bar is not None:
                bar.show(done + 1)
            if time.monotonic() >= until:
                break

    def _start(self, player: int) -> FloatArray:
        """With which weight each hand enters."""
        if player != self.guest:
            return self.part.start[player].ravel()
        return np.asarray(proportional(self.wish)[1])

    def _wish(self, schedule: FloatArray, player: int, worth: FloatArray) -> None:
        if player != self.guest:
            return
        enters, floor = self._start(player), self.floor
        for k, value in enumerate((floor, worth)):
            new = self.wish[k] + value - (enters * worth + (1.0 - enters) * floor)
            self.wish[k] = new * np.where(new > 0.0, schedule[0], schedule[1])

    def plan(self) -> FloatArray:
        """The average strategy, as probabilities."""
        found = self.total.copy()
        rounds = self.part.game.rules.betting.rounds[self.part.first :]
        for one, probs in zip(rounds, self.part.views(found), strict=False):
            for d in np.flatnonzero(one.count):
                some = slice(one.first[d], one.first[d] + one.count[d])
                probs[some] = proportional(probs[some])
        return found
