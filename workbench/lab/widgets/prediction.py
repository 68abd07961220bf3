"""Predict, then reveal: a question to answer before the next cell runs; and a vote on it.

    wb.widgets.predict(exercise.HISTORIES)
    wb.widgets.predict("Who wins?", "nobody", options=["she", "he", "nobody"], because="Fair.")
    wb.widgets.Votes(exercise.HISTORIES, "/shared/games-course")

Choose or set the slider, press Reveal, and read the answer, the reason, and how far off you were.
In a notebook that nobody sits in front of (a saved page, a run by a script) the same question
is a page that unfolds, without any widget: `workbench/lab/exercises/questions.py`.

In a class (`wb.classroom`) a guess is a vote. `Votes` is the lecturer's panel, which counts them:
from the moment it is shown, the question is put to the vote, and students who work in this class
folder may vote, and change their vote, but do not see the answer. Open shows the votes and the
answer here, and the answer to everybody; Hide again takes that back. Show votes lets the bars grow
before, in sight of those who have not voted yet. Close ends the vote without the answer: the bars
are shown, the class talks it over, Repeat lets everybody vote once more, and what they said before
and after stands side by side. The folder may also be one into which files were copied that students
have mailed.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from workbench.lab.exercises import class_folder
from workbench.lab.exercises.questions import Question
from workbench.lab.html import NOTHING, Html, bold, marked
from workbench.lab.plots.votes import plot_votes
from workbench.lab.widgets.controls import column, heard, place, row, switch, tag
from workbench.lab.widgets.folder_watch import SHORT, FolderWatch
from workbench.lab.widgets.panel import Panel, watched
from workbench.lab.widgets.pictures import plotted
from workbench.rules import GameError
from workbench.settings import make

LARGE = Html('<div role="status" class="wb-large">{}</div>')  # for a hall's last row
LATE = 2.0  # seconds: a slider's last step may arrive after the press that followed it


def predict(
    question: Question | str, answer: str | float | None = None, **about: Any
) -> Prediction | Question:
    """Ask one question: a Question of an exercise file, or one made of these arguments, `about`
    being options, because, low, high, step, log, unit.

    >>> panel = predict("Which card bluffs?", "J", options=["J", "Q", "K"], because="It loses.")
    >>> panel.guess.value = "Q"
    >>> panel.reveal.click()
    >>> panel.said
    '✗ You said Q. It is: J.'
    >>> panel.close()
    """
    if isinstance(question, str):
        if answer is None:
            raise GameError("a question needs its answer: predict(question, answer, …)")
        question = make(Question, {"text": question, "answer": answer, **about}, "predict")
    elif not isinstance(question, Question):
        raise GameError(
            f"predict takes a question in words or a Question, not {type(question).__name__}"
        )
    return Prediction(question) if watched() else question


class Prediction(Panel):
    """A question with controls; `guess.value` is what was chosen, `said` what was answered."""

    def __init__(self, question: Question) -> None:
        super().__init__("Predict", "predict")
        self.question, self.said, self.late = question, "", 0.0
        words = place("question", _lines(marked(question.text)))
        self.guess = _control(question)
        (self.reveal,) = self.make_buttons(
            ("Reveal", "reveal", self._reveal, "Show the answer", "primary")
        )
        self.reveal.disabled = True  # until there is a guess
        self.shown = place("revealed")
        self.held = class_folder.asked(question) is False  # the answer, by the lecturer
        if question.possible(guess := class_folder.guess_of(question)):  # in an earlier kernel
            self.guess.value = guess
            self.reveal.disabled = False
            self._noted(guess)
        heard(self.guess, self._guessed)
        controls = (column if question.options else row)(self.guess, self.reveal)
        self.lay_out(words, controls, self.shown)

    def _guessed(self) -> None:
        self.reveal.disabled = False
        self.reveal.description = "Vote" if self.held else "Reveal"
        if self.said and not self.question.options and time.monotonic() < self.late:
            self._reveal()

    def _reveal(self) -> None:
        self.late = time.monotonic() + LATE
        guess = self.guess.value
        if self.question.log:
            guess = float(f"{guess:.2g}")  # as the slider shows it
        is_open = class_folder.asked(self.question)
        self.held, problem = is_open is False, ""
        if self.held and class_folder.closed(self.question):
            words = "The vote is closed; press Reveal when your lecturer has opened the answer."
            self.shown.value = _lines(words, "status")
            return
        if not is_open:  # afterwards it would be no prediction
            problem = class_folder.note_vote(self.question, guess, final=is_open is None)
            self.say(problem)
        if self.held:
            if not problem:
                self._noted(class_folder.guess_of(self.question))  # or an earlier one
            return
        self.said = self.question.told(guess)
        because = marked(self.question.because)
        self.shown.value = _lines(bold(self.said) + Html("<br>") + because, "status")

    def _noted(self, guess: Any) -> None:
        self.reveal.description = "Reveal"
        words = f"Your prediction is noted: {self.question.number(guess)}."
        if self.held:
            words += (
                " The answer is still hidden: press Reveal when your lecturer has opened it. "
                "Until then you may vote again."
            )
        self.say(class_folder.taken())
        self.shown.value = _lines(words, "status")

    def static(self) -> Html:
        return self.question._repr_html_(answered=class_folder.asked(self.question) is not False)


def _lines(words: str, role: str = "note") -> Html:
    """Lines of text, or of HTML."""
    return Html('<div class="wb-text" role="{}">{}</div>').format(role, words)


def _control(question: Question) -> Any:
    """Options as radio buttons, a number as a slider."""
    low, high, step = question.low, question.high, question.step
    more = {"description": "Your guess", "style": {"description_width": "initial"}}
    if question.options:
        wide = widgets.Layout(width="auto")
        control = widgets.RadioButtons(options=question.options, value=None, layout=wide, **more)
        return tag(control, "guess")
    more["layout"] = widgets.Layout(width="34em", max_width="100%")
    kind, middle, form = widgets.FloatSlider, (low + high) / 2, ".0f"
    if question.log:
        kind, middle, form = widgets.FloatLogSlider, math.sqrt(low * high), ",.2r"
        low, high, step = math.log10(low), math.log10(high), 0.02
    elif step == int(step):
        kind, form = widgets.IntSlider, "d"
        middle, low, high, step = int(low + high) // 2, int(low), int(high), int(step)
    else:
        form = f".{max(0, math.ceil(-math.log10(step)))}f"
    ends = {"min": low, "max": high, "step": step}
    return tag(kind(value=middle, readout_format=form, **ends, **more), "guess")


# ---- votes ---------------------------------------------------------------------------


class Votes(FolderWatch):
    every = 2.0
    kept = "asked", "count", "histogram", "answer"

    def __init__(
        self, question: Question, folder: str | Path | None = None, *, live: bool = True
    ) -> None:
        """folder: the class's, or that of the mailed files; without it, that of `wb.classroom`.

        live: look for new votes every two seconds, until the answer is opened.
        """
        if not isinstance(question, Question):
            raise GameError(f"Votes needs a Question, such as exercise.HISTORIES, not {question!r}")
        self.question, self.folder = question, class_folder.existing(folder)
        self.opened = self.ended = False
        self.seen = self.read()
        super().__init__("Votes", "votes", live)
        self.asked = place("question", LARGE.format(marked(question.text)))
        self.answer = place("answer")
        shown, hidden = "Show the answer, here and to everybody", "Hide it again from everybody"
        ended, again = "No more votes; show the bars", "Let everybody vote once more, and compare"
        buttons = self.make_buttons(
            ("Open", "open", self._open, shown, "primary"),
            ("Hide again", "hide", lambda: self._open(False), hidden, ""),
            ("Close", "close", lambda: self._vote(class_folder.close), ended, ""),
            ("Repeat", "repeat", lambda: self._vote(class_folder.repeat), again, ""),
            ("Refresh", "refresh", self.refresh, "Look for new votes now", ""),
        )
        self.shows = switch("Show votes", False, "shows", self.act(self.draw), **SHORT)
        self.shows.tooltip = "Off: only their number is shown until the vote is closed"
        self.histogram = place("histogram", max_width="100%")  # empty it takes no room
        above = row(*buttons, self.live, self.shows, self.count)
        self.lay_out(self.asked, above, self.histogram, self.answer)
        self.act(self._ask)()
        self.draw()
        self.go()

    def _ask(self) -> None:
        self.say(class_folder.advice(self.folder, asking=True), "note")
        self.opened = class_folder.ask(self.question, self.folder)
        self.ended = class_folder.closed(self.question, self.folder)

    @property
    def watching(self) -> bool:
        return not (self.opened or self.ended)

    def read(self) -> Any:
        before = class_folder.votes_before(self.question, self.folder)
        return *class_folder.votes_of(self.question, self.folder), before

    def _vote(self, act: Callable[[Question, Path], None]) -> None:
        """Close the vote, or begin the next one."""
        try:
            act(self.question, self.folder)
        finally:
            self.ended = class_folder.closed(self.question, self.folder)
            self.live.value = self.watching and watched()
            self.refresh()
            self.go()

    def _open(self, opened: bool = True) -> None:
        """Show the answer or hide it: here at any rate, and to everybody if the folder lets us."""
        self.opened = opened
        try:
            class_folder.ask(self.question, self.folder, opened=opened)
        finally:
            self.refresh()
            self.go()

    def draw(self) -> None:
        votes, odd, before = self.seen
        guesses = [vote[0] for vote in votes.values()]
        self.open_button.disabled = self.live.disabled = self.opened
        self.hide_button.disabled = not self.opened
        self.close_button.disabled = not self.watching
        self.repeat_button.disabled = self.opened or not (guesses or self.ended)
        many = f"{len(guesses)} {'vote' if len(guesses) == 1 else 'votes'}"
        many += f" again, {len(before)} before" if before is not None else ""
        if self.opened:
            right = sum(self.question.told(guess).startswith("✓") for guess in guesses)
            many += f", {right} right"
        many += "; closed" if self.ended and not self.opened else ""
        revealed = LARGE.format(self.question.revealed())
        self.answer.value = revealed if self.opened else NOTHING
        self.say_count(many, odd)
        shown = (guesses or before) and (self.shows.value or not self.watching)
        self.histogram.value = self._bars(guesses, before) if shown else NOTHING

    def _bars(self, guesses: list[Any], before: class_folder.Votes | None) -> Html:
        options = self.question.options
        size = 8.0, 1.4 + 0.62 * len(options) if options else 3.6
        first = None if before is None else [vote[0] for vote in before.values()]
        return plotted(size, plot_votes, self.question, guesses, answer=self.opened, before=first)
