"""A drill as text: the table of `terminal.py`, one question after the other, then the score.

>>> drill = Drill("kuhn", seed=1, questions=1)
>>> DrillTerminal(drill, lambda prompt: "bet", print).run()
1 question about kuhn. q stops.
...
  ✗ Betting cost you 0.17 chips on average: betting −0.50, passing −0.33.
...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.games.words import amount, number
from workbench.lab.play.drills import Drill
from workbench.lab.play.terminal import Terminal
from workbench.lab.text import columns
from workbench.poker.cards.hand_classes import NAMES


class DrillTerminal(Terminal):
    """Asks the questions of a drill line by line."""

    def __init__(
        self, drill: Drill, ask: Callable[[str], str], show: Callable[[str], None]
    ) -> None:
        super().__init__(drill.session, ask, show)
        self.drill = drill

    def welcome(self) -> None:
        what = "" if self.drill.spot == "*" else f" after {self.drill.spot}"
        count = amount(self.drill.of, "question")
        self.show(f"{count} about {self.session.rules.name}{what}. q stops.")

    def hand(self) -> None:
        """One question, and what the answer costs."""
        if self.drill.ask() is None:
            raise EOFError
        self.show()
        self.show(f"── Question {self.drill.number} of {self.drill.of}")
        self.told = 0
        self.tell()
        self.answer()

    def play(self, action: Any) -> None:
        self.show(f"  {'✓' if (found := self.drill.answer(action)).fine else '✗'} {found}")

    def hint(self) -> str:
        return "There are no hints in a drill."

    def undo(self) -> bool:
        self.show("  An answer stays in a drill.")
        return False

    def goodbye(self) -> None:
        """The score, what was misplayed, and the chart where there is one."""
        drill, say = self.drill, self._show
        if not drill.mine:
            self.show("No question was answered. Goodbye.")
            return
        self.show(f"{drill.score}.")
        missed = drill.missed()
        rows = [[*row[:-1], number(row[-1])] for row in missed.to_numpy().tolist()]
        for line in columns([list(missed), *rows], left=(2, 3, 4)) if rows else ():
            say(line)
        if (chart := drill.chart()) is not None:
            say("The 13 × 13 chart: ✓ right, a cost, or not asked.")
            cells = [self._cell(name, chart.get(k)) for k, name in enumerate(NAMES)]
            for line in columns([cells[k : k + 13] for k in range(0, 169, 13)]):
                say(line)
        if note := self.session.judge(drill.rules).note:
            self.show(note)

    def _cell(self, name: str, cost: float | None) -> str:
        return name if cost is None else self.session.words.number(cost) if cost else "✓"
