"""Regret, measured and promised.

A player who played σ¹ … σᵀ and met the others' σ¹ … σᵀ has the regret

    R_i = max over σ'_i of Σ_t ( u_i(σ'_i, σᵗ_-i) − u_i(σᵗ) )

in total, and R_i / T on average, which is what the functions here return. CFR promises (Zinkevich
et al. 2007, Theorem 4)

    R_i / T ≤ Δ_i · |I_i| · √A_i / √T

with Δ_i the range of i's payoffs, |I_i| the number of her infosets and A_i the most actions
at one of them. In a two-player zero-sum game, average regrets of at most ε make the average
strategies a 2ε-equilibrium.

External sampling looks at a part of the game in each iteration. Its bound is CFR's times
1 + √(2/ρ), and holds with probability at least 1 − ρ (Le 2021, equation 2.8, after Lanctot et al.
2009). Surer means wider: ρ = 0.05 costs a factor of 7.3. At ρ = 1 the factor is smallest, 2.41,
but the promise holds "with probability at least 0": the thesis's example takes it there.

Everyday example: a weather forecast that is never wrong says "between −60 and +60 degrees". True,
and no help with the umbrella. The thesis's largest game with its own numbers, 245,195 information
sets of player 2, payoffs that range over 8 points, four actions, 100,000 iterations:

>>> round(2 * sampling_factor(1.0) * 245_195 * 8 * 2 / 100_000**0.5)
59901

so the strategy is exploitable for at most 60,000 points, in a game decided by a handful.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from workbench.later import pd
from workbench.rules import GameError, shown
from workbench.sequence_form import best_up, gradient, sequence_form, up
from workbench.settings import need_several, need_whole
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray, GameTree, need_tree


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
    rows: list[tuple[int, int, float, float]] = []
    faced = earned = np.zeros(0)
    for t, profile in enumerate(need_several("profiles", profiles, "strategies"), 1):
        tree = need_strategy(profile).tree
        form = sequence_form(tree)
        k, everything = tree.num_choices, (0, len(form.above))
        if t > 1 and len(faced) != form.num_sequences:
            raise GameError(f"profile {t} is of another game than the ones before: {tree!r}")
        if t == 1:
            faced, earned = np.zeros(form.num_sequences), np.zeros(form.num_players)
        g = np.zeros(form.num_sequences)
        gradient(form, 0, len(g), form.plan(profile.probs), g)
        faced += g
        up(form, profile.probs, *everything, g, np.zeros(len(form.above)))
        earned += g[k:]
        best = faced.copy()
        best_up(form, *everything, best, np.zeros(k))
        regrets, bounds = (best[k:] - earned) / t, regret_bound(tree, t)
        rows += [(t, i + 1, regrets[i], bounds[i]) for i in range(form.num_players)]
    return pd.DataFrame(rows, columns=["iteration", "player", "regret", "bound"])


def sampling_factor(rho: float) -> float:
    """1 + √(2/ρ): how much wider the bound of a sampling solver is than CFR's."""
    if not (isinstance(rho, float | int | np.floating) and 0.0 < rho <= 1.0):
        raise GameError(f"rho is a probability above 0 and at most 1, not {shown(rho)}")
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
