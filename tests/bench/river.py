"""The last round of an exact best response in Hold'em: milliseconds for a board and a seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.bench.clock import now
from workbench.poker.cards.board_sets import CARDS, PAIRS, masks_of
from workbench.poker.response.flop_response import FixedOpponent
from workbench.poker.response.river_response import answer_river, showdown

BOARDS = 50


def river_ms(strategy: Any, seed: int = 0) -> float:
    """The mean over random boards and both seats, sorting and counting included."""
    opponent, rng, boards = FixedOpponent(strategy), np.random.default_rng(seed), []
    for _ in range(1 + BOARDS):
        board = rng.permutation(52)[:5]
        (bucket,) = opponent.buckets(board)
        boards.append((masks_of(board), bucket))
    rivers = [of for (of,) in opponent.rivers]
    out = [np.zeros((PAIRS, *of.ends.shape[::3]), np.float32) for of in rivers]
    began = now()
    for k, (masks, bucket) in enumerate(boards):
        if k == 1:  # the first one compiles
            began = now()
        found = showdown(masks, bucket, CARDS)
        for of, one in zip(rivers, out, strict=True):
            answer_river(found, of, CARDS, 1.0, one)
    return 1000 * (now() - began) / (2 * BOARDS)
