"""The CFR stepper and the worked examples without kernel and browser."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from workbench.lab.lectures.cfr_stepper import CFRStepper, smoothed_worth

import workbench as wb
from tests.lab.widgets.helpers import SOON, press, said, text, until


@pytest.fixture
def steppers(panels: Any) -> Any:
    return partial(panels, CFRStepper)


def stepped(stepper: CFRStepper, iterations: int) -> None:
    stepper.step(iterations)
    assert stepper.wait(SOON)


def same(a: Any, b: Any) -> bool:
    return a.iteration == b.iteration and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for name in ("regret", "probs", "strategy_sum", "memory")
    )


@pytest.mark.parametrize("solver", ["cfr+", "external-sampling", "egt", "iterated-smoothing"])
def test_steps_are_the_solvers(steppers, kuhn, solver):
    stepper = steppers(kuhn, solver, seed=3)
    for name in ("step", "ten", "hundred"):
        press(stepper, name)
    state = next(wb.iterate(kuhn, solver, seed=3, every=111))
    assert same(stepper.state, state)
    assert stepper.exploitability == wb.exploitability(wb.average(kuhn, state))
    assert f"{stepper.exploitability:.4f}" in stepper.status.value
    assert "After <b>111</b> iterations" in stepper.status.value
    assert "chips per game to a perfect opponent" in stepper.status.value
    assert stepper.before.iteration == 110
    assert [t for t, _ in stepper.trace][:12] == [*range(1, 12), 21]
    assert f"{solver} goes from" in stepper.curve.view.value


def test_the_first_iteration_of_kuhn_on_the_table(steppers):
    stepper = steppers("kuhn", wb.solvers.CFR(alternating=False))
    before = text(stepper.table.value)
    assert "1 Q pb p 0 b 0 p 0.500 b 0.500 p 0.500 b 0.500" in before
    assert "▲" not in before
    assert "Press Step" in stepper.worked.value
    stepped(stepper, 1)
    # by hand: folding loses 1, calling is worth 0, with π_-i = 2 · 1/6 · 1/2
    shown = text(stepper.table.value)
    assert "1 Q pb p −0.083 ▼ b +0.083 ▲ p 0.000 ▼ b 1.000 ▲ p 0.500 b 0.500" in shown
    stepper.at.value = stepper.tree.find_infoset("Q pb")
    worked = text(stepper.worked.value)
    for line in (
        "π −i = 0.1667", "π i = 0.5", "Σ σ v −0.083",
        "p 0.500 −1.000 −0.167 −0.083 0 −0.083 0.000 0.250 0.500",
        "b 0.500 0 0 +0.083 0 +0.083 1.000 0.250 0.500",
    ):  # fmt: skip
        assert line in worked


def test_what_a_solver_does_beyond_cfr_is_said(steppers):
    stepper = steppers("kuhn", "cfr+")
    stepped(stepper, 2)
    assert "negative sums become 0" in stepper.worked.value
    assert "counts 2 times in the average" in stepper.worked.value
    stepper.solver.value = "dcfr"
    assert stepper.state.iteration == 0
    stepped(stepper, 2)
    assert "sums above zero count 0.739 times, below 0.5 times" in stepper.worked.value


def test_sampling_marks_where_it_has_been(steppers):
    stepper = steppers("kuhn", "external-sampling", seed=1)
    press(stepper, "step")
    came = ["wb-new" in row for row in stepper.table.value.split("<tr>")[2:]]
    assert 1 <= sum(came) < 12
    assert "comes to a set with luck" in stepper.worked.value
    changed = stepper.state.regret != 0.0
    sets = {int(k) for k in stepper.tree.choice_infoset[changed]}
    assert sets <= {k for k, there in enumerate(came) if there}


def test_egt_shows_smoothing_and_no_regrets(steppers, kuhn):
    stepper = steppers(kuhn, "egt")
    assert "player sees smoothed best response plan 1 J p 0.500" in text(stepper.table.value)
    stepped(stepper, 1)
    stepped(stepper, 11)
    first, state = next(wb.iterate(kuhn, "egt", every=11)), stepper.state
    shown = text(stepper.worked.value)
    assert "regret" not in text(stepper.table.value) + shown
    for memory in (first.memory, state.memory):
        assert " ".join(f"{mu:.3g}" for mu in memory[:2]) in shown
    worth = smoothed_worth(kuhn, wb.solvers.EGT(), state)
    assert f"τ = {state.memory[2]:.3g}" in shown
    assert f"Together −{-worth.sum():.6f} ≤ 0: the plans have an excessive gap" in shown
    assert f"the gap, {2 * stepper.exploitability:.3g}" in shown
    stepper.solver.value = "cfr"  # and back
    assert "regret R" in stepper.table.value


def test_large_games_show_a_path_or_a_filter(steppers):
    stepper = steppers("leduc", path=("Q♠", "K♠", "c", "r"))
    labels = [stepper.tree.infoset_label(infoset) for infoset in stepper.infosets]
    assert labels == ["Q♠", "K♠ c", "Q♠ cr"]
    whole = steppers("leduc")
    assert "and 912 more sets" in whole.table.value
    whole.filter.value = "K♥ J♠"
    assert "more sets" not in text(whole.table.value) or "and 6 more" in whole.table.value
    assert all("K♥ J♠" in whole.tree.infoset_label(k) for k in whole.infosets)
    whole.filter.value = "nonsense"
    assert "no information set has" in said(whole)
    stepped(whole, 2)  # goes on, and says it again
    assert "no information set has" in said(whole)
    assert whole.stop_button.disabled
    whole.filter.value = ""
    assert said(whole) == ""
    stepped(whole, 1)
    assert whole.state.iteration == 3


def test_reset_and_stop(steppers, kuhn):
    stepper = steppers(kuhn)
    stepped(stepper, 5)
    stepper.reset_button.click()
    assert stepper.state.iteration == 0
    assert stepper.trace == []
    stepper.step(50_000_000)
    assert not stepper.stop_button.disabled
    assert stepper.solver.disabled
    until(lambda: stepper.job._told[2] is not None or not stepper.running)
    press(stepper, "stop")
    reached = stepper.state.iteration
    assert stepper.stop_button.disabled
    assert reached < 50_000_000
    press(stepper, "step")
    assert stepper.state.iteration == reached + 1
    stepper.step(10_000_000)
    stepper.reset_button.click()  # in the middle: the steps are forgotten
    press(stepper, "step")
    assert stepper.state.iteration == 1


def test_games_without_perfect_recall(steppers, ranked):
    coarse = wb.abstract(ranked, lambda player, seen, actions: (len(actions), seen[2][-1:])).coarse
    assert not coarse.perfect_recall
    stepper = steppers(coarse)
    stepped(stepper, 3)
    assert "After <b>3</b> iterations." in stepper.status.value


def test_another_seed_begins_again(steppers):
    stepper = steppers("kuhn", "external-sampling", seed=5)
    stepped(stepper, 20)
    stepper.seed.value = 6
    assert stepper.state.iteration == 0
    stepper.seed.value = -4
    assert "seed" in said(stepper)
    stepper.step_button.click()  # not with the seed before, which nobody sees any more
    assert "seed must be a whole number of at least 0, not -4" in said(stepper)
    assert stepper.state.iteration == 0
    stepper.seed.value = 6
    assert said(stepper) == ""
    press(stepper, "step")
    assert stepper.state.iteration == 1


@pytest.mark.parametrize("solver", ["cfr+", "outcome-sampling", "egt"])
def test_back_is_the_same_as_never_having_gone_on(steppers, kuhn, solver):
    stepper = steppers(kuhn, solver, seed=2)
    assert stepper.back_button.disabled
    press(stepper, "hundred")
    press(stepper, "back")
    press(stepper, "back")
    assert same(stepper.state, next(wb.iterate(kuhn, solver, seed=2, every=98)))
    assert same(stepper.before, next(wb.iterate(kuhn, solver, seed=2, every=97)))
    assert "After <b>98</b> iterations" in stepper.status.value
    assert stepper.exploitability == wb.exploitability(wb.average(kuhn, stepper.state))
    assert [t for t, _ in stepper.trace] == sorted({t for t, _ in stepper.trace})
    assert stepper.trace[-1][0] == 98
    press(stepper, "step")
    assert same(stepper.state, next(wb.iterate(kuhn, solver, seed=2, every=99)))
    stepper.reset()
    press(stepper, "step")
    press(stepper, "back")
    assert (stepper.state.iteration, stepper.trace) == (0, [])
    assert stepper.back_button.disabled
    assert "Press Step" in stepper.worked.value


def test_an_example_of_the_thesis_on_the_table(panels):
    example = panels(CFRStepper.example, "3.2.2")
    shown = text(example._repr_mimebundle_()["text/html"])
    assert text(example.shown.value) in shown
    for line in (
        "10♣ 0.000 −1.000 −0.500 −1.100 −1.000 −2.100 0.000 0.133 0.190", "Σ σ v +0.600",
        "comes to (0.00, 0.49, 0.51)",  # as printed
        "(0.19, 0.53, 0.28)",  # by equation 2.6
    ):  # fmt: skip
        assert line in shown
