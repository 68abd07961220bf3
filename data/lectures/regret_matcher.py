"""A table of one-move games against a regret matcher: it plays what it wishes it had played.

    wb.widgets.RegretMatcher()
    wb.widgets.RegretMatcher("smuggler", seed=3)

You are player 1; press an action, and both show theirs at once. After every round the matcher adds
to each of its regrets what that action would have won more than the one it played, and plays the
next round by regret matching. The table shows its regrets and its next probabilities.

>>> table = RegretMatcher(seed=1)
>>> table.play("rock")
>>> table.regret.tolist(), table.probs.round(3).tolist()
([-1.0, 0.0, -2.0], [0.333, 0.333, 0.333])
>>> table.close()
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from workbench.compiling import compile_game
from workbench.games.registry import given_game
from workbench.lab.html import Html, bar, bold, signed, status, table
from workbench.lab.text import number
from workbench.lab.widgets.controls import place, row
from workbench.lab.widgets.panel import Panel
from workbench.rules import GameError, Rules
from workbench.settings import need_whole, unknown_name
from workbench.solvers.regret import regret_matching
from workbench.tree import FloatArray

SHOWN = 8  # rounds in the table


class PlayedRound(NamedTuple):
    """What both did, what you won, and how the matcher stands afterwards."""

    you: str
    matcher: str
    won: float
    regret: FloatArray  # (A,)
    probs: FloatArray  # (A,) of the next round


class RegretMatcher(Panel):
    """`regret` and `probs` are the matcher's, `rounds` all that was played."""

    def __init__(self, game: str | Rules = "rock_paper_scissors", *, seed: int = 0) -> None:
        rules = given_game(game, {})
        tree = compile_game(rules)
        moves: list[Any] = [tree.actions_at(k) for k in range(tree.num_infosets)]
        shape = [len(some) for some in moves]
        if not 2 == tree.num_players == len(moves) or tree.num_terminals != shape[0] * shape[1]:
            raise GameError("a regret matcher plays games of one move each, such as 'smuggler'")
        self.moves, self.its_moves = moves
        self.payoffs = tree.utility.reshape(*shape, 2)  # what you win, what the matcher wins
        self.game, self.seed = rules, need_whole("seed", seed, 0, None)
        super().__init__(f"Against a regret matcher: {rules.name.replace('_', ' ')}", "matcher")
        self.buttons = self.button_row("move", self._press, style="info")
        again = self.make_buttons(("Begin again", "reset", self.reset, "Forget all", ""))
        self.status, self.table = place("status"), place("rounds")
        self.lay_out(row(self.buttons.view, *again), self.status, self.table)
        self.reset()

    def reset(self) -> None:
        """Begin again, without regrets."""
        actions = len(self.its_moves)
        self.random = np.random.default_rng(self.seed)
        self.regret, self.probs = np.zeros(actions), np.full(actions, 1 / actions)
        self.rounds: list[PlayedRound] = []
        self.buttons.show([str(action) for action in self.moves])
        self._show()

    def play(self, action: str) -> None:
        """One round: both choose at once, then the matcher learns."""
        if action not in self.moves:
            raise unknown_name("action", action, map(str, self.moves))
        mine = self.moves.index(action)
        its = int(self.random.choice(len(self.probs), p=self.probs))
        would = self.payoffs[mine, :, 1]  # what each of its actions wins
        self.regret, self.probs = self.regret + (would - would[its]), np.empty(len(would))
        regret_matching(np.array([0, len(would)], np.uint32), 0, 1, self.regret, self.probs)
        won, name = float(self.payoffs[mine, its, 0]), str(self.its_moves[its])
        self.rounds.append(PlayedRound(action, name, won, self.regret, self.probs))
        self._show()

    def _press(self, k: int) -> None:
        self.play(str(self.moves[k]))

    def _show(self) -> None:
        total, many = sum(one.won for one in self.rounds), len(self.rounds)
        said = Html("After {} round{} you have won {} chips.").format(
            bold(many), "" if many == 1 else "s", bold(signed(total, 0))
        )
        start = "Choose an action. The matcher has no regrets yet and plays uniformly."
        self.status.value = status(said if self.rounds else start)
        names = self.its_moves
        first = max(many - SHOWN, 0)
        rows: list[list[Any]] = [
            [k, one.you, one.matcher, signed(one.won, 0), *(number(r, 0) for r in one.regret),
             *map(bar, one.probs)]
            for k, one in enumerate(self.rounds[first:], first + 1)
        ]  # fmt: skip
        head = ["round", "you", "matcher", "you win", *(f"regret: {name}" for name in names)]
        head += [f"next: {name}" for name in names]
        self.table.value = table(rows, head=head, left=(1, 2)) if rows else Html("")

    def show_off(self) -> None:
        """Somebody who is easy to read: always the first action."""
        while len(self.rounds) < SHOWN:
            self.play(str(self.moves[0]))

    def still(self) -> Html:
        return Html("<p>{}</p>{}").format(self.status.value, self.table.value)
