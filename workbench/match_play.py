"""A match as a stochastic game: every hand is a game that pays what the next standing is worth.

Everyday example: at 14 to 3 nobody plays for points any more. The player with 14 is out whenever
she pays anything, so folding never helps her, and the other one has points to spare. What counts is
the probability of winning the match; it depends on both tallies, and on who starts.

    tally      the points of those who are in, by seat: seat 0 starts the next hand
    worth      (n, P) the probability that the player in a seat wins the match, for each tally
    hand       where it ends, a seat is paid what the next tally is worth to the player who sits
               there (`policies.Follow`, which the jam/fold tournament shares)

A tournament can come back to a standing, so its values are iterated. In Toepen somebody pays in
every hand and points only go up: one sweep from the last tallies to the first suffices. The linear
program makes it exact. With any other solver `gain` says, exactly, how far off it is: what somebody
could still gain who played best at every tally of the match.

>>> from workbench.games.toepen.match import ToepenMatch
>>> from workbench.games.toepen.rules import Toepen
>>> play = solve_match(ToepenMatch(Toepen(suits=1, ranks=3, hand=1), bound=3))
>>> play.table().round(4).tail(3)
    tally    wins  could win
6  (0, 1)  0.6650     0.6650
7  (1, 0)  0.3267     0.3267
8  (0, 0)  0.4901     0.4901
>>> play.gain < 1e-9
True

`solve_match(match, paying="points")` solves every hand as if it were the only one: the play of
somebody who never looks at the tally. Its `best` is what one wins against that who does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.compiling import compile_game
from workbench.evaluation.values import best_response, expected_values
from workbench.policies import Follow, Match, Standing
from workbench.progress import counted
from workbench.rules import GameError, shown
from workbench.runs.solve import solve
from workbench.settings import need_one_of
from workbench.solvers.base import Solver
from workbench.strategy import Strategy
from workbench.tree import FloatArray, GameTree

if TYPE_CHECKING:
    import pandas as pd

Tally = tuple[int, ...]


class Hand(NamedTuple):
    """The hand that is played at a tally."""

    tree: GameTree  # paying points
    outcome: NDArray[np.int64]  # (Z,) the outcome of each end of the tree
    follow: Follow  # what each outcome leads to

    def paying(self, worth: FloatArray) -> GameTree:
        """The same hand, paying what the next standing is worth to each seat."""
        paid = self.follow.values(worth)[self.outcome, : self.tree.num_players]
        return replace(self.tree, utility=paid, rules=None, derived_from=self.tree)

    def zero_sum(self, worth: FloatArray) -> GameTree:
        """The same, less the mean of the seats and about 0: one wins what the others lose, to the
        last bit, and a lead that is nearly won leaves payoffs that a solver can tell apart."""
        paid = self.paying(worth).utility
        less = (paid[:, :, None] - paid[:, None, :]).mean(axis=2)
        less -= (less.max(axis=0) + less.min(axis=0)) / 2
        return replace(self.tree, utility=less, rules=None, derived_from=self.tree)


@dataclass(frozen=True, eq=False)
class MatchPlay:
    """How to play at every tally of a match, and what that is worth."""

    match: Match
    hands: dict[Tally, Hand]  # those that come last stand first
    strategies: dict[Tally, Strategy]

    @cached_property
    def worth(self) -> FloatArray:
        """(n, P) how likely each seat wins the match if all play like this."""
        return sweep(self.hands, lambda at, hand, later: expected_values(self._in(at, hand, later)))

    @cached_property
    def best(self) -> FloatArray:
        """(n, P) how likely each seat wins if she alone plays best, from here to the end."""
        return sweep(
            self.hands,
            lambda at, hand, later: [
                best_response(self._in(at, hand, later), seat).value for seat in range(len(at))
            ],
        )

    @property
    def gain(self) -> float:
        """The most that anybody could gain at any tally, in winning probability."""
        return float((self.best - self.worth).max())

    def number(self, tally: Tally) -> int:
        """The row of a tally in `worth` and `best`."""
        if tally not in self.hands:
            raise GameError(
                f"{shown(tally)} is no tally of this match; give points by seat, (0, 0)"
            )
        return [*self.hands].index(tally)

    def table(self) -> pd.DataFrame:
        """One row for each tally: how likely the player who starts wins, and could win."""
        import pandas as pd

        rows = [[*map(shown, self.hands)], self.worth[:, 0], self.best[:, 0]]
        return pd.DataFrame(dict(zip(("tally", "wins", "could win"), rows, strict=True)))

    def _in(self, tally: Tally, hand: Hand, later: FloatArray) -> Strategy:
        return Strategy(hand.paying(later), self.strategies[tally].probs)


def solve_match(
    match: Match,
    solver: Solver | str = "lp",
    iterations: int = 1000,
    *,
    paying: str = "match",
    seed: int = 0,
) -> MatchPlay:
    """Solve the hands of a match, the last ones first; `paying` "match": winning probability,
    "points": what the rules of a hand say, whatever the tally."""
    need_one_of("paying", paying, ("match", "points"))
    if not isinstance(match, Match):
        raise GameError(
            f"solve_match needs a match, such as ToepenMatch(rules), not {shown(match)}"
        )
    hands, found = hands_of(match), dict[Any, Strategy]()

    def solved(tree: GameTree) -> Strategy:
        return solve(tree, solver, iterations, seed=seed, checkpoints=iterations).strategy

    def answer(tally: Tally, hand: Hand, later: FloatArray) -> FloatArray:
        found[tally] = solved(hand.zero_sum(later))
        return expected_values(Strategy(hand.paying(later), found[tally].probs))

    if paying == "match":
        sweep(hands, answer)
        return MatchPlay(match, hands, found)
    trees = {id(hand.tree): hand.tree for hand in hands.values()}  # the same at many tallies
    found = {key: solved(tree) for key, tree in trees.items()}
    return MatchPlay(match, hands, {at: found[id(hand.tree)] for at, hand in hands.items()})


def sweep(
    hands: Mapping[Tally, Hand],
    answer: Callable[[Tally, Hand, FloatArray], Sequence[float] | FloatArray],
) -> FloatArray:
    """(n, P) the values that `answer` gives each tally, once it knows those of all later ones."""
    worth = np.zeros((len(hands), max(map(len, hands))))
    for s, (tally, hand) in enumerate(counted(hands.items(), "solving hands of a match")):
        worth[s, : len(tally)] = answer(tally, hand, worth)
    return worth


def hands_of(match: Match) -> dict[Tally, Hand]:
    """Every tally that can come up, with its hand; what comes later stands before."""
    trees: dict[Any, tuple[GameTree, Any, Any]] = {}
    played: dict[Tally, tuple[GameTree, Any, list[Standing]]] = {}
    todo = [(0,) * match.rules.players]
    while todo:
        if (tally := todo.pop()) not in played:
            now = Standing(tally, tuple(range(len(tally))))
            rules: Any = match.hand_rules(now)
            rules = getattr(rules, "simplest", rules)  # far from the bound all hands are one game
            if rules not in trees:
                tree = compile_game(rules)
                trees[rules] = tree, *np.unique(tree.utility, axis=0, return_inverse=True)
            tree, payoffs, outcome = trees[rules]
            played[tally] = tree, outcome.ravel(), [match.after(now, row) for row in payoffs]
            todo += [_tally(after) for after in played[tally][2] if len(after.seats) > 1]
    leads = {tally: {*map(_tally, after)} & {*played} for tally, (*_, after) in played.items()}
    try:
        order = [*TopologicalSorter(leads).static_order()]
    except CycleError:
        raise GameError(
            f"a match of {match.rules.name!r} can come back to a standing; values are found here "
            "only where points go up in every hand"
        ) from None
    number = {tally: s for s, tally in enumerate(order)}
    return {tally: _hand(len(order[-1]), number, *played[tally]) for tally in order}


def _hand(
    seats: int, number: Mapping[Tally, int], tree: GameTree, outcome: Any, after: list[Standing]
) -> Hand:
    """Who wins at once, and which tally and seat come next."""
    prizes = np.zeros((len(after), seats))
    follow, seat = np.full(len(after), -1), np.full((len(after), seats), -1)
    for o, then in enumerate(after):
        follow[o] = number.get(_tally(then), -1)
        if follow[o] < 0:
            prizes[o, then.seats[0]] = 1.0
        seat[o, list(then.seats)] = range(len(then.seats))
    return Hand(tree, outcome, Follow(prizes, follow, seat))


def _tally(now: Standing) -> Tally:
    return tuple(now.points[player] for player in now.seats)
