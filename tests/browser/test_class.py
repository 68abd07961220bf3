"""Guesses in JupyterLab: alone, and in a class whose lecturer watches and opens the answer."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Show

pytestmark = pytest.mark.browser

CELLS = [
    "import tempfile\nclass_folder = tempfile.mkdtemp()\nexercise = wb.exercises.load('01')",
    "wb.widgets.predict(exercise.HISTORIES)",
    "votes = wb.widgets.Votes(exercise.JUDGED, class_folder)\nvotes",
    "wb.classroom(class_folder, name='<i>Anna')",
    "exercise.check_queen(7 / 900)",
    "wb.widgets.predict(exercise.JUDGED)",
    "wb.widgets.ClassView()",
]


def test_a_guess_two_votes_and_the_lecturers_view(show: Show) -> None:
    """Alone; then in a class, whose lecturer closes the vote, repeats it and opens the answer."""
    notebook = show(*CELLS)
    notebook.ran()  # else keys may meet a notebook that goes on to its next cell
    notebook.says("wb-students", "01 check_queen")
    notebook.says("wb-students", "<i>Anna")
    notebook.says("wb-mistakes", "NashConv")
    alone, student = (notebook.find("wb-predict").nth(k) for k in (0, 1))
    reveal = alone.get_by_role("button", name="Reveal")
    assert reveal.is_disabled()
    alone.get_by_role("slider").focus()
    for _ in range(5):
        notebook.page.keyboard.press("ArrowLeft")
    reveal.click()
    notebook.page.get_by_text("You said 55. It is 58: 3 too few.").wait_for()
    notebook.page.locator(".wb-verdict.wb-wrong").get_by_text("NashConv").wait_for()

    lecturer = notebook.find("wb-votes")
    notebook.says("wb-count", "0 votes")
    student.get_by_label("bold, both times").check()
    student.get_by_role("button", name="Vote").click()
    notebook.says("wb-revealed", "The answer is still hidden")
    notebook.says("wb-count", "1 vote")
    assert lecturer.locator("img").count() == 0
    lecturer.get_by_label("Show votes").check()
    lecturer.locator("img[alt^='1 vote. honest, both times: 0. bold, both times: 1.']").wait_for()
    lecturer.get_by_role("button", name="Close").click()
    student.get_by_role("button", name="Reveal").click()
    notebook.says("wb-revealed", "The vote is closed")
    lecturer.get_by_role("button", name="Repeat").click()
    notebook.says("wb-count", "0 votes again, 1 before")
    student.get_by_label("honest, both times").check()
    student.get_by_role("button", name="Vote").click()
    notebook.says("wb-count", "1 vote again, 1 before")
    assert "gains 1/3" not in lecturer.inner_text() + student.inner_text()
    lecturer.get_by_role("button", name="Open").click()
    notebook.says("wb-count", "0 right")
    lecturer.get_by_text("gains 1/3").wait_for()
    lecturer.locator("img[alt*='After: honest, both times: 1.']").wait_for()
    assert notebook.ask("print(votes.wait(60))") == "True"  # nobody looks for votes any more
    student.get_by_role("button", name="Reveal").click()
    notebook.says("wb-revealed", "You said honest, both times. It is:")

    notebook.find("wb-save").click()
    notebook.says("wb-message", "Saved grades.csv: 1 students")
    assert notebook.too_wide("wb-votes") + notebook.too_wide("wb-class-view") == []
