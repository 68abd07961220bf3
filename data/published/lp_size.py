"""How large the linear program of a game like Rhode Island Hold'em is: rows, and entries that are
not zero.

The matrix of Koller, Megiddo and von Stengel (1994) has three blocks: what two sequences that meet
pay, and for each player how sequences go on in information sets. Most entries are payoffs. An end
of the betting has one for each pair of classes of hands that can meet there: on some board, with
two different cards. At a fold all of them count, at a showdown only those that win or lose on
average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from workbench.lab.ledger.papers.kronecker import meetings

from workbench.poker.betting.betting import END, FOLD
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.cards.boards import holdings, infosets_per_player


def lp_rows(rules: Any, classes: Sequence[int] | None = None) -> int:
    """Rows of the linear program of Gilpin and Sandholm: one player's information sets, and one for
    each sequence of the other (with the empty ones).

    >>> from workbench.games.registry import load_game
    >>> lp_rows(load_game("rhode_island"))
    91224226
    """
    per_round = zip(
        classes or holdings(rules), rules.betting.rounds, rules.betting.starts, strict=True
    )
    choices = sum(
        hands * starts * int(one.count[one.kind == 1].sum()) for hands, one, starts in per_round
    )
    return int(infosets_per_player(rules, classes) + choices + 2)


def lp_entries(rules: Any, buckets: HandBuckets) -> dict[str, int]:
    """By what they say: payoffs at folds and at showdowns, and how sequences go on."""
    folds = showdowns = flow = 0
    last = len(rules.betting.rounds) - 1
    per_round = zip(rules.betting.rounds, rules.betting.starts, buckets.classes, strict=True)
    for number, (one, starts, classes) in enumerate(per_round):
        met = meetings(rules, buckets, number)
        folds += starts * int(np.count_nonzero(one.kind == FOLD)) * int(met.nnz)
        if number == last:
            won = meetings(rules, buckets, number, showdown=True)
            showdowns += starts * int(np.count_nonzero(one.kind == END)) * int(won.nnz)
        decides = one.kind < FOLD  # a row: the choices, and the sequence that they go on from
        flow += classes * starts * int((one.count[decides] + 1).sum())
    return {"folds": folds, "showdowns": showdowns, "information sets": flow + 2}
