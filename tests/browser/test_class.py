"""A class in JupyterLab: a student votes, the lecturer watches and opens, the student reads."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Show

pytestmark = pytest.mark.browser

CELLS = [
    "import tempfile\nclass_folder = tempfile.mkdtemp()\nexercise = wb.exercises.load('01')",
    "votes = wb.widgets.Votes(exercise.JUDGED, class_folder)\nvotes",
    "wb.classroom(class_folder, name='<i>Anna')",
    "wb.widgets.predict(exercise.JUDGED)",
]


def test_votes_come_in_and_the_answer_is_opened(show: Show) -> None:
    notebook = show(*CELLS)
    lecturer, student = notebook.find("wb-votes"), notebook.find("wb-predict")
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
