"""Regret, measured and promised.

A player who played σ¹ … σᵀ and met the others' σ¹ … σᵀ has the average overall regret

    R_i = max over σ'_i of (1/T) Σ_t ( u_i(σ'_i, σᵗ_-i) − u_i(σᵗ) )

CFR promises (Zinkevich et al. 2008, Theorem 4)

    R_i ≤ Δ_i · |I_i| · √A_i / √T

with Δ_i the range of i's payoffs, |I_i| the number of her infosets and A_i the most actions
at one of them. In a two-player zero-sum game, regrets of at most ε make the average strategies
a 2ε-equilibrium.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from workbench.rules import GameError
from workbench.sequence_form import best_up, gradient, sequence_form, up
from workbench.settings import need_whole
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray, GameTree, need_tree

if TYPE_CHECKING:
    import pandas as pd


def regret_bound(tree: GameTree, iterations: int) -> FloatArray:
    """(P,) the theorem's bound on each player's average regret after so many iterations.

    >>> import workbench as wb
    >>> regret_bound(wb.compile_game(wb.load_game("kuhn")), 10_000).round(3)
    array([0.339, 0.339])
    """
    need_tree(tree)
    need_whole("iterations", iterations)
    spread = np.ptp(tree.utility, axis=0)
    sizes = np.diff(tree.first_choice)
    bound = np.zeros(tree.num_players)
    for i in range(tree.num_players):
        hers = tree.infosets_of(i)
        most = sizes[hers.start : hers.stop].max(initial=0)
        bound[i] = spread[i] * len(hers) * np.sqrt(most / iterations)
    return bound


def measured_regrets(profiles: Iterable[Strategy]) -> pd.DataFrame:
    """The average overall regret of each player after 1, 2, … of the profiles, and the bound.

    Columns: iteration, player (counted from 1), regret, bound. What the others played is
    summed up as gradients of the sequence form, and a best response to that sum is exact for
    any number of players.
    """
    import pandas as pd

    if not isinstance(profiles, Iterable):
        raise GameError(f"a list of strategies is needed here, not {type(profiles).__name__}")
    rows: list[tuple[int, int, float, float]] = []
    faced = earned = np.zeros(0)
    for t, profile in enumerate(profiles, 1):
        tree = need_strategy(profile).tree
        form = sequence_form(tree)
        k, everything = tree.num_choices, (0, len(form.above))
        if t > 1 and len(faced) != form.num_sequences:
            raise GameError(f"profile {t} is of another game than the ones before: {tree!r}")
        if t == 1:
            faced, earned = np.zeros(form.num_sequences), np.zeros(form.num_players)
        g = np.zeros(form.num_sequences)
        gradient(form.row, form.others, form.weight, 0, len(g), form.plan(profile.probs), g)
        faced += g
        up(form.first_choice, form.above, profile.probs, *everything, g, np.zeros(len(form.above)))
        earned += g[k:]
        best = faced.copy()
        best_up(form.first_choice, form.above, *everything, best, np.zeros(k))
        regrets, bounds = (best[k:] - earned) / t, regret_bound(tree, t)
        rows += [(t, i + 1, regrets[i], bounds[i]) for i in range(form.num_players)]
    return pd.DataFrame(rows, columns=["iteration", "player", "regret", "bound"])
