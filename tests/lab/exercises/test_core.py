"""Checks never meet a student with a traceback, and hints lead on."""

import inspect
import re
from typing import Any

import numpy as np
import pytest

from tests.lab.exercises.course import EXERCISES
from workbench.lab.exercises.core import Verdict, exercise, right, wrong
from workbench.lab.html import marked

each_exercise = pytest.mark.parametrize("check", EXERCISES.values(), ids=EXERCISES)


@each_exercise
def test_three_dots_are_not_an_error(check):
    for answers in ((...,), ([1, ...],), ({"a": ...},), ()):
        verdict = check(*answers)
        assert verdict.kind == "open"
        assert f"exercise.{check.name}.hint()" in verdict.text


NONSENSE = [
    None, "soon", True, object(), [], {}, float("nan"), -1e300, 10**400, np.zeros((2, 2)), int, 1j,
    [None] * 3, lambda: 1, lambda *any: any, lambda *any: 1 / 0,
]  # fmt: skip


@each_exercise
def test_nonsense_gets_a_sentence(check):
    for k, answer in enumerate(NONSENSE):
        verdict = check(answer)
        assert isinstance(verdict, Verdict), k
        assert verdict.kind == "wrong", k
        assert len(verdict.text) > 20, k
        assert "Traceback" not in verdict._repr_html_(), k


@each_exercise
def test_an_exercise_has_a_question_and_hints(check):
    assert check.question
    assert 2 <= len(check.hints) <= 4
    assert all(text in check.hint(k).text for k, text in enumerate(check.hints, 1))
    assert "hint(2)" in check.hint().text
    assert "solutions" in check.hint(len(check.hints)).text
    assert "hints 1 to" in check.hint(99).text


@each_exercise
def test_the_wrong_number_of_answers_gets_a_sentence(check):
    wanted = list(inspect.signature(check.check).parameters)
    for answers in filter(None, (wanted[1:], [*wanted, "more"])):
        verdict = check(*answers)
        assert verdict.kind == "wrong"
        many = {1: "One answer is", 2: "Two answers are"}[len(wanted)]
        asked = f"needed here, not {len(answers)}: `exercise.{check.name}({', '.join(wanted)})`"
        assert verdict.text.startswith(f"{many} {asked}")


def test_an_error_in_the_students_code_names_the_line():
    @exercise("Think.")
    def check_it(answer: Any) -> Verdict:
        return right() if answer(3) == 9 else wrong("It should square.")

    def broken(x: int) -> float:
        return x / (x - 3)

    def empty(x: int) -> None:
        """Only words."""

    assert check_it(empty).kind == "open"
    assert check_it(lambda x: x * x)
    assert "should square" in check_it(lambda x: 3).text  # something in it: an answer
    assert "should square" in check_it(lambda x: print(x)).text
    assert "Your code stopped" in check_it(lambda: 9).text  # a TypeError, and the student's own
    for said in (check_it(broken), EXERCISES["00.check_worse"](lambda *asked: broken(3))):
        assert "`return x / (x - 3)`" in said.text  # neither the package's line nor the judge's
        assert "ZeroDivisionError: division by zero" in said.text


def test_a_verdict_is_readable_without_colour_and_without_a_browser():
    for verdict, words in ((right("Well."), "✓ Right. Well."), (wrong("No."), "✗ Not yet. No.")):
        assert repr(verdict) == words
        assert re.sub("<.*?>", "", verdict._repr_html_()) == words
        assert not re.search(r"background|[; \"]color:", verdict._repr_html_())
    assert right()
    assert not wrong("x")
    assert marked("<b>`<i>`") == "&lt;b&gt;<code>&lt;i&gt;</code>"  # no text can break the page
