"""Three hands that were sampled, fitted to two hands that are exact.

Everyday example: a poll that happened to ask too many old people. Every answer gets another weight,
as little changed as possible, until the poll agrees with the census age by age. That is *raking*.

Here the poll is the table of three hands, P(order w | h, y, z), and the census is the exact table
of two. If the third hand is left out, both must say the same of every pair of hands:

    Σ_z P(h, y, z) Σ_w P(w | h, y, z) [w lets h win against y]  =  P(h, y) P(h wins against y)

and so for a tie and a loss. Otherwise the players of a pot would see another pot than the one who
folded. Every order decides three duels, so each round multiplies it by three factors (exact over
found), to the power 1/3: generalised iterative scaling (Darroch and Ratcliff, 1972).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.jamfold.showdowns import WINNER
from workbench.kernels import kernel
from workbench.poker.hand_classes import HANDS

Floats = NDArray[np.float64]
Triples = NDArray[np.int32]

ENOUGH = 1e-6  # of a duel's probability
MOST = 100  # rounds; 30 do


def rake(every: Triples, orders: Floats, weight: Floats, exact: Floats) -> float:
    """Change `orders` (n, 13) of the triples (n, 3), which come up with probabilities `weight`
    (n,), until their duels are `exact` (3, 169, 169); returns what the worst is still off by."""
    chance, off = np.maximum(exact.sum(axis=0), 1e-300), np.inf
    for _ in range(MOST):
        found = duels_of(every, orders, weight)
        off = float((np.abs(found - exact) / chance).max())
        if off <= ENOUGH:
            break
        factor = np.divide(exact, found, out=np.ones_like(exact), where=found > 0.0)
        _scale(every, np.cbrt(factor), orders)
    return off


def duels_of(every: Triples, orders: Floats, weight: Floats) -> Floats:
    """(3, 169, 169) two hands meet, and the first one wins, ties, loses: the third is left out."""
    out = np.zeros((3, HANDS, HANDS))
    _add(every, orders, weight, out)
    return out


@kernel
def _add(every: Triples, orders: Floats, weight: Floats, out: Floats) -> None:
    """`weight` is that of the triple in any order, so that each pair has a sixth, both ways."""
    for t in range(len(every)):
        a, b, c, part = every[t, 0], every[t, 1], every[t, 2], weight[t] / 6.0
        for w in range(13):
            x = part * orders[t, w]
            ab, ac, bc = WINNER[0, w], WINNER[1, w], WINNER[2, w]
            out[ab, a, b] += x
            out[2 - ab, b, a] += x
            out[ac, a, c] += x
            out[2 - ac, c, a] += x
            out[bc, b, c] += x
            out[2 - bc, c, b] += x


@kernel
def _scale(every: Triples, factor: Floats, orders: Floats) -> None:
    for t in range(len(every)):
        a, b, c, total = every[t, 0], every[t, 1], every[t, 2], 0.0
        for w in range(13):
            orders[t, w] *= (
                factor[WINNER[0, w], a, b] * factor[WINNER[1, w], a, c] * factor[WINNER[2, w], b, c]
            )
            total += orders[t, w]
        if total > 0.0:
            for w in range(13):
                orders[t, w] /= total
