"""Le (2021), Figure 4.2: exploitability while MCCFR trains, two cards each, with betting.

The figure's curves are not in our text; what the text says about them is. How: see
`toepen_training.py`. The published game is the one in which nobody must follow suit.

The text takes 4 for the highest stake. A player may bet before each of her cards unless she was
the last to bet, and so there can be four calls: the stake is 5, and payoffs span 10.
"""

from __future__ import annotations

from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.toepen_training import (
    ESTIMATED,
    EXACT,
    STANDARD,
    Training,
    train,
)
from workbench.lab.ledger.toepen_variants import VARIANTS
from workbench.strategy import Strategy

DECKS = ("2/3/2b", "3/2/2b", "3/3/2b")
RULE = (
    "one digit of 'approximately 2': 1.5 to 2.5 counts as reproduced, and at that border a verdict "
    "says little"
)
SIMILAR = 1.5  # times: two curves that end within this factor


def measure(effort: Effort) -> Result:
    trained = train(DECKS, effort)
    tree = compile_game(VARIANTS["3/3/2b"])
    spread = float(tree.utility[:, 0].max() - tree.utility[:, 0].min())
    ours = {
        "range of a player's payoffs": Ours(
            spread, note=f"four calls are possible: a payoff of {spread / 2:.0f} occurs"
        ),
    }
    for deck in DECKS:
        uniform = Strategy.uniform(compile_game(VARIANTS[deck]))
        note = f"exact best responses against uniform play; {RULE}"
        ours[f"{deck} uniform play"] = Ours(2 * exploitability(uniform), note=note)
    ways = {
        "trained and estimated as told": ESTIMATED,
        "trained as told, exact": EXACT,
        "standard training, exact": STANDARD,
    }
    for name, way in ways.items():
        ours[f"2/3/2b is the most exploitable, {name}"] = _most(trained, way)
        ours[f"3/2/2b and 3/3/2b are alike, {name}"] = _alike(trained, way)
    ours["the estimate misses part of the exploitability"] = _missed(trained)
    return Result(ours, trained.settings, trained.curves)


def _most(trained: Training, way: str) -> Ours:
    last = {deck: trained.last(deck, way) for deck in DECKS}
    rival = max(DECKS[1:], key=lambda deck: last[deck])
    shown = ", ".join(f"{deck} {value:.4f}" for deck, value in last.items())
    return trained.lead("2/3/2b", rival, way, f"{shown}; {trained.how}; its lead")


def _alike(trained: Training, way: str) -> Ours:
    last = {deck: trained.last(deck, way) for deck in ("3/2/2b", "3/3/2b")}
    more, less = sorted(last, key=lambda deck: -last[deck])
    pairs = zip(trained.ends(more, way), trained.ends(less, way), strict=True)
    ratios = [one / two for one, two in pairs]
    ratio = last[more] / last[less]
    shown = ", ".join(f"{deck} {value:.4f}" for deck, value in last.items())
    note = f"{shown}; {trained.how}, range over repeats; alike: within {SIMILAR} times"
    return Ours(ratio, min(ratios), max(ratios), note, holds=ratio <= SIMILAR)


def _missed(trained: Training) -> Ours:
    """The largest share of the exact exploitability that the estimate finds."""
    shares = {deck: trained.last(deck, ESTIMATED) / trained.last(deck, EXACT) for deck in DECKS}
    shown = ", ".join(f"{deck} {share:.0%}" for deck, share in shares.items())
    return Ours(
        max(shares.values()),
        min(shares.values()),
        max(shares.values()),
        f"share that is found: {shown}; {trained.how}",
        holds=max(shares.values()) < 1,
    )
