"""One iteration worked out: as the solvers do it, and as the thesis prints it."""

import numpy as np
import pytest
from hypothesis import given
from workbench.lab.lectures.worked_iteration import update_at
from workbench.lab.ledger.papers.worked_examples import late_average, thesis_example

from tests.random_games import SEEDS, compiled, random_games
from workbench import compile_game, load_game
from workbench.solvers.base import start_state
from workbench.solvers.cfr import CFR, DCFR, CFRPlus, LinearCFR, PCFRPlus

FAMILY = [CFR(), CFR(alternating=False), CFRPlus(), LinearCFR(), DCFR(), PCFRPlus()]


def check(tree, solver, iterations):
    state = start_state(tree)
    for t in range(1, iterations + 1):
        before, state = state, solver.advance(tree, state, 1)
        for infoset in range(tree.num_infosets):
            low, high = tree.first_choice[infoset : infoset + 2]
            found = update_at(tree, solver, before, state, infoset)
            assert found.iteration == t
            np.testing.assert_allclose(found.regret, state.regret[low:high], atol=1e-12)
            np.testing.assert_allclose(found.next, state.probs[low:high], atol=1e-9)
            np.testing.assert_allclose(found.strategy_sum, state.strategy_sum[low:high], atol=1e-12)
            assert found.probs @ found.instant == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("solver", FAMILY, ids=repr)
def test_every_number_of_the_family(solver, kuhn):
    check(kuhn, solver, 6)
    check(compile_game(load_game("odd_one_out")), solver, 4)  # three players


@given(random_games(players=3) | random_games(recall=False), SEEDS)
def test_random_games(rules, seed):
    check(compiled(rules), FAMILY[seed % len(FAMILY)], 3)


def same(update, **printed):
    for name, number in printed.items():
        assert getattr(update, name) == pytest.approx(number), name


def test_example_3_2_1_number_by_number():
    (one,) = thesis_example("3.2.1")
    assert one.actions == ("10♣", "7♣", "8♥")
    same(
        one, others=0.2, own=0.4, worth=[-3, 6, 3],
        probs=[1 / 3] * 3,  # "1/3 probability for each action"
        value=0.4,  # "0.2 · (−3/3 + 6/3 + 3/3) = 0.4"
        instant=[-1, 0.8, 0.2], regret=[-1, 0.8, 0.2], next=[0, 0.8, 0.2],
    )  # fmt: skip
    # printed: "0.4 · 0.8 = 0.32 and 0.4 · 0.2 = 0.08 for actions 1, 2 and 3": two numbers for three
    # actions, and of the next strategy; equation 2.6 adds what was played
    assert one.own * one.next == pytest.approx([0, 0.32, 0.08])
    assert one.strategy_sum == pytest.approx([0.4 / 3] * 3)


def test_example_3_2_2_number_by_number():
    _, two = both = thesis_example("3.2.2")
    same(
        two, iteration=2, others=0.5, own=0.3, worth=[-1, 0, 6], probs=[0, 4 / 5, 1 / 5],
        value=0.6,  # "0.5 · (−1 · 0 + 0 · 4/5 + 6 · 1/5) = 0.6"
        instant=[-1.1, -0.6, 2.4], regret=[-2.1, 0.2, 2.6],
        next=[0, 0.2 / 2.8, 2.6 / 2.8],  # as printed: 0.071 and 0.93
    )  # fmt: skip
    late = sum(update.own * update.next for update in both)
    assert np.round(late, 2).tolist() == [0, 0.34, 0.36]  # as printed
    assert late_average(both).round(2).tolist() == [0, 0.49, 0.51]  # as printed
    # by the thesis's own equation 2.6
    assert two.strategy_sum == pytest.approx([0.4 / 3, 0.4 / 3 + 0.24, 0.4 / 3 + 0.06])
    assert two.average.round(2).tolist() == [0.19, 0.53, 0.28]


def test_sampling_adds_the_differences_as_they_are():
    one, two = thesis_example("3.2.2", sampled=True)
    assert one.instant == pytest.approx([-5, 4, 1])
    assert 0.2 * one.instant == pytest.approx(thesis_example("3.2.1")[0].instant)
    assert one.next == pytest.approx([0, 0.8, 0.2])
    assert two.instant == pytest.approx([-2.2, -1.2, 4.8])


def test_uniform_play_cannot_come_with_0_4(leduc):
    """Her own reach in the first iteration is 1 over a whole number: 0.4 is assumed wrongly."""
    state, solver = start_state(leduc), CFR(alternating=False)
    after = solver.advance(leduc, state, 1)
    for infoset in range(0, leduc.num_infosets, 17):
        own = update_at(leduc, solver, state, after, infoset).own
        assert 1 / own == pytest.approx(round(1 / own))
