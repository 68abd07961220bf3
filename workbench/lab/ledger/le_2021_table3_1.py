"""Le (2021), Table 3.1: how many information sets small versions of Toepen have.

How: the rules are compiled, and the information sets counted. The hands and the upper bounds are
formulas: the thesis prints them for the full deck (Section 3.1.2), and its table follows from the
same ones. The rows with betting (`b`) are those of players who need not follow suit, which is not
what the text says but what its numbers count; the notes say how many there are if they must.
"""

from __future__ import annotations

from math import comb, factorial

from workbench.compiling import compile_game
from workbench.games.toepen.rules import Toepen
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.lab.ledger.toepen_variants import (
    LARGEST,
    VARIANTS,
    as_told,
    hands,
    upper_bound,
)

MINUTES = "compiling its 6.8 million histories takes minutes"
BOUND = "two players × hands × cards of the opponent and own cards in all tricks but the last"


def measure(effort: Effort) -> Result:
    ours, histories, skipped = _full_deck(), {}, {}
    for name, variant in VARIANTS.items():
        ours[f"{name} hands"] = Ours(hands(variant))
        bets = f" × {2 ** (2 * variant.hand + 1)} for bets" if variant.betting else ""
        ours[f"{name} upper bound"] = Ours(upper_bound(variant), note=BOUND + bets)
        item = f"{name} information sets"
        if effort.quick and name == LARGEST:
            skipped[item] = MINUTES
            continue
        tree = compile_game(variant)
        histories[name] = tree.num_histories
        note = ""
        if variant.betting:
            told = compile_game(as_told(variant)).num_infosets
            note = f"need not follow suit; players who must, as the text says, have {told:,}"
        ours[item] = Ours(tree.num_infosets, note=note)
    return Result(
        ours,
        {
            "game": "toepen",
            "follow_suit": "True without betting, False with it",
            "histories": histories,
            "seeds": "none: nothing is drawn at random",
        },
        skipped=skipped,
    )


def _full_deck() -> dict[str, Ours]:
    """Section 3.1.2: 32 cards, four each."""
    deck = Toepen(4, 8, 4, betting=True)
    deals = comb(32, 4) * comb(28, 4)
    plays = deals * factorial(4) ** 2
    alone = upper_bound(Toepen(4, 8, 4, betting=False), players=1)
    return {
        "full deck, deals": Ours(deals),
        "full deck, ways to play without betting": Ours(plays),
        "full deck, ways to play": Ours(plays * 2**8, note="2 for each of the eight cards"),
        "full deck, one player's sets without betting": Ours(alone),
        "full deck, one player's sets": Ours(alone * 2**8, note="eight bets"),
        "full deck, both players' sets": Ours(
            upper_bound(deck), note="nine bets for each, as in the table"
        ),
    }
