"""Judges for lecture 02, *How does regret find an equilibrium?*"""

from itertools import islice

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, game, need_function, numbers, right, strategy, wrong

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
        "1/3, and no less is possible. While one player moves along an edge, the other is in a "
        "corner and gives away 1; the mean of 1 and 1/3 is the 2/3 of the picture."
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


def check_own_reach(answer):
    """Rounding decides ties here, so the last digits differ between machines."""
    given = numbers(answer, ("counterfactual", "own reach"))
    good, bad = given.values()
    if 0.1 < bad < 0.25 and good > 0.9:
        return wrong("The other way round: her own reach does the damage.")
    if not 0.1 < good < 0.25:
        return wrong(
            f"counterfactual: {good:.3g} is not what we found, between 0.1 and 0.25 chips per game "
            "after 60 iterations. Measure the average strategy, on Leduc with suits merged."
        )
    if not 0.9 < bad < 1.8:
        return wrong(
            f"own reach: {bad:.3g} is not what we found, between 0.9 and 1.8 chips per game after "
            "60 iterations. The weight is `lambda mine, others: mine * others`."
        )
    return right(
        "Uniform play is at 2.37, and with her own reach it stays above 1. A likely reason: "
        "where she does not go she learns nothing, so she has no reason ever to go there."
    )


def check_cfr_plus(answer):
    make = need_function(answer, "cfr_plus(tree)")
    leduc = game("leduc", suit_isomorphism=True)
    for tree, steps in ((game("smuggler"), 50), (leduc, 15)):  # no ties, unlike Kuhn
        given, t = islice(make(tree), steps), 0
        plus, plain = (wb.iterate(tree, solver) for solver in ("cfr+", "cfr"))
        for t, (step, state, old) in enumerate(zip(given, plus, plain, strict=False), 1):
            probs, average = read(tree, step)
            if not close(probs, state.probs):
                return wrong(about_regrets(t, probs, old.probs))
            if not close(average, wb.average(tree, state).probs):
                return wrong(
                    f"The regrets are right. The average is not, from iteration {t} on: there the "
                    "plan of iteration t counts t times."
                )
        if t < steps:
            return wrong(f"Your generator ended after {t} iterations; it should go on for ever.")
    return right("Equal to the package's, step by step, on the smuggler's table and on Leduc.")


def read(tree, step):
    """What the regrets of a step make her play, and the average: (K,) each."""
    sets = list(zip(tree.infoset_player.tolist(), tree.seen, strict=True))
    try:
        regret, average = step
        sums = np.concatenate([np.array(regret[which], float) for which in sets])
    except (TypeError, ValueError, KeyError, IndexError):
        raise UnfitError(
            "yield two things, as `cfr` does: regret, with an array for each (player, seen), "
            "and the average strategy"
        ) from None
    if sums.shape != (tree.num_choices,):
        raise UnfitError(f"{tree.num_choices} regrets are needed here, not {sums.shape}")
    return wb.solvers.normalised(tree, np.maximum(sums, 0)).probs, strategy(average, tree).probs


def close(one, other):
    return np.allclose(one, other, rtol=0, atol=1e-7)


def about_regrets(t, probs, plain):
    if close(probs, plain):
        return f"Still plain CFR in iteration {t}: negative regrets must not be remembered."
    return (
        f"From iteration {t} on the strategies differ from CFR+. Cut regrets off at 0 after each "
        "iteration's regrets were added, for the player whose turn it is."
    )
