"""Le (2021), Figure 4.4: finer abstractions of Toepen against the unabstracted strategy.

The figure's curves are not in our text; what the text says about them is. How, and the four ways
in which each claim is checked: see `toepen_abstractions.py`. A score above zero wins.

The thesis plays 20,000 hands to find a score, half of them in each seat, and has no interval. For
one pair of strategies we do the same, with one, beside the exact score.
"""

from __future__ import annotations

from dataclasses import replace

from workbench.evaluation.matches import sample_match
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.toepen_abstractions import (
    FOLLOW,
    FULL,
    LONG,
    RULES,
    Claim,
    Compared,
    claims,
    compare,
    score,
    trained,
)

FINE = ("advanced-hand", "advanced-history", "advanced-combined")
LATER = 20_000  # "after a small number of initial" iterations
HANDS = 20_000
SIMULATED = f"{HANDS:,} simulated hands find the score"


def measure(effort: Effort) -> Result:
    found = compare(effort, FINE)
    result = claims(found, CLAIMS)
    ours, skipped = dict(result.ours), dict(result.skipped)
    if effort.quick:
        skipped[SIMULATED] = LONG
    else:
        ours[SIMULATED] = _simulated(found)
    return replace(result, ours=ours, skipped=skipped, curves=found.curves(FINE))


def _hand_worst(found: Compared, way: str) -> Ours:
    other = min(FINE[1:], key=lambda rule: found.mean(rule, way))
    return found.lead(other, "advanced-hand", way)


def _history_ahead(found: Compared, way: str) -> Ours:
    """The smallest lead at any stop after the start."""
    leads = [
        found.lead("advanced-history", "advanced-combined", way, at=point)
        for point in found.points
        if point >= LATER
    ]
    return min(leads, key=lambda lead: lead.value)


def _best_of_six(found: Compared, way: str) -> Ours:
    others = [rule for rule in RULES if rule != "advanced-history"]
    rival = max(others, key=lambda rule: found.mean(rule, way))
    return found.lead("advanced-history", rival, way)


def _simulated(found: Compared) -> Ours:
    """Both strategies of seed 0 at the end of training."""
    iterations = found.points[-1]
    sigma = trained(FOLLOW, "advanced-history", 0, iterations)
    rival = trained(FOLLOW, FULL, 0, iterations)
    exact = score(sigma, rival)
    table = sample_match(
        {"advanced-history": sigma, FULL: rival}, deals=HANDS // 2, duplicate=False
    )
    won, low, high = (float(table[name].to_numpy()[0]) for name in ("winnings", "low", "high"))
    note = f"advanced-history, {FOLLOW}, seed 0 after {iterations:,}; exact {exact:.4f}"
    return Ours(won, low, high, f"{note}, 95 % interval", holds=low <= exact <= high)


CLAIMS = {
    "advanced-hand ends lowest": Claim(FINE, _hand_worst),
    "advanced-history stays above advanced-combined": Claim(FINE, _history_ahead),
    "advanced-history ends highest of all six": Claim(RULES, _best_of_six),
}
