"""Judges for lecture 15, *Can you solve only the part you are in?*: eight cards."""

from functools import cache

import numpy as np

import workbench as wb
from workbench.lab.exercises import right, wrong


@cache
def blueprint():
    rules = wb.load_game("rhode_island", ranks=4, suits=2)
    cut = wb.cluster_hands(rules, buckets=(2, 4, 6), metric="ehs")
    run = wb.solve(rules, "cfr+", 200, abstraction=cut, checkpoints=200, progress=False)
    return run.strategy


def check_keep(answer):
    first = blueprint()
    game = first.tree.real
    if getattr(getattr(answer, "tree", None), "rules", None) != game.rules:
        return wrong("A strategy of the eight-card game is needed, such as resolve_all returns.")
    ours, theirs = (game.views(game.spelled_out(one))[0] for one in (first, answer))
    if not np.allclose(ours, theirs, rtol=0, atol=1e-6):
        return wrong("In the first round it does not play what the blueprint plays.")
    lost = 100 * wb.exploitability(answer)
    if lost >= 50:
        return wrong(f"It is exploitable for {lost:.0f} milli-small-bets; less than 50 is asked.")
    return right(
        f"{lost:.1f} milli-small-bets, where the blueprint had about 466. Two rounds out of three "
        "are solved together, so little is left outside the part."
    )
