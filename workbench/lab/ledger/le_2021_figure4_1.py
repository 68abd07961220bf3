"""Le (2021), Figure 4.1: exploitability while MCCFR trains, two cards each, no betting.

The figure's curves are not in our text, so no number is compared; what the text says about them
is. How: see `toepen_training.py`. Each claim is checked twice: with the thesis's way to train and
to estimate, and with standard training and exact best responses.
"""

from __future__ import annotations

from itertools import pairwise

from workbench.compiling import compile_game
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

DECKS = ("3/2/2", "3/3/2", "2/3/2")  # from the most to the least exploitable, says the text


def measure(effort: Effort) -> Result:
    trained = train(DECKS, effort)
    utility = compile_game(VARIANTS["3/3/2"]).utility
    larger = trained.lead("3/2/2", "3/3/2", STANDARD, f"3/2/2 minus 3/3/2; {trained.how}")
    ours = {
        "range of a player's payoffs": Ours(float(utility[:, 0].max() - utility[:, 0].min())),
        "order of the decks, trained and estimated as told": _order(trained, ESTIMATED),
        "order of the decks, trained as told, exact": _order(trained, EXACT),
        "order of the decks, standard training, exact": _order(trained, STANDARD),
        "the larger deck 3/3/2 is less exploitable than 3/2/2, standard training, exact": larger,
    }
    return Result(ours, trained.settings, trained.curves)


def _order(trained: Training, way: str) -> Ours:
    """The smaller of the two leads in the order of the text."""
    last = {deck: trained.last(deck, way) for deck in DECKS}
    more, less = min(pairwise(DECKS), key=lambda pair: last[pair[0]] - last[pair[1]])
    shown = ", ".join(f"{deck} {value:.5f}" for deck, value in last.items())
    return trained.lead(more, less, way, f"{shown}; {trained.how}; the smaller lead")
