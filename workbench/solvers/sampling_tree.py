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
from workbench.rules import GameError
from workbench.tree import CHANCE, NOBODY, FloatArray, GameTree, IndexArray, IntArray, kept

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
        array.flags.writeable = False
    return found


def _with_nature(tree: GameTree) -> tuple[IntArray, IntArray, FloatArray, NDArray[np.int8]]:
    """Children, history (-1: nature picks), chance and kind of each node, if actions are merged."""
    size = 2 * tree.num_histories  # at most one new node above each
    first_child, history = np.zeros(size + 1, np.int32), np.full(size, -1, np.int32)
    chance, kind = np.ones(size), np.empty(size, np.int8)
    count, bad = _number_nodes(
        tree.first_child, tree.player, tree.infoset, tree.choice, tree.chance, tree.first_choice,
        first_child, history, chance, kind,
    )  # fmt: skip
    if bad >= 0:
        raise GameError(
            f"history {bad} of {tree.name!r} ({tree.history_label(bad)}) lacks a choice of its "
            "information set; all histories of a set must offer the same choices"
        )
    return (
        first_child[: count + 1].copy(), history[:count].copy(), chance[:count].copy(),
        kind[:count].copy(),
    )  # fmt: skip


@kernel
def _number_nodes(
    old_first: IntArray, player: NDArray[np.int8], infoset: IntArray, choice: IntArray,
    old_chance: FloatArray, first_choice: IntArray,
    first_child: IntArray, history: IntArray, chance: FloatArray, kind: NDArray[np.int8],
) -> tuple[int, int]:  # fmt: skip
    """Breadth first; returns the number of nodes, and a history that lacks a choice or -1."""
    at = np.full(len(history), -1, np.int32)  # above nature's node: history and choice
    by = np.full(len(history), -1, np.int32)
    history[0] = 0
    count, node = 1, 0
    while node < count:
        first_child[node] = count
        h, c = (history[node], -1) if history[node] >= 0 else (at[node], by[node])
        kind[node] = player[h] if c < 0 else NATURE - player[h]
        if c >= 0:  # nature picks among the children that this choice leads to
            for child in range(old_first[h], old_first[h + 1]):
                if choice[child] == c:
                    history[count], chance[count] = child, old_chance[child]
                    count += 1
        elif player[h] == CHANCE:
            for child in range(old_first[h], old_first[h + 1]):
                history[count], chance[count] = child, old_chance[child]
                count += 1
        elif player[h] != NOBODY:
            for c in range(first_choice[infoset[h]], first_choice[infoset[h] + 1]):
                edges, latest = 0, -1
                for child in range(old_first[h], old_first[h + 1]):
                    if choice[child] == c:
                        edges, latest = edges + 1, child
                if edges == 0:
                    return count, h
                if edges == 1:
                    history[count] = latest
                else:
                    at[count], by[count] = h, c
                count += 1
        node += 1
    first_child[count] = count
    return count, -1


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
