"""Which information sets an abstraction merges, as a table.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> print(merged_table(wb.abstract(tree, "JQ-K"), first=2, members=3).to_string(index=False))
 player     remembered  sets                             merged
      1 JQ no pair cc/    16 J♠ Q♠ cc/; J♠ Q♥ cc/; J♠ K♠ cc/; …
      1 JQ no pair rc/    16 J♠ Q♠ rc/; J♠ Q♥ rc/; J♠ K♠ rc/; …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.abstraction.abstraction import Abstraction
from workbench.rules import label_of

if TYPE_CHECKING:
    import pandas as pd


def merged_table(ab: Abstraction, *, first: int = 10, members: int = 4) -> pd.DataFrame:
    """The coarse sets that are made of most full ones: who, what she remembers, of which sets."""
    import pandas as pd

    where = ab.infoset_map
    sizes = np.bincount(where[where >= 0], minlength=ab.coarse.num_infosets)
    largest = np.argsort(-sizes, kind="stable")[:first]
    rows = []
    for coarse in largest[sizes[largest] > 1]:
        inside = np.flatnonzero(where == coarse)
        names = [ab.full.infoset_label(int(infoset)) for infoset in inside[:members]]
        merged = "; ".join([*names, "…"] if len(inside) > members else names)
        player, label = int(ab.coarse.infoset_player[coarse]), label_of(ab.coarse.seen[coarse])
        rows.append((player + 1, label, len(inside), merged))
    return pd.DataFrame(rows, columns=["player", "remembered", "sets", "merged"])
