"""A player who learns: what she wins, what she risks, and that she never risks more."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from workbench.lab.lectures.learning_match import learning_match, match_score, worst_opponent
from workbench.lab.lectures.opponent_types import Types

from tests.models.test_beliefs import game
from tests.random_games import random_strategy
from workbench import (
    GameError,
    Strategy,
    best_response,
    compile_game,
    exploitability,
    load_game,
    tournament,
)
from workbench.models.adaptive import Adaptive
from workbench.models.beliefs import Counts, Hand, ends_of


def maniac(player: int, seen: Any, actions: Any) -> Any:
    return actions[-1]


def caller(player: int, seen: Any, actions: Any) -> Any:
    return "c"


@pytest.mark.parametrize("who", [caller, maniac])
@pytest.mark.parametrize("answer", ["safe", "data-biased"])
def test_she_wins_more_than_an_equilibrium_and_risks_no_more_than_allowed(
    who: Any, answer: Any
) -> None:
    tree = game("leduc")
    learner = Adaptive(tree, budget=0.1, answer=answer, every=50)
    hers = Strategy.from_function(tree, who)
    first = learner.strategy
    played = learning_match(learner, hers, deals=150, seed=0)
    plain = tournament({"a": first, "b": hers}).loc["a", "b"]
    now = tournament({"a": learner.strategy, "b": hers}).loc["a", "b"]
    assert now > plain + 0.3
    assert exploitability(learner.strategy) <= 0.1 + 1e-8
    assert (played["value"] - played["sure"]).max() <= 0.1 + 1e-8
    assert abs(match_score(played)["winnings"] - match_score(played)["expected"]) < 0.8


def test_against_the_worst_she_loses_her_budget_at_most() -> None:
    learner = Adaptive(game("leduc"), budget=0.1, every=20)
    played = learning_match(learner, worst_opponent, deals=40, seed=1)
    lost = played["value"] - played["expected"]
    assert lost.max() <= 0.1 + 1e-8
    assert lost.iloc[-1] > 0.01  # and here she does risk something


def most_lost(learner: Adaptive, hands: int) -> float:
    """The most that anybody can win in so many hands from seat 0's learner beyond the value of the
    game, by backward induction over everything that the learner can see."""
    tree, after = learner.tree, {}
    later = np.zeros(tree.num_terminals)
    for end, look in enumerate(ends_of(tree).sight[0].tolist() if hands > 1 else []):
        if look not in after:
            copy = deepcopy(learner)
            copy.saw(Hand.ended(tree, 0, end))
            after[look] = most_lost(copy, hands - 1)
        later[end] = after[look]
    paid = replace(tree, utility=tree.utility + np.stack([-later, later], axis=1))
    best = best_response(Strategy(paid, learner.strategy.probs), 1).value
    return best + learner.answers[0].value


@pytest.mark.parametrize(
    ("budget", "hands"), [(0.0, 2), (0.1, 2), pytest.param(0.1, 3, marks=pytest.mark.slow)]
)
def test_with_gifts_the_worst_opponent_of_a_whole_match_wins_the_budget_at_most(
    budget: float, hands: int
) -> None:
    """She may look weak on purpose first; all of her plans for these hands are tried."""
    tree = game("kuhn")
    model = Counts(Strategy.uniform(tree), weight=1)  # which is wrong
    learner = Adaptive(tree, model, budget=budget, gifts=True, every=1)
    assert most_lost(learner, hands) <= budget + 1e-7
    free = Adaptive(tree, Counts(Strategy.uniform(tree), weight=1), budget=0.3, every=1)
    assert most_lost(free, 2) > 0.3  # a budget for each hand is lost in each hand


def test_gifts_pay_for_risks() -> None:
    tree = game("kuhn")
    shy = Strategy.from_function(tree, lambda player, seen, actions: "p")
    learner = Adaptive(tree, budget=0.0, gifts=True)
    played = learning_match(learner, shy, deals=200, seed=3)
    assert learner.budget is not None
    assert learner.budget > 1.0
    assert played["expected"].tail(20).mean() > played["expected"].head(20).mean() + 0.1


def test_with_gifts_the_account_is_what_was_won_on_average_in_open_games() -> None:
    """Where all is shown (here: seat 0's ends alone) account − budget has the mean of winnings −
    value; so over many short matches both agree within their noise."""
    tree = game("kuhn")
    hers = random_strategy(tree, 2)
    account, won = [], []
    for seed in range(40):
        learner = Adaptive(tree, Counts(Strategy.uniform(tree), 1), budget=0.2, gifts=True, every=4)
        played = learning_match(learner, hers, deals=6, seed=seed)
        assert learner.budget is not None
        account.append(learner.budget - 0.2)
        won.append((played["expected"] - played["value"]).sum())
    error = np.std(np.subtract(account, won), ddof=1) / np.sqrt(40)
    assert np.mean(account) <= np.mean(won) + 3 * error  # hidden cards are counted at their least


def test_the_same_hands_make_the_same_player() -> None:
    tree = game("kuhn")
    hands = [Hand.ended(tree, k % 2, 5 * k % tree.num_terminals) for k in range(30)]
    one, two = (Adaptive(tree, budget=0.1, gifts=gifts) for gifts in (False, False))
    for hand in hands:
        one.saw(hand)
        _ = one.strategy  # asked after each hand, or once at the end
        two.saw(hand)
    np.testing.assert_array_equal(one.strategy.probs, two.strategy.probs)
    assert one.probabilities(0, ("Q", ""), ("p", "b")) == list(one.strategy.at("Q").values())
    assert one.believes()["times"].sum() > 29


def test_types_are_told_apart_within_a_few_hands() -> None:
    tree = game("leduc")
    habits = {"caller": caller, "maniac": maniac}
    types = {name: Strategy.from_function(tree, habit) for name, habit in habits.items()}
    types["plain"] = Strategy.uniform(tree)
    learner = Adaptive(tree, Types(types), budget=0.1, every=5)
    learning_match(learner, types["maniac"], deals=20, seed=0)
    assert learner.believes()["probability"].idxmax() == "maniac"
    assert learner.believes().loc["maniac", "probability"] > 0.99


def test_what_cannot_be_is_said_in_a_sentence() -> None:
    tree, three = game("kuhn"), compile_game(load_game("leduc", players=3))
    with pytest.raises(GameError, match="two players"):
        Adaptive(three)
    with pytest.raises(GameError, match="compiled game"):
        Adaptive(load_game("kuhn"))  # type: ignore[arg-type]
    for no_model in (Strategy.uniform(tree), 3):
        with pytest.raises(GameError, match="model of an opponent, such as wb"):
            Adaptive(tree, no_model)  # type: ignore[arg-type]
    with pytest.raises(GameError, match="counts"):
        Adaptive(tree, Types({"a": Strategy.uniform(tree)}), answer="data-biased")
    with pytest.raises(GameError, match="gifts are added"):
        Adaptive(tree, budget=None, gifts=True)
    with pytest.raises(GameError, match="the model is of"):
        Adaptive(tree, Counts(Strategy.uniform(game("leduc"))))
