"""Trainings of Le (2021) that were repeated from several seeds, and claims about them.

Their table has a row for each training and stop: its name (a deck, a rule), the way it was made,
the number of the repeat, the iteration, and what was measured there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import mean
from typing import Any

import pandas as pd
from workbench.lab.ledger.papers.claims import Claim

from workbench.lab.ledger.entry import Effort, Expression, TooLongError
from workbench.lab.ledger.ledger import Ours

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

    def each(self, way: str, name: str, what: str, at: int = 0) -> list[float]:
        """The repeats at one stop; an item about what was not trained now is left out."""
        key = name, way, at or self.points[-1]
        if key not in self._stops:
            raise TooLongError(LONG)
        return [float(y) for y in self._stops[key][what]]

    def means(self, way: str, names: Iterable[str], what: str, at: int = 0) -> dict[str, float]:
        return {name: mean(self.each(way, name, what, at)) for name in names}

    def size(self, way: str, name: str) -> int:
        """The information sets of both players; `sizes` has those of each."""
        if (name, way) not in self.sizes:
            raise TooLongError(LONG)
        return sum(self.sizes[name, way])

    def claim(self, each: Sequence[float], facts: Mapping[str, Any], **more: Any) -> Ours:
        """The mean of something over the repeats in the end; a claim that it is positive."""
        facts = {**facts, "iterations": facts.get("iterations", self.points[-1])}
        return Ours.mean(each, **{"holds": mean(each) > 0, "facts": facts, **more})

    def lead(self, way: str, claim: Claim, note: str = "") -> Ours:
        """By how much a claim about the means is true: the lead of its closest pair."""
        names = dict.fromkeys(name for pair in claim.pairs for name in pair)
        column, at = claim.column, claim.at
        means = self.means(way, names, column, at)
        leads = differences(*(self.each(way, one, column, at) for one in claim.closest(means)))
        return self.claim(leads, {**means, "iterations": at or self.points[-1]}, note=note)

    def curves(self, names: Iterable[str], what: str) -> pd.DataFrame:
        """As the ledger keeps them: a curve "naive, as published" for each name and way."""
        rows = self.table[self.table["name"].isin(list(names))]
        named = rows.assign(curve=rows["name"] + ", " + rows["way"])
        return named[["curve", "repeat", "iteration", what]].reset_index(drop=True)


def differences(ahead: Sequence[float], behind: Sequence[float]) -> list[float]:
    return [float(x - y) for x, y in zip(ahead, behind, strict=True)]


def in_ways(ways: Mapping[str, str], claims: Mapping[str, Any]) -> dict[str, Expression]:
    """Each claim in each way, "claim, as an item calls the way".

    A claim is one about leads, or a function of the repeats, the way and, in a tuple, more.
    """
    found: dict[str, Expression] = {}
    for item, claim in claims.items():
        check = (Repeats.lead, claim) if isinstance(claim, Claim) else claim
        function, *more = check if isinstance(check, tuple) else (check,)
        found |= {f"{item}, {called}": (function, way, *more) for called, way in ways.items()}
    return found
