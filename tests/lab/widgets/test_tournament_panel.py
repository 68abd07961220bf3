"""The panel of jam/fold tournaments: sliders, chart, values, a tournament, the finished picture."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lab.widgets.helpers import SOON, said, text
from workbench.lab.widgets.tournament_panel import TournamentPanel


@pytest.fixture(scope="module")
def panel() -> Iterator[TournamentPanel]:
    """The smallest one: three chips, three players."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_QUICK", "1")
        made = TournamentPanel(units=3, prizes=(1, 0, 0))
        assert made.wait(SOON), "no solution"
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
    assert panel.wait(SOON)
    assert '"big blind", "JJ"' in panel.code_box.value
    panel.decision.value = ("button", "")
    assert panel.wait(SOON)


def test_a_tournament_is_played_and_priced(panel: TournamentPanel) -> None:
    assert panel.jam_button.disabled
    panel.deal_button.click()
    assert not said(panel)
    assert "You hold" in text(panel.log.value)
    for _ in range(100):
        if panel.table is None:
            break
        panel.jam_button.click()
    assert panel.jam_button.disabled
    assert "your decisions cost" in text(panel.log.value)
    panel.jam_button.click()  # nothing to decide: nothing happens
    assert not said(panel)
