"""Votes: the lecturer's panel of one question, which counts what the class predicts.

    wb.widgets.Votes(exercise.HISTORIES, "/shared/games-course")

From the moment it is shown, the question is put to the vote: students who work in this class
folder (`wb.classroom`) may vote and do not see the answer. Open shows the votes and the answer
here, and the answer to everybody; Hide again takes that back. Show votes lets the bars grow before,
in sight of those who have not voted yet.
The folder may also be one into which files were copied that students have mailed.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from workbench.lab.exercises.class_folder import advice, ask, existing, votes_on
from workbench.lab.exercises.questions import Question
from workbench.lab.html import NOTHING, Html, marked, quiet, status
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.votes import plot_votes
from workbench.lab.widgets.controls import place, row, switch
from workbench.lab.widgets.jobs import Job, Outcome, Progress
from workbench.lab.widgets.panel import Panel, watched
from workbench.lab.widgets.pictures import figure, painted
from workbench.rules import GameError

EVERY = 2.0  # seconds between two looks into the folder
Tally = tuple[list[Any], int]  # the guesses, and how many files have a problem


class Votes(Panel):
    """`guesses` are the votes so far; `opened` says whether the answer is shown."""

    stops_unseen = True

    def __init__(
        self, question: Question, folder: str | Path | None = None, *, live: bool = True
    ) -> None:
        """folder: the class's, or that of the mailed files; without it, that of `wb.classroom`.

        live: look for new votes every two seconds, until the answer is opened.
        """
        if not isinstance(question, Question):
            raise GameError(f"Votes needs a Question, such as exercise.HISTORIES, not {question!r}")
        self.question, self.folder = question, existing(folder)
        self.tally, self.opened = votes_on(question, self.folder), False
        super().__init__("Votes", "votes")
        self.asked = place("question", _large(marked(question.text)))
        self.count, self.answer = place("count"), place("answer")
        shown, hidden = "Show the answer, here and to everybody", "Hide it again; the vote goes on"
        buttons = self.make_buttons(
            ("Open", "open", self._open, shown, "primary"),
            ("Hide again", "hide", lambda: self._open(False), hidden, ""),
            ("Refresh", "refresh", self._refresh, "Look for new votes now", ""),
        )
        short: Any = {"width": "auto", "label_width": "0px", "indent": False}
        self.live = switch("Live", live and watched(), "live", self._go, **short)
        self.shows = switch("Show votes", False, "shows", self.act(self._draw), **short)
        self.live.tooltip = f"Look for new votes every {EVERY:.0f} seconds"
        self.shows.tooltip = "Off: only their number is shown until the answer is open"
        self.histogram = place("histogram", max_width="100%")  # empty it takes no room
        above = row(*buttons, self.live, self.shows, self.count)
        self.lay_out(self.asked, above, self.histogram, self.answer)
        self.act(self._ask)()
        self._draw()
        self._go()

    def _ask(self) -> None:
        self.say(advice(self.folder, asking=True), "note")
        self.opened = ask(self.question, self.folder)

    @property
    def guesses(self) -> list[Any]:
        return self.tally[0]

    def _go(self) -> None:
        """Begin to look, or stop."""
        if self.live.value and not self.opened and not self.closed:
            self.run(self._look, show=self._seen, done=self._ended)
        elif self.job is not None:
            self.job.stop()

    def _look(self, job: Job) -> None:
        while True:
            job.tell(None, value=votes_on(self.question, self.folder))
            for _ in range(round(EVERY / 0.1)):
                time.sleep(0.1)
                job.tell(None)

    def _seen(self, progress: Progress) -> None:
        if progress.value not in (None, self.tally):
            self.tally = progress.value
            self._draw()

    def _ended(self, outcome: Outcome) -> None:
        self.live.value = self.opened and self.live.value  # it looks on when the answer is hidden

    def _refresh(self) -> None:
        self.tally = votes_on(self.question, self.folder)
        self._draw()

    def _open(self, opened: bool = True) -> None:
        """Show the answer or hide it: here at any rate, and to everybody if the folder lets us."""
        self.opened = opened
        try:
            ask(self.question, self.folder, opened=opened)
        finally:
            self._refresh()
            self._go()

    def _draw(self) -> None:
        guesses, odd = self.tally
        self.open_button.disabled = self.live.disabled = self.opened
        self.hide_button.disabled = not self.opened
        many = f"{len(guesses)} {'vote' if len(guesses) == 1 else 'votes'}"
        if self.opened:
            right = sum(self.question.told(guess).startswith("✓") for guess in guesses)
            many += f", {right} right"
        self.answer.value = _large(self.question.revealed()) if self.opened else NOTHING
        files = "1 file has a problem" if odd == 1 else f"{odd} files have a problem"
        why = f" · {files}: wb.exercises.read_hand_ins says which" if odd else ""
        self.count.value = status(many) + quiet(why)
        shown = guesses and (self.shows.value or self.opened)
        self.histogram.value = self._bars() if shown else NOTHING

    def _bars(self) -> Html:
        options = self.question.options
        drawn = figure(8.0, 1.4 + 0.62 * len(options) if options else 3.6)
        drawn.set_layout_engine("constrained")
        ax = plot_votes(self.question, self.guesses, drawn.add_subplot(), answer=self.opened)
        return painted(drawn, describe(ax))

    def still(self) -> Html:
        parts = (self.asked, self.count, self.histogram, self.answer)
        return NOTHING.join(Html("<div>{}</div>").format(part.value) for part in parts)


def _large(html: Html) -> Html:
    """For the last row of a lecture hall."""
    return Html('<div role="status" class="wb-large">{}</div>').format(html)
