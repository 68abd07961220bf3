"""Trainings that were repeated from several seeds, and claims about them.

`table` has a row for each training and stop: its name (a deck, a rule), the way it was made, the
number of the repeat, the iteration, and what was measured there.

>>> import pandas as pd
>>> from workbench.lab.ledger.claims import pairs
>>> rows = [(name, "exact", k, 1000, x) for name, of in {"a": (3, 5), "b": (1, 4)}.items()
...         for k, x in enumerate(of)]
>>> table = pd.DataFrame(rows, columns=["name", "way", "repeat", "iteration", "score"])
>>> lead = Repeats(Effort(), table, {}).lead(Claim("score", pairs("a", "b")), "exact")
>>> lead.value, lead.low, lead.high, lead.holds, lead.facts
(1.5, 1.0, 2.0, True, {'a': 4.0, 'b': 2.5, 'iterations': 1000})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from statistics import mean
from typing import TYPE_CHECKING, Any

from workbench.lab.ledger.claims import Claim, closest
from workbench.lab.ledger.entry import Effort, TooLongError
from workbench.lab.ledger.ledger import Ours

if TYPE_CHECKING:
    import pandas as pd

LONG = "training takes minutes to an hour"


@dataclass(frozen=True, eq=False)
class Repeats:
    """All trainings at all stops. `what`: a measure. `at`: a stop, by default the last one."""

    effort: Effort
    table: pd.DataFrame
    settings: Mapping[str, Any]
    sizes: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)  # see `size`

    @cached_property
    def points(self) -> list[int]:
        """The iterations at which was measured."""
        return sorted(set(self.table["iteration"].tolist()))

    @cached_property
    def _stops(self) -> dict[Any, pd.DataFrame]:
        return dict(list(self.table.groupby(["name", "way", "iteration"], observed=True)))

    def each(self, name: str, way: str, what: str, at: int = 0) -> list[float]:
        """The repeats at one stop; an item about what was not trained now is left out."""
        key = name, way, at or self.points[-1]
        if key not in self._stops:
            raise TooLongError(LONG)
        return [float(y) for y in self._stops[key][what]]

    def size(self, name: str, way: str) -> tuple[int, int]:
        """The information sets of each player."""
        if (name, way) not in self.sizes:
            raise TooLongError(LONG)
        return self.sizes[name, way]

    def means(self, names: Iterable[str], way: str, what: str, at: int = 0) -> dict[str, float]:
        return {name: mean(self.each(name, way, what, at)) for name in names}

    def claim(self, each: Sequence[float], facts: Mapping[str, Any], **more: Any) -> Ours:
        """The mean of something over the repeats; a claim that it is positive."""
        return Ours.mean(each, **{"holds": mean(each) > 0, "facts": facts, **more})

    def lead(self, claim: Claim, way: str, note: str = "") -> Ours:
        """By how much a claim about the means is true: the lead of its closest pair."""
        column, pairs, rank, at = claim
        names = dict.fromkeys(name for pair in pairs for name in pair)
        means = self.means(names, way, column, at)
        ahead, behind = (self.each(one, way, column, at) for one in closest(means, pairs, rank))
        leads = [x - y for x, y in zip(ahead, behind, strict=True)]
        return self.claim(leads, {**means, "iterations": at or self.points[-1]}, note=note)

    def curves(self, names: Iterable[str], what: str) -> pd.DataFrame:
        """As the ledger keeps them: a curve "naive, as published" for each name and way."""
        rows = self.table[self.table["name"].isin(list(names))]
        named = rows.assign(curve=rows["name"] + ", " + rows["way"])
        return named[["curve", "repeat", "iteration", what]].reset_index(drop=True)


Check = Callable[[Repeats, str], Ours] | Claim


def in_ways(
    ways: Mapping[str, str], claims: Mapping[str, Check], **how: Any
) -> dict[str, Callable[[Repeats], Ours]]:
    """Each claim in each way: "claim, as an item calls the way" -> expression."""

    def checked(claim: Check, way: str, found: Repeats) -> Ours:
        return found.lead(claim, way, **how) if isinstance(claim, Claim) else claim(found, way)

    return {
        f"{item}, {called}": partial(checked, claim, way)
        for item, claim in claims.items()
        for called, way in ways.items()
    }
