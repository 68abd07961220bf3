"""From arrays in breadth-first order to a tree: checked, numbered, frozen.

Whoever makes a tree ends here: the compiler, which asks rules, and abstractions, which rename
and drop parts of another tree.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.rules import GameError, label_of
from workbench.tree import GameTree, IntArray


def assemble(
    *,
    parent: IntArray,
    player: NDArray[np.int8],
    infoset: IntArray,
    choice: IntArray,
    first_choice: IntArray,
    seen: Sequence[Hashable],
    actions: Sequence[Hashable],
    **fields: Any,
) -> tuple[GameTree, IntArray]:
    """Check arrays in breadth-first order, number infosets canonically, freeze the tree.

    Infosets may come in any numbering; those without a history are dropped. All other fields of
    the tree are taken as they are. Returns the tree and `(old K,)` the new number of each old
    choice, -1 if its infoset was dropped.
    """
    n, old_m = len(parent), len(seen)
    decisions = np.flatnonzero(infoset >= 0)
    used, first_at = np.unique(infoset[decisions], return_index=True)
    owner = player[decisions[first_at]]
    strangers = np.flatnonzero(player[decisions] != _spread(used, owner, old_m)[infoset[decisions]])
    if len(strangers):
        bad = int(infoset[decisions[strangers[0]]])
        raise GameError(
            f"infoset {bad} ({label_of(seen[bad])}) of {fields['name']!r} belongs to two players; "
            "histories in one information set must have the same player"
        )
    order = np.lexsort((first_at, owner))
    new_infoset = _spread(used[order], np.arange(len(used), dtype=np.int32), old_m)

    sizes = np.diff(first_choice)[used[order]]
    new_first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    new_choice = np.full(int(first_choice[-1]), -1, np.int32)
    kept = np.repeat(first_choice[used[order]] - new_first[:-1], sizes)
    kept += np.arange(len(kept), dtype=np.int32)
    new_choice[kept] = np.arange(len(kept), dtype=np.int32)

    counts = np.bincount(parent[1:], minlength=n) if n > 1 else np.zeros(n, np.int64)
    first_child = np.concatenate([[1], 1 + np.cumsum(counts)]).astype(np.int32)
    tree = GameTree(
        parent=parent,
        first_child=first_child,
        player=player,
        infoset=np.where(infoset >= 0, new_infoset[infoset], -1).astype(np.int32),
        choice=np.where(choice >= 0, new_choice[choice], -1).astype(np.int32)
        if len(new_choice)
        else choice,
        first_choice=new_first,
        infoset_player=owner[order].astype(np.int8),
        seen=tuple(seen[i] for i in used[order]),
        actions=tuple(actions[c] for c in kept),
        **fields,
    )
    return tree, new_choice


def _spread(where: NDArray[Any], values: NDArray[Any], size: int) -> NDArray[Any]:
    """An array of `size` with values[k] at where[k], and -1 elsewhere."""
    out = np.full(max(size, 1), -1, values.dtype)
    out[where] = values
    return out
