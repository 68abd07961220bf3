"""The stochastic game: states, chips, eliminations; ICM."""

from itertools import permutations

import numpy as np
import pytest

from workbench.jamfold.chip_values import icm
from workbench.jamfold.equity_tables import ORDERS
from workbench.jamfold.tournament import INFOSETS, LINES, Tournament, settle


def test_icm_is_the_mean_over_all_orders():
    stacks, prizes = (7, 1, 0, 2.5, 4), (20, 9, 5, 5, 0)
    worth = np.zeros(5)
    for order in permutations(range(5)):
        often, left = 1.0, float(sum(stacks))
        for player in order:
            often *= stacks[player] / left if left else 1.0  # whoever has no chips comes last
            left -= stacks[player]
        worth[list(order)] += often * np.array(prizes)
    assert icm(stacks, prizes) == pytest.approx(worth, abs=1e-12)
    assert icm((5, 0, 0), (50, 30, 20)) == pytest.approx((50, 25, 25))  # the last two share
    assert icm((1,) * 12, (1,) + (0,) * 11) == pytest.approx([1 / 12] * 12)


def test_how_many_states():
    assert [len(Tournament(units=units).states) for units in (9, 12, 18)] == [28, 55, 136]
    assert len(Tournament(players=2, prizes=(1, 0)).states) == 8


@pytest.mark.parametrize("stacks", [(3, 3, 3), (1, 1, 7), (5, 3, 1), (0, 2, 7), (2, 5, 2)])
def test_chips_and_prizes_are_kept(stacks):
    """Nobody's chips get lost, and all prizes are paid in the end: values of ICM sum to them."""
    game = Tournament()
    s = game.every_state.index(stacks)
    arrays = game.arrays
    worth = arrays.values(arrays.icm)[s]
    for showing, first in LINES.values():
        if all(stacks[seat] for seat in showing):
            for k in range({1: 1, 2: 3, 3: 13}[len(showing)]):
                left = sum(game.prizes[: sum(map(bool, stacks))])
                assert worth[first + k].sum() == pytest.approx(left)


def test_side_pots():
    assert settle((3, 3, 3), (0, 1, 2), (0, 1, 2)) == (9, 0, 0)
    assert settle((1, 3, 3), (0, 1, 2), (0, 1, 1)) == (3, 2, 2)
    assert settle((5, 3, 1), (0, 1, 2), (2, 1, 0)) == (2, 4, 3)
    assert settle((0, 1, 2), (2,), (0,)) == (0, 0, 3)
    assert settle((3, 1, 3), (0, 2), (0, 0)) == (3, 0, 4)  # the odd chip: left of the button
    for places in ORDERS:
        assert sum(settle((4, 2, 3), (0, 1, 2), places)) == 9


def test_the_button_moves_on_and_players_go_out():
    game = Tournament()
    prizes, follow, seats = game.follow((3, 3, 3), (3, 2, 4))
    assert (prizes, game.every_state[follow], seats) == ([0, 0, 0], (2, 4, 3), [2, 0, 1])
    prizes, follow, seats = game.follow((3, 3, 3), (6, 0, 3))  # the small blind is out
    assert (prizes, game.every_state[follow], seats) == ([0, 20, 0], (0, 3, 6), [2, -1, 1])
    prizes, follow, _ = game.follow((4, 3, 2), (9, 0, 0))  # two go out: the larger stack is second
    assert (prizes, follow) == ([50, 30, 20], -1)
    prizes, _, _ = game.follow((3, 3, 3), (9, 0, 0))
    assert prizes == [50, 25, 25]
    prizes, follow, seats = game.follow((0, 4, 5), (0, 3, 6))
    assert (game.every_state[follow], seats) == ((0, 6, 3), [-1, 2, 1])


def test_who_need_not_pay_stays_in():
    game = Tournament()
    forced = {state: game.forced(state) for state in game.every_state}
    assert not any(forced[3, 3, 3])
    assert forced[3, 1, 5] == (False, True, True, False, False, True)  # small blind all-in
    assert forced[6, 2, 1] == (False, False, True, True, True, True)  # big blind all-in
    assert [before for _, before in INFOSETS] == ["", "J", "F", "JJ", "JF", "FJ"]
    assert forced[1, 4, 4] == (False, False, False, False, True, False)  # a jam of less than posted


def test_values_of_outcomes_come_from_the_next_state():
    game = Tournament()
    arrays = game.arrays
    worth = np.arange(3.0 * len(game.every_state)).reshape(-1, 3)
    s = game.state((3, 3, 3))
    fold = arrays.values(worth)[s, 0]  # all fold: the big blind wins one chip
    to = game.state((2, 4, 3))
    assert fold.tolist() == [worth[to, 2], worth[to, 0], worth[to, 1]]
