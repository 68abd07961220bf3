"""Notebook 04: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.lab.exercises import sampling as exercise
from workbench.passes import reach


def test_touches(kuhn: wb.GameTree) -> None:
    """15 is the sum of what both walks come to, as the notebook's formula says."""
    bold = wb.Strategy.from_function(kuhn, lambda *asked: "b").probs
    owner = np.repeat(kuhn.infoset_player, np.diff(kuhn.first_choice))
    total = sum(reach(kuhn, np.where(owner == i, 1.0, bold)).sum() for i in (0, 1))
    assert exercise.check_touches(total)
    for slip, why in {9: "player 1's", 14.5: "coin-tossers", 116: "full CFR"}.items():
        assert why in exercise.check_touches(slip).text


@pytest.mark.parametrize(
    ("factor", "why"), [(2, "Her own pass"), (6, "the deal"), (8, "each halves"), (24, "among all")]
)
def test_outcome(factor: float, why: str) -> None:
    truth = {-4: 1 / 48, 2: 1 / 24, 4: 1 / 48}
    assert exercise.check_outcome(truth)
    assert exercise.check_outcome({"−4": "1/48", "+2": "1/24", "4": "1/48"})
    assert why in exercise.check_outcome({key: factor * value for key, value in truth.items()}).text
    assert "2: " in exercise.check_outcome([1 / 48, 1 / 48, 1 / 48]).text


def endings(count: Any) -> Any:
    """One random hand; `count(w, total)` is what it guesses."""

    def guess(rules: Any, rng: np.random.Generator) -> float:
        outcomes = rules.node(rules.start()).probabilities
        deals = list(outcomes)
        state, w, total = rules.next(rules.start(), deals[rng.integers(len(deals))]), len(deals), 1
        while not isinstance(node := rules.node(state), wb.Terminal):
            if len(node.actions) > 1:
                total += w
                w *= len(node.actions)
            state = rules.next(state, node.actions[rng.integers(len(node.actions))])
        return float(count(w, total + w))

    return guess


def test_endings() -> None:
    assert exercise.check_endings(endings(lambda w, total: w))
    assert "all histories" in exercise.check_endings(endings(lambda w, total: total)).text
    assert "counts once" in exercise.check_endings(endings(lambda w, total: 1)).text
    assert "a guess is needed" in exercise.check_endings(lambda rules, rng: "many").text.lower()


def steps(solver: Any, scale: float = 1.0) -> Any:
    def generate(tree: wb.GameTree, seed: int) -> Iterator[Any]:
        for state in wb.iterate(tree, solver, seed=seed):
            yield scale * state.regret, state.strategy_sum

    return generate


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (steps(wb.solvers.CFR(alternating=False)), "full CFR"),
        (steps(wb.solvers.ExternalSampling(linear=False)), "external sampling"),
        (steps(wb.solvers.ChanceSampling(linear=False), 1 / 6), "multiplied in"),
        (steps(wb.solvers.ChanceSampling(linear=False), 3.0), "should say"),
        (lambda tree, seed: iter([1, 2]), "two arrays"),
    ],
    ids=range(5),
)
def test_chance_sampling(answer: Any, why: str) -> None:
    assert why in exercise.check_chance_sampling(answer).text


def test_chance_sampling_with_a_bad_average() -> None:
    def generate(tree: wb.GameTree, seed: int) -> Iterator[Any]:
        for state in wb.iterate(tree, wb.solvers.ChanceSampling(linear=False), seed=seed):
            yield state.regret, np.ones(tree.num_choices)

    assert "The average" in exercise.check_chance_sampling(generate).text
    assert exercise.check_chance_sampling(steps(wb.solvers.ChanceSampling(linear=False)))


def test_questions() -> None:
    tree = wb.compile_game(wb.load_game("toepen", suits=3, ranks=3, hand=2))
    assert exercise.GROWTH.answer == tree.num_histories
    assert "CFR by the clock" in str(exercise.LEADER.answer)
    assert exercise.POINTS.answer == 0
