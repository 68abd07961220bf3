"""Predict, then reveal: with controls where somebody sits, unfolding where nobody does."""

from types import SimpleNamespace

import pytest
from ipywidgets.widgets import widget

import workbench as wb
from workbench.lab.exercises import Question
from workbench.lab.widgets import panel as cells
from workbench.lab.widgets.prediction import Prediction

HISTORIES = Question("How many histories has Kuhn poker?", 58, high=120)
JUDGED = Question(
    "Who is judged by what he wins?", "the shy", "1/3", ("the bold", "the shy"), unit=""
)


def test_choose_then_reveal(panels):
    panel = panels(wb.widgets.predict, JUDGED)
    assert isinstance(panel, Prediction)
    assert panel.reveal.disabled  # first guess
    assert panel.guess.value is None  # and nothing is suggested
    panel.guess.value = "the bold"
    assert not panel.reveal.disabled
    panel.reveal.click()
    assert panel.said.startswith("✗ You said the bold.")
    assert "1/3" in panel.shown.value
    panel.guess.value = JUDGED.answer
    panel.reveal.click()
    assert panel.said.startswith("✓")
    page = panel._repr_mimebundle_()["text/html"]  # saved, it unfolds
    assert "<details>" in page
    assert "1/3" in page


@pytest.mark.parametrize(
    ("question", "kind", "guess", "said"),
    [
        (HISTORIES, "IntSlider", 40, "✗ You said 40. It is 58: 18 too few."),
        (Question("?", 0.7, high=2.0, step=0.05), "FloatSlider", 0.7, "✓ You said 0.7. It is 0.7."),
        (Question("?", 5e4, low=1, high=1e6, log=True), "FloatLogSlider", 102_329.0, "too large"),
    ],
)  # fmt: skip
def test_a_number_is_guessed_with_a_slider(panels, question, kind, guess, said):
    panel = panels(wb.widgets.predict, question)
    assert type(panel.guess).__name__ == kind
    panel.guess.value = guess
    panel.reveal.click()
    assert said in panel.said


def test_the_last_step_of_a_slider_may_arrive_after_the_press(panels):
    """Browsers hold it back while an earlier one is on its way."""
    panel = panels(wb.widgets.predict, HISTORIES)
    panel.guess.value = 57
    panel.reveal.click()
    panel.guess.value = 55
    assert panel.said == "✗ You said 55. It is 58: 3 too few."
    panel.late = 0.0  # later she plays with the slider
    panel.guess.value = 58
    assert panel.said.startswith("✗ You said 55.")


def test_nobody_there(monkeypatch):
    """A script that runs the notebook gets the page that unfolds, and no widget is made."""
    parent = {"content": {"code": "x", "allow_stdin": False}}
    monkeypatch.setattr(cells, "get_ipython", lambda: SimpleNamespace(get_parent=lambda: parent))
    before = len(widget._instances)
    shown = wb.widgets.predict(HISTORIES)
    assert shown is HISTORIES
    assert len(widget._instances) == before
