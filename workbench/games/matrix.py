"""Games of one move each, from a table of payoffs: rows for player 0, columns for player 1."""

from __future__ import annotations

from typing import Any

from workbench.rules import Decision, Node, Terminal


class Matrix:
    """Zero-sum, unless what player 1 wins is said, too."""

    players = 2

    def __init__(
        self, name: str, payoffs: Any, rows: Any = (), columns: Any = (), column_payoffs: Any = None
    ) -> None:
        self.name = name
        self.actions = [
            tuple(names) or tuple(f"{side} {k}" for k in range(1, many + 1))
            for side, names, many in (
                ("row", rows, len(payoffs)),
                ("column", columns, len(payoffs[0])),
            )
        ]
        theirs = [[0.0 - value for value in row] for row in payoffs]
        self.payoffs = payoffs, column_payoffs or theirs

    def start(self) -> tuple[str, ...]:
        return ()

    def next(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        return (*state, action)

    def node(self, state: tuple[str, ...]) -> Node:
        if len(state) < 2:
            return Decision(len(state), "", self.actions[len(state)])
        i, j = (names.index(one) for names, one in zip(self.actions, state, strict=True))
        return Terminal(tuple(float(table[i][j]) for table in self.payoffs))
