"""TournamentPanel: who pushes, who calls, and what is a chip worth, seat by seat.

    wb.widgets.TournamentPanel(units=9, prizes=(50, 30, 20))

Sliders choose prizes, stacks and whose decision is shown; the chart says which hands go in. Beside
it stand ICM's value of every stack and the value found. Other prizes are solved in the background.
"""

from __future__ import annotations

from typing import Any

from workbench.jamfold.found import Found, solve
from workbench.jamfold.tournament import INFOSETS, SEATS, Tournament
from workbench.lab.html import NOTHING, Html, table
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.push_chart import DID, plot_push_chart
from workbench.lab.widgets.controls import CodeBox, ProgressBar, choose, column, place, row, slide
from workbench.lab.widgets.jobs import Job, Outcome
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.pictures import Drawing, figure

PRIZES = ((50, 30, 20), (40, 30, 30), (65, 35, 0), (50, 50, 0), (100, 0, 0))
DECISIONS = [(f"{SEATS[seat]}, {DID[after]}", (SEATS[seat], after)) for seat, after in INFOSETS]


class TournamentPanel(Panel):
    """`found` is what is shown now, None before the first solution."""

    stops_unseen = True

    def __init__(
        self, units: int = 9, prizes: tuple[float, ...] = (50, 30, 20), method: str = "pi-fp"
    ) -> None:
        self.game = Tournament(units=units, prizes=prizes)
        self.method = method
        self.found: Found | None = None
        self.known: dict[Tournament, Found] = {}
        super().__init__("Jam or fold", "tournament")
        third = units // 3
        listed = [(" · ".join(f"{p:g}" for p in one), tuple(map(float, one))) for one in PRIZES]
        if self.game.prizes not in [value for _, value in listed]:
            listed.insert(0, (" · ".join(f"{p:g}" for p in prizes), self.game.prizes))
        changed = self.act(self._draw)
        some = list(range(1, units - 1))
        tips = {
            "prizes": "What the first, the second and the third win",
            "button-stack": "Chips of the button; the big blind has what is left",
            "small-stack": "Chips of the small blind; the big blind has what is left",
            "decision": "Whose decision the chart shows",
        }
        self.prizes = slide("Prizes", listed, "prizes", self.act(self._solve),
                            value=self.game.prizes, tooltip=tips["prizes"])  # fmt: skip
        self.button = slide("Button", some, "button-stack", changed, value=third,
                            tooltip=tips["button-stack"])  # fmt: skip
        self.small = slide("Small blind", some, "small-stack", changed, value=third,
                           tooltip=tips["small-stack"])  # fmt: skip
        self.decision = choose("Decision", DECISIONS, "decision", changed, width="24em",
                               tooltip=tips["decision"])  # fmt: skip
        self.bar = ProgressBar()
        self.values = place("values")
        self.drawing = Drawing("chart", (6.0, 6.3), "solving …", "The chart is not there yet.")
        self.code_box = CodeBox()
        controls = column(self.prizes, self.button, self.small, self.decision, self.values)
        self.lay_out(self.bar.view, row(controls, self.drawing.view, align="flex-start"),
                     self.code_box.view)  # fmt: skip
        self._solve()

    @property
    def stacks(self) -> tuple[int, int, int]:
        """Button, small blind, big blind."""
        button, small = int(self.button.value), int(self.small.value)
        return button, small, self.game.units - button - small

    def _solve(self) -> None:
        """Solve for these prizes, unless that has been done."""
        self.game = Tournament(self.game.units, 3, self.prizes.value, self.game.blinds)
        if self.game in self.known:
            self.found = self.known[self.game]
            self._draw()
            return
        self.found = None
        self.drawing.clear()
        self.bar.begin()
        self.run(self._work, show=self.bar.show, done=self._done)

    def _work(self, job: Job) -> Found:
        def tell(done: int, total: int, gain: float) -> None:
            job.tell(None, f"round {done}: anybody could gain {gain:.3f}")

        return solve(self.game, self.method, progress=tell)

    def _done(self, outcome: Outcome) -> None:
        self.bar.end(stopped=outcome.stopped or outcome.error is not None)
        if outcome.value is not None:
            self.found = self.known[self.game] = outcome.value
            self._draw()

    def _draw(self) -> None:
        if self.found is None or self.closed:
            return
        if self.stacks[2] < 1:
            self.say(f"{self.game.units} chips are not enough: the big blind needs one", "note")
            return
        seat, after = self.decision.value
        drawn = figure(*self.drawing.size)
        drawn.set_layout_engine("constrained")
        ax = plot_push_chart(self.found, self.stacks, seat, after, drawn.add_subplot())
        self.drawing.paint(drawn, describe(ax))
        worth = zip(
            self.stacks, self.game.icm(self.stacks), self.found.values(self.stacks), strict=True
        )
        rows = [(SEATS[k], n, f"{icm:.2f}", f"{found:.2f}", f"{icm - found:+.2f}")
                for k, (n, icm, found) in enumerate(worth)]  # fmt: skip
        head = ("seat", "chips", "ICM", "found", "ICM is off by")
        self.values.value = table(rows, "What a stack is worth", head=head)
        given = ", ".join(f"{prize:g}" for prize in self.game.prizes)
        self.code_box.value = (
            f"game = wb.jamfold.Tournament(units={self.game.units}, prizes=({given}))\n"
            f'found = wb.jamfold.solve(game, "{self.method}")\n'
            f'wb.plots.plot_push_chart(found, {self.stacks}, "{seat}", "{after}")'
        )

    def still(self) -> Html:
        """The finished picture, and the values."""
        parts: list[Any] = [self.drawing.view.value, self.values.value]
        return NOTHING.join(parts)
