"""Questions can be answered on a page without a kernel, and a guess is told how far off it is."""

import re

import nbformat
import pytest

from tests.lab.exercises.course import FILES, NOTEBOOKS, QUESTIONS

NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_is_complete_without_a_kernel(question):
    page = question._repr_html_()
    before, after = page.split("<details><summary>Reveal the answer</summary>")
    words = re.sub("<.*?>", "", before)
    assert question.text.replace("`", "") in words
    assert question.because
    assert question.number(question.answer) in re.sub("<.*?>", "", after)
    assert all(option in words for option in question.options)
    assert not question.options or 2 <= len(question.options) <= 4
    assert question.told(question.answer).startswith("✓")
    if not question.options:
        assert question.low < question.answer < question.high  # type: ignore[operator]
        assert question.told(question.low).startswith("✗")


@pytest.mark.parametrize("number", NOTEBOOKS)
def test_the_first_cell_does_not_give_the_answer_away(number):
    """A number to guess must not stand in the list of what will be seen."""
    first = nbformat.read(NOTEBOOKS[number], as_version=4).cells[0].source
    said = [float(found.replace(",", "").replace("−", "-")) for found in NUMBER.findall(first)]
    for name, question in vars(FILES[number]).items():
        answer = getattr(question, "answer", "")
        if isinstance(answer, str) or answer in range(13):
            continue  # words; and small counts stand everywhere
        assert not [one for one in said if abs(one - answer) <= 0.005 * abs(answer)], name
