"""Notebook 10: typical mistakes are explained, and the questions have the right answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.lab.exercises import three_players as exercise

COIN = {"heads": 0.5, "tails": 0.5}


def plays(*rules: Any) -> Any:
    return lambda player, seen, actions: rules[player]


def mixed(one: wb.Strategy, other: wb.Strategy, weight: float) -> wb.Strategy:
    """Player 2 tosses a coin for plans; everybody else as in `one`."""

    def rule(player: int, seen: Any, actions: Any) -> Any:
        card, bets = seen
        if player != 1:
            return one.at(seen, player)
        ways = [one.at(seen, 1), other.at(seen, 1)]
        came = np.array([1 - weight, weight])
        if len(bets) > 3:
            came *= [each.at((card, "p"), 1)["p"] for each in (one, other)]
        came = came / came.sum() if came.sum() else np.array([0.5, 0.5])
        return {a: came[0] * ways[0][a] + came[1] * ways[1][a] for a in actions}

    return wb.Strategy.from_function(one.tree, rule)


class Fond(exercise._Kuhn3):
    """Player 2 cares for a friend, a little."""

    def __init__(self, friend: int) -> None:
        super().__init__()
        self.friend = friend

    def node(self, state: tuple[str, str]) -> wb.Node:
        node = super().node(state)
        if not isinstance(node, wb.Terminal):
            return node
        won = list(node.payoffs)
        won[1] += 0.001 * won[self.friend]
        return wb.Terminal(won)


def favour(friend: int) -> wb.Strategy:
    """Among player 2's best replies the one that is best for a friend."""
    wishful = wb.Strategy(wb.compile_game(Fond(friend)), exercise._sigma().probs)
    return wb.Strategy(exercise._trio(), wb.best_response(wishful, 1).strategy.probs)


def test_half() -> None:
    for answer in (
        plays("heads", "tails", COIN),
        plays("tails", "heads", COIN),
        plays("heads", COIN, "tails"),
    ):
        assert exercise.check_half(answer)
    assert "no equilibrium: player" in exercise.check_half(plays("heads", "heads", COIN)).text
    assert "player 1 wins 0" in exercise.check_half(plays(COIN, COIN, COIN)).text
    assert "player 1 wins 2" in exercise.check_half(plays("heads", "tails", "tails")).text


def test_paid_back() -> None:
    assert exercise.check_paid_back(list(exercise.SOLVERS))
    assert exercise.check_paid_back("cfr, cfr+, pcfr+, dcfr, linear-cfr")
    assert "cfr comes down to" in exercise.check_paid_back("pcfr+").text
    assert "none of them" in exercise.check_paid_back(["lp"]).text


def test_favour() -> None:
    sigma, one, three = exercise._sigma(), favour(0), favour(2)
    assert exercise.check_favour(mixed(sigma, one, 0.3613))
    assert exercise.check_favour(mixed(three, one, 0.5))  # another right one
    assert "Player 3 wins +2.26" in exercise.check_favour(sigma).text
    assert "Player 3 wins -4.00" in exercise.check_favour(one).text
    assert "only player 2 changes" in exercise.check_favour(wb.Strategy.uniform(sigma.tree)).text
    assert exercise.check_favour(wb.Strategy(sigma.tree, 0.6387 * sigma.probs + 0.3613 * one.probs))
    always = wb.seated([sigma, wb.Strategy.uniform(sigma.tree), sigma])
    assert "costs her something" in exercise.check_favour(always).text


def test_chairs() -> None:
    tree = exercise._trio()
    rng = np.random.default_rng(1)
    four = {
        str(k): wb.Strategy.from_function(tree, lambda *_: rng.dirichlet([1, 1])) for k in range(3)
    } | {"solved": exercise._sigma()}
    won = [
        wb.expected_values([four[a], four[b], four[c]])[2] > 0
        for a in four
        for b in four
        for c in four
        if len({a, b, c}) == 3
    ]
    assert len(won) == 24
    answer = {"seatings": 24, "third chair wins": sum(won)}
    assert exercise.check_chairs(four, answer)
    assert exercise.check_chairs(list(four.values()), [24, sum(won)])
    assert "*tables*" in exercise.check_chairs(four, [4, 4]).text
    assert "sits twice" in exercise.check_chairs(four, [64, 4]).text
    assert "Not 25 times" in exercise.check_chairs(four, [24, 25]).text
    assert "the same strategy" in exercise.check_chairs([four["0"]] * 4, [24, 24]).text
    assert "our strategies are" in exercise.check_chairs(list(four.values())[:3], [24, 24]).text
    kuhn = wb.Strategy.uniform(wb.compile_game(wb.load_game("kuhn")))
    assert "a game for three" in exercise.check_chairs([kuhn] * 4, [24, 24]).text


def test_worst() -> None:
    assert exercise.check_worst(-6)
    assert "48ths" in exercise.check_worst("-6/48").text
    assert "both may change" in exercise.check_worst(-4).text
    assert "in equilibrium" in exercise.check_worst(2.263).text
    assert "sign" in exercise.check_worst(6).text


def test_no_pair_of_random_plans_is_worse() -> None:
    """The exhaustive search against climbing from random mixed plans, as in the notebook."""
    ruin = wb.compile_game(exercise._Kuhn3(ruin=True))
    rng, found = np.random.default_rng(0), []
    for _ in range(20):
        plans = wb.Strategy.from_function(ruin, lambda *_: rng.dirichlet([1, 1]))
        pair = wb.seated([plans, plans, wb.Strategy(ruin, exercise._sigma().probs)])
        for _ in range(6):
            pair = wb.best_response(wb.best_response(pair, 0).strategy, 1).strategy
        found.append(48 * wb.expected_values(pair)[2])
    assert min(found) >= exercise._worst() - 1e-9
    assert min(found) == pytest.approx(exercise._worst(), abs=0.01)


def test_questions() -> None:
    odd = wb.compile_game(wb.load_game("odd_one_out"))
    whole = wb.abstract(odd, lambda player, seen, actions: seen)
    for sigma in wb.learnt_equilibria(whole, "cfr+", iterations=1_000, seeds=10):
        assert wb.expected_values(sigma).min() == pytest.approx(-1, abs=0.02)
    assert exercise.BORDER.answer.startswith("on the border")  # type: ignore[union-attr]
    assert exercise.CIRCLE.answer.startswith("about a fifth")  # type: ignore[union-attr]


@pytest.mark.slow
def test_the_third_seat() -> None:
    from workbench.solvers.base import State, start_state
    from workbench.strategy import normalised

    tree = wb.compile_game(wb.load_game("leduc", players=3, suit_isomorphism=True))
    blank, values = start_state(tree), []
    for seed in (None, 0, 1, 2, 3):
        start = None
        if seed is not None:
            regret = np.random.default_rng(seed).exponential(0.1, tree.num_choices)
            probs = normalised(tree, regret).probs.copy()
            start = State(0, regret, probs, blank.strategy_sum.copy(), blank.rng)
        state = next(wb.iterate(tree, "pcfr+", start=start, every=4_000))
        values.append(1000 * wb.expected_values(wb.average(tree, state))[2])
    assert exercise.SEAT.answer == pytest.approx(np.ptp(values), abs=2)
