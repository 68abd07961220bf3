"""The ledger: what a text says, what we find, and a verdict on the pair.

Everyday example: a paper prints 496.31, we measure 489.77, and the solvers of ours end
between 489.77 and 510.76. The numbers differ, yet the paper's may well be true.

>>> said = Published("exploitability", "milli-antes", "496.31", "Table 1")
>>> found = Ours.spread({"cfr+": 489.77, "pcfr+": 495.07, "cfr": 510.76}, "cfr+")
>>> judge("a-paper", said, found).verdict
'inside the range'

    reproduced          ours, rounded to the digits that were printed, is what was printed
                        ("about 200,000" has one digit: 150,000 to 250,000 is the same number)
    inside the range    it is not, but what was printed lies between our lowest and highest
    not reproduced      neither; the note says why, or what is open
    claim holds         no number was printed, but a statement, and it is true of ours
    claim does not hold it is false of ours; the note says how

An entry states facts; the note is made of them when a row is read. It begins with what the verdict
depends on ("inside only with cfr: …", if a single solver puts the printed number inside our range).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from statistics import mean
from typing import Any, Literal, get_args

import numpy as np

from workbench.lab.ledger.notes import Numbers, note, span
from workbench.lab.text import figure
from workbench.later import pd
from workbench.rules import GameError

Verdict = Literal[
    "reproduced", "inside the range", "claim holds", "not reproduced", "claim does not hold"
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True)
class Published:
    """What a text says: one line of a CSV in data/published."""

    item: str
    unit: str
    published: str  # as printed, so that its digits count; empty if it states a claim only
    where: str  # the table, figure, page or section
    says: str = ""  # the statement, in our words

    def __post_init__(self) -> None:
        for name in ("item", "unit", "where"):
            if not getattr(self, name):
                raise GameError(f"a published line without {name}: {self}")
        if not self.published and not self.says:
            raise GameError(f"{self.item!r}: neither a number nor a claim")
        if self.published and (self.number is None or not math.isfinite(self.number)):
            raise GameError(f"{self.item!r}: {self.published!r} is not a number")

    @property
    def number(self) -> float | None:
        try:
            return float(Decimal(self.published)) if self.published else None
        except InvalidOperation:
            return None

    @property
    def precision(self) -> float:
        """Half a unit of the last digit that was printed: 0.5 for 132, 5e17 for 1e18."""
        exponent = Decimal(self.published).as_tuple().exponent
        return 0.5 * 10.0 ** int(exponent)


@dataclass(frozen=True)
class Ours:
    """What we find: a number, how far it moves, and what a reader must know about it."""

    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""  # a remark that is no number
    holds: bool | None = None  # the answer to a claim
    parts: Numbers = field(default_factory=dict)  # what the range was made of
    left: Numbers = field(default_factory=dict)  # mean gain that a part leaves, at most
    true_of: Sequence[str] | None = None  # the parts of which a claim is true
    over: str = ""  # what the range is over
    facts: Mapping[str, Any] = field(default_factory=dict)  # name -> number, or names with numbers

    def __post_init__(self) -> None:
        bounds = self.low, self.high
        numbers = [float(x) for x in (self.value, *bounds, *self.parts.values()) if x is not None]
        if not all(map(math.isfinite, numbers)) or (self.low is None) != (self.high is None):
            raise GameError(f"a result must be a finite number with two bounds or none: {self}")
        if self.low is not None and self.high is not None:
            slack = 1e-12 * max(1.0, abs(self.value))  # means are rounded
            if not self.low - slack <= self.value <= self.high + slack:
                raise GameError(f"our number lies outside our own range: {self}")

    @classmethod
    def spread(
        cls, parts: Numbers, chosen: str, over: str = "solvers", *, left: Numbers | None = None,
        **more: Any,
    ) -> Ours:  # fmt: skip
        """The number of one solver or field, with the range over all of them."""
        numbers = {name: float(value) for name, value in parts.items()}
        still = {name: float(left[name]) for name in numbers if left and name in left}
        return cls(
            numbers[chosen], min(numbers.values()), max(numbers.values()), parts=numbers,
            left=still, over=f"range over {len(numbers)} {over}", **more,
        )  # fmt: skip

    @classmethod
    def lead(cls, parts: Numbers, chosen: str, over: str = "solvers", **more: Any) -> Ours:
        """A claim that something is positive: it holds if it is true of every solver or field."""
        true = [name for name, value in parts.items() if value > 0]
        holds = len(true) == len(parts)
        return cls.spread(parts, chosen, over, holds=holds, true_of=true, **more)

    @classmethod
    def mean(cls, each: Sequence[float], **more: Any) -> Ours:
        """The mean over seeds, with their range; a single seed has none."""
        if len(each) == 1:
            return cls(each[0], over="one seed", **more)
        over = f"mean and range over {len(each)} seeds"
        return cls(mean(each), min(each), max(each), over=over, **more)

    def without(self, name: str) -> str:
        """What one of the parts found, how unfinished it was, and what the others say."""
        others = [value for part, value in self.parts.items() if part != name]
        still = f" (mean gain {self.left[name]:.3g} left)" if name in self.left else ""
        found = figure(self.parts[name], ".4g")
        return f"{name}: {found}{still}, without it {span(others, '.4g')}"

    def hangs_on(self, number: float) -> list[str]:
        """The parts without which a number would not lie in the range; of two, neither says it."""
        if len(self.parts) < 3:
            return []
        below = [name for name, value in self.parts.items() if value <= number]
        above = [name for name, value in self.parts.items() if value >= number]
        return [side[0] for side in (below, above) if len(side) == 1]


@dataclass(frozen=True)
class Result:
    """What an entry measured: item -> ours, and the settings that made it.

    `settings["ranges"]`, if there: what holds for all ranges of the entry, said once for them all.
    A setting {item: {run: number}} has runs that no verdict counts; notes sum them up.
    `skipped`: item -> why a quick measurement leaves it out.
    """

    ours: Mapping[str, Ours]
    settings: Mapping[str, Any]
    curves: pd.DataFrame | None = None  # of a figure; see `check_curves`
    skipped: Mapping[str, str] = field(default_factory=dict)

    def beside(self, item: str) -> list[Numbers]:
        """The runs for an item that its verdict does not count."""
        tables = [table for table in self.settings.values() if isinstance(table, Mapping)]
        return [table[item] for table in tables if isinstance(table.get(item), Mapping)]


@dataclass(frozen=True)
class Row:
    """One line of the ledger, as `workbench reproduce --json` prints it."""

    source: str
    item: str
    unit: str
    published: float | None
    ours: float
    low: float | None
    high: float | None
    verdict: Verdict
    note: str
    says: str = ""  # the statement that a claim is about, in our words
    where: str = ""  # the place in the text
    scale: str = ""  # what stands here for the text's larger game or longer run

    @property
    def document(self) -> str:
        """The text that says it, "Le (2021)"; "" for golden values and findings of ours."""
        found = re.match(r"[^();:]+\(\d{4}\)", self.where)
        return found[0] if found and "not among ours" not in self.where else ""


def judge(
    source: str, said: Published, found: Ours, beside: Iterable[Numbers] = (), scale: str = ""
) -> Row:
    """The row for one published line and what we found."""
    number = said.number
    if (number is None) != (found.holds is not None):
        raise GameError(
            f"{source}, {said.item!r}: a claim needs holds=True or False, a number must not have it"
        )
    verdict: Verdict
    if number is None:
        verdict = "claim holds" if found.holds else "claim does not hold"
    elif abs(found.value - number) <= said.precision * (1 + 1e-9):
        verdict = "reproduced"
    elif found.low is not None and found.high is not None and found.low <= number <= found.high:
        verdict = "inside the range"
    else:
        verdict = "not reproduced"
    return Row(
        source, said.item, said.unit, number, found.value, found.low, found.high, verdict,
        note(said, found, verdict, beside), said.says, said.where, scale,
    )  # fmt: skip


def check_curves(table: pd.DataFrame) -> None:
    """Refuse a table of curves whose repeats cannot be averaged: same points for all, and finite.
    It has a line for each curve, repeat and measuring point; the last two columns are the axes:

        curve,repeat,iteration,exploitability
        2 suits,0,500,0.131
        2 suits,1,500,0.127
    """
    names = list(table.columns)
    if len(names) != 4 or names[:2] != ["curve", "repeat"] or not len(table):
        raise GameError(f"curves need lines of curve, repeat, x and y, not {', '.join(names)}")
    x, y = names[2:]
    if not np.isfinite(table[[x, y]].to_numpy(np.float64)).all():
        raise GameError(f"curves: {x} and {y} must be finite numbers")
    if table.duplicated(["curve", "repeat", x]).any():
        raise GameError(f"curves: a repeat has two values at the same {x}")
    for curve, lines in table.groupby("curve", sort=False):
        points = {tuple(repeat[x]) for _, repeat in lines.groupby("repeat")}
        if len(points) > 1:
            raise GameError(f"curves: the repeats of {curve!r} are measured at different {x}s")
