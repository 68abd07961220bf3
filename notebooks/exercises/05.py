"""Judges for lecture 05, *How do you solve a game you cannot walk through?*"""

from itertools import islice

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, game, need_function, right, wrong


def check_chance_sampling(answer):
    make, kuhn = need_function(answer, "chance_sampling(tree, seed)"), game("kuhn")
    said = np.array([pair(next(iter(make(kuhn, seed))))[0] for seed in range(1_000)])
    if said.shape[1:] != (kuhn.num_choices,):
        raise UnfitError(f"regret needs {kuhn.num_choices} numbers here, one for each choice")
    call = kuhn.first_choice[kuhn.seen.index(("Q", "pb"))] + 1
    values = {round(float(value), 4) + 0.0 for value in said[:, call]}
    for wrong_values, why in (
        ({0.0833}, "This is full CFR: each walk reports 1/12 in `Q pb`. Draw one deal."),
        (
            {0, 1.5, -0.5},
            "This is external sampling: his moves must all be tried, and multiplied in.",
        ),
        (
            {0, 0.125, -0.0417},
            "Chance is multiplied in *and* sampled. The walk goes there that often: leave it out.",
        ),
    ):
        if values <= wrong_values:
            return wrong(why)
    if odd := values - {0, 0.75, -0.25}:
        return wrong(
            f"In `Q pb` a walk should report 0.75, −0.25 or 0 for calling, not {min(odd):g}."
        )
    exact = next(wb.iterate(kuhn, wb.solvers.CFR(alternating=False))).regret
    hers = np.repeat(kuhn.infoset_player == 0, np.diff(kuhn.first_choice))
    error = said.std(axis=0)[hers] / len(said) ** 0.5
    if np.any(np.abs(said.mean(axis=0) - exact)[hers] > 4.5 * error + 1e-12):
        return wrong("The mean of 1,000 first walks is not the regret of full CFR.")
    *_, last = islice(make(kuhn, 1), 2_000)
    lost = wb.exploitability(wb.solvers.normalised(kuhn, np.maximum(pair(last)[1], 0.0)))
    if lost > 0.06:
        return wrong(
            f"The regrets are right. The average is exploitable by {lost:.3f} after 2,000 "
            "iterations: add `mine * probs` to `strategy_sum` at the walker's own nodes."
        )
    return right(f"Right on average, and after 2,000 iterations exploitable by only {lost:.3f}.")


def pair(step):
    try:
        regret, total = (np.array(part, float) for part in step)
    except (TypeError, ValueError):
        raise UnfitError("yield two arrays: regret, strategy_sum") from None
    return regret, total
