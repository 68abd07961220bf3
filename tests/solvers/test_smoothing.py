"""Smoothed best responses, and the first-order methods that are made of them."""

from itertools import pairwise

import numpy as np
import pytest
from workbench.lab.ledger.papers.matrix import Matrix

import workbench as wb
from tests.random_games import random_strategy
from workbench.sequence_form import sequence_form
from workbench.solvers.base import start_state
from workbench.solvers.smoothing import respond, smooth

EGT, FP, SMOOTHING = wb.solvers.EGT, wb.solvers.FictitiousPlay, wb.solvers.IteratedSmoothing
ALL = [EGT(), EGT(prox="euclidean"), EGT(aggressive=False, balanced=False), SMOOTHING(), FP()]


def price(tree, player, probs, prox):
    """The dilated function, written down as it is defined."""
    game, plan, total = smooth(tree), sequence_form(tree).plan(probs), 0.0
    for infoset in range(*tree.first_infoset[player : player + 2]):
        at = slice(*tree.first_choice[infoset : infoset + 2].tolist())
        p, n = probs[at], len(probs[at])
        entropy = sum(x * np.log(x * n) for x in p if x > 0)
        far = entropy if prox == "entropy" else ((p - 1 / n) ** 2).sum() / 2
        total += game.inertia[infoset] * plan[game.form.above[infoset]] * far
    return float(total)


def answered(tree, player, sigma, mu, prox):
    game, x = smooth(tree), sequence_form(tree).plan(sigma.probs)
    probs = np.array(sigma.probs)
    centre = game.uniform if prox == "euclidean" else None
    worth = respond(game, player, mu, centre, x, probs)
    return worth, probs


@pytest.mark.parametrize("prox", ["entropy", "euclidean"])
@pytest.mark.parametrize("mu", [0.003, 0.1, 3.0])
def test_a_smoothed_response_is_the_best_after_its_price(ranked, prox, mu):
    sigma = random_strategy(ranked, 1)
    for player in (0, 1):
        worth, probs = answered(ranked, player, sigma, mu, prox)

        def after(probs, player=player):
            both = wb.Strategy(ranked, probs)
            won = wb.expected_values(both)[player]
            return float(won - mu * price(ranked, player, probs, prox))

        assert after(probs) == pytest.approx(worth, abs=1e-12)
        hers = ranked.choices_of(player)
        for seed in range(30):
            other = np.array(sigma.probs)
            step = 10.0 ** -(seed % 4)
            mixed = random_strategy(ranked, seed + 2).probs
            other[hers.start : hers.stop] = (
                step * mixed + (1 - step) * probs
            )[hers.start : hers.stop]  # fmt: skip
            assert after(other) <= worth + 1e-12
        most = mu * smooth(ranked).spread[int(prox == "euclidean"), player]
        least = wb.best_response(sigma, player).value - most
        assert least <= worth <= wb.best_response(sigma, player).value


def test_as_smoothing_ends_it_is_the_best_response(kuhn):
    sigma = random_strategy(kuhn, 5)
    for prox in ("entropy", "euclidean"):
        for mu in (1e-9, 0.0):
            worth, _ = answered(kuhn, 0, sigma, mu, prox)
            assert worth == pytest.approx(wb.best_response(sigma, 0).value, abs=1e-7)


def literal(tree, solver, iterations):
    """The excessive gap technique as egt.py tells it, with strategies and plans in Python."""
    form, unit = sequence_form(tree), tree.largest_payoff
    hers = [tree.choices_of(i) for i in (0, 1)]

    def answer(i, x, mu):
        game, probs = smooth(tree), np.zeros(tree.num_choices)
        centre = game.uniform if solver.prox == "euclidean" else None
        worth = respond(game, i, mu, centre, x, probs)
        probs[hers[1 - i].start : hers[1 - i].stop] = 1.0
        return worth, form.plan(probs)

    def mixed(i, tau, x, y):
        new, at = x.copy(), slice(hers[i].start, hers[i].stop)
        new[at] = (1 - tau) * x[at] + tau * y[at]
        return new

    mu = [solver.mu * unit] * 2
    while True:
        x = form.plan(wb.Strategy.uniform(tree).probs)
        for i in (1, 0):
            x = mixed(i, 1.0, x, answer(i, x, mu[i])[1])
        if sum(answer(i, x, mu[i])[0] for i in (0, 1)) <= 0:
            break
        mu = [2 * one for one in mu]
    tau = 0.5
    for t in range(1, iterations + 1):
        i = (0 if mu[0] >= mu[1] else 1) if solver.balanced else (t + 1) % 2
        tau = tau if solver.aggressive else 2 / (t + 3)
        while True:
            less = (1 - tau) * mu[i]
            new = mixed(i, tau, x, answer(i, x, mu[i])[1])
            new = mixed(1 - i, tau, x, answer(1 - i, new, mu[1 - i])[1])[:]
            new[hers[i].start : hers[i].stop] = x[hers[i].start : hers[i].stop]
            new = mixed(i, tau, new, answer(i, new, less)[1])
            gap = answer(i, new, less)[0] + answer(1 - i, new, mu[1 - i])[0]
            if gap <= 1e-13 * unit or not solver.aggressive:
                break
            tau /= 2
        x, mu[i] = new, less
    return x, mu


@pytest.mark.parametrize("solver", [one for one in ALL if isinstance(one, EGT)], ids=repr)
def test_egt_is_what_its_text_says(kuhn, solver):
    found = solver.advance(kuhn, start_state(kuhn), 40)
    x, mu = literal(kuhn, solver, 40)
    assert found.strategy_sum == pytest.approx(x[: kuhn.num_choices], abs=1e-10)
    assert found.memory[:2] == pytest.approx(mu, rel=1e-10)


@pytest.mark.parametrize("prox", ["entropy", "euclidean"])
def test_the_gap_is_at_most_what_smoothing_hides(ranked, prox):
    solver, state = EGT(prox=prox), start_state(ranked)
    spread = smooth(ranked).spread[int(prox == "euclidean")]
    for many in (1, 9, 90, 400):
        state = solver.advance(ranked, state, many)
        gap = 2 * wb.exploitability(wb.average(ranked, state))
        assert 0 < gap <= state.memory[:2] @ spread


def test_how_many_iterations_egt_needs(kuhn, ranked):
    for tree, marks in ((kuhn, (30, 360, 2_800)), (ranked, (400, 3_200))):
        run = wb.solve(tree, EGT(), marks[-1], checkpoints=10)
        gap = 2 * run.trace.set_index("iteration").exploitability
        for most, epsilon in zip(marks, (1e-2, 1e-3, 1e-4), strict=False):
            assert gap[:most].min() <= epsilon


def test_iterated_smoothing_is_logarithmic(kuhn):
    ten = wb.compile_game(Matrix("ten", np.random.default_rng(0).uniform(-1, 1, (10, 10)).tolist()))
    for tree, most in ((kuhn, 2_000), (ten, 5_000)):
        run = wb.solve(tree, SMOOTHING(), most, checkpoints=10)
        gap = 2 * run.trace.set_index("iteration").exploitability
        at = [int(gap.index[gap <= epsilon][0]) for epsilon in (1e-2, 1e-4, 1e-6, 1e-8)]
        steps = [after - before for before, after in pairwise(at)]
        assert max(steps) < 2.5 * min(steps)  # 1 / ε would be a factor of 100 each


@pytest.mark.parametrize("alternating", [True, False])
def test_fictitious_play_by_best_responses(alternating):
    payoffs = np.random.default_rng(3).uniform(-1, 1, (5, 7))  # no ties
    tree = wb.compile_game(Matrix("table", payoffs.tolist()))
    counts = [np.full(many, 1 / many) for many in payoffs.shape]
    for _ in range(200):
        row = (payoffs @ counts[1]).argmax()
        seen = counts[0].copy()
        counts[0][row] += 1
        counts[1][((counts[0] if alternating else seen) @ payoffs).argmin()] += 1
    state = FP(alternating=alternating).advance(tree, start_state(tree), 200)
    assert 201 * state.strategy_sum == pytest.approx(np.concatenate(counts), abs=1e-12)
    assert wb.exploitability(wb.average(tree, state)) < 0.05


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e150])
def test_payoffs_whose_squares_are_no_numbers(size):
    tree = wb.compile_game(Matrix("far", [[3 * size, -2 * size], [-size, size]]))
    for solver in ALL:
        assert wb.solve(tree, solver, 20).iterations == 20
