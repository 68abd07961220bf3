"""Where things enter: one clear error for what cannot work, whoever is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.games.matrix import Matrix

KUHN = wb.load_game("kuhn")
TREE = wb.compile_game(KUHN)
UNIFORM = wb.Strategy.uniform(TREE)

REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "uniform of rules": (lambda: wb.Strategy.uniform(KUHN), "a compiled game is needed"),
    "load for rules": (lambda: wb.Strategy.load("x.npz", KUHN), "a compiled game is needed"),
    "abstract rules": (lambda: wb.abstract(KUHN, "null"), "a compiled game is needed"),
    "iterate rules": (lambda: wb.iterate(KUHN, "cfr"), "a compiled game is needed"),
    "unknown solver, before the first step": (lambda: wb.iterate(TREE, "nope"), "no solver 'nope'"),
    "exploitability of a tree": (lambda: wb.exploitability(TREE), "a Strategy is needed"),
    "best response to a tree": (lambda: wb.best_response(TREE, 0), "a Strategy is needed"),
    "values of a tree": (lambda: wb.expected_values(TREE), "a Strategy is needed"),
    "values of trees": (lambda: wb.expected_values([TREE, TREE]), "a Strategy is needed"),
    "a solver's class": (lambda: wb.solve(TREE, wb.solvers.CFRPlus), "is no solver"),
    "alpha that is no number": (lambda: wb.solvers.DCFR(alpha=float("nan")), "alpha must be"),
    "alpha in words": (lambda: wb.solvers.DCFR(alpha="1"), "alpha must be a number"),
    "gamma beyond all numbers": (
        lambda: wb.solvers.DCFR(gamma=1000),
        "gamma must be a number from 0",
    ),
    "alternating in words": (lambda: wb.solvers.CFR(alternating="no"), "alternating must be"),
    "a state whose arrays do not fit": (
        lambda: replace(wb.solvers.start_state(TREE), strategy_sum=np.zeros(3)),
        r"strategy_sum of a state has shape \(3,\)",
    ),
    "gather a few": (
        lambda: wb.abstract(TREE, lambda player, seen, actions: seen).gather([1.0, 2.0]),
        "one number for each of the 24 choices",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    attempt, message = REFUSED[case]
    with pytest.raises(wb.GameError, match=message):
        attempt()


def test_regrets_of_two_games_are_not_mixed() -> None:
    other = wb.Strategy.uniform(wb.compile_game(wb.load_game("smuggler")))
    with pytest.raises(wb.GameError, match="profile 2 is of another game"):
        wb.measured_regrets([UNIFORM, other])


def test_a_mistake_in_a_students_function_says_where_it_happened() -> None:
    def clumsy(player: int, seen: Any, actions: Any) -> Any:
        return {"J": "b"}[seen[0]]

    for ask in (wb.Strategy.from_function, wb.abstract):
        with pytest.raises(KeyError) as caught:
            ask(TREE, clumsy)
        assert any("who has seen ('Q'," in note for note in caught.value.__notes__)


def test_at_prefers_what_was_really_seen() -> None:
    class Two:
        name, players = "two", 1

        def start(self) -> tuple[Any, ...]:
            return ()

        def next(self, state: tuple[Any, ...], action: Any) -> tuple[Any, ...]:
            return (*state, action)

        def node(self, state: tuple[Any, ...]) -> Any:
            if not state:
                return wb.Chance({"1": 0.5, (1,): 0.5})
            if len(state) == 1:
                return wb.Decision(0, state[0], ["l", "r"])
            return wb.Terminal([0.0])

    sigma = wb.Strategy.from_function(
        wb.compile_game(Two()), lambda player, seen, actions: "l" if seen == "1" else "r"
    )
    assert sigma.at("1") == {"l": 1.0, "r": 0.0}
    assert sigma.at((1,)) == {"l": 0.0, "r": 1.0}


def test_probabilities_that_nearly_sum_to_one_are_made_to() -> None:
    sigma = wb.Strategy.from_function(TREE, lambda player, seen, actions: [0.3333333, 0.6666666])
    assert np.abs(np.add.reduceat(sigma.probs, TREE.first_choice[:-1]) - 1).max() < 1e-15


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12, 1e15])
def test_lp_is_exact_for_payoffs_of_any_size(size: float) -> None:
    payoffs = np.random.default_rng(0).normal(size=(5, 7)) * size
    game = Matrix("big", payoffs, [*"abcde"], [*"tuvwxyz"])
    assert wb.solve(game, "lp").exploitability < 1e-9 * size


def test_lp_is_not_fooled_by_the_state_of_another_solver() -> None:
    start = wb.solve(TREE, "cfr", 5).state
    assert wb.solve(TREE, "lp", start=start).exploitability < 1e-9


def test_a_name_without_its_ending_is_found_again(tmp_path: Any) -> None:
    UNIFORM.save(tmp_path / "mine")
    assert np.array_equal(wb.Strategy.load(tmp_path / "mine", TREE).probs, UNIFORM.probs)


class Forgetful:
    """A player who does not remember her own first move."""

    name, players = "forgetful", 1

    def start(self) -> str:
        return ""

    def next(self, state: str, action: str) -> str:
        return state + action

    def node(self, state: str) -> Any:
        return wb.Terminal([float(state == "lr")]) if len(state) == 2 else wb.Decision(0, 0, "lr")


def test_there_is_no_target_without_perfect_recall() -> None:
    assert not wb.compile_game(Forgetful()).perfect_recall
    assert wb.solve(Forgetful(), "cfr", 10).iterations == 10
    with pytest.raises(wb.GameError, match="target: in 'forgetful' a player forgets"):
        wb.solve(Forgetful(), "cfr", 10, target=0.1)


def test_names_that_change_with_the_process_are_no_names() -> None:
    class Nameless(Forgetful):
        card = object()

        def node(self, state: str) -> Any:
            return wb.Terminal([0.0]) if state else wb.Decision(0, self.card, "lr")

    with pytest.raises(wb.GameError, match="no lasting name; use plain values"):
        _ = wb.compile_game(Nameless()).fingerprint
