"""Questions to answer before looking: predict, then reveal.

Whoever has guessed looks more closely. A question holds a few options or a number to guess, the
answer and the reason; its answer stays here and out of the cell that asks. `wb.widgets.predict`
shows it with controls; without a kernel it is a page that unfolds.

>>> cards = Question(
...     "How many cards has a pack of Skat?", 32, high=60, because="Four suits, seven to ace."
... )
>>> print(cards.told(24))
✗ You said 24. It is 32: 8 too few.
>>> colour = Question("Which suit is red?", "hearts", options=("spades", "hearts"))
>>> print(colour.told("hearts"))
✓ You said hearts, and so it is.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from workbench.lab.html import NOTHING, Html, marked, remark
from workbench.lab.text import number
from workbench.rules import GameError


@dataclass(frozen=True, repr=False)
class Question:
    """`options` to choose from, or a number between `low` and `high` (`log`: by size)."""

    text: str
    answer: str | float
    because: str = ""
    options: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 100.0
    step: float = 1.0
    log: bool = False
    unit: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", tuple(self.options))
        if self.options and self.answer not in self.options:
            raise GameError(f"the answer {self.answer!r} is none of the options {self.options}")
        if not self.options and not (
            isinstance(self.answer, (int, float)) and self.low <= self.answer <= self.high
        ):
            raise GameError(
                f"a question needs options, or a number as answer between low and high; "
                f"{self.answer!r} is not between {self.low} and {self.high}"
            )
        if not self.options and not self.step > 0:
            raise GameError(f"the step between two guesses must be above 0, not {self.step!r}")
        if self.log and self.low <= 0:
            raise GameError("a question by size (log=True) needs low above 0")

    def number(self, value: float | str) -> str:
        """A guess or the answer with its unit."""
        if isinstance(value, str):
            return value
        return f"{number(value, figures=4)} {self.unit}".strip()

    @property
    def key(self) -> str:
        """A name that the same question has everywhere; it does not depend on the answer."""
        asked = repr((self.text, self.options, self.low, self.high, self.unit))
        return hashlib.sha256(asked.encode()).hexdigest()[:16]

    def possible(self, guess: object) -> bool:
        """True if this is one of the options, or a number from low to high."""
        if self.options:
            return guess in self.options
        number = isinstance(guess, (int, float)) and not isinstance(guess, bool)
        return number and self.low <= guess <= self.high  # type: ignore[operator]

    def told(self, guess: float | str) -> str:
        """How far off a guess is, in words."""
        said, truth = self.number(guess), self.number(self.answer)
        if isinstance(guess, str) or isinstance(self.answer, str):
            if guess == self.answer:
                return f"✓ You said {said}, and so it is."
            return f"✗ You said {said}. It is: {truth}."
        off = guess - self.answer
        if abs(off) <= max(self.step / 2 if not self.log else 0.0, 0.02 * abs(self.answer)):
            return f"✓ You said {said}. It is {truth}."
        if self.log:
            factor = max(guess / self.answer, self.answer / guess)
            way = "too large" if off > 0 else "too small"
            return f"✗ You said {said}. It is {truth}: you are {factor:,.2g} times {way}."
        count = self.step == 1 and not self.unit
        way = ("many" if count else "much") if off > 0 else ("few" if count else "little")
        return f"✗ You said {said}. It is {truth}: {self.number(abs(off))} too {way}."

    def revealed(self) -> Html:
        """The answer and the reason, as HTML."""
        said = Html("<strong>{}</strong>. {}")
        return said.format(marked(self.number(self.answer)), marked(self.because)).strip()

    def __repr__(self) -> str:
        """The question without its answer."""
        return " ".join([f"Predict: {self.text}", *(f"({option})" for option in self.options)])

    def _repr_html_(self, *, answered: bool = True) -> Html:
        """For a page without a kernel: question, options, and an answer that unfolds."""
        asked = [Html("<li>{}</li>").format(marked(option)) for option in self.options]
        listed = Html("<ul>{}</ul>").format(NOTHING.join(asked)) if asked else NOTHING
        unfolds = Html("<details><summary>Reveal the answer</summary><p>{}</p></details>")
        said = Html("<p><strong>Predict.</strong> {}</p>{}{}").format(
            marked(self.text), listed, unfolds.format(self.revealed()) if answered else ""
        )
        return remark(said, "#0072B2", "wb-question")
