"""How many entries of the linear program of a game like Rhode Island Hold'em are not zero.

The matrix of Koller, Megiddo and von Stengel (1994) has three blocks: what two sequences that meet
pay, and for each player how sequences go on in information sets. Most entries are payoffs. An end
of the betting has one for each pair of classes of hands that can meet there: on some board, with
two different cards. At a fold all of them count, at a showdown only those that win or lose on
average.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.poker.betting.betting import END, FOLD
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.cards.boards import boards_of

Matrix = NDArray[np.int64]


def lp_entries(rules: Any, buckets: HandBuckets) -> dict[str, int]:
    """By what they say: payoffs at folds and at showdowns, and how sequences go on."""
    folds = showdowns = flow = 0
    last = len(rules.betting.rounds) - 1
    per_round = zip(rules.betting.rounds, rules.betting.starts, buckets.classes, strict=True)
    for number, (one, starts, classes) in enumerate(per_round):
        met = meetings(rules, buckets, number)
        folds += starts * int(np.count_nonzero(one.kind == FOLD) * np.count_nonzero(met))
        if number == last:
            won = meetings(rules, buckets, number, showdown=True)
            showdowns += starts * int(np.count_nonzero(one.kind == END) * np.count_nonzero(won))
        decides = one.kind < FOLD  # a row: the choices, and the sequence that they go on from
        flow += classes * starts * int((one.count[decides] + 1).sum())
    return {"folds": folds, "showdowns": showdowns, "information sets": flow + 2}


def meetings(rules: Any, buckets: HandBuckets, number: int, *, showdown: bool = False) -> Matrix:
    """(C, C) how often two classes meet in a round; at a showdown, wins minus losses there."""
    boards, hands = boards_of(rules)[number], rules.deck.hands(rules.private_cards)
    found = np.zeros((buckets.classes[number],) * 2, np.int64)
    for board, weight, own in zip(boards.cards, boards.weight, buckets.rounds[number], strict=True):
        there = np.flatnonzero(own >= 0)
        cards = hands[there]
        counts = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3)).astype(int)
        if showdown:
            public = np.broadcast_to(board, (len(there), len(board)))
            strength = rules.strength(np.hstack([cards, public]))
            counts *= np.sign(strength[:, None] - strength[None, :])
        np.add.at(found, np.ix_(own[there], own[there]), int(weight) * counts)
    return found
