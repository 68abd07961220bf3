"""Best response and exploitability: the most that somebody could win who knew everything.

    best response of i    max over σ'_i of u_i(σ'_i, σ_-i)
    gain of i             best response − u_i(σ): what i wins by deviating alone
    exploitability        the mean gain; zero exactly at a Nash equilibrium

In a two-player zero-sum game the gains add up to the two best responses, so exploitability
is their mean. All of it is exact: one sweep over the sequence form for each player.

>>> import workbench as wb
>>> uniform = Strategy.uniform(wb.compile_game(wb.load_game("kuhn")))
>>> best_response(uniform, 0).value, exploitability(uniform) * 24
(0.5, 11.0)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.sequence_form import best_up, down, gradient, sequence_form, up
from workbench.strategy import JudgesItself, Strategy, need_strategy
from workbench.tree import FloatArray, IndexArray, need_players


@dataclass(frozen=True)
class BestResponse:
    """`value` is what `player` wins at best; `strategy` plays so, the others as before."""

    player: int
    value: float
    strategy: Strategy


def best_response(sigma: Strategy | JudgesItself, player: int) -> BestResponse:
    """The best reply of one player to the others' part of a profile."""
    if isinstance(sigma, JudgesItself):
        need_players(sigma.tree, (player,))
        return BestResponse(player, *sigma.best_response(player))
    tree = need_strategy(sigma).tree
    need_players(tree, (player,))
    form = sequence_form(tree)
    x, probs, mine = form.plan(sigma.probs), sigma.probs.copy(), tree.choices_of(player)
    g = np.zeros(form.num_sequences)
    empty = tree.num_choices + player
    gradient(form.row, form.others, form.weight, mine.start, mine.stop, x, g)
    gradient(form.row, form.others, form.weight, empty, empty + 1, x, g)
    low, high = form.first_infoset[player : player + 2]
    best_up(form.first_choice, form.above, low, high, g, probs)
    return BestResponse(player, float(g[empty]), Strategy(tree, probs))


def gains(sigma: Strategy | JudgesItself) -> FloatArray:
    """(P,) what each player would win by deviating alone: her best response − her value."""
    if not isinstance(sigma, Strategy) and isinstance(sigma, JudgesItself):  # the quick test first
        return sigma.gains()
    form = sequence_form(need_strategy(sigma).tree)
    out = np.empty(form.num_players)
    _gains(
        form.first_infoset, form.first_choice, form.above, form.row, form.others, form.weight,
        sigma.probs, out,
    )  # fmt: skip
    return out


def exploitability(sigma: Strategy | JudgesItself) -> float:
    """The mean over players of what deviating alone would win."""
    if not isinstance(sigma, Strategy) and isinstance(sigma, JudgesItself):
        return sigma.exploitability()
    return float(gains(sigma).mean())


@kernel
def _gains(
    first_infoset: NDArray[np.int64], first_choice: IndexArray, above: IndexArray, row: IndexArray,
    others: IndexArray, weight: FloatArray, probs: FloatArray, out: FloatArray,
) -> None:  # fmt: skip
    players, k = len(first_infoset) - 1, len(probs)
    x, pure = np.ones(k + players), np.zeros(k)
    down(first_choice, above, probs, 0, len(above), x)
    honest = np.zeros(k + players)
    gradient(row, others, weight, 0, k + players, x, honest)
    best = honest.copy()
    up(first_choice, above, probs, 0, len(above), honest, np.zeros(len(above)))
    best_up(first_choice, above, 0, len(above), best, pure)
    for i in range(players):
        out[i] = best[k + i] - honest[k + i]
