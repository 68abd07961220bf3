"""The table against a regret matcher, without kernel and browser."""

import numpy as np
import pytest

import workbench as wb
from tests.lab.widgets.helpers import said, text
from workbench.lab.widgets import RegretMatcher


@pytest.mark.parametrize("game", ["rock_paper_scissors", "smuggler", "prisoners_dilemma"])
def test_it_matches_its_regrets_after_every_round(panels, game):
    table = panels(RegretMatcher, game, seed=2)
    payoffs, regret = table.payoffs[:, :, 1], 0.0
    actions = table.moves
    for k in range(30):
        before = table.probs
        table.play(actions[k % len(actions)])
        one = table.rounds[-1]
        its = table.its_moves.index(one.matcher)
        assert before[its] > 0
        row = payoffs[actions.index(one.you)]
        regret = regret + (row - row[its])
        assert np.array_equal(one.regret, regret)
        positive = np.maximum(regret, 0)
        sure = positive / positive.sum() if positive.any() else np.full(len(row), 1 / len(row))
        assert np.allclose(table.probs, sure)


def test_buttons_play_and_begin_again(panels):
    table = panels(RegretMatcher)
    assert [one.description for one in table.buttons.shown] == ["rock", "paper", "scissors"]
    for one in table.buttons.shown:
        one.click()
    assert [one.you for one in table.rounds] == ["rock", "paper", "scissors"]
    assert "After 3 rounds you have won" in text(table.status.value)
    rounds = [(one.matcher, one.won) for one in table.rounds]
    table.reset_button.click()
    assert not table.rounds
    for one in table.buttons.shown:
        one.click()
    assert [(one.matcher, one.won) for one in table.rounds] == rounds  # the same seed
    with pytest.raises(wb.GameError, match="did you mean 'rock'"):
        table.play("rok")
    assert not said(table)
