"""Judges for lecture 04, *What does abstraction cost?*: Leduc poker, in milli-antes."""

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, game, milli, need_function, right, strategy, wrong


def check_small(answer):
    rule = need_function(answer, "rule(player, seen, actions)")
    made = wb.abstract(game("leduc"), rule)
    sets = made.coarse.num_infosets
    if sets > 170:
        return wrong(f"{sets} information sets; at most 170 are allowed. Forget something more.")
    solved = wb.solve(made.coarse, "cfr+", 2_000, checkpoints=2_000, progress=False)
    lost = milli(made.lift(solved.strategy))
    said = f"{sets} information sets, {lost:.0f} milli-antes after 2,000 iterations of CFR+."
    if not made.coarse.perfect_recall:
        said += " (It forgets what it once knew: imperfect recall.)"
    if lost < 400:
        return right(f"{said} JQ.K, with 132 sets, loses about 490.")
    return wrong(f"{said} It should be below 400; JQ.K loses about 490.")


def check_cruel(answer):
    made = wb.abstract(game("leduc"), "JQ.K")
    try:
        coarse = strategy(answer, made.coarse)
    except UnfitError:
        full = strategy(answer, game("leduc"))
        probs = np.zeros(made.coarse.num_choices)
        probs[made.choice_map] = full.probs
        coarse = wb.Strategy(made.coarse, probs)
        if not np.allclose(made.lift(coarse).probs, full.probs, rtol=0, atol=1e-6):
            return wrong("This is not a strategy of JQ.K: it tells hands apart that JQ.K merges.")
    inside, outside = milli(coarse), milli(made.lift(coarse))
    said = f"Inside {max(inside, 0):.2f}, outside {outside:.1f} milli-antes."
    if inside > 1:
        return wrong(f"{said} More than 1 inside: that is no equilibrium of JQ.K.")
    if outside <= 600:
        return wrong(f"{said} There are worse ones, above 600.")
    return right(f"{said} The best equilibrium of the same game loses 489.8.")
