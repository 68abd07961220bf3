"""Predict, then reveal, in JupyterLab: guess, press, read."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Show

pytestmark = pytest.mark.browser


def test_guess_and_reveal(show: Show) -> None:
    notebook = show(
        'exercise = wb.exercises.load("01")',
        "wb.widgets.predict(exercise.HISTORIES)",
        "wb.widgets.predict(exercise.JUDGED)",
        "exercise.check_queen(7 / 900)",
    )
    slider, choice = (notebook.find("wb-guess").nth(k) for k in (0, 1))
    first, second = (notebook.find("wb-reveal").nth(k) for k in (0, 1))
    assert first.is_disabled()
    slider.get_by_role("slider").focus()
    for _ in range(5):
        notebook.page.keyboard.press("ArrowLeft")
    first.click()
    notebook.page.get_by_text("You said 55. It is 58: 3 too few.").wait_for()
    choice.get_by_label("bold, both times").check()
    second.click()
    notebook.page.get_by_text("You said bold, both times. It is:").wait_for()
    notebook.page.locator(".wb-verdict.wb-wrong").get_by_text("NashConv").wait_for()
