"""Which information sets an abstraction merges, as a table.

>>> from workbench.abstraction.abstraction import abstract
>>> from workbench.games.registry import load_game
>>> from workbench.compiling import compile_game
>>> tree = compile_game(load_game("leduc"))
>>> print(merged_table(abstract(tree, "JQ-K"), first=2, members=3).to_string(index=False))
 player     remembered  sets                             merged
      1 JQ no pair cc/    16 J♠ Q♠ cc/; J♠ Q♥ cc/; J♠ K♠ cc/; …
      1 JQ no pair rc/    16 J♠ Q♠ rc/; J♠ Q♥ rc/; J♠ K♠ rc/; …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.abstraction.abstraction import Abstraction
from workbench.rules import label_of
from workbench.tree import IntArray

if TYPE_CHECKING:
    import pandas as pd


def infoset_map(ab: Abstraction) -> IntArray:
    """(M of full,) the coarse infoset of each full one, -1 where the coarse game has none."""
    full, coarse = ab.full, ab.coarse
    if full.num_infosets == 0:
        return np.zeros(0, np.int32)
    some = np.maximum.reduceat(ab.choice_map, full.first_choice[:-1])  # one of its choices
    owner = np.repeat(np.arange(coarse.num_infosets), np.diff(coarse.first_choice))
    return np.where(some >= 0, owner[some], -1).astype(np.int32)


def merged_table(ab: Abstraction, *, first: int = 10, members: int = 4) -> pd.DataFrame:
    """The coarse sets that are made of most full ones: who, what she remembers, of which sets."""
    import pandas as pd

    where = infoset_map(ab)
    sizes = np.bincount(where[where >= 0], minlength=ab.coarse.num_infosets)
    largest = np.argsort(-sizes, kind="stable")[:first]
    rows = []
    for coarse in largest[sizes[largest] > 1]:
        inside = np.flatnonzero(where == coarse)
        names = [ab.full.infoset_label(int(infoset)) for infoset in inside[:members]]
        rows.append(
            (
                int(ab.coarse.infoset_player[coarse]) + 1,
                label_of(ab.coarse.seen[coarse]),
                len(inside),
                "; ".join(names) + ("; …" if len(inside) > members else ""),
            )
        )
    return pd.DataFrame(rows, columns=["player", "remembered", "sets", "merged"])
