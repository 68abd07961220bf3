"""What strategies of several bases earn from one another (`wb.earnings`), in one table.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> uniform = Strategy.uniform(tree)
>>> bold = Strategy.from_function(tree, lambda player, seen, actions: "b")
>>> timid = Strategy.from_function(tree, lambda player, seen, actions: "p")
>>> earnings_table({"school": {"bold": bold, "uniform": uniform}, "home": {"timid": timid}})
                earnings
school bold         1.00
       uniform      0.50
home   timid       -0.75
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from workbench.evaluation.tournament import all_seatings, mean_winnings
from workbench.rules import GameError
from workbench.strategy import Strategy

if TYPE_CHECKING:
    import pandas as pd

_NAMED = "strategies are named inside each base: {'JQ-K': {'base': a, 'experts': b}, 'null': …}"


def earnings_table(bases: Mapping[str, Mapping[str, Strategy]]) -> pd.DataFrame:
    """The earnings of every strategy of `{base: {name: strategy}}` against the other bases."""
    import pandas as pd

    if not isinstance(bases, Mapping) or not bases:
        given = repr(bases) if isinstance(bases, Mapping) else type(bases).__name__
        raise GameError(f"{_NAMED}, not {given}")
    for base, members in bases.items():
        if not isinstance(members, Mapping):
            raise GameError(f"{_NAMED}; {base!r} has {type(members).__name__} instead")
    rows = [(base, name) for base, members in bases.items() for name in members]
    worth = all_seatings([bases[base][name] for base, name in rows])
    groups = {base: [a for a, (its, _) in enumerate(rows) if its == base] for base in bases}
    found = [
        mean_winnings(worth, a, [group for other, group in groups.items() if other != base])
        for a, (base, _) in enumerate(rows)
    ]
    return pd.DataFrame({"earnings": found}, index=pd.MultiIndex.from_tuples(rows))
