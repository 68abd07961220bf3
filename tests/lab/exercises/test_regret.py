"""Notebook 02: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.lab.exercises import regret as exercise


def test_any_action_may_be_left_out() -> None:
    for mix in [(0, 1 / 3, 2 / 3), (2 / 3, 0, 1 / 3), (1 / 3, 2 / 3, 0), ("0.333", "0.667", "0")]:
        assert exercise.check_left_out(mix)
    for mix in permutations((0, 0.5, 0.5)):
        assert "wins 0.5" in exercise.check_left_out(mix).text
    assert "plays scissors and wins 0.667" in exercise.check_left_out([0, 2 / 3, 1 / 3]).text
    assert "all three" in exercise.check_left_out([0.2, 0.3, 0.5]).text
    assert "sum 1" in exercise.check_left_out([0, 1, 2]).text


def test_starts(kuhn: wb.GameTree) -> None:
    lp, cfr = wb.solve(kuhn, "lp"), wb.solve(kuhn, "cfr", 2_000)
    assert exercise.check_starts(lp, cfr.strategy)
    assert "further apart" in exercise.check_starts(lp, lp).text
    assert "more iterations" in exercise.check_starts(lp, wb.solve(kuhn, "cfr", 5)).text


def steps(solver: Any, linear: bool = True, end: int = 10**9) -> Any:
    """A generator as a student would write it, out of the package's own iterations."""

    def generate(tree: wb.GameTree) -> Iterator[Any]:
        total, before = np.zeros(tree.num_choices), np.zeros(tree.num_choices)
        for state in wb.iterate(tree, solver):
            plan = (state.strategy_sum - before) / (1 if solver == "cfr" else state.iteration)
            total, before = total + plan * (state.iteration if linear else 1), state.strategy_sum
            yield state.regret, state.probs, total
            if state.iteration == end:
                return

    return generate


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (steps("cfr"), "plain CFR"),
        (steps("cfr+", linear=False), "counts t times"),
        (steps("dcfr"), "differ from CFR+"),
        (steps("cfr+", end=7), "ended after 7"),
        (lambda tree: iter([1, 2, 3]), "three arrays"),
        (lambda tree: 3, "stopped"),
    ],
    ids=range(6),
)
def test_cfr_plus(answer: Any, why: str) -> None:
    assert why in exercise.check_cfr_plus(answer).text


def test_cfr_plus_accepts_any_scale_of_the_average() -> None:
    def scaled(tree: wb.GameTree) -> Iterator[Any]:
        for regret, probs, total in steps("cfr+")(tree):
            yield list(regret), probs, 10 * total

    assert exercise.check_cfr_plus(scaled)


@pytest.mark.parametrize(
    ("factor", "why"),
    [(3, "always reached"), (1 / 2, "two of them"), (100, "√T"), (1 / 100, "not by T")],
)
def test_bound(factor: float, why: str, kuhn: wb.GameTree) -> None:
    truth = wb.regret_bound(kuhn, 10_000)[0] / 3
    assert exercise.check_bound(truth)
    assert why in exercise.check_bound(truth * factor).text


def test_exponents() -> None:
    assert exercise.check_exponents(wb.solvers.DCFR(alpha=2.0))
    assert exercise.check_exponents({"alpha": 1.5, "beta": -1, "gamma": 2})
    assert "itself" in exercise.check_exponents((1.5, 0, 2)).text
    assert "after 1,000 iterations" in exercise.check_exponents((1, 0, 2)).text


def test_questions(kuhn: wb.GameTree) -> None:
    assert exercise.PROMISE.answer == pytest.approx(wb.regret_bound(kuhn, 10_000)[0], abs=5e-4)
    leduc = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))
    names = ("cfr", "cfr+", "linear-cfr", "dcfr", "pcfr+")
    best = [
        min(names, key=lambda name: wb.solve(tree, name, 2_000).exploitability)
        for tree in (kuhn, leduc)
    ]
    assert best[0] == "pcfr+"
    assert best[1] in ("cfr+", "dcfr")
    assert exercise.RACE.answer == "pcfr+ on Kuhn, cfr+ or dcfr on Leduc"
