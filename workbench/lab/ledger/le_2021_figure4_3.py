"""Le (2021), Figure 4.3: coarse abstractions of Toepen against the unabstracted strategy.

The figure's curves are not in our text; what the text says about them is. How, and the four ways
in which each claim is checked: see `toepen_abstractions.py`. A score above zero wins.
"""

from __future__ import annotations

from dataclasses import replace

from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.toepen_abstractions import Claim, Compared, claims, compare

COARSE = ("naive", "simple-history", "simple-hand")
BEST = "advanced-history"  # shown beside them
START, SOON = 1000, 20_000  # "in the beginning" and "quickly", in iterations


def measure(effort: Effort) -> Result:
    found = compare(effort, (*COARSE, BEST))
    return replace(claims(found, CLAIMS), curves=found.curves((*COARSE, BEST)))


def _win_at_first(found: Compared, way: str) -> Ours:
    worst = min(COARSE, key=lambda rule: found.mean(rule, way, at=START))
    note = f"the lowest of {found.shown(COARSE, way, at=START)} after {START:,}"
    holds = found.mean(worst, way, at=START) > 0
    return found.ours(found.each(worst, way, at=START), way, note, holds)


def _fall_off(found: Compared, way: str) -> Ours:
    def falls(rule: str) -> list[float]:
        pairs = zip(found.each(rule, way, at=START), found.each(rule, way), strict=True)
        return [before - after for before, after in pairs]

    least = min((falls(rule) for rule in COARSE), key=sum)
    note = f"the smallest fall since {START:,}; {found.shown(COARSE, way)} after"
    return found.ours(least, way, f"{note} {found.points[-1]:,}", holds=sum(least) > 0)


def _hand_first(found: Compared, way: str) -> Ours:
    other = min(COARSE[:2], key=lambda rule: found.mean(rule, way, at=SOON))
    return found.lead(other, "simple-hand", way, at=SOON)


def _outperform(rule: str, found: Compared, way: str) -> Ours:
    """The text does not say when; we take the end, and note how long it was true."""
    lead = found.lead(rule, "simple-hand", way)
    above = [at for at in found.points if found.lead(rule, "simple-hand", way, at=at).holds]
    until = f"above until {above[-1]:,}" if above else "never above"
    return replace(lead, note=f"{lead.note}; {until}")


def _best(found: Compared, way: str) -> Ours:
    rival = max(COARSE, key=lambda rule: found.mean(rule, way))
    return found.lead(BEST, rival, way)


CLAIMS = {
    "coarse rules win at first": Claim(COARSE, _win_at_first),
    "coarse rules fall off": Claim(COARSE, _fall_off),
    "simple-hand falls off first": Claim(COARSE, _hand_first),
    "naive ends above simple-hand": Claim(
        COARSE, lambda found, way: _outperform("naive", found, way)
    ),
    "simple-history ends above simple-hand": Claim(
        COARSE, lambda found, way: _outperform("simple-history", found, way)
    ),
    "advanced-history ends above them all": Claim((*COARSE, BEST), _best),
}
