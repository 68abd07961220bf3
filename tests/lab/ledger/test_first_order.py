"""The race of first-order methods: its arithmetic, and a part of it run again."""

import math

import pytest
from workbench.lab.ledger.papers.first_order import BOTH, ENTROPY, KUHN, LEDUC, PLUS, Point

from workbench.lab.ledger.entries import read_curves, read_settings
from workbench.lab.ledger.papers import first_order as race
from workbench.solvers.base import start_state

NAME = "sandholm-2009-first-order"


def curve(gap_of: object, stops: range = range(25)) -> list[Point]:
    """A curve of a known shape, six stops a decade; three gradients an iteration."""
    found = []
    for k in stops:
        t = round(10 ** (k / 6))
        if not found or t > found[-1].iteration:
            found.append(Point(t, 3 * t, 0.1 * t, gap_of(t)))  # type: ignore[operator]
    return found


def test_rates_are_told_apart():
    slow, fast = curve(lambda t: 1 / t), curve(lambda t: math.exp(-t / 500))
    assert race.slope(slow) == pytest.approx(-1)
    assert race.growth(slow) == pytest.approx(10, rel=0.2)  # between coarse stops
    assert race.growth(fast) == pytest.approx(1, rel=0.05)
    assert math.isnan(race.growth(slow[:10]))
    assert race.slope(curve(lambda t: t**-0.5)) == pytest.approx(-0.5)


def test_gaps_are_compared_after_equal_work():
    one, two = curve(lambda t: 4 / t), curve(lambda t: 1 / t)
    half = [point._replace(gradients=2 * point.gradients) for point in two]
    assert math.exp(race.mean_log(one, two)) == pytest.approx(4)
    assert math.exp(race.mean_log(one, half)) == pytest.approx(2, rel=0.02)
    assert race.gap_after(two, 3 * 10**2.5) == pytest.approx(10**-2.5, rel=0.01)
    assert race.seconds_to(two, 1e-2) == pytest.approx(10)
    assert race.seconds_to(two, 1e-9) == math.inf


def test_gradients_of_an_iteration():
    """Nothing but halving, and beginning, takes more than three (six, two) an iteration."""
    tree = race.game_of(KUHN)
    expected = {race.egt(ENTROPY): 3, race.SMOOTHING: 6, PLUS: 2, race.FICTITIOUS: 2}
    for name, each in expected.items():
        solver = race.RUNNERS[name]
        state = solver.advance(tree, start_state(tree), 1)
        begun = race.begins(solver, tree, state)
        first = race.gradients(solver, state, begun)
        taken = []
        for _ in range(3):
            state = solver.advance(tree, state, 100)
            taken.append(race.gradients(solver, state, begun))
        extra = [more - each * 100 for more in (taken[0] - first, taken[2] - taken[1])]
        assert min(extra) >= 0
        assert extra[1] <= 3 * each  # a few more halvings at most
        assert extra[0] % each == 0


@pytest.mark.parametrize("game", [KUHN, pytest.param(LEDUC, marks=pytest.mark.slow)])
def test_curves_run_again(game):
    kept = read_curves(NAME)
    each = read_settings(NAME)["gradients per iteration"]
    for runner in race.RUNNERS:
        name = f"{game}: {runner}"
        lines = kept[kept.curve == name].set_index("iteration").gap
        found = race.run(race.game_of(game), race.RUNNERS[runner], 3_000)
        for point in found:
            assert point.gap == pytest.approx(lines[point.iteration], rel=0.02, abs=1e-12)
        assert race.per_iteration(found)[0] == each[name]
    assert each[f"{game}: {race.egt(ENTROPY, BOTH)}"] == 3
