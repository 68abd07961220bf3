"""Scores of deals, and the mean of each column with its 95 % interval.

Everyday example: ten evenings of poker say little about who is better, and two say next to nothing.
From n independent scores the mean is known up to

    margin = t · standard deviation of the scores / √n

with Student's t for n - 1 degrees of freedom: 12.7 for two scores, 2.26 for ten, 1.96 for many. So
the mean ± margin holds the exact value 95 times in a hundred, if no outcome is both rare and large:
one that nobody has met is in no standard deviation. Scores that are all alike are the extreme of
that. Then what has not come up in n deals may still have a chance of 1 - 0.05^(1/n), about 3/n, and
moves the mean by at most that times the span of all possible scores. Where nobody knows the span,
the margin is nan: unknown, not 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from workbench.later import pd
from workbench.rules import GameError
from workbench.settings import need_whole
from workbench.tree import FloatArray


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


def margins(scores: FloatArray, span: Callable[[], FloatArray] | None = None) -> FloatArray:
    """(columns,) half the width of the 95 % interval of the mean of each column of scores.

    `span`: how far apart two scores of a column can be; asked for only if scores are all alike.

    >>> margins(np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0]]))
    array([2.48413771,        nan])
    """
    from scipy.special import stdtrit

    n = len(scores)
    half = stdtrit(n - 1, 0.975) * scores.std(axis=0, ddof=1) / np.sqrt(n)
    if (alike := (scores == scores[0]).all(axis=0)).any():
        rare = (1 - 0.05 ** (1 / n)) * (np.nan if span is None else span())
        half = np.where(alike, rare, half)
    return np.asarray(half)


def intervals(
    names: list[str], scores: FloatArray, span: Callable[[], FloatArray] | None = None
) -> pd.DataFrame:
    """Mean and 95 % interval of every column of scores; `span`: see `margins`."""
    if (odd := np.argwhere(~np.isfinite(scores))).size:
        deal, column = odd[0]
        raise GameError(
            f"the score of {names[column]!r} in deal {deal} is {scores[deal, column]}; a mean and "
            "its interval take finite numbers"
        )
    won, margin = scores.mean(axis=0), margins(scores, span)
    columns = {"winnings": won, "margin": margin, "low": won - margin, "high": won + margin}
    return pd.DataFrame(columns, index=names)
