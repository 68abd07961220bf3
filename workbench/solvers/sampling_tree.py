"""A tree prepared for random walks.

Nobody deals a deck in all its ways before a hand is played: it is shuffled once, and the hand is
played. A sampling solver does the same, and what one walk costs must not depend on the size of
the game. So each tree is prepared once, into *nodes*:

- A node's children stand next to each other, and at a decision the j-th child is reached by the
  j-th choice of its infoset. Where several actions were merged into one choice (m edges with the
  same choice, weight 1/m each: the player chooses, nature picks the real action) the nodes
  say exactly that: the choice leads to a node of nature's, and this one to the m children.
- Chance is EVEN, all outcomes equally likely, or UNEVEN; then `below` holds cumulative
  probabilities, to be searched by halving: a dozen steps for a thousand deals. Nature's nodes
  are even too, and say whose choice stands above them: `NATURE - player`.

Most trees merge nothing, and their nodes are their histories.

>>> import workbench as wb
>>> full = wb.compile_game(wb.load_game("smuggler"))
>>> def coast_or_not(player, seen, actions):
...     return seen, ["coast", "inland", "inland"] if len(actions) == 3 else list(actions)
>>> coarse = wb.abstract(full, coast_or_not).coarse
>>> len(walks(full).kind) - full.num_histories, len(walks(coarse).kind) - coarse.num_histories
(0, 2)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.kernels import kernel
from workbench.passes import breadth_first
from workbench.rules import GameError
from workbench.tree import CHANCE, FloatArray, GameTree, IndexArray, IntArray, frozen, kept

EVEN, UNEVEN, NATURE = CHANCE, -3, -4


class Walks(NamedTuple):
    """Arrays over V nodes, as kernels take them; node 0 is the root."""

    kind: NDArray[np.int8]  # (V,)   the player, EVEN, UNEVEN, NATURE - player or NOBODY
    first_child: IndexArray  # (V+1,)
    row: IndexArray  # (V,)   the first choice at a decision, the row of utility at an end
    below: FloatArray  # (V,)   below UNEVEN: chance of this child or an earlier one; else (0,)
    utility: FloatArray  # (Z, P)
    depth: int  # moves in the longest walk
    width: int  # the most children of a decision or of nature's node


@kept
def walks(tree: GameTree) -> Walks:
    """The nodes of a tree."""
    kind, first_child = tree.player.copy(), tree.first_child
    chance, history = tree.chance, np.arange(tree.num_histories, dtype=np.int32)
    depth = len(tree.level_start) - 2
    moved = np.flatnonzero(tree.player[tree.parent[1:]] >= 0) + 1
    usual = tree.first_choice[tree.infoset[tree.parent[moved]]] - first_child[tree.parent[moved]]
    if np.any(tree.choice[moved] != usual + moved):
        first_child, history, chance, kind = _with_nature(tree)
        depth *= 2
    decides = kind >= 0
    row = np.where(decides, tree.first_choice[tree.infoset[history]], tree.terminal[history])
    below = np.zeros(len(kind))
    _prepare_chance(first_child, chance, kind, below)
    found = Walks(
        kind=kind,
        first_child=first_child.view(np.uint32),
        row=row.astype(np.int32).view(np.uint32),
        below=below if np.any(kind == UNEVEN) else np.zeros(0),
        utility=tree.utility,
        depth=depth,
        width=int(np.diff(first_child)[decides | (kind <= NATURE)].max(initial=1)),
    )
    for array in found[:5]:
        frozen(array)
    return found


def _with_nature(tree: GameTree) -> tuple[IntArray, IntArray, FloatArray, NDArray[np.int8]]:
    """Children, history (-1: nature picks), chance and kind of each node, if actions are merged."""
    n, made = tree.num_histories, np.flatnonzero(tree.choice >= 0)  # histories that a choice made
    pairs = tree.parent[made].astype(np.int64) * tree.num_choices + tree.choice[made]
    _, first, pair, many = np.unique(
        pairs, return_index=True, return_inverse=True, return_counts=True
    )
    offered = np.bincount(tree.parent[made[first]], minlength=n)  # choices at each history
    deciding = np.flatnonzero(tree.infoset >= 0)
    lacks = offered[deciding] < np.diff(tree.first_choice)[tree.infoset[deciding]]
    if lacks.any():
        bad = int(deciding[lacks][0])
        raise GameError(
            f"history {bad} of {tree.name!r} ({tree.history_label(bad)}) lacks a choice of its "
            "information set; all histories of a set must offer the same choices"
        )
    several = many > 1
    above, by = tree.parent.copy(), np.zeros(n, np.int32)
    by[made] = np.where(several[pair], 0, tree.choice[made])
    above[made] = np.where(several[pair], n + np.cumsum(several)[pair] - 1, above[made])
    picks = made[first[several]]  # a history below each of nature's nodes
    above, by = np.r_[above, tree.parent[picks]], np.r_[by, tree.choice[picks]]
    kind = np.r_[tree.player, NATURE - tree.player[tree.parent[picks]]].astype(np.int8)
    sorted_ = np.argsort(by, kind="stable")  # siblings in the order of their choices
    rank = np.argsort(sorted_)
    order = sorted_[breadth_first(np.where(above >= 0, rank[above], -1)[sorted_])]
    first_child = np.r_[1, 1 + np.cumsum(np.bincount(above[1:], minlength=len(kind))[order])]
    history = np.where(order < n, order, -1).astype(np.int32)
    chance = np.r_[tree.chance, np.ones(len(picks))][order]
    return first_child.astype(np.int32), history, chance, kind[order]


@kernel
def _prepare_chance(
    first_child: IntArray, chance: FloatArray, kind: NDArray[np.int8], below: FloatArray
) -> None:
    """Tell EVEN from UNEVEN, and add up the probabilities of the latter."""
    for node in range(len(kind)):
        if kind[node] != CHANCE:
            continue
        low, high = first_child[node], first_child[node + 1]
        total, last, even = 0.0, low, True
        for child in range(low, high):
            total += chance[child]
            below[child] = total
            even = even and chance[child] == chance[low]
            if chance[child] > 0.0:
                last = child
        if not even:
            kind[node] = UNEVEN
            below[last:high] = 1.0  # whatever the rounding: what cannot be is never dealt
