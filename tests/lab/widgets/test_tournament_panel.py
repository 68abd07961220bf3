"""The panel of jam/fold tournaments: sliders, chart, values, the finished picture."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from workbench.lab.widgets.tournament_panel import TournamentPanel


@pytest.fixture(scope="module")
def panel() -> Iterator[TournamentPanel]:
    made = TournamentPanel(units=3, prizes=(1, 0, 0))
    assert made.wait(300)
    yield made
    made.close()


def test_values_and_chart_are_there(panel: TournamentPanel) -> None:
    assert panel.found is not None
    assert "What a stack is worth" in panel.values.value
    assert "0.33" in panel.values.value  # ICM
    assert "<img" in panel.drawing.view.value
    assert "<img" in panel.static()
    assert "plot_push_chart(found, (1, 1, 1)" in panel.code_box.value


def test_another_decision(panel: TournamentPanel) -> None:
    panel.decision.value = ("big blind", "JJ")
    assert '"big blind", "JJ"' in panel.code_box.value
    panel.decision.value = ("button", "")


def test_every_control_has_a_tip(panel: TournamentPanel) -> None:
    for control in (panel.prizes, panel.button, panel.small, panel.decision):
        assert control.tooltip
