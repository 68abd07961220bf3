"""Exercises of notebook 02, *How does regret find an equilibrium?*"""

from __future__ import annotations

from itertools import islice
from math import sqrt
from typing import Any

import numpy as np

from workbench.evaluation.best_response import exploitability
from workbench.evaluation.values import expected_values
from workbench.lab.exercises.answers import nearly, need_function, numbers, strategy
from workbench.lab.exercises.core import UnfitError, Verdict, exercise, right, wrong
from workbench.lab.exercises.questions import Question
from workbench.lab.exercises.solved import by_rank, game
from workbench.solvers.base import average
from workbench.solvers.cfr import DCFR
from workbench.solvers.iterate import iterate
from workbench.strategy import normalised
from workbench.tree import GameTree

TRIANGLE = Question(
    "Two regret matchers play rock, paper, scissors. Each strategy is a point in a triangle, and "
    "the equilibrium is the middle. Where does player 1 go?",
    "the average goes to the middle, the current strategy never does",
    options=(
        "both the current strategy and the average go to the middle",
        "the current strategy goes to the middle, the average lags behind it",
        "the average goes to the middle, the current strategy never does",
        "neither: both run in circles for ever",
    ),
    because="The players chase each other along the edges: paper because you played rock, scissors "
    "because I answered with paper. Only the mean of all that settles.",
)
PROMISE = Question(
    "What does the theorem promise for Kuhn after 10,000 iterations? Payoffs from −2 to 2, six "
    "information sets for each player, two actions: a regret of at most …",
    0.339,
    low=0.0,
    high=1.0,
    step=0.01,
    unit="chips",
    because="4 · 6 · √2 / √10,000. Uniform play is exploitable by 0.458: the promise is not much.",
)
RACE = Question(
    "CFR and four relatives run 10,000 iterations. Who is closest to an equilibrium then?",
    "pcfr+ on Kuhn, cfr+ or dcfr on Leduc",
    options=(
        "pcfr+, the youngest, on both games",
        "cfr+ on both games",
        "pcfr+ on Kuhn, cfr+ or dcfr on Leduc",
        "cfr on Kuhn, cfr+ or dcfr on Leduc",
    ),
    because="A ranking on one game is a fact about that game.",
)

_ACTIONS = ("rock", "paper", "scissors")
_BEATS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float)  # what the row wins


def _tree(name: str) -> GameTree:
    return by_rank() if name == "leduc" else game(name)


@exercise(
    "Say she never plays rock. If she plays paper with probability x and scissors otherwise, what "
    "does each of your three actions win?",
    "Rock wins 1 − 2x, scissors wins x, paper wins x − 1. She wants the largest of them small.",
)
def check_left_out(answer: Any) -> Verdict:
    """Rock, paper, scissors, one of them with probability 0, giving away as little as possible."""
    given = numbers(answer, _ACTIONS)
    probs = np.array(list(given.values()))
    if probs.min() < 0 or abs(probs.sum() - 1) > 0.01:
        raise UnfitError("three probabilities are needed here, at least 0 and with the sum 1")
    if probs.min() > 0:
        return wrong(
            "This plays all three actions; exactly one must be left out, with probability 0."
        )
    lost = _BEATS @ probs
    best = int(lost.argmax())
    if lost[best] > 1 / 3 + 0.01:
        return wrong(
            f"Whoever knows this plays {_ACTIONS[best]} and wins {lost[best]:.3g} a round."
        )
    return right(
        "1/3, and no less is possible. While one player walks along an edge, the other stands in "
        "a corner and gives away 1; the mean of 1 and 1/3 is the 2/3 of the picture."
    )


@exercise(
    "`wb.solvers.start_state(kuhn)` is the state before the first iteration; "
    "`dataclasses.replace(state, regret=…)` is the same with other regrets.",
    "`wb.solve(kuhn, 'cfr', 5_000, start=…)` with regrets of a few chips for player 1, once at "
    "random and once more at random.",
)
def check_starts(first: Any, second: Any) -> Verdict:
    """Two equilibria of Kuhn, found by regret, in which the Jack bluffs differently often."""
    kuhn = _tree("kuhn")
    found = [strategy(answer, kuhn) for answer in (first, second)]
    for which, sigma in zip(("first", "second"), found, strict=True):
        epsilon = exploitability(sigma)
        if epsilon > 0.01:
            return wrong(f"The {which} is exploitable by {epsilon:.4f}: give it more iterations.")
    bluffs = [sigma.at("J")["b"] for sigma in found]
    if abs(bluffs[0] - bluffs[1]) < 0.02:
        return wrong(
            f"Both bluff with the Jack in about {bluffs[0]:.1%} of the cases. Start further apart."
        )
    values = [expected_values(sigma)[0] for sigma in found]
    return right(
        f"Bluffs {bluffs[0]:.3f} and {bluffs[1]:.3f}, values {values[0]:.4f} and {values[1]:.4f}: "
        "the start decides which equilibrium is found, not what the game is worth."
    )


@exercise(
    "The row of `cfr+` in the table of section 8 differs from that of `cfr` in two places.",
    "After adding `instant`, cut the regrets off at 0. In iteration t, add t times the plan.",
    "`regret = np.maximum(regret + instant, 0)` and `strategy_sum = strategy_sum + t * plan`, with "
    "a t that counts from 1.",
)
def check_cfr_plus(answer: Any) -> Verdict:
    """CFR+ as a generator of (regret, probs, strategy_sum), made from the notebook's `cfr`."""
    make = need_function(answer, "cfr_plus(tree)")
    for name, steps in (("smuggler", 50), ("leduc", 15)):  # no ties, unlike Kuhn
        tree, t = _tree(name), 0
        given = islice(make(tree), steps)
        plus, plain = (islice(iterate(tree, solver), steps) for solver in ("cfr+", "cfr"))
        for t, (step, state, old) in enumerate(zip(given, plus, plain, strict=False), 1):
            try:
                _, probs, total = (np.array(part, float) for part in step)
            except (TypeError, ValueError):
                raise UnfitError("yield three arrays: regret, probs, strategy_sum") from None
            if not np.allclose(probs, state.probs, rtol=0, atol=1e-7):
                return wrong(_about_regrets(t, probs, old.probs))
            if not np.allclose(
                normalised(tree, total).probs, average(tree, state).probs, rtol=0, atol=1e-7
            ):
                return wrong(
                    f"The regrets are right. The average is not, from iteration {t} on: there the "
                    "plan of iteration t counts t times."
                )
        if t < steps:
            return wrong(f"Your generator ended after {t} iterations; it should go on for ever.")
    return right("Equal to the package's, step by step, on the smuggler's table and on Leduc.")


def _about_regrets(t: int, probs: Any, plain: Any) -> str:
    if np.allclose(probs, plain, rtol=0, atol=1e-7):
        return f"Still plain CFR in iteration {t}: negative regrets must not be remembered."
    return (
        f"From iteration {t} on the strategies differ from CFR+. Cut regrets off at 0 after each "
        "iteration's regrets were added, for the player whose turn it is."
    )


@exercise(
    "The bound adds the same number for each of her six information sets. Weigh each by how "
    "likely the others can at most lead there.",
    "She holds the Queen: chance does that with probability 1/3, and player 2 may bet always. So "
    "the largest reach is 1/3, in each of the six sets.",
)
def check_bound(answer: Any) -> Verdict:
    """The bound of section 7 for Kuhn after 10,000 iterations, sharpened by the largest reach."""
    old = 4 * 6 * sqrt(2) / 100
    return nearly(
        answer,
        old / 3,
        unit="chips per game",
        slips={
            old: "That is the bound as it stands, with every set always reached.",
            old / 6: "1/6 is the probability of one deal; an information set holds two of them.",
            old
            / 12: "1/12 is one deal and a coin toss; player 2 may bet always, and there are two "
            "deals in a set.",
            8 * sqrt(2): "Divide by √T, which is 100.",
            8 * sqrt(2) / 10_000: "Divide by √T, not by T.",
            8 / 100: "Two actions: their square root belongs into it.",
        },
        good="Reach explains a factor of 3 of more than 100. The rest of the slack is elsewhere.",
    )


@exercise(
    "One exponent at a time: `wb.solve(leduc, wb.solvers.DCFR(alpha=2), 1_000).exploitability`.",
    "alpha a little larger than 1.5 helps; gamma between 2 and 3 does no harm.",
)
def check_exponents(answer: Any) -> Verdict:
    """Exponents (alpha, beta, gamma) that beat `dcfr` on Leduc after 1,000 iterations."""
    if isinstance(answer, type):
        raise UnfitError(
            "exponents are needed here, such as (1.5, 0, 2) or wb.solvers.DCFR(alpha=1.5)"
        )
    if not isinstance(answer, DCFR):
        found = numbers(answer, ("alpha", "beta", "gamma"))
        answer = DCFR(alpha=found["alpha"], beta=found["beta"], gamma=found["gamma"])

    def reached(game: str, solver: DCFR) -> float:
        states = iterate(_tree(game), solver, every=1_000)
        return exploitability(average(_tree(game), next(states)))

    if answer == DCFR():
        return wrong("These are the exponents of `dcfr` itself.")
    ours, theirs = reached("leduc", answer), reached("leduc", DCFR())
    if not ours < theirs:
        return wrong(f"{ours:.2e} after 1,000 iterations on Leduc; `dcfr` has {theirs:.2e}.")
    kuhn = reached("kuhn", answer), reached("kuhn", DCFR())
    return right(
        f"{ours:.2e} against {theirs:.2e} on Leduc. On Kuhn: {kuhn[0]:.2e} against {kuhn[1]:.2e}. "
        "Exponents that were found on one game say little about the next."
    )
