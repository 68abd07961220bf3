"""Games of one move each, written as a table: rows for player 0, columns for player 1.

Everyday example: rock, paper, scissors. Both players choose at the same moment; the cell where
the row meets the column says what the row player wins. In the tree player 0 moves first and
player 1 does not see it, which is the same thing.

    payoffs           what player 0 wins, one row per action of player 0
    column_payoffs    what player 1 wins; left out, player 1 wins what player 0 loses (zero-sum)

>>> coins = Matrix("coins", [[3, -2], [-1, 1]], ["heads", "tails"], ["heads", "tails"])
>>> coins.node(coins.next(coins.start(), "heads"))
Decision(player=1, seen='', actions=('heads', 'tails'))
>>> coins.node(("heads", "tails"))
Terminal(payoffs=(-2.0, 2.0))

The games below and their equilibria (p: row player, q: column player, v: value to player 0):

    rock_paper_scissors    p = q = (1/3, 1/3, 1/3), v = 0.
    biased_pennies         3p - (1-p) = -2p + (1-p) gives p = (2/7, 5/7),
                           3q - 2(1-q) = -q + (1-q) gives q = (3/7, 4/7), v = 1/7.
                           Uniform play is wrong for both, and differently wrong.
    smuggler               Two routes against three patrols. Against p the patrol loses
                           4 - 4p at the coast, 1 + p in the village, 3p on the road. The
                           smallest of the three is largest where the first two meet: p = (3/5,
                           2/5), v = 8/5 (the road would lose 9/5). The patrol makes both routes
                           equal: 2(1-q) = 4q + (1-q) gives q = (1/5, 4/5, 0).
    prisoners_dilemma      Not zero-sum. Defecting is better whatever the other does, so both
                           defect and win 1, although both would win 3 by cooperating.
    bach_or_stravinsky     Not zero-sum. Two pure equilibria, and a mixed one in which each goes
                           to the own favourite with probability 2/3 and wins only 2/3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.rules import Decision, GameError, Node, Terminal

State = tuple[str, ...]  # the actions chosen so far


@dataclass(frozen=True)
class Matrix:
    """A table of payoffs; lists are accepted and stored as tuples."""

    name: str
    payoffs: Sequence[Sequence[float]]
    row_actions: Sequence[str] = ()
    column_actions: Sequence[str] = ()
    column_payoffs: Sequence[Sequence[float]] | None = None
    players: ClassVar[int] = 2

    def __post_init__(self) -> None:
        hers = _table(self.name, "payoffs", self.payoffs)
        his = tuple(tuple(0.0 - value for value in row) for row in hers)
        if self.column_payoffs is not None:
            his = _table(self.name, "column_payoffs", self.column_payoffs)
        rows, columns = len(hers), len(hers[0])
        if (len(his), len(his[0])) != (rows, columns):
            raise GameError(
                f"{self.name}: payoffs is {rows} x {columns} but column_payoffs is "
                f"{len(his)} x {len(his[0])}; both tables need one cell for every pair of actions"
            )
        stored = {
            "payoffs": hers,
            "column_payoffs": his,
            "row_actions": _names(self.name, "row", self.row_actions, rows),
            "column_actions": _names(self.name, "column", self.column_actions, columns),
        }
        for field, value in stored.items():
            object.__setattr__(self, field, value)

    def start(self) -> State:
        return ()

    def next(self, state: State, action: str) -> State:
        return (*state, action)

    def node(self, state: State) -> Node:
        if len(state) < 2:
            return Decision(len(state), "", self.column_actions if state else self.row_actions)
        row, column = self.row_actions.index(state[0]), self.column_actions.index(state[1])
        assert self.column_payoffs is not None  # filled in when the game was made
        return Terminal((self.payoffs[row][column], self.column_payoffs[row][column]))


def _table(game: str, what: str, values: Iterable[Iterable[Any]]) -> tuple[tuple[float, ...], ...]:
    """The numbers of a table, refused unless it is a finite, non-empty rectangle."""
    try:
        table = tuple(tuple(float(value) for value in row) for row in values)
    except (TypeError, ValueError) as error:
        raise GameError(f"{game}: {what} must be a list of rows of numbers ({error})") from None
    if not table or not table[0] or len({len(row) for row in table}) > 1:
        raise GameError(
            f"{game}: {what} must be a rectangle with at least one cell, "
            f"not rows of lengths {[len(row) for row in table]}"
        )
    if not all(math.isfinite(value) for row in table for value in row):
        raise GameError(f"{game}: every number in {what} must be finite")
    return table


def _names(game: str, side: str, names: Sequence[str], count: int) -> tuple[str, ...]:
    """One distinct name per action; "row 1", "row 2", ... when none were given."""
    chosen = tuple(names) or tuple(f"{side} {k}" for k in range(1, count + 1))
    if len(chosen) != count or len(set(chosen)) != count:
        raise GameError(
            f"{game}: the table has {count} {side}s and {side}_actions is {list(chosen)}; "
            f"give every {side} its own name"
        )
    return chosen


def _alike(
    name: str,
    actions: str,
    payoffs: Sequence[Sequence[float]],
    column_payoffs: Sequence[Sequence[float]] | None = None,
) -> Matrix:
    """A game in which both players choose among the same actions."""
    return Matrix(name, payoffs, actions.split(), actions.split(), column_payoffs)


MATRIX_GAMES: dict[str, Matrix] = {
    game.name: game
    for game in (
        _alike("rock_paper_scissors", "rock paper scissors", [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]),
        _alike("biased_pennies", "heads tails", [[3, -2], [-1, 1]]),
        Matrix("smuggler", [[0, 2, 3], [4, 1, 0]], ["coast", "road"], ["coast", "village", "road"]),
        _alike("prisoners_dilemma", "cooperate defect", [[3, 0], [5, 1]], [[3, 5], [0, 1]]),
        _alike("bach_or_stravinsky", "bach stravinsky", [[2, 0], [0, 1]], [[1, 0], [0, 2]]),
    )
}
