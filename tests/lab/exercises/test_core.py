"""Checks never meet a student with a traceback, and hints lead on."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest

from tests.lab.exercises.course import EXERCISES
from workbench.lab.exercises.core import (
    Exercise,
    Verdict,
    exercise,
    marked,
    right,
    unanswered,
    wrong,
)

each_exercise = pytest.mark.parametrize("check", EXERCISES.values(), ids=EXERCISES)


@each_exercise
def test_three_dots_are_not_an_error(check: Exercise) -> None:
    for answer in (..., [1, ...], {"a": ...}):
        verdict = check(answer)
        assert verdict.kind == "open"
        assert f"exercise.{check.name}.hint()" in verdict.text
    assert check().kind == "open"


@each_exercise
@pytest.mark.parametrize(
    "answer",
    [None, "soon", True, object(), [], {}, float("nan"), -1e300, 10**400, np.zeros((2, 2)), int, 1j,
     [None] * 3, lambda: 1, lambda *any: any, lambda *any: 1 / 0],
    ids=range(16),
)  # fmt: skip
def test_nonsense_gets_a_sentence(check: Exercise, answer: Any) -> None:
    verdict = check(answer)
    assert isinstance(verdict, Verdict)
    assert verdict.kind == "wrong"
    assert len(verdict.text) > 20
    assert "Traceback" not in verdict._repr_html_()


@each_exercise
def test_an_exercise_has_a_question_and_hints(check: Exercise) -> None:
    assert check.name.startswith("check_")
    assert check.question
    assert 2 <= len(check.hints) <= 4
    for k in range(1, len(check.hints) + 1):
        assert check.hints[k - 1] in check.hint(k).text
    assert "hint(2)" in check.hint().text
    assert "solutions" in check.hint(len(check.hints)).text
    assert "hints 1 to" in check.hint(99).text
    with pytest.raises(AttributeError):
        check.solution  # type: ignore[attr-defined]  # noqa: B018


@exercise("Think.")
def check_it(answer: Any) -> Verdict:
    return right() if answer(3) == 9 else wrong("It should square.")


def test_an_error_in_the_students_code_names_the_line() -> None:
    def broken(x: int) -> float:
        return x / (x - 3)

    assert check_it(lambda x: x * x)
    assert "should square" in check_it(lambda x: x).text
    said = check_it(broken).text
    assert "`return x / (x - 3)`" in said
    assert "ZeroDivisionError: division by zero." in said
    assert "Your code stopped" in check_it(lambda: 9).text  # a TypeError, and the student's own
    said = EXERCISES["00.check_worse"](lambda player, seen, actions: broken(3)).text
    assert "`return x / (x - 3)`" in said, "neither the package's line nor the judge's"


def test_a_verdict_is_readable_without_colour_and_without_a_browser() -> None:
    for verdict, words in ((right("Well."), "✓ Right. Well."), (wrong("No."), "✗ Not yet. No.")):
        assert repr(verdict) == words
        assert re.sub("<.*?>", "", verdict._repr_html_()) == words
        assert "background" not in verdict._repr_html_()
        assert not re.search(r"[; \"]color:", verdict._repr_html_())
    assert right()
    assert not wrong("x")


def test_marked_text_cannot_break_the_page() -> None:
    assert marked("<b>`<i>`") == "&lt;b&gt;<code>&lt;i&gt;</code>"


def test_a_function_with_something_in_it_is_an_answer() -> None:
    def empty(a: int) -> None:
        """Only words."""

    def gives(a: int) -> int:
        return 3

    def calls(a: int) -> None:
        print(a)

    assert unanswered(empty)
    assert not unanswered(gives)
    assert not unanswered(calls)


@each_exercise
def test_the_wrong_number_of_answers_gets_a_sentence(check: Exercise) -> None:
    wanted = list(inspect.signature(check.check).parameters)
    too_few, too_many = wanted[1:], [*wanted, "more"]
    for answers in filter(None, (too_few, too_many)):
        verdict = check(*answers)
        assert verdict.kind == "wrong"
        assert f"needed here, not {len(answers)}: `exercise.{check.name}(" in verdict.text
        assert "TypeError" not in verdict.text


def test_two_answers_are_asked_for_by_name() -> None:
    said = EXERCISES["12.check_confession"](3).text
    assert said.startswith(
        "Two answers are needed here, not 1: `exercise.check_confession(loss, cards)`"
    )
