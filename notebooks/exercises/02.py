"""Judges for lecture 02, *How does regret find an equilibrium?*"""

from itertools import islice

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, game, need_function, numbers, right, strategy, wrong
from workbench.strategy import normalised

ACTIONS = ("rock", "paper", "scissors")
BEATS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float)  # what the row wins


def check_left_out(answer):
    probs = np.array(list(numbers(answer, ACTIONS).values()))
    if probs.min() < 0 or abs(probs.sum() - 1) > 0.01:
        raise UnfitError("three probabilities are needed here, at least 0 and with the sum 1")
    if probs.min() > 0:
        return wrong(
            "This plays all three actions; exactly one must be left out, with probability 0."
        )
    lost = BEATS @ probs
    best = int(lost.argmax())
    if lost[best] > 1 / 3 + 0.01:
        return wrong(f"Whoever knows this plays {ACTIONS[best]} and wins {lost[best]:.3g} a round.")
    return right(
        "1/3, and no less is possible. While one player walks along an edge, the other stands in "
        "a corner and gives away 1; the mean of 1 and 1/3 is the 2/3 of the picture."
    )


def check_starts(first, second):
    found = [strategy(answer, game("kuhn")) for answer in (first, second)]
    for which, sigma in zip(("first", "second"), found, strict=True):
        epsilon = wb.exploitability(sigma)
        if epsilon > 0.01:
            return wrong(f"The {which} is exploitable by {epsilon:.4f}: give it more iterations.")
    bluffs = [sigma.at("J")["b"] for sigma in found]
    if abs(bluffs[0] - bluffs[1]) < 0.02:
        return wrong(
            f"Both bluff with the Jack in about {bluffs[0]:.1%} of the cases. Start further apart."
        )
    values = [wb.expected_values(sigma)[0] for sigma in found]
    return right(
        f"Bluffs {bluffs[0]:.3f} and {bluffs[1]:.3f}, values {values[0]:.4f} and {values[1]:.4f}: "
        "the start decides which equilibrium is found, not what the game is worth."
    )


def check_cfr_plus(answer):
    make = need_function(answer, "cfr_plus(tree)")
    leduc = game("leduc", suit_isomorphism=True)
    for tree, steps in ((game("smuggler"), 50), (leduc, 15)):  # no ties, unlike Kuhn
        given, t = islice(make(tree), steps), 0
        plus, plain = (wb.iterate(tree, solver) for solver in ("cfr+", "cfr"))
        for t, (step, state, old) in enumerate(zip(given, plus, plain, strict=False), 1):
            try:
                _, probs, total = (np.array(part, float) for part in step)
            except (TypeError, ValueError):
                raise UnfitError("yield three arrays: regret, probs, strategy_sum") from None
            if not close(probs, state.probs):
                return wrong(about_regrets(t, probs, old.probs))
            if not close(normalised(tree, total).probs, wb.average(tree, state).probs):
                return wrong(
                    f"The regrets are right. The average is not, from iteration {t} on: there the "
                    "plan of iteration t counts t times."
                )
        if t < steps:
            return wrong(f"Your generator ended after {t} iterations; it should go on for ever.")
    return right("Equal to the package's, step by step, on the smuggler's table and on Leduc.")


def close(one, other):
    return np.allclose(one, other, rtol=0, atol=1e-7)


def about_regrets(t, probs, plain):
    if close(probs, plain):
        return f"Still plain CFR in iteration {t}: negative regrets must not be remembered."
    return (
        f"From iteration {t} on the strategies differ from CFR+. Cut regrets off at 0 after each "
        "iteration's regrets were added, for the player whose turn it is."
    )


def check_exponents(answer):
    dcfr = wb.solvers.DCFR()
    if isinstance(answer, type):
        raise UnfitError(
            "exponents are needed here, such as (1.5, 0, 2) or wb.solvers.DCFR(alpha=1.5)"
        )
    if not isinstance(answer, wb.solvers.DCFR):
        answer = wb.solvers.DCFR(**numbers(answer, ("alpha", "beta", "gamma")))
    if answer == dcfr:
        return wrong("These are the exponents of `dcfr` itself.")
    trees = game("leduc", suit_isomorphism=True), game("kuhn")
    (ours, kuhn), (theirs, other) = (
        [
            wb.solve(tree, one, 1_000, checkpoints=1_000, progress=False).exploitability
            for tree in trees
        ]
        for one in (answer, dcfr)
    )
    if not ours < theirs:
        return wrong(f"{ours:.2e} after 1,000 iterations on Leduc; `dcfr` has {theirs:.2e}.")
    return right(
        f"{ours:.2e} against {theirs:.2e} on Leduc. On Kuhn: {kuhn:.2e} against {other:.2e}. "
        "Exponents that were found on one game say little about the next."
    )
