"""Earnings: what a strategy wins on average from opponents who think in other abstractions.

Gibson & Szafron (2011), Section 6: strategies are built on several *base abstractions*, and a
strategy is scored against all combinations and orderings of opponents such that everybody at the
table uses a different base, all averaged. With two players and the bases null, JQ-K and J-QK, five
strategies each, a JQ-K strategy meets ten opponents from both seats; with three players it meets
5 × 5 pairs, one of each other base, in all six seatings.

Everyday example: to compare two ways of learning, do not let pupils of one teacher play among
themselves; send them to the other schools.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> uniform = Strategy.uniform(tree)
>>> bold = Strategy.from_function(tree, lambda player, seen, actions: "b")
>>> timid = Strategy.from_function(tree, lambda player, seen, actions: "p")
>>> earnings(bold, [uniform, timid])
0.6875
>>> earnings_table({"school": {"bold": bold, "uniform": uniform}, "home": {"timid": timid}})
                earnings
school bold         1.00
       uniform      0.50
home   timid       -0.75
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from workbench.evaluation.tournament import all_seatings, table_winnings
from workbench.rules import GameError
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray

if TYPE_CHECKING:
    import pandas as pd

Group = Strategy | Sequence[Strategy]  # strategies of one base; one alone is a base of its own

_NAMED = "strategies are named inside each base: {'JQ-K': {'base': a, 'experts': b}, 'null': …}"
_GROUPED = "opponents are grouped by base: [[a, b], [c, d]], or [a, c] with one of each"


def earnings(strategy: Strategy, opponents: Sequence[Group]) -> float:
    """What a strategy wins on average; `opponents` are grouped by base, `[[a, b], [c, d]]`.

    Two players: the mean over all opponents of (u_1(σ_1, σ'_2) + u_2(σ'_1, σ_2)) / 2. More
    players: the mean over all choices of P − 1 bases and one opponent of each, and all seatings.
    """
    need_strategy(strategy)
    if not _listed(opponents):
        raise GameError(f"{_GROUPED}, not {type(opponents).__name__}")
    field, groups = [strategy], []
    for group in opponents:
        if not (isinstance(group, Strategy) or _listed(group)):
            raise GameError(f"{_GROUPED}, not with {type(group).__name__} in them")
        members = [group] if isinstance(group, Strategy) else group
        groups.append(range(len(field), len(field) + len(members)))
        field += members
    return _mean_winnings(all_seatings(field), 0, groups)


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
        _mean_winnings(worth, a, [group for other, group in groups.items() if other != base])
        for a, (base, _) in enumerate(rows)
    ]
    return pd.DataFrame({"earnings": found}, index=pd.MultiIndex.from_tuples(rows))


def _listed(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _mean_winnings(worth: FloatArray, a: int, groups: Sequence[Sequence[int]]) -> float:
    """The mean of what `a` wins with one opponent of each of P − 1 different groups."""
    seats = worth.shape[-1]
    tables = [
        (a, *others) for chosen in combinations(groups, seats - 1) for others in product(*chosen)
    ]
    if not tables:
        raise GameError(
            f"a table of {seats} needs opponents of {seats - 1} other "
            f"{'base' if seats == 2 else 'bases'}; "
            f"there are {sum(map(bool, groups))} with somebody in them"
        )
    return float(np.mean([table_winnings(worth, table)[0] for table in tables]))
