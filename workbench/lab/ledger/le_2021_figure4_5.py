"""Le (2021), Figure 4.5: how many information sets training reaches, and how many there are.

The figure's curves are not in our text; the sizes and what is said about them are. How: see
`toepen_abstractions.py`. Sizes are counted with the thesis's suits, in the game where nobody must
follow suit; with lossless suits there are fewer everywhere, and the proportions stay.

The text says that simple-hand converges to about 200,000 sets in this figure. The figure shows the
sets that are reached, so that is what we compare; how many there are stands in the note.
"""

from __future__ import annotations

from dataclasses import replace

from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.toepen_abstractions import (
    FULL,
    LONG,
    PUBLISHED,
    Claim,
    Compared,
    claims,
    compare,
)

DRAWN = ("simple-hand", "advanced-hand", "advanced-history", "advanced-combined")
SIZES = {f"size {rule}": rule for rule in ("naive", "simple-history", FULL)}
SEATS = ("size unabstracted, player 1", "size unabstracted, player 2")
HAND = "reached with simple-hand"
RULE = "one digit of 'about 200,000': 150,000 to 250,000 would count as reproduced"
OPEN = "the thesis may also count sets that were met only while the other player learnt"
SLACK = 0.2  # what counts as half, or as twice: this share off


def measure(effort: Effort) -> Result:
    found = compare(effort, DRAWN[1:])
    result = claims(found, CLAIMS)
    ours, skipped = dict(result.ours), dict(result.skipped)
    if PUBLISHED in found.repeats:
        ours |= {item: Ours(sum(found.sizes[rule, PUBLISHED])) for item, rule in SIZES.items()}
        ours |= {item: Ours(found.sizes[FULL, PUBLISHED][i]) for i, item in enumerate(SEATS)}
        size = sum(found.sizes["simple-hand", PUBLISHED])
        note = f"of the {size:,} that there are; {RULE}; {OPEN}"
        ours[HAND] = found.ours(found.each("simple-hand", PUBLISHED, "reached"), PUBLISHED, note)
    else:
        skipped |= dict.fromkeys((*SIZES, *SEATS, HAND), LONG)
    return replace(
        result, ours=ours, skipped=skipped, curves=found.curves((FULL, *DRAWN), "reached")
    )


def _ratio(found: Compared, one: str, other: str, way: str) -> tuple[float, str]:
    sizes = [sum(found.sizes[rule, way]) for rule in (one, other)]
    return sizes[0] / sizes[1], f"{one} {sizes[0]:,}, {other} {sizes[1]:,}"


def _half(found: Compared, way: str) -> Ours:
    ratio, note = _ratio(found, "advanced-history", FULL, way)
    return Ours(ratio, note=note, holds=abs(2 * ratio - 1) <= SLACK)


def _twice(found: Compared, way: str) -> Ours:
    ratio, note = _ratio(found, "advanced-hand", "advanced-combined", way)
    return Ours(ratio, note=note, holds=abs(ratio / 2 - 1) <= SLACK)


def _slightly(found: Compared, way: str) -> Ours:
    ratio, note = _ratio(found, "advanced-history", "advanced-combined", way)
    return Ours(ratio, note=note, holds=1 < ratio <= 1 + SLACK)


def _not_all(found: Compared, way: str) -> Ours:
    size = sum(found.sizes[FULL, way])
    shares = [count / size for count in found.each(FULL, way, "reached")]
    count = found.mean(FULL, way, "reached")
    note = f"{count:,.0f} of {size:,} after {found.points[-1]:,}"
    return found.ours(shares, way, note, holds=max(shares) < 1)


CLAIMS = {
    "advanced-history has half of the sets": Claim((FULL, "advanced-history"), _half),
    "advanced-hand has twice those of advanced-combined": Claim(DRAWN[1:], _twice),
    "advanced-history is slightly larger than advanced-combined": Claim(DRAWN[1:], _slightly),
    "unabstracted training does not reach all sets": Claim((FULL,), _not_all),
}
