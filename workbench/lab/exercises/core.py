"""An exercise: an answer goes in, a verdict with its reason comes out.

Everyday example: a teacher who walks through the room. She does not only say "wrong"; she says
"you forgot that the die has no zero", and if nothing is written down yet she offers a hint.

>>> from workbench.lab.exercises.answers import nearly
>>> @exercise("Add up the six faces.", "Divide by six.")
... def check_die(answer):
...     '''What does a die show on average?'''
...     return nearly(answer, 7 / 2, slips={3: "The faces run from 1 to 6, not from 0."})
>>> check_die(...)
○ Not answered yet. Put your answer in place of `...` and run the cell again.
Stuck? `exercise.check_die.hint()`
>>> check_die(3)
✗ Not yet. The faces run from 1 to 6, not from 0. Stuck? `exercise.check_die.hint()`
>>> check_die("7/2")
✓ Right.
>>> check_die.hint()
→ Hint 1 of 2. Add up the six faces. (One more: `exercise.check_die.hint(2)`)

A check is an ordinary function that returns `right(…)` or `wrong(…)`. What is around it sees to it
that no student meets a traceback: an answer that is missing, of the wrong kind, or code of theirs
that stops with an error gets a sentence as well.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dis import get_instructions
from pathlib import Path
from types import FunctionType
from typing import Any

from workbench.lab.exercises.class_folder import note_result
from workbench.lab.html import STRESSED, Html, marked, remark, show
from workbench.rules import GameError

_KINDS = {  # what is shown before the words, and the colour of the line beside them
    "right": ("✓ Right.", "#009E73"),
    "wrong": ("✗ Not yet.", "#D55E00"),
    "open": ("○ Not answered yet.", "#767676"),
    "hint": ("→", "#0072B2"),
}
_COUNTS = {2: "two", 3: "three", 4: "four"}
_PACKAGE = Path(__file__).resolve().parents[2]


class UnfitError(ValueError):
    """The answer cannot be judged; the message is one sentence for the student."""


@dataclass(frozen=True, repr=False)
class Verdict:
    """What a check says: `kind` is "right", "wrong", "open" (not answered) or "hint"."""

    kind: str
    text: str

    def __bool__(self) -> bool:
        """True if the answer is right."""
        return self.kind == "right"

    def __repr__(self) -> str:
        text = STRESSED.sub(r"\1", self.text)
        return f"{_KINDS[self.kind][0]} {text}".strip()

    def _repr_html_(self) -> str:
        """Words and a symbol carry the meaning; colours are the page's, so dark is fine too."""
        head, colour = _KINDS[self.kind]
        text = marked(self.text)
        if self.kind == "hint":
            head, text = "", show(head) + " " + text
        said = Html("<strong>{}</strong> {}").format(head, text)
        return remark(said, colour, f"wb-verdict wb-{self.kind}", "status")


def right(text: str = "") -> Verdict:
    """The answer is right; the text may add what is worth noticing."""
    return Verdict("right", text)


def wrong(text: str) -> Verdict:
    """The answer is not right; the text says why, without giving it away."""
    return Verdict("wrong", text)


class Exercise:
    """A check with its question and hints; call it with the answer."""

    def __init__(
        self,
        check: Callable[..., Verdict],
        hints: tuple[str, ...],
        *,
        name: str = "",
        question: str = "",
        file: Path | None = None,
    ) -> None:
        """Name and question are the function's own if not given. file: that of the exercises, part
        of the name under which results are noted; no student writes in its folder."""
        self.check, self.hints = check, hints
        self.folder = file.parent if file else _PACKAGE
        self.name = self.__name__ = name or getattr(check, "__name__", "check")
        self.question = self.__doc__ = question or " ".join((check.__doc__ or "").split())
        self.noted_as = f"{file.stem} {self.name}" if file else self.name

    def __call__(self, *answers: Any) -> Verdict:
        """Judge the answer, or several where the exercise asks for several."""
        if not answers or any(map(unanswered, answers)):
            return self._with_hint(
                Verdict("open", "Put your answer in place of `...` and run the cell again.")
            )
        try:
            self._need(answers)
            verdict = self.check(*answers)
        except (UnfitError, GameError) as error:
            verdict = wrong(_sentence(error))
        except Exception as error:
            verdict = wrong(f"Your code stopped{self._place(error)} with {_sentence(error)}")
        problem = note_result(self.noted_as, bool(verdict), answers, verdict.text)
        shown = Verdict(verdict.kind, f"{verdict.text} {problem}".strip()) if problem else verdict
        return shown if shown else self._with_hint(shown)

    def _need(self, answers: tuple[Any, ...]) -> None:
        """Refuse too few answers, or too many."""
        try:
            inspect.signature(self.check).bind(*answers)
        except TypeError:
            names = list(inspect.signature(self.check).parameters)
            many = f"{_COUNTS.get(len(names), len(names))} answers are"
            raise UnfitError(
                f"{'one answer is' if len(names) == 1 else many} needed here, "
                f"not {len(answers)}: `exercise.{self.name}({', '.join(names)})`"
            ) from None

    def _place(self, error: BaseException) -> str:
        """The student's own line in which it happened."""
        ours = {_PACKAGE, self.folder}
        frames = traceback.extract_tb(error.__traceback__)
        own = [f.line for f in frames if f.line and not ours & {*Path(f.filename).parents}]
        return f" at `{own[-1]}`" if own else ""

    def hint(self, number: int = 1) -> Verdict:
        """The first hint, or hint number 2, 3, …"""
        if number not in range(1, len(self.hints) + 1):
            return Verdict("hint", f"There are hints 1 to {len(self.hints)} for this exercise.")
        text = f"Hint {number} of {len(self.hints)}. {self.hints[number - 1]}"
        if number < len(self.hints):
            return Verdict("hint", f"{text} (One more: `exercise.{self.name}.hint({number + 1})`)")
        return Verdict("hint", f"{text} (A worked solution stands in `notebooks/solutions`.)")

    def __repr__(self) -> str:
        return f"{self.name}: {self.question}"

    def _with_hint(self, verdict: Verdict) -> Verdict:
        more = f" Stuck? `exercise.{self.name}.hint()`" if self.hints else ""
        return Verdict(verdict.kind, verdict.text + more)


def exercise(*hints: str) -> Callable[[Callable[..., Verdict]], Exercise]:
    """Make a check an exercise with these hints, from a nudge to nearly the answer."""
    return lambda check: Exercise(check, hints)


def unanswered(answer: Any) -> bool:
    """True if `...` still stands there: by itself, in a list, or as the body of a function.

    >>> def mine(player, seen, actions): ...
    >>> [unanswered(answer) for answer in (..., [1, ...], {"J": ...}, mine, 0, abs)]
    [True, True, True, True, False, False]
    """
    if isinstance(answer, (list, tuple)):
        return any(item is ... for item in answer)
    if isinstance(answer, Mapping):
        return any(item is ... for item in answer.values())
    if isinstance(answer, FunctionType):
        steps = list(get_instructions(answer))
        idle = {step.opname for step in steps} <= {
            "RESUME", "NOP", "LOAD_CONST", "RETURN_VALUE", "RETURN_CONST"
        }  # fmt: skip
        constants = [step.argval for step in steps if step.opname in ("LOAD_CONST", "RETURN_CONST")]
        return idle and constants == [None]
    return answer is ...


def _sentence(error: BaseException) -> str:
    """An error in one sentence."""
    text = " ".join([str(error), *getattr(error, "__notes__", ())]).strip()
    text = text if isinstance(error, (UnfitError, GameError)) else f"{type(error).__name__}: {text}"
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ")")) else f"{text}."
