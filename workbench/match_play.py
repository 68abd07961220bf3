"""A match as a stochastic game: every hand is a game that pays what the next standing is worth.

Everyday example: at 14 to 3 nobody plays for points any more. The player with 14 is out whenever
she pays anything, so folding never helps her. What counts is the probability of winning the match.

    tally      the points of those who are in, by seat: seat 0 starts the next hand
    worth      (n, P) how likely the player in a seat wins the match, the opening in the last row
    hand       it pays a seat what the next tally is worth to the player who sits there
               (`policies.Follow`, which the jam/fold tournament shares)

A tournament can come back to a standing, so its values are iterated. In Toepen points only go up:
one sweep from the last tallies to the first suffices. The linear program makes it exact; with other
solvers `gain` says, exactly, what somebody could still gain who played best at every tally.

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
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.compiling import compile_game
from workbench.evaluation.values import best_response, expected_values
from workbench.later import pd
from workbench.policies import Follow, Match, Standing
from workbench.progress import ProgressBar
from workbench.rules import GameError, shown
from workbench.runs.solve import solve
from workbench.solvers.base import Solver
from workbench.strategy import Strategy
from workbench.tree import FloatArray, GameTree

Tally = tuple[int, ...]


class TallyHand(NamedTuple):
    """The hand that is played at a tally."""

    tree: GameTree  # paying points
    outcome: NDArray[np.int64]  # (Z,) the outcome of each end of the tree
    follow: Follow  # what each outcome leads to

    def paying(self, worth: FloatArray, zero_sum: bool = False) -> GameTree:
        """The same hand, paying what the next standing is worth to each seat; `zero_sum`: less the
        mean of the seats, to the last bit, and about 0, so that nearly won leads can be solved."""
        paid = self.follow.values(worth)[self.outcome, : self.tree.num_players]
        if zero_sum:
            paid = (paid[:, :, None] - paid[:, None, :]).mean(axis=2)
            paid -= (paid.max(axis=0) + paid.min(axis=0)) / 2
        return replace(self.tree, utility=paid, rules=None, derived_from=self.tree)


@dataclass(frozen=True, eq=False)
class MatchPlay:
    """How to play at every tally of a match, and what that is worth."""

    match: Match
    hands: dict[Tally, TallyHand]  # those that come last stand first
    strategies: dict[Tally, Strategy]

    @cached_property
    def worth(self) -> FloatArray:
        """(n, P) how likely each seat wins the match if all play like this."""
        return sweep(self.hands, lambda at, hand, later: expected_values(self._in(at, hand, later)))

    @cached_property
    def best(self) -> FloatArray:
        """(n, P) how likely each seat wins if she alone plays best, from here to the end."""

        def answer(at: Tally, hand: TallyHand, later: FloatArray) -> list[float]:
            sigma = self._in(at, hand, later)
            return [best_response(sigma, seat).value for seat in range(len(at))]

        return sweep(self.hands, answer)

    @property
    def gain(self) -> float:
        """The most that anybody could gain at any tally, in winning probability."""
        return float((self.best - self.worth).max())

    def table(self) -> pd.DataFrame:
        """One row for each tally: how likely the player who starts wins, and could win."""
        rows = [[*map(shown, self.hands)], self.worth[:, 0], self.best[:, 0]]
        return pd.DataFrame(dict(zip(("tally", "wins", "could win"), rows, strict=True)))

    def _in(self, tally: Tally, hand: TallyHand, later: FloatArray) -> Strategy:
        return Strategy(hand.paying(later), self.strategies[tally].probs)


def solve_match(
    match: Match, solver: Solver | str = "lp", iterations: int = 1000, *, seed: int = 0
) -> MatchPlay:
    """Solve all hands of a match for the probability of winning it, the last ones first."""
    if not isinstance(match, Match):
        raise GameError(f"a match is needed here, such as ToepenMatch(rules), not {shown(match)}")
    hands, found = hands_of(match), dict[Tally, Strategy]()

    def answer(at: Tally, hand: TallyHand, later: FloatArray) -> FloatArray:
        tree = hand.paying(later, zero_sum=True)
        found[at] = solve(tree, solver, iterations, seed=seed, checkpoints=iterations).strategy
        return expected_values(Strategy(hand.paying(later), found[at].probs))

    sweep(hands, answer)
    return MatchPlay(match, hands, found)


def sweep(
    hands: Mapping[Tally, TallyHand],
    answer: Callable[[Tally, TallyHand, FloatArray], Sequence[float] | FloatArray],
) -> FloatArray:
    """(n, P) the values that `answer` gives each tally, once it knows those of all later ones."""
    worth = np.zeros((len(hands), max(map(len, hands))))
    with ProgressBar("hands of a match", len(hands)) as bar:
        for s, (tally, hand) in enumerate(hands.items()):
            bar.show(s)
            worth[s, : len(tally)] = answer(tally, hand, worth)
    return worth


def hands_of(match: Match) -> dict[Tally, TallyHand]:
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
    order = sorted(played, key=lambda tally: (len(tally), -sum(tally), tally))  # points only go up
    number = {tally: s for s, tally in enumerate(order)}
    if any(number.get(_tally(to), -1) >= number[at] for at in order for to in played[at][2]):
        raise GameError(
            f"a match of {match.rules.name!r} can come back to a standing; values are found here "
            "only where points go up in every hand"
        )
    return {tally: _hand(len(order[-1]), number, *played[tally]) for tally in order}


def _hand(
    seats: int, number: Mapping[Tally, int], tree: GameTree, outcome: Any, after: list[Standing]
) -> TallyHand:
    """Who wins at once, and which tally and seat come next."""
    prizes = np.zeros((len(after), seats))
    follow, seat = np.full(len(after), -1), np.full((len(after), seats), -1)
    for o, then in enumerate(after):
        follow[o] = number.get(_tally(then), -1)
        if follow[o] < 0:
            prizes[o, then.seats[0]] = 1.0
        seat[o, list(then.seats)] = range(len(then.seats))
    return TallyHand(tree, outcome, Follow(prizes, follow, seat))


def _tally(now: Standing) -> Tally:
    return tuple(now.points[player] for player in now.seats)
