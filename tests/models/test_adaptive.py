"""A player who learns: what she wins, what she risks, and that she never risks more."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from workbench.lab.lectures.learning_match import learning_match, match_score, worst_opponent
from workbench.lab.lectures.opponent_types import Types

from tests.models.test_beliefs import game
from tests.random_games import random_strategy
from workbench import Strategy, best_response, exploitability, tournament
from workbench.models.adaptive import Adaptive
from workbench.models.beliefs import Counts, Hand, ends_of


def maniac(player, seen, actions):
    return actions[-1]


def caller(player, seen, actions):
    return "c"


@pytest.mark.parametrize("who", [caller, maniac])
@pytest.mark.parametrize("answer", ["safe", "data-biased"])
def test_she_wins_more_than_an_equilibrium_and_risks_no_more_than_allowed(who, answer):
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


def test_against_the_worst_she_loses_her_budget_at_most():
    learner = Adaptive(game("leduc"), budget=0.1, every=20)
    played = learning_match(learner, worst_opponent, deals=40, seed=1)
    lost = played["value"] - played["expected"]
    assert lost.max() <= 0.1 + 1e-8
    assert lost.iloc[-1] > 0.01  # and here she does risk something


def most_lost(learner, hands):
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
def test_with_gifts_the_worst_opponent_of_a_whole_match_wins_the_budget_at_most(budget, hands):
    """She may look weak on purpose first; all of her plans for these hands are tried."""
    tree = game("kuhn")
    model = Counts(Strategy.uniform(tree), weight=1)  # which is wrong
    learner = Adaptive(tree, model, budget=budget, gifts=True, every=1)
    assert most_lost(learner, hands) <= budget + 1e-7


def test_without_gifts_a_budget_for_each_hand_is_lost_in_each_hand():
    tree = game("kuhn")
    free = Adaptive(tree, Counts(Strategy.uniform(tree), weight=1), budget=0.3, every=1)
    assert most_lost(free, 2) > 0.3


def test_gifts_pay_for_risks():
    tree = game("kuhn")
    shy = Strategy.from_function(tree, lambda player, seen, actions: "p")
    learner = Adaptive(tree, budget=0.0, gifts=True)
    played = learning_match(learner, shy, deals=200, seed=3)
    assert learner.budget is not None
    assert learner.budget > 1.0
    assert played["expected"].tail(20).mean() > played["expected"].head(20).mean() + 0.1


def test_with_gifts_the_account_is_what_was_won_on_average_in_open_games():
    """Where all is shown (here: seat 0's ends alone) account − budget has the mean of winnings −
    value; so over many short matches both agree within their noise."""
    tree = game("kuhn")
    hers = random_strategy(tree, 2)
    account, won = [], []
    for seed in range(20):
        learner = Adaptive(tree, Counts(Strategy.uniform(tree), 1), budget=0.2, gifts=True, every=4)
        played = learning_match(learner, hers, deals=6, seed=seed)
        assert learner.budget is not None
        account.append(learner.budget - 0.2)
        won.append((played["expected"] - played["value"]).sum())
    error = np.std(np.subtract(account, won), ddof=1) / np.sqrt(20)
    assert np.mean(account) <= np.mean(won) + 3 * error  # hidden cards are counted at their least


def test_the_same_hands_make_the_same_player():
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


def test_types_are_told_apart_within_a_few_hands():
    tree = game("leduc")
    habits = {"caller": caller, "maniac": maniac}
    types = {name: Strategy.from_function(tree, habit) for name, habit in habits.items()}
    types["plain"] = Strategy.uniform(tree)
    learner = Adaptive(tree, Types(types), budget=0.1, every=5)
    learning_match(learner, types["maniac"], deals=20, seed=0)
    assert learner.believes()["probability"].idxmax() == "maniac"
    assert learner.believes().loc["maniac", "probability"] > 0.99
