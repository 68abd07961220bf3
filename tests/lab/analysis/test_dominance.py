"""Dominated choices, against the definition applied to every pure strategy."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from workbench.lab.ledger.papers.dominance import Beliefs
from workbench.lab.ledger.papers.matrix import Matrix

import workbench as wb
from tests import oracles
from tests.random_games import SEEDS, compiled, random_games, random_strategy
from workbench.evaluation.tournament import all_seatings
from workbench.passes import reach


def pure_strategies(tree, player, limit):
    """(K,) each; None if there are too many."""
    found, uniform = oracles.pure_strategies(tree.rules, player, limit), wb.Strategy.uniform(tree)
    others = oracles.policy_of(uniform)
    return found and [oracles.array_of(tree, others | pure) for pure in found]


def dominated_by_definition(tree, player, limit):
    """Definition 6 for each pure strategy by a linear program, then choice by choice."""
    mine, theirs = (pure_strategies(tree, i, limit) for i in (player, 1 - player))
    if mine is None or theirs is None:
        return None
    strategies = [wb.Strategy(tree, probs) for probs in mine + theirs]
    worth = all_seatings(strategies)[..., player]
    rows, columns = range(len(mine)), range(len(mine), len(strategies))
    U = worth[np.ix_(rows, columns)] if player == 0 else worth[np.ix_(columns, rows)].T
    dominated = np.ones(tree.num_choices, np.bool_)
    for k, probs in enumerate(mine):
        # maximise the total lead of a mixture that is never behind
        lead = linprog(-U.sum(axis=1), A_ub=-U.T, b_ub=-U[k], A_eq=np.ones((1, len(U))), b_eq=[1.0])
        if -lead.fun - U[k].sum() > 1e-7:
            continue
        made = np.zeros(tree.num_choices, np.bool_)  # on the way of this pure strategy
        for infoset in tree.infosets_of(player):  # earlier ones first
            above = tree.parent_choice[infoset]
            low, high = tree.first_choice[infoset : infoset + 2]
            made[low:high] = (above < 0 or made[above]) & (probs[low:high] == 1.0)
        dominated[made] = False
    return dominated[tree.choices_of(player)]


def check(tree, limit):
    """Compare with the definition; False if there were too many pure strategies."""
    found = wb.judge.dominated_choices(tree)
    assert found.tolist() == wb.judge.dominated_choices(tree, np.ones_like(found)).tolist()
    truths = [dominated_by_definition(tree, player, limit) for player in (0, 1)]
    for player, truth in enumerate(truths):
        if truth is not None:
            assert found[tree.choices_of(player)].tolist() == truth.tolist()
    return all(truth is not None for truth in truths)


@settings(max_examples=12)
@given(random_games(players=st.just(2), max_depth=4))
def test_the_definition_in_random_games(rules):
    check(compiled(rules), 40)


@pytest.mark.parametrize("name", ["kuhn", "smuggler", "gift", "prisoners_dilemma", "bluff"])
def test_the_definition_in_named_games(name):
    assert check(wb.compile_game(wb.load_game(name)), 70)


def test_kuhn_never_folds_a_king_and_never_calls_with_a_jack(kuhn):
    sigma = wb.Strategy.uniform(kuhn)
    table = wb.judge.dominated_table(sigma)
    found = set(zip(table["player"], table["information set"], table["action"], strict=True))
    jack, king = {(1, "J pb", "b"), (2, "J b", "b")}, {(1, "K pb", "p"), (2, "K b", "p")}
    assert found == jack | king | {(2, "K p", "p")}
    # after p, b: two of six deals give player 1 a Jack or a King, ... each half wrong
    assert wb.judge.dominated_mass(sigma) == pytest.approx([1 / 12, 1 / 4])
    assert table["frequency"].sum() == pytest.approx(1 / 12 + 1 / 4)


def test_weak_and_mixed_domination():
    """The last row of the first two is dominated: weakly, and only by a mixture."""
    for name, last, payoffs in (
        ("weak", True, [[1.0, 0.0], [1.0, -1.0]]),
        ("mixed", True, [[4.0, 0.0], [0.0, 4.0], [1.5, 1.5]]),
        ("useful", False, [[4.0, 0.0], [0.0, 4.0], [2.5, 2.5]]),
        ("equal strategies dominate nobody", False, [[1.0, 2.0], [1.0, 2.0]]),
    ):
        found = wb.judge.dominated_choices(wb.compile_game(Matrix(name, payoffs)))[: len(payoffs)]
        assert found.tolist() == [False] * (len(payoffs) - 1) + [last], name


@settings(max_examples=12)
@given(random_games(players=st.just(2)), SEEDS)
def test_best_replies_to_mixed_play_are_clean(rules, seed):
    tree = compiled(rules)
    sigma = random_strategy(tree, seed)
    mixed = wb.Strategy(tree, 0.9 * sigma.probs + 0.1 * wb.Strategy.uniform(tree).probs)
    for player in (0, 1):
        reply = wb.best_response(mixed, player).strategy
        assert wb.judge.dominated_mass(reply)[player] == 0.0  # not what rounding leaves over


@given(rules=random_games(), seed=SEEDS)
@settings(max_examples=12)
def test_the_mass_is_what_a_clean_game_misses(rules, seed):
    """One minus the probability of getting through the game without a dominated choice."""
    tree = compiled(rules)
    sigma, wrong = random_strategy(tree, seed), wb.judge.dominated_choices(tree)
    for i, mass in enumerate(wb.judge.dominated_mass(sigma)):
        hers = wrong & (tree.infoset_player[tree.choice_infoset] == i)
        clean = reach(tree, np.where(hers, 0.0, sigma.probs))[tree.terminal >= 0].sum()
        assert mass == pytest.approx(1.0 - clean, abs=1e-12)


def test_a_solver_that_fails_decides_nothing(kuhn, monkeypatch):
    """Infeasible (2) means dominated; a numerical failure (4) means nothing."""
    beliefs = Beliefs(kuhn, 0)
    path = next([c] for c in range(len(beliefs.hers)) if beliefs._after([c]))
    after = beliefs._after(path)
    assert beliefs._pick(path, after)
    answers = iter([4, 2])
    monkeypatch.setattr(
        "scipy.optimize.milp",
        lambda *_, **__: SimpleNamespace(status=next(answers), x=None, message="lost"),
    )
    assert beliefs._pick(path, after) == []
    answers = iter([4, 4])
    with pytest.raises(wb.GameError, match="'p' at 'J' is dominated could not be decided: lost"):
        beliefs._pick(path, after)


def test_some_choices_are_asked_about(kuhn):
    all_, bets = wb.judge.dominated_choices(kuhn), np.array(kuhn.actions) == "b"
    assert wb.judge.dominated_choices(kuhn, bets).tolist() == (all_ & bets).tolist()
    with pytest.raises(wb.GameError, match="each of the 24 choices of 'kuhn', not int64 of shape"):
        wb.judge.dominated_choices(kuhn, np.flatnonzero(bets))


@pytest.mark.slow
def test_what_lies_beside_the_way_is_not_worth_more_than_it_is():
    """Card by card or with all that comes before, the answer is one (24 when it was too much)."""
    tree = wb.compile_game(wb.load_game("toepen", betting="leader", suit_isomorphism=True))
    cards = np.array([action[-1] in "♠♥♦" for action in tree.actions])
    assert wb.judge.dominated_choices(tree, cards).sum() == 32
    assert (wb.judge.dominated_choices(tree) & cards).sum() == 32


@pytest.mark.slow
def test_leduc(ranked):
    wrong = wb.judge.dominated_choices(ranked)
    assert wrong.sum() == 109
    for infoset, action in [(("K", "K", "cc/rr"), "f"), (("J", "J", "cc/cr"), "c")]:
        at = ranked.find_infoset(infoset, 0)
        assert wrong[ranked.first_choice[at] + ranked.actions_at(at).index(action)]
    assert wb.judge.dominated_mass(wb.Strategy.uniform(ranked)).min() > 0.08


def test_kuhn_before_and_after_abstraction(kuhn):
    """Who cannot tell a Jack from a Queen calls with both; an equilibrium never with a Jack."""
    ab = wb.abstract(kuhn, lambda player, seen, actions: (seen[0] == "K", seen[1]))
    full, coarse = (wb.solve(kuhn, iterations=1000, abstraction=x).strategy for x in (None, ab))
    assert wb.judge.dominated_mass(full).max() < 1e-4
    assert wb.judge.dominated_mass(coarse).max() > 0.02
