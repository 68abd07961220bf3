"""The worked examples of the thesis: two iterations at one information set, step by step.

    wb.widgets.CFRStepper.example("3.2.1")

Le (2021) lets a player hold 10♣, 7♣ and 8♥, assumes how likely this place is reached and what each
card is worth, and works out two iterations. Step does the same; where the text and its own
equations differ, the panel says so.

>>> example = WorkedExample("3.2.1")
>>> example.update.regret.round(9).tolist(), example.update.next.round(9).tolist()
([-1.0, 0.8, 0.2], [0.0, 0.8, 0.2])
>>> example.close()

>>> first, second = thesis_example("3.2.2")
>>> first.value, first.instant.round(9).tolist(), first.next.round(9).tolist()
(0.4, [-1.0, 0.8, 0.2], [0.0, 0.8, 0.2])
>>> second.regret.round(9).tolist(), second.next.round(3).tolist()
([-2.1, 0.2, 2.6], [0.0, 0.071, 0.929])

**Examples 3.2.1 and 3.2.2** of Le (2021) are two iterations at an infoset of Toepen, with assumed
reaches and values. All regrets and strategies are as printed. Four things are not as they should
be:

- *The average.* The text adds π_i times the strategy of the *next* iteration, (0, 0.8, 0.2), and so
  comes to (0, 0.49, 0.51). Its own equation 2.6 adds what was played, (1/3, 1/3, 1/3): then the
  average is (0.19, 0.53, 0.28). `late_average` is the text's.
- *The reach.* In the first iteration everybody plays uniformly, so π_i is one over a whole number;
  the assumed 0.4 cannot be.
- *The sampling.* The examples multiply by π_-i, as CFR does. The algorithm of the thesis samples,
  comes here only as often as π_-i says, and then must not multiply: `sampled=True`.
- The first example gives two sums for three actions (0 is left out).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from workbench.lab.lectures.worked_iteration import Update, update_table

from workbench.lab.html import Html
from workbench.lab.text import number
from workbench.lab.widgets.controls import choose, place, row
from workbench.lab.widgets.panel import Panel
from workbench.rules import GameError
from workbench.settings import unknown_name
from workbench.tree import FloatArray

EXAMPLES: dict[str, tuple[float, float, tuple[float, ...]]] = {  # π_-i, π_i, what actions bring
    "3.2.1": (0.2, 0.4, (-3.0, 6.0, 3.0)),
    "3.2.2": (0.5, 0.3, (-1.0, 0.0, 6.0)),
}
HAND = ("10♣", "7♣", "8♥")
SOLVERS = {"cfr": False, "external-sampling": True}

STORY = {
    "3.2.1": "The first iteration: everybody plays uniformly. The player may play any of her three "
    "cards. The others let her come here with probability 0.2, and her cards turn out to be worth "
    "−3, 6 and 3.",
    "3.2.2": "She comes here again. The opponent plays differently now and holds another hand: the "
    "probability is 0.5, and her cards are worth −1, 0 and 6.",
}
NOTES = {
    "3.2.1": "π<sub>i</sub> = 0.4 is assumed. With uniform play it would be one over a whole "
    "number: 1/2 or 1/3, but not 2/5.",
    "3.2.2": "These examples are CFR. The algorithm of the thesis samples, and then nothing is "
    "multiplied by π<sub>−i</sub>: choose external-sampling to see the difference.",
}
SAMPLED = (
    "External sampling comes here only as often as the others let it, and then adds u − Σσu "
    "without multiplying by π<sub>−i</sub>; on average that is the same. The thesis describes this "
    "algorithm, and its examples multiply: choose cfr for its numbers."
)


class WorkedExample(Panel):
    """Steps through the examples; `name` is the one that is shown."""

    kept = ("shown",)

    def __init__(self, name: str = "3.2.1", *, solver: str = "cfr") -> None:
        if name not in EXAMPLES:
            raise unknown_name("example", name, EXAMPLES)
        if solver not in SOLVERS:
            raise unknown_name("solver", solver, SOLVERS)
        super().__init__("A worked example: Toepen, holding 10♣ 7♣ 8♥", "worked-example")
        self.name = name
        self.solver = choose("Solver", list(SOLVERS), "solver", self.act(self._show), value=solver)
        self.step_button, self.reset_button = self.make_buttons(
            ("Step", "step", self.step, "The next iteration", "primary"),
            ("Reset", "reset", lambda: self.go("3.2.1"), "Back to the first", ""),
        )
        self.shown = place("worked")
        self.lay_out(row(self.step_button, self.reset_button, self.solver), self.shown)
        self._show()

    @property
    def updates(self) -> tuple[Update, ...]:
        """All iterations up to the one that is shown."""
        return thesis_example(self.name, sampled=SOLVERS[self.solver.value])

    @property
    def update(self) -> Update:
        """The iteration that is shown."""
        return self.updates[-1]

    def step(self) -> None:
        """The next example."""
        later = [name for name in EXAMPLES if name > self.name]
        if not later:
            raise GameError("the thesis stops here; Reset goes back to its first example")
        self.go(later[0])

    def go(self, name: str) -> None:
        """Show this example."""
        self.name = name
        self._show()

    def _show(self) -> None:
        self.step_button.disabled = self.name == "3.2.2"
        self.reset_button.disabled = self.name == "3.2.1"
        self.shown.value = Html(
            '<div class="wb-example"><p><b>Example {}.</b> {}</p>{}{}</div>'
        ).format(self.name, Html(STORY[self.name]), update_table(self.update), self._notes())

    def _notes(self) -> Html:
        if SOLVERS[self.solver.value]:
            return Html(f"<p>{SAMPLED}</p>")
        late = ", ".join(number(p, 2) for p in late_average(self.updates))
        right = ", ".join(number(p, 2) for p in self.update.average)
        notes = [
            "All regrets and strategies are as the thesis prints them.",
            "<b>The average is not.</b> The text adds π<sub>i</sub> times the <i>next</i> strategy "
            f"and so comes to ({late}). By its own equation 2.6 what was <i>played</i> counts: "
            f"({right}).",
            NOTES[self.name],
        ]
        return Html("<ul>" + "".join(f"<li>{note}</li>" for note in notes) + "</ul>")


def thesis_example(name: str = "3.2.2", *, sampled: bool = False) -> tuple[Update, ...]:
    """The iterations up to an example of Le (2021).

    `sampled`: external sampling, which adds u(a) − Σ σ u as it is whenever it comes here.
    """
    if name not in EXAMPLES:
        raise unknown_name("example", name, EXAMPLES)
    zero = np.zeros(len(HAND))
    probs, regret, summed, made = zero + 1 / 3, zero, zero, list[Update]()
    for t, (which, (others, own, worth)) in enumerate(EXAMPLES.items(), 1):
        reach, won = 1.0 if sampled else others, np.array(worth, np.float64)
        made.append(Update(t, HAND, probs, reach, own, won, regret, summed))
        probs, regret, summed = made[-1].next, made[-1].regret, made[-1].strategy_sum
        if which == name:
            break
    return tuple(made)


def late_average(updates: Sequence[Update]) -> FloatArray:
    """(A,) the average with each strategy one iteration late, σᵗ⁺¹ for σᵗ: a common slip."""
    total = np.sum([update.share * update.own * update.next for update in updates], axis=0)
    return np.asarray(total / total.sum())
