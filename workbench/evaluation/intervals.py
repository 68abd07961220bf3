"""Scores of deals, and the mean of each column with its 95 % interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.rules import GameError
from workbench.settings import need_whole
from workbench.tree import FloatArray

if TYPE_CHECKING:
    import pandas as pd

WIDE = 1.959963984540054  # standard deviations on each side that hold 95 % of a normal curve


def no_scores(deals: int, columns: int) -> FloatArray:
    """(deals, columns) zeros, if there is room for them."""
    shape = (need_whole("deals", deals, 2), columns)
    try:
        return np.zeros(shape)
    except (MemoryError, ValueError):  # ValueError: more than an array may have
        raise GameError(
            f"the scores of {deals:,} deals do not fit into memory; a margin shrinks with the "
            "square root of the deals, so 1,000,000 is usually plenty"
        ) from None


def intervals(names: list[str], scores: FloatArray) -> pd.DataFrame:
    """Mean and 95 % interval of every column of scores."""
    import pandas as pd

    if (odd := np.argwhere(~np.isfinite(scores))).size:
        deal, column = odd[0]
        raise GameError(
            f"the score of {names[column]!r} in deal {deal} is {scores[deal, column]}; a mean and "
            "its interval take finite numbers"
        )
    won = scores.mean(axis=0)
    margin = WIDE * scores.std(axis=0, ddof=1) / np.sqrt(len(scores))
    columns = {"winnings": won, "margin": margin, "low": won - margin, "high": won + margin}
    return pd.DataFrame(columns, index=names)
