"""The loops over a tree: down for how likely, up for how good. Any number of players.

For a profile σ and a player i write π for the product of the probabilities on the way to
a history, π_i for i's own share of it and π_-i for everybody else's, chance included.

    reach                π(h), from the root down
    history values       u(h) = Σ_{z below h} π(h → z) u(z), from the ends up
    counterfactual       v_i(I, a) = Σ_{h in I} Σ_{z below ha} π_-i(z) π_i(ha → z) u_i(z)

Zinkevich et al. (2008), equation 5, without its division. Nothing here asks for perfect
recall.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.tree import FloatArray, GameTree, IntArray

__all__ = ["counterfactual_pass", "history_values", "profile_values", "reach"]


@kernel
def _reach_down(
    parent: IntArray, choice: IntArray, chance: FloatArray, probs: FloatArray, reach: FloatArray
) -> None:
    reach[0] = 1.0
    for h in range(1, len(parent)):
        weight = reach[parent[h]] * chance[h]
        c = choice[h]
        if c >= 0:
            weight *= probs[c]
        reach[h] = weight


def reach(tree: GameTree, probs: FloatArray) -> FloatArray:
    """(N,) π(h): how likely each history is when everybody plays `probs`."""
    out = np.empty(tree.num_histories)
    _reach_down(tree.parent, tree.choice, tree.chance, probs, out)
    return out


def profile_values(tree: GameTree, probs: FloatArray) -> FloatArray:
    """(P,) what each player wins on average."""
    over = tree.terminal >= 0
    return np.asarray(reach(tree, probs)[over] @ tree.utility)


@kernel
def _values_up(
    parent: IntArray, choice: IntArray, chance: FloatArray, probs: FloatArray, values: FloatArray
) -> None:
    for h in range(len(parent) - 1, 0, -1):
        above, c, weight = parent[h], choice[h], chance[h]
        if c >= 0:
            weight *= probs[c]
        for i in range(values.shape[1]):
            values[above, i] += weight * values[h, i]


def history_values(tree: GameTree, probs: FloatArray) -> FloatArray:
    """(N, P) what each player wins on average from each history on."""
    over = tree.terminal >= 0
    values = np.zeros((tree.num_histories, tree.num_players))
    values[over] = tree.utility[tree.terminal[over]]
    _values_up(tree.parent, tree.choice, tree.chance, probs, values)
    return values


@kernel
def counterfactual_pass(
    parent: IntArray,  # (N,)
    player: NDArray[np.int8],  # (N,)
    choice: IntArray,  # (N,)
    chance: FloatArray,  # (N,)
    terminal: IntArray,  # (N,)
    utility: FloatArray,  # (Z, P)
    probs: FloatArray,  # (K,)
    i: int,
    others: FloatArray,  # (N,) scratch: π_-i(h)
    own: FloatArray,  # (N,) out: π_i(h)
    worth: FloatArray,  # (N,) scratch: Σ_z π_-i(z) π_i(h → z) u_i(z)
    values: FloatArray,  # (K,) out, i's part: v_i(I, a)
) -> None:
    """Everything CFR asks of one profile for one player: one pass down, one up."""
    others[0] = own[0] = 1.0
    worth[0] = 0.0
    for h in range(1, len(parent)):
        above, c = parent[h], choice[h]
        theirs, mine = others[above] * chance[h], own[above]
        if c >= 0:
            if player[above] == i:
                mine *= probs[c]
            else:
                theirs *= probs[c]
        others[h], own[h] = theirs, mine
        z = terminal[h]
        worth[h] = theirs * utility[z, i] if z >= 0 else 0.0
    for h in range(len(parent) - 1, 0, -1):
        above, c = parent[h], choice[h]
        if player[above] == i:
            values[c] += worth[h]
            worth[above] += probs[c] * worth[h]
        else:
            worth[above] += worth[h]
