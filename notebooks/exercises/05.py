"""Judges for lecture 05, *How do you solve a game you cannot walk through?*"""

from itertools import islice

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, game, need_function, number, right, wrong
from workbench.strategy import normalised


def check_endings(answer):
    guess = need_function(answer, "endings(rules, rng)")
    for suits, ranks in ((2, 2), (2, 3)):
        rules = wb.load_game("toepen", suits=suits, ranks=ranks, hand=2)
        tree, rng = wb.compile_game(rules), np.random.default_rng(1)
        guesses = np.array([number(guess(rules, rng), "a guess") for _ in range(1_500)])
        mean, error = guesses.mean(), guesses.std() / len(guesses) ** 0.5
        truth, name = len(tree.utility), f"{suits}/{ranks}/2"
        if abs(mean - truth) <= 4 * error + 1e-9:
            continue
        said = f"On {name} the mean of 1,500 guesses is {mean:,.0f}; there are {truth:,} endings."
        if abs(mean - tree.num_histories) <= 4 * error + 1e-9:
            said += " It is the number of all histories."
        elif np.all(guesses == 1):
            said += " Every hand counts once: weigh it with 1 / (its probability)."
        return wrong(said)
    return right("Right on average, on 2/2/2 and on 2/3/2. Try it on 4/8/4, which nobody can list.")


def check_chance_sampling(answer):
    make, kuhn = need_function(answer, "chance_sampling(tree, seed)"), game("kuhn")
    said = np.array([pair(next(iter(make(kuhn, seed))))[0] for seed in range(1_000)])
    if said.shape[1:] != (kuhn.num_choices,):
        raise UnfitError(f"regret needs {kuhn.num_choices} numbers here, one for each choice")
    call = kuhn.first_choice[kuhn.seen.index(("Q", "pb"))] + 1
    values = {round(float(value), 4) + 0.0 for value in said[:, call]}
    for wrong_values, why in (
        ({0.0833}, "This is full CFR: each walk says 1/12 in `Q pb`. Draw one deal."),
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
            f"In `Q pb` a walk should say 0.75, −0.25 or 0 about calling, not {min(odd):g}."
        )
    exact = next(wb.iterate(kuhn, wb.solvers.CFR(alternating=False))).regret
    hers = np.repeat(kuhn.infoset_player == 0, np.diff(kuhn.first_choice))
    error = said.std(axis=0)[hers] / len(said) ** 0.5
    if np.any(np.abs(said.mean(axis=0) - exact)[hers] > 4.5 * error + 1e-12):
        return wrong("The mean of 1,000 first walks is not the regret of full CFR.")
    *_, last = islice(make(kuhn, 1), 2_000)
    lost = wb.exploitability(normalised(kuhn, np.maximum(pair(last)[1], 0.0)))
    if lost > 0.06:
        return wrong(
            f"The regrets are right. The average is exploitable by {lost:.3f} after 2,000 "
            "iterations: add `mine * probs` to `strategy_sum` at her own nodes."
        )
    return right(f"Right on average, and after 2,000 iterations exploitable by {lost:.3f} only.")


def pair(step):
    try:
        regret, total = (np.array(part, float) for part in step)
    except (TypeError, ValueError):
        raise UnfitError("yield two arrays: regret, strategy_sum") from None
    return regret, total
