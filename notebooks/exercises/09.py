"""Judges for lecture 09, *How do you stitch two strategies together?*: the small game."""

import workbench as wb
from workbench.lab.exercises import (
    agree,
    game,
    nearly,
    need_function,
    numbers,
    right,
    strategy,
    wrong,
)


def blind(player, seen, actions):
    return "nothing" if player == 0 else seen[-1]


def base():
    """The base of the small game: its players forget what chance drew."""
    return wb.solve(game("figure1"), "lp", abstraction=blind).strategy


def loss(sigma):
    """What a perfect player 1 wins from player 2 in the small game."""
    return wb.best_response(sigma, 0).value


def check_corner(answer):
    """Which corner a linear program stops at is the solver's choice, so it is solved here again."""
    part = wb.betting_experts(game("figure1"), ["r"]).of(1)
    how = {"players": {0, 1}, "abstraction": None}
    truth = {
        name: loss(
            wb.static_experts(game("figure1"), base(), part, solver="lp", unreached=way, **how)
        )
        for name, way in {"lp": "uniform", "the base plays on": "base"}.items()
    }
    slips = {
        5 / 6: "That is CFR+, which tosses a coin where nobody arrives.",
        2 / 5: "That is S = {2}, with a free player 1: use `players={0, 1}`.",
        2 / 9: "That is the best strategy; this expert has learned nothing at all.",
    }
    for name, value in numbers(answer, list(truth)).items():
        verdict = nearly(value, truth[name], unit="chips", slips=slips)
        if not verdict:
            return wrong(f"{name}: {verdict.text}")
    return right(
        "Where nobody arrives, every answer is optimal in the expert's game. A linear program "
        "stops at some corner of all optimal answers, and that one may be much worse than a coin. "
        "The base, coarse as it is, was at least trained against an opponent."
    )


def check_again(answer):
    again = need_function(answer, "again(sigma)")
    sigma, losses = base(), []
    for _ in range(10):
        sigma = strategy(again(sigma), game("figure1"))
        losses.append(loss(sigma))
    said = "The losses of ten rounds: " + ", ".join(f"{one:.3f}" for one in losses) + "."
    if losses[0] < 0.23:
        return wrong(
            f"{said} Perfect at once: that is one expert for both places. Here each of the two "
            "is trained while the other stands still."
        )
    if losses[-1] <= 2 / 9 + 0.004:
        return right(
            f"{said} Taking turns gets there in this order. With r first the loss stays at 2/5, "
            "where neither of the two can improve alone."
        )
    if agree(losses[-1], 2 / 5):
        return wrong(
            f"{said} Stuck: neither of the two can improve alone from here. The order decides; "
            "begin with l."
        )
    if agree(losses[0], 2 / 3):
        return wrong(
            f"{said} No better than the base: were both trained beside the *old* neighbour? The "
            "second must be trained beside the result of the first."
        )
    return wrong(f"{said} That should go to 2/9 = 0.222. Is every round given the last result?")
