"""A part of a card game: some of its rounds, with what both players are believed to hold there.

Everyday example: three cards into a hand of Rhode Island you stop and think. What came before is
history; all that is left of it is the pot and, for each card, how likely the other player would
have come here with it. That is a game again, much smaller than the whole.

    start    (n, S)   for each player: the reach of each hand where the part begins. By Bayes' rule
                      her hands are believed in proportion to it
    worth    (n, S)   what a hand wins from there on, times the probability that chance and the
                      opponent bring it there (as in `card_passes`)

Hands are those of boards up to the names of suits (Rhode Island), pairs of cards on real boards
(Hold'em from the turn on), or buckets. What a strategy does with them, `reach` knows.

Solved by itself a part is *unsafe*: its players trust the beliefs, but an opponent may come with
other hands. `Learner` therefore knows the gadget of Burch, Johanson and Bowling (2014): one player,
the *guest*, may decline to enter with each hand, and then wins `floor`, what that hand could win
without the new strategy. Whoever plays well in this game gives no hand more than its floor.
"""

import time
from copy import copy
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np

from workbench.poker.cards.board_sets import CARDS
from workbench.poker.cards.boards import boards_of, find_board
from workbench.poker.engine.card_game import CardGame
from workbench.poker.engine.card_passes import BEST, FIXED, VALUE, Indices, Lessons, Space
from workbench.poker.engine.card_walk import NOTHING, Walk, make_block, schedule_of
from workbench.poker.engine.hand_space import Holdings, Matrices, board_part, pair_part
from workbench.poker.engine.public_strategy import PublicStrategy
from workbench.poker.response.reach import meeting, reaching
from workbench.progress import ProgressBar
from workbench.rules import GameError
from workbench.solvers.regret import TINY, match_arrays
from workbench.tree import FloatArray


@dataclass(frozen=True, eq=False)
class Part:
    """Rounds of a game, from number `first` on; see the first lines of this file."""

    game: CardGame  # without buckets
    first: int
    spaces: list[Space]  # of each round
    held: list[Holdings]  # of each round of the game: the hands on their boards
    hands: list[slice]  # for each round: which of the game's hands; none, if nobody lists these
    lanes: list[slice]  # ... and which of its starts
    start: tuple[FloatArray, FloatArray] = (NOTHING, NOTHING)
    leaves: Any = None  # f(player, reach): what ends are worth; `phases`, `leaves`

    @cached_property
    def walk(self) -> Walk:
        """The passes over this part."""
        limit, blocks, at = self.game.rules.betting, [], 0
        for r, (space, lanes) in enumerate(zip(self.spaces, self.lanes, strict=False), self.first):
            starts, count = np.arange(lanes.start, lanes.stop), limit.rounds[r].num_choices
            each = len(space.above) * len(starts)
            row = at + np.arange(count) * each
            blocks.append([(starts, make_block(limit, r, starts, row, space))])
            at += count * each
        return Walk(limit, self.first, blocks, at, self.leaves)

    def things(self, r: int, buckets: Any) -> Indices:
        """Which of some buckets each hand is in, in a round of the game."""
        if not self.held:  # hands are buckets; before the part, what they come from
            found = np.arange(buckets.classes[max(r, self.first)])
            for later in range(self.first, r, -1):
                found = buckets.parents(later)[found]
            return found
        return np.concatenate([buckets.on(board)[hands] for board, hands in self.held[r]])

    def places(self, board: tuple[int, ...]) -> Indices:
        """(H,) which hand of the first round each real one is; -1 if the board has its card."""
        if not self.held:
            return np.asarray(self.game.buckets.on(board))
        if self.hands:
            classes = self.game.known[0].on(board)
            return np.where(classes < 0, -1, classes - self.hands[0].start)
        found = np.full(len(CARDS), -1)
        found[self.held[self.first][0][1]] = np.arange(len(self.size))
        return found

    def plan_of(self, sigma: PublicStrategy) -> FloatArray:
        """What a strategy of the whole game does in this part."""
        plan = np.empty(self.walk.num_choices)
        rounds = [*enumerate(self.game.rules.betting.rounds)][self.first :]
        for (r, one), probs, lanes in zip(rounds, self.walk.views(plan), self.lanes, strict=True):
            starts, things = np.arange(lanes.start, lanes.stop), cache(partial(self.things, r))
            for d in np.flatnonzero(one.count):
                some = sigma.choices(sigma.played.nodes_at(r, starts, int(d)), things)
                probs[one.choices(d)] = some
        return plan

    def put(self, plan: FloatArray, sigma: PublicStrategy) -> PublicStrategy:
        """A strategy of the whole game, with this plan instead in this part."""
        probs = self.game.spelled_out(sigma).copy()
        whole = zip(self.game.views(probs)[self.first :], self.hands, self.lanes, strict=False)
        for (target, hands, lanes), given in zip(whole, self.walk.views(plan), strict=False):
            target[:, hands, lanes] = given
        return PublicStrategy(self.game, self.game, probs)

    def answer(
        self, player: int, theirs: FloatArray, mine: FloatArray | None = None,
        start: FloatArray | None = None,
    ) -> FloatArray:  # fmt: skip
        """The worth of a player's hands against a plan: with a plan of her own, or at best."""
        start = self.start[1 - player] if start is None else start
        reach = self.walk.down(1 - player, theirs, np.ascontiguousarray(start).ravel())
        how, plan = (BEST, NOTHING) if mine is None else (VALUE, mine)
        return self.walk.up(player, how, theirs, reach, plan).reshape(start.shape)

    def by_action(
        self, player: int, theirs: FloatArray, node: int, reach: FloatArray, how: int = BEST
    ) -> FloatArray:
        """(actions, n) what a hand of a player wins after each action at a node of the first round,
        at best or by the plan (VALUE), if the opponent comes there with `reach` (n,): on the way
        there both are held to it, so all that she reaches is below."""
        one, plan, walk = self.game.rules.betting.rounds[self.first], theirs.copy(), copy(self.walk)
        probs, (block,), d = self.walk.views(plan)[0], walk.rounds[0], node
        block = block._replace(tree=block.tree.copy())
        walk.rounds = [[block], *walk.rounds[1:]]
        block.tree[node, FIXED] = 1
        while d:
            d, taken = one.parent[d], one.choice[d]
            probs[one.choices(d)] = 0.0
            probs[taken] = block.tree[d, FIXED] = 1
        found = []
        for taken in range(one.first[node], one.first[node] + one.count[node]):
            probs[one.choices(node)] = 0.0
            probs[taken] = 1.0
            down = walk.down(1 - player, plan, np.ascontiguousarray(reach))
            found.append(walk.up(player, how, plan, down, plan))
        return np.array(found)

    @property
    def size(self) -> FloatArray:
        """(n,) how many real hands each one of the first round stands for."""
        return self.spaces[0].size

    def met(self, reach: FloatArray) -> FloatArray:
        """(n, S) the probability of all hands that come with this reach, seen by each hand."""
        space, found = self.spaces[0], np.zeros(reach.shape)
        if len(space.meets):
            return np.asarray(space.meets[0].T @ reach)
        if len(space.cards):
            return np.asarray(space.chance * meeting(space.cards, reach))
        for low, high in pairwise(space.first):
            found[low:high] = space.size[low:high] @ reach[low:high] - reach[low:high]
        return np.asarray(space.chance * found)


def part_after(
    sigma: PublicStrategy, first: int, board: tuple[int, ...] | None, start: int, tremble: float
) -> Part:
    """All of a game from a round on, or what is below one board and one start of that round.

    Who plays `sigma` but for a `tremble` (a choice at random, so often) has the reach of `start`.
    Where nobody with any hand comes that way, all hands are believed to be equally likely.
    """
    game, rules = sigma.tree.real, sigma.tree.rules
    if game.num_players > 2:
        raise GameError(
            f"{rules.name!r} has three players, and the rest of a hand is solved for two here; an "
            "equilibrium of three would promise none of them anything"
        )
    low, high = (0, rules.betting.starts[first]) if board is None else (start, start + 1)
    hands, held = list[slice](), list[Holdings]()
    if game.on_boards:
        at = None if board is None else find_board(boards_of(rules), board)[0]
        spaces = board_part(rules, first, at, hands, held)
    elif board is None or len(board) < 4:
        raise GameError(
            f"what is left of {rules.name!r} before the turn is too large to be solved again; "
            "resolve one board of four or five cards: resolve(blueprint, "
            "'Qh Jh 2c Th', 'rc/cc/')"
        )
    else:
        spaces = pair_part(rules, board, held)
    for r in range(first)[::-1]:  # the same hands before
        seen = sum(rules.public_cards[: r + 1])
        held.insert(0, [(cards[:seen], numbers) for cards, numbers in held[0]])
    lanes = _below(rules, first, low, high)
    part, reach = Part(game, first, spaces, held, hands, lanes), []
    for player in (0, 1):
        n = len(spaces[0].above)
        mine = reaching(sigma, player, first, part.things, n, tremble)[:, lanes[0]].copy()
        for begin, end in pairwise(spaces[0].first):
            mine[begin:end, mine[begin:end].max(axis=0) <= TINY] = 1.0
        reach.append(mine)
    return replace(part, start=(reach[0], reach[1]))


def bucket_part(game: CardGame, first: int, start: int) -> Part:
    """The same between buckets, whatever the board: below one start of a round."""
    matrices, rounds = Matrices(game.known), range(first, len(game.rules.betting.rounds))
    spaces = [matrices.space(r, [0]) for r in rounds]
    spaces[0] = spaces[0]._replace(above=np.arange(len(spaces[0].above)))
    return Part(game, first, spaces, [], [], _below(game.rules, first, start, start + 1))


def _below(rules: Any, first: int, low: int, high: int) -> list[slice]:
    """The starts of all rounds from `first` on that are below these."""
    lanes = list[slice]()
    for one in rules.betting.rounds[first:]:
        lanes.append(slice(low, high))
        low, high = low * one.num_ends, high * one.num_ends
    return lanes


class Learner:
    """A solver of the CFR family at work on a part; it can stop after any iteration, and go on."""

    def __init__(
        self, part: Part, solver: Any, guest: int | None = None, floor: FloatArray = NOTHING
    ) -> None:
        self.part, self.solver, self.guest, self.floor = part, solver, guest, floor.ravel()
        self.iteration = 0
        self.regret, self.total = np.zeros(part.walk.num_choices), np.zeros(part.walk.num_choices)
        self.predicted = np.zeros(part.walk.num_choices) if solver.predictive else NOTHING
        # regrets of a guest for staying away and for entering, with each hand
        self.gadget_regret = np.zeros((2, len(self.floor)))

    def run(self, iterations: int, seconds: float | None, bar: ProgressBar | None = None) -> None:
        """So many more iterations, or so many seconds; at least one iteration."""
        until = time.monotonic() + (float("inf") if seconds is None else seconds)
        for done in range(iterations):
            self.iteration += 1
            schedule = schedule_of(self.solver, self.iteration)
            if (leaves := self.part.leaves) is not None:  # some learn too
                leaves.schedule = schedule
            lessons = Lessons(self.regret, self.predicted, self.total, schedule)
            learn = partial(self._learn, schedule)
            self.part.walk.iterate(self.solver, lessons, self._start, learn)
            if bar is not None:
                bar.show(done + 1)
            if time.monotonic() >= until:
                break
        if leaves is not None:
            leaves.schedule = None

    def _start(self, player: int) -> FloatArray:
        """With which weight each hand enters."""
        if player != self.guest:
            return self.part.start[player].ravel()
        return np.asarray(match_arrays(np.where, self.gadget_regret[None])[0, 1])

    def _learn(self, schedule: FloatArray, player: int, worth: FloatArray) -> None:
        if player != self.guest:
            return
        enters, floor = self._start(player), self.floor
        for k, value in enumerate((floor, worth)):
            new = self.gadget_regret[k] + value - (enters * worth + (1.0 - enters) * floor)
            self.gadget_regret[k] = new * np.where(new > 0.0, schedule[0], schedule[1])

    def plan(self) -> FloatArray:
        """The average strategy, as probabilities."""
        found = self.total.copy()
        rounds = self.part.game.rules.betting.rounds[self.part.first :]
        for one, probs in zip(rounds, self.part.walk.views(found), strict=False):
            for d in np.flatnonzero(one.count):
                some = probs[one.choices(d)]
                some[:] = match_arrays(np.where, some[None])[0]
        return found
