"""The panel of jam/fold tournaments: sliders, chart, values, a tournament, the finished picture."""

from collections.abc import Iterator

import pytest
from workbench.lab.lectures.tournament_panel import TournamentPanel

import workbench as wb
from tests.lab.widgets.helpers import SOON, put, said, text
from workbench.rules import GameError


@pytest.fixture(scope="module")
def panel() -> Iterator[TournamentPanel]:
    """The smallest one: three chips, three players."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_QUICK", "1")
        made = TournamentPanel(units=3, prizes=(1, 0, 0))
        assert made.wait(SOON), "no solution"
    yield made
    made.close()


@pytest.mark.slow  # half a tournament is solved
def test_stacks_that_do_not_fit_leave_nothing_of_the_last_ones(ready, monkeypatch):
    monkeypatch.setenv("WORKBENCH_QUICK", "1")
    found = wb.jamfold.solve(wb.jamfold.Tournament(4, 3, (1, 0, 0)), "pi-fp", iterations=1)
    panel = ready(TournamentPanel, found=found)
    shown = panel.values.value, panel.drawing.view.value, panel.code_box.value
    panel.button.value = 2
    put(panel, panel.small, 2)
    assert "4 chips are not enough: the big blind needs one" in said(panel)
    assert panel.values.value == panel.code_box.value == ""
    assert panel.drawing.view.value != shown[1]
    panel.button.value = 1
    put(panel, panel.small, 1)
    assert not said(panel)
    assert (panel.values.value, panel.code_box.value) == (shown[0], shown[2])


def test_a_tournament_is_played_and_priced(panel):
    assert panel.jam_button.disabled
    panel.deal_button.click()
    assert not said(panel)
    assert "You hold" in text(panel.log.value)
    for _ in range(100):
        if panel.session is None:
            break
        panel.jam_button.click()
    assert panel.jam_button.disabled
    assert "your decisions cost" in text(panel.log.value)
    panel.jam_button.click()  # nothing to decide: nothing happens
    assert not said(panel)


def test_prizes_by_sliders(panel, monkeypatch):
    monkeypatch.setenv("WORKBENCH_QUICK", "1")
    before = panel.game
    panel.second.value = 0.3  # the first has all already
    assert "the prizes are 1 in all" in said(panel)
    assert panel.game == before
    panel.second.value = 0.0
    panel.first.value = 0.4
    assert "prizes must not rise" in said(panel)
    put(panel, panel.second, 0.3)
    assert not said(panel)
    assert panel.game.prizes == (0.4, 0.3, 0.3)
    assert "prizes=(0.4, 0.3, 0.3)" in panel.code_box.value
    panel.second.value = 0.35  # and, before that is solved, back again
    put(panel, panel.second, 0.3)
    assert panel.found.game == panel.game
    assert all(found.game == game for game, found in panel.known.items())


def test_a_solution_is_shown_at_once(panel, ready):
    again = ready(TournamentPanel, found=panel.found)
    assert again.found is panel.found
    assert "<img" in again.drawing.view.value
    assert "<img" in again.static()
    assert "plot_push_chart(found, (1, 1, 1)" in again.code_box.value
    two = wb.jamfold.solve(wb.jamfold.Tournament(2, 2, (1, 0)), "pi-fp", iterations=1)
    with pytest.raises(GameError, match="three players"):
        TournamentPanel(found=two)
    with pytest.raises(GameError, match="found must be a TournamentSolution, not 5"):
        TournamentPanel(found=5)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="method must be 'vi-fp'"):
        TournamentPanel(method="zz", found=panel.found)
