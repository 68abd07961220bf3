"""What is typed into a number field is what counts, or it is refused: never something else."""

from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest

import workbench as wb
from tests.lab.widgets.helpers import press, said
from workbench.lab.widgets.controls import NumberField, understood
from workbench.lab.widgets.solver_panel import SolverPanel


@pytest.mark.parametrize(
    ("typed", "whole", "number"),
    [
        ("1000", 1000, 1000.0),
        (" 7 ", 7, 7.0),
        ("-5", -5, -5.0),
        ("1e3", 1000, 1000.0),
        ("2.5E3", 2500, 2500.0),
        ("10_000", 10_000, 10_000.0),
        ("1,234,567", 1_234_567, 1_234_567.0),
        ("99999999999999999999999", 99999999999999999999999, 1e23),
        ("2.5", "2.5", 2.5),
        ("1.000", "1.000", 1.0),
        ("1e-3", "1e-3", 0.001),
        ("", "", ""),
        ("10 000", 10_000, 10_000.0),
        ("1\u202f234\xa0567", 1_234_567, 1_234_567.0),
        ("-0,25", "-0,25", -0.25),
        ("1,2,3", "1,2,3", "1,2,3"),
        ("10 00", "10 00", "10 00"),
        ("1__0", "1__0", "1__0"),
        ("ten", "ten", "ten"),
        ("1e999999999", "1e999999999", "1e999999999"),
        ("9" * 5000, "9" * 5000, float("inf")),
    ],
)
def test_understood(typed, whole, number):
    for kind, wanted in ((True, whole), (False, number)):
        found = understood(typed, whole=kind)
        assert (found, type(found)) == (wanted, type(wanted))


def test_the_browser_is_told_what_was_understood():
    field = NumberField(5, whole=True)
    sent: list[Any] = []
    send = lambda data, buffers: sent.append(data)  # noqa: E731
    field._trait_values["comm"] = SimpleNamespace(send=send)  # as if it were shown
    assert field.continuous_update is False  # nothing is rewritten under the typing hand
    for typed, shown in (("1e3", "1000"), ("ten", None)):
        field.set_state({"value": typed})
        updates = [one["state"]["value"] for one in sent if one["method"] == "update"]
        assert updates == ([shown] if shown else [])
        sent.clear()
    assert field.value == "ten"


def test_what_is_typed_is_what_runs(panels):
    panel = panels(SolverPanel, "kuhn")
    panel.iterations.set_state({"value": "1e2"})
    press(panel, "start")
    assert panel.runs[0].iterations == 100
    refused = {
        typed: f"a whole number of at least 1, not '{typed}'" for typed in ("", "2.5", "ten")
    }
    refused["9" * 23] = "at most 1,000,000,000,000,000"
    for typed, why in refused.items():
        panel.iterations.set_state({"value": typed})
        panel.start_button.click()
        assert f"iterations must be {why}" in unescape(said(panel))
        assert len(panel.runs) == 1
    panel.iterations.value = 100
    panel.solver.name.value = "dcfr"
    panel.solver.controls["alpha"].set_state({"value": "much"})
    panel.start_button.click()
    assert "alpha" in said(panel)
    assert len(panel.runs) == 1
    panel.solver.controls["alpha"].set_state({"value": "2"})
    press(panel, "start")
    assert panel.runs[1].solver == wb.solvers.DCFR(alpha=2.0)


def test_code_that_cannot_be_made_says_why(panels, monkeypatch):
    panel = panels(SolverPanel, "leduc")
    panel.game.controls["ranks"].set_state({"value": ""})
    assert panel.code.startswith("# leduc: ranks must be a whole number")
    panel.start_button.click()
    assert "ranks must be a whole number" in said(panel)

    def broken() -> None:
        raise TypeError("no log")

    monkeypatch.setattr(panel, "new_trial", broken)
    panel.iterations.value = 77
    assert panel.code == "# TypeError: no log"
