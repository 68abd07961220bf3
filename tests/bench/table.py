"""What a measurement says: one row, as a line for people and as a line of a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

COLUMNS = ["measure", "game", "ours", "peer", "peer name", "ratio", "unit", "required", "pass"]
LAYOUT = "{:<29} {:<20} {:>9}  {:<12} {:>16} {:>9} {:>8}".format


@dataclass(frozen=True, kw_only=True)
class Row:
    """`ratio`: how many times better ours is, whichever direction is better in this unit."""

    measure: str
    game: str
    ours: float
    unit: str
    peer: float | None = None
    peer_name: str = ""
    required: str = ""
    passed: bool | None = None  # None: nothing was required

    @property
    def close(self) -> bool:
        """Whether a ratio lies within a tenth of what is required: it may turn with the noise."""
        if self.ratio is None or not self.required.startswith("≥"):
            return False
        times = float(self.required.split()[1])
        return times > 1 and abs(self.ratio / times - 1) < 0.1

    @property
    def ratio(self) -> float | None:
        if self.peer is None:
            return None
        more_is_better = self.unit.endswith("/s")
        over, under = (self.ours, self.peer) if more_is_better else (self.peer, self.ours)
        return over / under if under else None


def noted(
    measure: str, game: str, ours: float, unit: str, peer: float | None = None, peer_name: str = ""
) -> Row:
    """A number that nothing is required of."""
    return Row(measure=measure, game=game, ours=ours, unit=unit, peer=peer, peer_name=peer_name)


def at_least(
    times: float, measure: str, game: str, ours: float, unit: str, peer: float, peer_name: str
) -> Row:
    """So many times as good as the peer, or more."""
    row = noted(measure, game, ours, unit, peer, peer_name)
    passed = row.ratio is not None and row.ratio >= times
    return replace(row, required=f"≥ {times:g} ×", passed=passed)


def below(limit: float, measure: str, game: str, ours: float, unit: str) -> Row:
    """Less than a fixed limit."""
    row = noted(measure, game, ours, unit)
    return replace(row, required=f"< {limit:g} {unit}", passed=ours < limit)


def above(limit: float, measure: str, game: str, ours: float, unit: str) -> Row:
    """A fixed limit or more."""
    row = noted(measure, game, ours, unit)
    return replace(row, required=f"≥ {limit:,g} {unit}", passed=ours >= limit)


def same(measure: str, game: str, ours: float, unit: str, peer: float, peer_name: str) -> Row:
    """Equal, to rounding: both work on the same game."""
    row = noted(measure, game, ours, unit, peer, peer_name)
    passed = abs(ours - peer) <= 1e-9 * max(1.0, abs(ours))
    return replace(row, required="equal", passed=passed)


def header() -> str:
    return LAYOUT("measure", "game", "ours", "", "peer", "ratio", "required") + "\n" + "─" * 119


def line(row: Row) -> str:
    """A row for people."""
    peer = "" if row.peer is None else f"{row.peer_name} {number(row.peer)}"
    ratio = "" if row.ratio is None or row.required == "equal" else f"{number(row.ratio)} ×"
    verdict = {True: "   ok", False: "   MISSED", None: ""}[row.passed]
    verdict += ", close" if row.close else ""
    cells = row.measure, row.game, number(row.ours), row.unit, peer, ratio, row.required
    return (LAYOUT(*cells) + verdict).rstrip()


def number(value: float) -> str:
    """Three digits that matter, whatever the size; whole numbers in full.

    >>> [number(x) for x in (0.01234, 7.0, 7.125, 450.26, 31234.5, 1831601)]
    ['0.0123', '7', '7.12', '450', '31,234', '1,831,601']
    """
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def summary(rows: Iterable[Row]) -> str:
    """How many requirements are met; those that are not, by name."""
    judged = [row for row in rows if row.passed is not None]
    missed = [row for row in judged if not row.passed]
    lines = [f"{len(judged) - len(missed)} of {len(judged)} requirements met."]
    if missed:
        lines[0] += " Missed:"
    for row in missed:
        name = ", ".join(filter(None, (row.measure, row.game)))
        found = f"{number(row.ours)} {row.unit}"
        if row.ratio is not None:
            found = f"{found}, {number(row.ratio)} × {row.peer_name}"
        lines.append(f"  {name}: {found}, required {row.required}")
    return "\n".join(lines)


def write(rows: Iterable[Row], path: Path) -> None:
    """All rows as CSV."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(COLUMNS)
        for row in rows:
            ratio = "" if row.ratio is None else f"{row.ratio:.6g}"
            peer = "" if row.peer is None else f"{row.peer:.9g}"
            verdict = {True: "yes", False: "no", None: ""}[row.passed]
            out.writerow(
                [row.measure, row.game, f"{row.ours:.9g}", peer, row.peer_name, ratio, row.unit,
                 row.required, verdict]
            )  # fmt: skip
