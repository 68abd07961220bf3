r"""Smoothed best responses: nearly the best answer, with a little of everything.

A best response jumps: change the opponent a little, and all weight moves to another choice. Add a
price for leaving a centre, and it glides. At an information set with choices of worth g:

    max over p of   Σ_a p(a) g(a) − μ β d(p)

    entropy      d(p) = Σ p ln(p / c)           p ∝ c · e^(g / μβ)
    euclidean    d(p) = ½ Σ (p − c)²            p = c + g / μβ, projected onto the probabilities

c is the centre, uniform play unless said. The larger μ, the nearer to c; μ → 0 is the best
response. Over a whole game the price of each information set counts as often as its player comes
there (a *dilated* function, Hoda et al. 2010), so the answer is found by one pass up, as the best
response is; and β, the *inertia* of an information set, is 1 plus the most that one of its choices
has below it (Kroer et al. 2020, up to a factor):

    β(I) = 1 + max_a Σ_{I' next after I, a} β(I')

These are all the mathematics that the first-order methods need of a game: `egt.py` and
`iterated_smoothing.py` are written with `respond`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.sequence_form import best_up, down, gradient, sequence_form
from workbench.tree import FloatArray, GameTree, IndexArray, kept

ONE, TWO = np.uint64(1), np.uint64(2)


class Smooth(NamedTuple):
    """A game of two players in the sequence form, as kernels take it."""

    first_infoset: NDArray[np.int64]
    first_choice: IndexArray
    above: IndexArray
    row: IndexArray
    others: IndexArray
    weight: FloatArray
    inertia: FloatArray  # (M,) β
    ease: FloatArray  # (M,) 1 / β
    floor: FloatArray  # (M,) β ln(number of choices)
    uniform: FloatArray  # (K,)


@kept
def smooth(tree: GameTree) -> Smooth:
    """Made once for a tree."""
    form = sequence_form(tree)
    inertia = np.empty(len(form.above))
    _inertia_up(form.first_choice, form.above, form.num_sequences, inertia)
    sizes = np.bincount(form.owner)
    return Smooth(
        form.first_infoset, form.first_choice, form.above, form.row, form.others, form.weight,
        inertia, 1.0 / inertia, inertia * np.log(sizes), np.repeat(1.0 / sizes, sizes),
    )  # fmt: skip


@kernel
def _inertia_up(
    first_choice: IndexArray, above: IndexArray, sequences: int, inertia: FloatArray
) -> None:
    below = np.zeros(sequences)
    for infoset in range(len(above) - 1, -1, -1):
        most = 0.0
        for c in range(first_choice[infoset], first_choice[infoset + 1]):
            most = max(most, below[c])
        inertia[infoset] = 1.0 + most
        below[above[infoset]] += 1.0 + most


def largest_price(game: Smooth, player: int, euclidean: bool) -> float:
    """The largest price that a player can pay with μ = 1, from uniform play."""
    g, low, high = np.zeros(len(game.row) - 1), *game.first_infoset[player : player + 2]
    for infoset in range(high - 1, low - 1, -1):
        first, last = game.first_choice[infoset : infoset + 2]
        most = (1.0 - 1.0 / (last - first)) / 2 if euclidean else np.log(last - first)
        g[game.above[infoset]] += game.inertia[infoset] * most + g[first:last].max()
    return float(g[len(game.uniform) + player])


@kernel
def _entropy_up(
    game: Smooth, low: int, high: int, mu: float, g: FloatArray, probs: FloatArray
) -> None:
    """Each exponential is taken of a difference from the best choice, whose own is 1."""
    first_choice, rate = game.first_choice, 1.0 / mu
    for infoset in range(high - 1, low - 1, -1):
        c = np.uint64(first_choice[infoset])
        size = first_choice[infoset + 1] - first_choice[infoset]
        steep = rate * game.ease[infoset]
        if size == 2:  # known sizes are faster: see `sequence_form.up`
            one, two = g[c], g[c + ONE]
            most, less = max(one, two), np.exp(-abs(one - two) * steep)
            total = 1.0 + less
            scale = 1.0 / total
            probs[c] = scale if one >= two else less * scale
            probs[c + ONE] = less * scale if one >= two else scale
        elif size == 3:
            one, two, three = g[c], g[c + ONE], g[c + TWO]
            most = max(one, two, three)
            one = np.exp((one - most) * steep)
            two = np.exp((two - most) * steep)
            three = np.exp((three - most) * steep)
            total = one + two + three
            scale = 1.0 / total
            probs[c], probs[c + ONE], probs[c + TWO] = one * scale, two * scale, three * scale
        else:
            most, total = g[c], 0.0
            for j in range(1, size):
                most = max(most, g[c + np.uint64(j)])
            for j in range(size):
                probs[c + np.uint64(j)] = np.exp((g[c + np.uint64(j)] - most) * steep)
                total += probs[c + np.uint64(j)]
            for j in range(size):
                probs[c + np.uint64(j)] /= total
        price = game.inertia[infoset] * np.log(total) - game.floor[infoset]
        g[game.above[infoset]] += most + mu * price


@kernel
def euclidean_up(
    game: Smooth, low: int, high: int, mu: float, centre: FloatArray, g: FloatArray,
    probs: FloatArray,
) -> None:  # fmt: skip
    """Whoever would be below zero leaves, until nobody does (Michelot 1986)."""
    for infoset in range(high - 1, low - 1, -1):
        first, last = game.first_choice[infoset], game.first_choice[infoset + 1]
        price, total, most = mu * game.inertia[infoset], 0.0, g[first]
        rate = 1.0 / price
        for c in range(first + 1, last):
            most = max(most, g[c])
        for c in range(first, last):  # less the most: what may be large drops out at once
            probs[c] = centre[c] + (g[c] - most) * rate
            total += probs[c]
        left, before = last - first, last - first + 1
        level = (total - 1.0) / left
        while left < before:
            before, left, total = left, 0, 0.0
            for c in range(first, last):
                if probs[c] > level:
                    left += 1
                    total += probs[c]
            level = (total - 1.0) / left
        worth = most
        for c in range(first, last):
            probs[c] = max(probs[c] - level, 0.0)
            worth += probs[c] * (g[c] - most) - 0.5 * price * (probs[c] - centre[c]) ** 2
        g[game.above[infoset]] += worth


@kernel
def respond(
    game: Smooth, player: int, euclidean: bool, mu: float, centre: FloatArray, x: FloatArray,
    g: FloatArray, probs: FloatArray,
) -> float:  # fmt: skip
    """Write a player's smoothed best response to the plan x of the other into probs, and return
    what it is worth, its price subtracted; g: scratch. μ = 0 is the best response."""
    low, high = game.first_infoset[player], game.first_infoset[player + 1]
    root, first_choice = len(centre) + player, game.first_choice
    gradient(game.row, game.others, game.weight, first_choice[low], first_choice[high], x, g)
    gradient(game.row, game.others, game.weight, root, root + 1, x, g)
    if mu == 0.0:
        best_up(first_choice, game.above, low, high, g, probs)
        return float(g[root])
    if euclidean:
        euclidean_up(game, low, high, mu, centre, g, probs)
    else:
        _entropy_up(game, low, high, mu, g, probs)
    return float(g[root])


@kernel
def towards(
    game: Smooth, player: int, tau: float, x: FloatArray, probs: FloatArray, plan: FloatArray
) -> None:
    """A player's plan (1 − τ) x + τ (the plan of probs)."""
    low, high = game.first_infoset[player], game.first_infoset[player + 1]
    down(game.first_choice, game.above, probs, low, high, plan)
    for c in range(game.first_choice[low], game.first_choice[high]):
        plan[c] = (1.0 - tau) * x[c] + tau * plan[c]
