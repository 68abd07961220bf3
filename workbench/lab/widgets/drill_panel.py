"""Drills: choose a game, a street or a spot, and answer twenty questions.

    wb.widgets.DrillPanel("leduc", street="flop")
    wb.widgets.DrillPanel("limit_holdem", spot="rc/cr", file="mine.jsonl")

Each answer is judged at once: what every choice is worth on average against the equilibrium, and
what yours cost. At the end stand the score and what was misplayed, in Hold'em on the 13 × 13 chart.
What you miss comes back after three other questions, and with `file` also next time
(`workbench.lab.play.drills` says how). Keys are the numbers and first letters of moves, n goes on.
`panel.drill` is the drill itself.

>>> panel = DrillPanel("kuhn", seed=1)
>>> panel.wait(), [button.description for button in panel.choices.shown]
(True, ['Pass', 'Bet (1)'])
>>> panel.choices.shown[1].click()
>>> panel.drill.score
'0 of 1 right, 0.17 chips given away'
>>> panel.close()
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.lab.html import NOTHING, Html, table
from workbench.lab.play.drills import STREETS, Drill
from workbench.lab.play.session_view import SessionView
from workbench.lab.play.terminal import keyed
from workbench.lab.reports.drill_page import chart_html, question_html
from workbench.lab.widgets import controls as ui
from workbench.lab.widgets.jobs import Job, Outcome
from workbench.lab.widgets.panel import Panel
from workbench.lab.widgets.play_table import tables
from workbench.rules import Rules


class DrillPanel(Panel):
    def __init__(
        self,
        game: str | Rules = "leduc",
        *,
        options: Mapping[str, Any] | None = None,
        street: int | str | None = None,
        spot: str = "*",
        seat: int | None = None,
        questions: int = 20,
        seed: int | None = None,
        file: str | Path | None = None,
        iterations: int | None = None,
    ) -> None:
        super().__init__("Drill", "drill")
        self._more: dict[str, Any] = {"seat": seat, "seed": seed, "iterations": iterations}
        first: dict[str, Any] = {"game": game, "options": options}
        self.drill = Drill(
            **first, street=street, spot=spot, questions=questions, file=file, **self._more
        )
        named = {k: {n: v[n] for n in first} for k, v in tables().items() if v["match"] is None}
        mine = next((name for name, what in named.items() if what == first), self.drill.rules.name)
        self._games: dict[str, dict[str, Any]] = {mine: first, **named}
        wide: dict[str, str] = {"width": "17em", "label_width": "5.5em"}
        self.game = ui.choose("Game", list(self._games), "game", value=mine, **wide)
        more = (f"round {k}" for k in range(5, 1 + (self.drill.street or 0)))
        streets = [(name, k) for k, name in enumerate(("all", *STREETS, *more))]
        self.street = ui.choose("Street", streets, "street", value=self.drill.street or 0, **wide)
        self.spot = ui.text("Spot", spot, "spot", **wide)
        self.spot.tooltip = "Only after this line of play, such as cr/c; * stands for anything"
        self.questions = ui.number("Questions", questions, "questions", **wide)
        self.file = ui.text("File", str(file or ""), "memory", **wide)
        self.file.tooltip = "Where the answers are kept, so that what you miss comes back next time"
        start, go_on = self.make_buttons(
            ("Start", "start", self.start, "Begin a drill with these settings", ""),
            ("Next", "next", self.go_on, "The next question (key n)", "primary"),
        )
        go_on.add_class("wb-key-n")
        self.now, self.asked, self.said = ui.place("now"), ui.place("asked"), ui.place("verdict")
        self.choices = self.button_row("choice", self.answer, style="primary", least="6em")
        self.bar = ui.ProgressBar()
        self.lay_out(
            ui.row(self.game, self.street, self.spot, self.questions, self.file, start),
            self.bar.view, self.now, self.asked, self.choices.view, self.said, go_on,
            ui.place("keys", ui.run_once("table")),
        )  # fmt: skip
        self.view.add_class("wb-table")  # whose keys stay in the panel
        self._prepare()

    def start(self) -> None:
        """Begin a drill with what is chosen."""
        self.drill = Drill(
            **self._games[self.game.value], **self._more, street=self.street.value or None,
            spot=self.spot.value.strip(), questions=self.questions.value,
            file=self.file.value.strip() or None,
        )  # fmt: skip
        self._prepare()

    def _prepare(self) -> None:
        drill = self.drill
        self.choices.show([])
        self.now.value = self.asked.value = self.said.value = ""
        self.next_button.layout.display = "none"
        self.bar.view.layout.display = ""
        self.bar.begin()

        def work(job: Job) -> None:
            what = f"solving {drill.rules.name}"
            drill.session.prepare(lambda n, m, _: job.tell(n / m, f"{what}: {n:,} of {m:,}"))
            drill.ask()

        def done(outcome: Outcome) -> None:
            self.bar.view.layout.display = "none"
            if not outcome.error and not outcome.stopped and drill is self.drill:
                self.go_on()

        self.run(work, show=self.bar.show, done=done)

    def go_on(self) -> None:
        """The next question, or how it went."""
        drill = self.drill
        self.said.value = ""
        self.next_button.layout.display = "none"
        if drill.ask() is None:
            self._end()
            return
        now = SessionView(drill.session)
        self.now.value = Html("<b>Question {} of {}</b>").format(drill.number, drill.of)
        self.asked.value = question_html(now)
        self.choices.show([one.label for one in now.choices])
        for k, (key, *_) in enumerate(keyed(now), 1):
            self.choices.shown[k - 1].disabled = False
            ui.press_with(self.choices.shown[k - 1], key, str(k))
        self.choices.shown[0].focus()

    def answer(self, k: int) -> None:
        """Say what a choice costs; a click that comes too late does nothing."""
        if (asked := self.drill.asked) is None:
            return
        found = self.drill.answer(asked.actions[k])
        sign, kind = ("✓", "good") if found.fine else ("✗", "bad")
        said = Html('<div class="wb-{}" role="status">{} {}</div>')
        self.said.value = said.format(kind, sign, str(found))
        for button in self.choices.shown:
            button.disabled = True
        self.next_button.layout.display = ""
        self.next_button.focus()

    def _end(self) -> None:
        drill, chart = self.drill, self.drill.chart()
        self.choices.show([])
        self.now.value = Html("<b>{}</b>").format(drill.score)
        missed = drill.missed().round(2)
        shown = table(missed, "What was misplayed, the dearest first") if len(missed) else ""
        drawn = NOTHING if chart is None else chart_html(chart, drill.words)
        note = drill.session.judge(drill.rules).note
        parts = '{}<div class="wb-scroll">{}</div><div class="wb-quiet">{}</div>'
        self.asked.value = Html(parts).format(shown, drawn, note)

    kept = ("now", "asked", "said")
