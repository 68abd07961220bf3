"""Predict, then reveal: a question to answer before the next cell runs.

    wb.widgets.predict(exercise.HISTORIES)
    wb.widgets.predict("Who wins?", "nobody", options=["she", "he", "nobody"], because="Fair.")

Choose or set the slider, press Reveal, and read the answer, the reason, and how far off you were.
In a notebook that nobody sits in front of (a saved page, a run by a script) the same question
is a page that unfolds, without any widget: `workbench/lab/exercises/questions.py`.

In a class (`wb.classroom`) a guess is a vote. If the lecturer has put the question to the vote
(`wb.widgets.Votes`), the answer stays hidden until she opens it; until then a vote may change.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets

from workbench.lab.exercises.class_folder import asked, guess_of, note_vote, taken
from workbench.lab.exercises.questions import Question
from workbench.lab.html import Html, bold, marked
from workbench.lab.widgets.controls import column, heard, place, row, tag
from workbench.lab.widgets.panel import Panel, watched
from workbench.rules import GameError

LATE = 2.0  # seconds: a slider's last step may arrive after the press that followed it


def predict(
    question: Question | str,
    answer: str | float | None = None,
    *,
    options: Sequence[str] = (),
    because: str = "",
    low: float = 0.0,
    high: float = 100.0,
    step: float = 1.0,
    log: bool = False,
    unit: str = "",
) -> Prediction | Question:
    """Ask one question: a Question of an exercise file, or one made of these arguments.

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
        question = Question(question, answer, because, tuple(options), low, high, step, log, unit)
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
        self.held = asked(question) is False  # the answer, by the lecturer
        if question.possible(guess := guess_of(question)):  # in an earlier kernel
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
        is_open = asked(self.question)
        self.held, problem = is_open is False, ""
        if not is_open:  # afterwards it would be no prediction
            problem = note_vote(self.question, guess, final=is_open is None)
            self.say(problem)
        if self.held:
            if not problem:
                self._noted(guess_of(self.question))  # an earlier one, if she knew the answer then
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
        self.say(taken())
        self.shown.value = _lines(words, "status")

    def static(self) -> Html:
        return self.question._repr_html_(answered=asked(self.question) is not False)


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
    if question.log:
        ends = {"min": math.log10(low), "max": math.log10(high), "step": 0.02}
        control = widgets.FloatLogSlider(
            value=math.sqrt(low * high), base=10, readout_format=",.2r", **ends, **more
        )
    elif step == int(step):
        control = widgets.IntSlider(
            value=int(low + high) // 2, min=int(low), max=int(high), step=int(step), **more
        )
    else:
        digits = max(0, math.ceil(-math.log10(step)))
        control = widgets.FloatSlider(
            value=(low + high) / 2, min=low, max=high, step=step,
            readout_format=f".{digits}f", **more
        )  # fmt: skip
    return tag(control, "guess")
