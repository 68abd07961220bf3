"""Guesses in JupyterLab: alone, and in a class whose lecturer watches and opens the answer."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Show

pytestmark = pytest.mark.browser

CELLS = [
    "import tempfile\nclass_folder = tempfile.mkdtemp()\nexercise = wb.exercises.load('01')",
    "wb.widgets.predict(exercise.HISTORIES)",
    "exercise.check_queen(7 / 900)",
    "votes = wb.widgets.Votes(exercise.JUDGED, class_folder)\nvotes",
    "wb.classroom(class_folder, name='<i>Anna')",
    "wb.widgets.predict(exercise.JUDGED)",
]


def test_a_guess_and_a_vote(show: Show) -> None:
    notebook = show(*CELLS)
    notebook.ran()  # else keys may meet a notebook that goes on to its next cell
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
    assert "gains 1/3" not in lecturer.inner_text() + student.inner_text()
    lecturer.get_by_role("button", name="Open").click()
    notebook.says("wb-count", "1 vote, 0 right")
    lecturer.get_by_text("gains 1/3").wait_for()
    lecturer.locator("img[alt*='The answer is bold wins more']").wait_for()
    assert notebook.ask("print(votes.wait(60))") == "True"  # nobody looks for votes any more
    student.get_by_role("button", name="Reveal").click()
    notebook.says("wb-revealed", "You said bold, both times. It is:")
    assert "'<i>Anna'" in notebook.ask(
        "print(wb.exercises.read_hand_ins(class_folder).student.unique())"
    )
    assert notebook.too_wide("wb-votes") == []


def test_a_lecturer_looks_at_her_class(show: Show) -> None:
    notebook = show(
        *CELLS[:1],
        "votes = wb.widgets.Votes(exercise.JUDGED, class_folder)\nvotes",
        "wb.classroom(class_folder, name='Anna')",
        "wb.widgets.predict(exercise.JUDGED)",
        "exercise.check_queen(7 / 900)",
        "view = wb.widgets.ClassView()\nview",
    )
    notebook.ran()
    notebook.says("wb-students", "01 check_queen")
    notebook.says("wb-mistakes", "NashConv")
    lecturer, student = notebook.find("wb-votes"), notebook.find("wb-predict")
    student.get_by_label("bold, both times").check()
    student.get_by_role("button", name="Vote").click()
    notebook.says("wb-count", "1 vote")
    lecturer.get_by_role("button", name="Close").click()
    lecturer.locator("img[alt^='1 vote.']").wait_for()
    student.get_by_role("button", name="Reveal").click()
    notebook.says("wb-revealed", "The vote is closed")
    lecturer.get_by_role("button", name="Repeat").click()
    notebook.says("wb-count", "0 votes again, 1 before")
    student.get_by_label("honest, both times").check()
    student.get_by_role("button", name="Vote").click()
    notebook.says("wb-count", "1 vote again, 1 before")
    lecturer.get_by_role("button", name="Open").click()
    lecturer.locator("img[alt*='After: honest, both times: 1.']").wait_for()
    notebook.find("wb-save").click()
    notebook.says("wb-message", "Saved grades.csv: 1 students")
    assert notebook.too_wide("wb-votes") + notebook.too_wide("wb-class-view") == []
