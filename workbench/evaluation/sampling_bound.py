"""What theory promises a solver that samples: a bound, and how likely it holds.

External sampling looks at a part of the game in each iteration. Le (2021), equation 2.8, after
Lanctot et al. (2009): with probability at least 1 − ρ the total regret of player i is at most

    R_i ≤ (1 + √(2/ρ)) · |I_i| · Δ_i · √A_i · √T

which is CFR's own bound (`regret_bound`) times 1 + √(2/ρ), here per iteration as everywhere.
Surer means wider: ρ = 0.05 costs a factor of 7.3. At ρ = 1 the factor is smallest, 2.41, but the
promise holds "with probability at least 0": the thesis's example takes it there.

Everyday example: a weather forecast that is never wrong says "between −60 and +60 degrees". True,
and no help with the umbrella. The thesis's largest game with its own numbers, 245,195 information
sets of player 2, payoffs that range over 8 points, four actions, 100,000 iterations:

>>> round(2 * sampling_factor(1.0) * 245_195 * 8 * 2 / 100_000**0.5)
59901

so the strategy is exploitable for at most 60,000 points, in a game decided by a handful.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from workbench.evaluation.regret import measured_regrets, regret_bound
from workbench.rules import GameError
from workbench.strategy import Strategy
from workbench.tree import FloatArray, GameTree

if TYPE_CHECKING:
    import pandas as pd


def sampling_factor(rho: float) -> float:
    """1 + √(2/ρ): how much wider the bound of a sampling solver is than CFR's."""
    if not 0.0 < rho <= 1.0:
        raise GameError(f"rho is a probability above 0 and at most 1, not {rho!r}")
    return 1.0 + float(np.sqrt(2.0 / rho))


def sampled_regret_bound(tree: GameTree, iterations: int, rho: float = 0.05) -> FloatArray:
    """(P,) equation 2.8 divided by T: the bound on average regret that holds but for ρ.

    >>> import workbench as wb
    >>> sampled_regret_bound(wb.compile_game(wb.load_game("kuhn")), 10_000).round(3)
    array([2.486, 2.486])
    """
    return sampling_factor(rho) * regret_bound(tree, iterations)


def sampled_regrets(profiles: Iterable[Strategy], rho: float = 0.05) -> pd.DataFrame:
    """Measured beside promised: what `measured_regrets` says, and the column `sampled bound`.

    `profiles` are what a solver played in its iterations 1, 2, …; the regret is measured
    exactly, against everything the others really played.
    """
    factor = sampling_factor(rho)
    table = measured_regrets(profiles)
    return table.assign(**{"sampled bound": factor * table["bound"]})
