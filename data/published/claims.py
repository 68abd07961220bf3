"""A claim as data: in one column of numbers, the first of every pair has more than the second.

>>> claim = Claim("earnings", pairs(["experts", "dynamic"], ["base"]))
>>> claim.lead({"earnings": {"experts": 5.0, "dynamic": 3.0, "base": 1.0}})
2.0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import NamedTuple

from workbench.lab.ledger.notes import Numbers

Pairs = tuple[tuple[str, str], ...]
NOTHING = "nothing"  # in a pair: zero, so that "wins" is "more than nothing"


class Claim(NamedTuple):
    """More than, in one column of numbers."""

    column: str
    pairs: Pairs
    rank: int = 0  # whose lead counts: the smallest (of all pairs), or -1: the largest (of some)
    at: int = 0  # of a training: after so many iterations, or in the end

    def closest(self, by: Numbers) -> tuple[str, str]:
        """The pair whose lead counts."""
        leads = {(one, two): by.get(one, 0.0) - by.get(two, 0.0) for one, two in self.pairs}
        return sorted(leads, key=leads.__getitem__)[self.rank]

    def lead(self, numbers: Mapping[str, Numbers]) -> float:
        """By how much the claim is true, at least; negative if it is false."""
        by = numbers[self.column]
        one, two = self.closest(by)
        return by.get(one, 0.0) - by.get(two, 0.0)


def pairs(more: Iterable[str], less: Iterable[str]) -> Pairs:
    """Everybody in `more` with everybody in `less`."""
    return tuple(product(more, less))
