"""A part of a card game: some of its rounds, with what both players are believed to hold there.

Everyday example: three cards into a hand of Rhode Island you stop and think. What came before is
history; all that is left of it is the pot and, for each card, how likely the other player would
have come here with it. That is a game again, much smaller than the whole.

    start    (n, S)   for each player: the reach of each hand where the part begins. By Bayes' rule
                      her hands are believed in proportion to it
    worth    (n, S)   what a hand wins from there on, times the probability that chance and the
                      opponent bring it there (as in `public_passes`)

Solved by itself a part is *unsafe*: its players trust the beliefs, but an opponent may come with
other hands. `Learner` therefore knows the gadget of Burch, Johanson and Bowling (2014): one player,
the *guest*, may decline to enter with each hand, and then wins `floor`, what that hand could win
without the new strategy. Whoever plays well in this game gives no hand more than its floor.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from workbench.poker.betting import FOLD
from workbench.poker.boards import boards_of
from workbench.poker.public_game import SMALL, PublicGame
from workbench.poker.public_passes import (
    ABOVE,
    COUNT,
    END_NUMBER,
    KIND,
    Betting,
    Hands,
    Indices,
    answer_up,
    learn_up,
    normalise,
    reach_down,
)
from workbench.poker.public_strategy import PublicStrategy
from workbench.poker.public_tables import chances
from workbench.progress import ProgressBar
from workbench.solvers.regret import NOTHING as TINY
from workbench.tree import FloatArray

NOTHING, NOBODY = np.zeros((0, 1)), np.zeros(0, np.int64)
Plan = list[FloatArray]  # for each round of a part (n · C, S): weights of choices


@dataclass(frozen=True, eq=False)
class Part:
    """The rounds of `tables`, from number `first` on; see the first lines of this file."""

    game: PublicGame  # without buckets
    first: int
    tables: tuple[tuple[Betting, Hands], ...]
    lanes: tuple[slice, ...]  # for each round: which of its starts
    start: tuple[FloatArray, FloatArray]
    leaves: FloatArray | None = None  # what the ends are worth, if they are no showdowns; `phases`

    @property
    def blank(self) -> Plan:
        """Zeros for every choice."""
        return [
            np.zeros((len(hands.size) * len(betting.moves), betting.pay.shape[1]))
            for betting, hands in self.tables
        ]

    @property
    def hands(self) -> slice:
        """The hands of the first round that the part has."""
        first = self.tables[0][1].first
        return slice(int(first[0]), int(first[-1]))

    def bucket(self, number: int) -> Indices:
        return self.game.bucket_of[self.first + number]

    @cached_property
    def small(self) -> bool:
        """Whether it is not worth waking threads for."""
        choices = (
            int(hands.first[-1] - hands.first[0]) * len(betting.moves) * betting.pay.shape[1]
            for betting, hands in self.tables
        )
        return bool(sum(choices) < SMALL)

    def spread(self, function: Callable[..., None], count: int, *arguments: Any) -> None:
        """Call a kernel on boards or hands 0 .. count."""
        if self.small:
            function(0, count, *arguments)
        else:
            self.game.spread(function, count, *arguments)

    def reach(self, player: int, plan: Plan, start: FloatArray) -> list[FloatArray]:
        """The reach of a player where each round begins; and at the ends, if these are leaves."""
        found = [start]
        ongoing = self.tables if self.leaves is not None else self.tables[:-1]
        for number, (betting, hands) in enumerate(ongoing):
            each = int(betting.tree[:, END_NUMBER].max()) + 1
            ends = np.zeros((len(hands.size), plan[number].shape[1] * each))
            self.spread(
                reach_down, len(hands.first) - 1, betting, hands, player, plan[number],
                self.bucket(number), found[-1], ends,
            )  # fmt: skip
            found.append(ends)
        return found

    def later(self, player: int, opponent: list[FloatArray]) -> FloatArray:
        """What a player's hands win after the last round of the part."""
        if self.leaves is None:
            return NOTHING
        return np.asarray(np.einsum("hgs,hgs->hs", self.leaves[player], opponent[-1][self.rivals]))

    @cached_property
    def rivals(self) -> Indices:
        """(n, most) the hands on the same board as each hand of the last round; where there are
        fewer, the last one again."""
        first = self.tables[-1][1].first
        board = np.repeat(np.arange(len(first) - 1), np.diff(first))
        most = int(np.diff(first).max())
        rivals = first[board][:, None] + np.arange(most)
        return np.asarray(np.minimum(rivals, first[board + 1][:, None] - 1))

    def answer(self, player: int, theirs: Plan, mine: Plan | None = None) -> FloatArray:
        """The worth of a player's hands against a plan: with a plan of her own, or at best."""
        reach = self.reach(1 - player, theirs, self.start[1 - player])
        later = self.later(player, reach)
        for number in reversed(range(len(self.tables))):
            betting, hands = self.tables[number]
            found = np.zeros((len(hands.size), theirs[number].shape[1]))
            bucket = self.bucket(number)
            self.spread(
                answer_up, len(hands.first) - 1, betting, hands, player, theirs[number], bucket,
                NOTHING if mine is None else mine[number], NOBODY if mine is None else bucket,
                reach[number], later, found, NOTHING,
            )  # fmt: skip
            later = found
        return later

    def believed(self, player: int) -> FloatArray:
        """(n, S) the probability of all that `player` can hold, seen by each hand of the other."""
        hands, start = self.tables[0][1], self.start[player]
        found = np.zeros(start.shape)
        for low, high in pairwise(hands.first):
            total = hands.size[low:high] @ start[low:high]
            found[low:high] = total - start[low:high]
        return np.asarray(chances(self.game.rules)[self.first] * found)

    def put(self, probs: FloatArray, plan: Plan, player: int) -> None:
        """Write what a player does in this part into the probabilities of the whole game."""
        whole = self.game.views(probs)[self.first :]
        for (betting, hands), lanes, given, target in zip(
            self.tables, self.lanes, plan, whole, strict=False
        ):
            hers = owner(betting) == player
            rows = slice(int(hands.first[0]), int(hands.first[-1]))
            shape = (len(hands.size), len(betting.moves), -1)
            target.reshape(shape)[rows, hers, lanes] = given.reshape(shape)[rows, hers]


def part_after(
    sigma: PublicStrategy, first: int, board: int | None, start: int, tremble: float
) -> Part:
    """All of a game from a round on, or what is below one board and one start of that round.

    Who plays `sigma` but for a `tremble` (a choice at random, so often) has the reach of `start`.
    Where nobody with any hand comes that way, all hands are believed to be equally likely.
    """
    game, limit = sigma.tree.real, sigma.tree.rules.betting
    boards = boards_of(game.rules)
    low, high = (0, len(boards[first].cards)) if board is None else (board, board + 1)
    lanes = slice(0, limit.starts[first]) if board is None else slice(start, start + 1)
    tables, all_lanes = [], []
    for number in range(first, len(boards)):
        betting, hands = game.tables[number]
        if number > first:
            low, high = np.searchsorted(boards[number].parent, (low, high)).tolist()
            each = limit.rounds[number - 1].num_ends
            lanes = slice(lanes.start * each, lanes.stop * each)
        else:  # reach is given for the hands of this round, not of the one before
            table = hands.table.copy()
            table[:, ABOVE] = np.arange(len(table))
            hands = hands._replace(table=table)
        hands = hands._replace(first=hands.first[low : high + 1])
        tables.append((betting._replace(pay=np.ascontiguousarray(betting.pay[:, lanes])), hands))
        all_lanes.append(lanes)
    plan = trembling(sigma, tremble)
    above, of = game.tables[first][1].table[:, ABOVE], tables[0][1].first
    reach = []
    for player in (0, 1):
        mine = sigma.played.reach(player, plan)[first][above][:, all_lanes[0]]
        mine = np.ascontiguousarray(mine)
        for at, after in pairwise(of):
            mine[at:after, mine[at:after].max(axis=0) <= TINY] = 1.0
        reach.append(mine)
    return Part(game, first, tuple(tables), tuple(all_lanes), (reach[0], reach[1]))


def trembling(sigma: PublicStrategy, often: float) -> Plan:
    """A strategy that takes a choice at random, so often."""
    uniform = sigma.played.normalised(np.zeros(sigma.played.num_choices)).probs
    return sigma.played.views((1.0 - often) * sigma.probs + often * uniform)


def owner(betting: Betting) -> Indices:
    """(C,) whose choice it is."""
    deciding = betting.tree[betting.tree[:, KIND] < FOLD]
    return np.repeat(deciding[:, KIND], deciding[:, COUNT])


class Learner:
    """A solver of the CFR family at work on a part; it can stop after any iteration, and go on."""

    def __init__(
        self, part: Part, solver: Any, guest: int | None = None, floor: FloatArray = NOTHING
    ) -> None:
        self.part, self.solver, self.guest, self.floor = part, solver, guest, floor
        self.iteration = 0
        self.regret, self.total = part.blank, part.blank
        self.hope = part.blank if solver.predictive else [NOTHING] * len(self.regret)
        # regrets of a guest for staying away and for entering, with each hand
        self.wish = np.zeros((2, *part.start[0].shape)) if guest is not None else NOTHING

    def run(self, iterations: int, seconds: float | None, bar: ProgressBar | None = None) -> None:
        """So many more iterations, or so many seconds; at least one iteration."""
        until = time.monotonic() + (float("inf") if seconds is None else seconds)
        for done in range(iterations):
            self.step()
            if bar is not None:
                bar.show(done + 1)
            if time.monotonic() >= until:
                break

    def step(self) -> None:
        """One iteration: both players learn once."""
        self.iteration += 1
        weights = self.solver.weights(np.array([float(self.iteration)]))
        schedule = np.array([float(one[0]) for one in weights])
        plan = self.hope if self.solver.predictive else self.regret
        if not self.solver.alternating:
            plan = [one.copy() for one in plan]
        reach = [self.part.reach(player, plan, self._start(player)) for player in (0, 1)]
        for player in (0, 1):
            worth = self._learn(player, plan, reach, schedule)
            if player == self.guest:
                self._wish(worth, schedule)
            if self.solver.alternating and player == 0:
                reach[0] = self.part.reach(0, plan, self._start(0))

    def _start(self, player: int) -> FloatArray:
        """With which weight each hand enters."""
        if player != self.guest:
            return self.part.start[player]
        wish = np.maximum(self.wish, 0.0)
        both = wish.sum(axis=0)
        return np.asarray(np.where(both > TINY, wish[1] / np.where(both > TINY, both, 1.0), 0.5))

    def _wish(self, worth: FloatArray, schedule: FloatArray) -> None:
        enters, floor = self._start(1 if self.guest else 0), self.floor
        for k, value in enumerate((floor, worth)):
            new = self.wish[k] + value - (enters * worth + (1.0 - enters) * floor)
            self.wish[k] = new * np.where(new > 0.0, schedule[0], schedule[1])

    def _learn(
        self, player: int, plan: Plan, reach: list[list[FloatArray]], schedule: FloatArray
    ) -> FloatArray:
        part = self.part
        later = part.later(player, reach[1 - player])
        for number in reversed(range(len(part.tables))):
            betting, hands = part.tables[number]
            found = np.zeros((len(hands.size), plan[number].shape[1]))
            part.spread(
                learn_up, len(hands.first) - 1, betting, hands, player, part.bucket(number),
                plan[number], self.regret[number], self.hope[number], self.total[number], schedule,
                reach[1 - player][number], reach[player][number], later, found, NOTHING, NOTHING,
            )  # fmt: skip
            later = found
        return later

    def plan(self) -> Plan:
        """The average strategy, as probabilities."""
        found = self.part.blank
        for (betting, hands), weights, probs in zip(
            self.part.tables, self.total, found, strict=True
        ):
            self.part.spread(normalise, len(hands.size), betting, weights, probs)
        return found
