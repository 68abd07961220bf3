"""The excessive gap technique and its relatives in the solver panel and in the stepper."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Show

pytestmark = [pytest.mark.browser, pytest.mark.slow]  # panel and stepper as with other solvers


def test_they_race_and_step(show: Show) -> None:
    notebook = show(
        "panel = wb.widgets.SolverPanel('kuhn', iterations=300)\npanel",
        "stepper = wb.widgets.CFRStepper('kuhn', solver='egt')\nstepper",
    )
    for solver in ("iterated-smoothing", "fictitious-play", "egt"):
        notebook.find("wb-solver-panel").locator(".wb-solver select").select_option(label=solver)
        if solver == "egt":
            notebook.choose("wb-prox", "euclidean")
            field = notebook.find("wb-mu").locator("input")
            field.fill("0.1")
            field.press("Tab")
        notebook.find("wb-start").click()
        notebook.says("wb-results", solver)
        notebook.says("wb-progress", "done")
    assert notebook.ask("print(panel.runs[2].solver)") == (
        "EGT(prox='euclidean', aggressive=True, balanced=True, mu=0.1)"
    )
    field.fill("-1")
    field.press("Tab")
    notebook.find("wb-start").click()
    notebook.says("wb-solver-panel", "mu must be a number from 1e-09 to 1e+06, not -1")

    stepper = notebook.find("wb-cfr-stepper")
    stepper.locator(".wb-step").click()
    notebook.says("wb-status", "After 1 iteration;")
    notebook.says("wb-worked", "the plans have an excessive gap")
    stepper.locator(".wb-ten").click()
    notebook.says("wb-status", "After 11 iterations")
    notebook.says("wb-worked", "μ before")
    notebook.says("wb-sets", "smoothed best response")
    stepper.locator(".wb-solver select").select_option(label="fictitious-play")
    stepper.locator(".wb-step").click()
    notebook.says("wb-worked", "2 plans")
    assert notebook.too_wide("wb-cfr-stepper") == []
    assert notebook.too_wide("wb-solver-panel") == []
