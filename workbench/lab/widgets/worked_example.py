"""One iteration at one information set, worked out; and the worked examples of the thesis.

    wb.widgets.CFRStepper.example("3.2.1")

Le (2021) lets a player hold 10♣, 7♣ and 8♥, assumes how likely this place is reached and what each
card is worth, and works out two iterations. Step does the same; where the text and its own
equations differ, the panel says so.

>>> example = WorkedExample("3.2.1")
>>> example.update.regret.round(9).tolist(), example.update.next.round(9).tolist()
([-1.0, 0.8, 0.2], [0.0, 0.8, 0.2])
>>> example.close()
"""

from __future__ import annotations

from typing import Any

from workbench.lab.analysis.worked_iteration import EXAMPLES, Update, late_average, thesis_example
from workbench.lab.html import Html, abbreviation, bar, bold, signed, table
from workbench.lab.text import number
from workbench.lab.widgets.controls import choose, place, row
from workbench.lab.widgets.panel import Panel
from workbench.rules import GameError
from workbench.settings import unknown_name

COLUMNS = {  # head, and what it means
    "plays σ<sup>t</sup>": "what is played in this iteration",
    "brings u": "what the action brings on average to somebody who is here",
    "v = π<sub>−i</sub> u": "counterfactual value: times how likely the others come here",
    "r = v − Σσv": "regret of this iteration: compared with what was played",
    "R before": "regrets summed up before this iteration",
    "R": "and now",
    "next σ<sup>t+1</sup>": "positive regrets, scaled to one",
    "S": "sum of what was played, each time with the weight π_i",
    "average": "S scaled to one: the answer of the solver",
}
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

    def still(self) -> Html:
        """The example that is shown."""
        return Html(self.shown.value)


def update_table(update: Update) -> Html:
    """An iteration as a table: from what was played to what comes next, and above it how likely
    this place is reached."""
    rows: list[list[Any]] = [
        [
            bold(name), bar(update.probs[k]), signed(update.worth[k]), signed(update.values[k]),
            signed(update.instant[k]), signed(update.regret_before[k]),
            bold(signed(update.regret[k])), bar(update.next[k]),
            number(update.strategy_sum[k], 3), bar(update.average[k]),
        ]
        for k, name in enumerate(update.actions)
    ]  # fmt: skip
    rows.append(["Σ σ v", "", "", signed(update.value), *[""] * 6])
    head = ["action", *(abbreviation(Html(name), means) for name, means in COLUMNS.items())]
    words = f"Iteration {update.iteration}, worked out"
    return Html(
        '<div class="wb-side"><div><div class="wb-quiet">π<sub>−i</sub> = '
        f"{number(update.others, figures=4)}: so likely do chance and the others come here. "
        f"π<sub>i</sub> = {number(update.own, figures=4)}: so likely does the player herself."
        f"{_weights(update)}</div>"
        f"{table(rows, words, head=head, kinds={len(rows) - 1: 'sum'})}</div></div>"
    )


def _weights(update: Update) -> str:
    """What this solver does beyond plain CFR, in words."""
    said = []
    if update.negative == 0.0:
        said.append("negative sums become 0")
    elif update.negative != 1.0 or update.positive != 1.0:
        said.append(
            f"sums above zero count {number(update.positive)} times, "
            f"below {number(update.negative)} times"
        )
    if update.share != 1.0:
        said.append(f"this iteration counts {number(update.share, figures=4)} times in the average")
    if update.predictive:
        said.append("the next strategy expects the same regret once more")
    return f" This solver: {'; '.join(said)}." if said else ""
