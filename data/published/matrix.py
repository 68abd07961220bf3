"""Games of one move each, from a table of payoffs: rows for player 0, columns for player 1.

Both choose at the same moment. In the tree player 0 moves first and player 1 does not see it, which
is the same thing. (Some such games come along as text, "rock_paper_scissors": `data/games`.)

>>> coins = Matrix("coins", [[3, -2], [-1, 1]], ["heads", "tails"], ["heads", "tails"])
>>> coins.node(("heads", "tails"))
Terminal(payoffs=(-2.0, 2.0))
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.rules import Decision, Node, Terminal


class Matrix:
    """Player 1 wins what player 0 loses."""

    players = 2

    def __init__(
        self, name: str, payoffs: Sequence[Sequence[float]], row_actions: Sequence[str] = (),
        column_actions: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.name, self.payoffs = name, payoffs
        rows, columns = range(1, len(payoffs) + 1), range(1, len(payoffs[0]) + 1)
        self.row_actions = tuple(row_actions) or tuple(f"row {k}" for k in rows)
        self.column_actions = tuple(column_actions) or tuple(f"column {k}" for k in columns)

    def start(self) -> tuple[str, ...]:
        return ()

    def next(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*state, action)

    def node(self, state: tuple[str, ...]) -> Node:
        if len(state) < 2:
            return Decision(len(state), "", self.column_actions if state else self.row_actions)
        row = self.payoffs[self.row_actions.index(state[0])]
        won = float(row[self.column_actions.index(state[1])])
        return Terminal((won, 0.0 - won))
