"""A field: strategies of one game, each trained once, and what comes out when they meet.

>>> made = []
>>> def train(name): return lambda: made.append(name) or len(name)
>>> field = Field({name: train(name) for name in ("a", "bb", "ccc")}, lambda one, two: one - two)
>>> field.met("ccc", "a"), field.met("ccc", "bb"), field.met("ccc", "a"), made
(2, 1, 2, ['ccc', 'a', 'bb'])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any

import numpy as np

from workbench.evaluation.intervals import intervals, margins
from workbench.lab.ledger.ledger import Ours
from workbench.tree import FloatArray


class Field:
    """`ways`: how each strategy is trained, by name; `judge`: what two or more of them come to.

    `workers`: so many are trained, or meet, at a time."""

    def __init__(
        self, ways: Mapping[Any, Callable[[], Any]], judge: Callable[..., Any], workers: int = 1
    ) -> None:
        self.ways, self.judge, self.workers = ways, judge, workers
        self._trained: dict[Any, Any] = {}
        self._met: dict[tuple[Any, ...], Any] = {}

    def __getitem__(self, name: Any) -> Any:
        """A strategy, trained when it is first asked for."""
        if name not in self._trained:
            self._trained[name] = self.ways[name]()
        return self._trained[name]

    def train(self, names: Iterable[Any]) -> None:
        self._each(self.__getitem__, names)

    def met(self, *names: Any) -> Any:
        """What comes out when these meet."""
        if names not in self._met:
            self._met[names] = self.judge(*(self[name] for name in names))
        return self._met[names]

    def won(self, one: Any, two: Any) -> Any:
        """What one wins from another, who loses it: if the two have met, in either order."""
        return -self.met(two, one) if (two, one) in self._met else self.met(one, two)

    def earned(self, names: Iterable[Any]) -> dict[Any, Any]:
        """Everybody against everybody: the mean of each over its opponents."""
        names = list(names)
        self.train(names)
        self._each(lambda pair: self.won(*pair), combinations(names, 2))
        return {
            one: np.mean([self.won(one, two) for two in names if two != one], axis=0)
            for one in names
        }

    def _each(self, work: Callable[[Any], Any], items: Iterable[Any]) -> None:
        with ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(work, items))


def over_deals(each: FloatArray, over: str, **more: Any) -> Ours:
    """The mean of what was won from each deal, with its 95 % interval; `over` has room for their
    number."""
    found: Any = intervals([""], np.asarray(each)[:, None]).iloc[0]
    how = f"95 % interval {over.format(f'{len(each):,}')}"
    return Ours(float(found.winnings), float(found.low), float(found.high), over=how, **more)


def margin(each: FloatArray) -> float:
    """Half of that interval."""
    return float(margins(each[:, None])[0])
