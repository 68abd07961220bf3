"""Judges for the project *What did the authors leave for later?*: Leduc in milli-antes."""

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

import workbench as wb
from workbench.lab.exercises import UnfitError, game, milli, right, strategy, wrong


def by_rank():
    return game("leduc", suit_isomorphism=True)


@cache
def base():
    """The base of CFR+ in the notebook."""
    how = {"abstraction": "JQ-K", "checkpoints": 10_000, "progress": False}
    return wb.solve(by_rank(), "cfr+", 10_000, **how).strategy


def check_patience(answer):
    sigma = strategy(answer, by_rank())
    part = wb.betting_experts(by_rank(), ["r", "cr", "ccr", "cccr"]).part
    outside = np.repeat(part == 0, np.diff(by_rank().first_choice))
    differ = np.abs(sigma.probs - base().probs)[outside] > 0.02
    if differ.any():
        return wrong(
            "Outside the four parts this is not the base of CFR+: there, "
            f"{differ.sum()} probabilities differ."
        )
    lost = milli(sigma)
    if lost >= 100:
        return wrong(f"Its exploitability is {lost:.1f} milli-antes; it should be less than 100.")
    return right(
        f"{lost:.1f} milli-antes, on a base that loses {milli(base()):.0f} alone. Dynamic experts, "
        "whose base knows them, lose 115 without any laps, but need 444 sets instead of 327."
    )


def check_eyes(answer):
    where, suited = prefixes(answer), game("leduc")
    fine = {
        t: wb.stitching.expert_rule(t, wb.betting_experts(t, where), "JQ-K")
        for t in (by_rank(), suited)
    }
    behind = wb.betting_experts(suited, ["r", "cr"])
    size = max(wb.stitching.expert_sizes(suited, behind, {0, 1}, abstraction=fine[suited]).values())
    if size > 80:
        return wrong(f"The largest expert has {size} information sets; at most 80 may be used.")
    behind = wb.betting_experts(by_rank(), ["r", "cr"])
    how = {"abstraction": fine[by_rank()], "iterations": 2_000}
    lost = milli(wb.static_experts(by_rank(), base(), behind, {0, 1}, **how))
    if lost >= 400:
        return wrong(f"{size} sets, and it loses {lost:.0f} milli-antes; it should be below 400.")
    return right(
        f"{size} sets and {lost:.0f} milli-antes. All coarse are 52 sets and 480, the whole flop "
        "after a call 118 sets and 266 (CFR+)."
    )


def prefixes(answer):
    if isinstance(answer, str):
        answer = [each.strip() for each in answer.split(",")]
    if isinstance(answer, Mapping) or not isinstance(answer, Iterable):
        raise UnfitError("a list of betting prefixes is needed here, such as ['rc', 'crc']")
    given = list(answer)
    if not given or not all(isinstance(each, str) and each for each in given):
        raise UnfitError("prefixes are texts of bets, such as ['rc', 'crc']; at least one of them")
    return given
