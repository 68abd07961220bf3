"""What Gibson & Szafron say about their Table 1, as comparisons of its rows.

A claim says that everybody in `more` has a larger number than everybody in `less`; with `signs` it
says that the former win and the latter lose. Claims that depend on the rule for parts that the base
hardly ever enters are checked by both rules: those about the exploitability of Static.S=N.All, and
all about earnings, since one meets everybody's. Earnings are compared within one field.

>>> found = {"Base": {"cfr+": 12.0, "cfr": 14.0}, "Dynamic": {"cfr+": 37.0, "cfr": 13.0}}
>>> Claim("2p", "earnings", ("Dynamic",), ("Base",)).leads(found)
{'cfr+': 25.0, 'cfr': -1.0}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from workbench.lab.ledger.ledger import Ours
from workbench.lab.ledger.leduc_experts import ALL, ROWS, TWIN
from workbench.lab.ledger.table1_notes import kinds, true_of

Numbers = Mapping[str, Mapping[str, float]]  # row -> solver or seed -> milli-antes

BASE, DYNAMIC, ALONE, _, EARLY = ROWS
STATIC = (ALL, EARLY)


class Claim(NamedTuple):
    """more > less, in a column of one half of the table."""

    half: str  # 2p or 3p
    column: str  # earnings or exploitability
    more: tuple[str, ...]
    less: tuple[str, ...]
    signs: bool = False  # more > 0 > less

    def leads(self, numbers: Numbers) -> dict[str, float]:
        """By solver or seed: the smallest of `more` minus the largest of `less`.

        With `signs` the smallest of what the former win and the latter lose.
        """
        found = {}
        for way in numbers[self.more[0]]:
            low = min(numbers[row][way] for row in self.more)
            high = max(numbers[row][way] for row in self.less)
            found[way] = min(low, -high) if self.signs else low - high
        return found

    def dropped(self) -> Claim:
        """The same by the other rule, for earnings in the field where everybody follows it."""
        moved = ROWS if self.column == "earnings" else (ALL,)
        more, less = (
            tuple(row + TWIN if row in moved else row for row in rows)
            for rows in (self.more, self.less)
        )
        return self._replace(more=more, less=less)


CLAIMS = {
    "2p experts earn more than Base": Claim("2p", "earnings", ROWS[1:], (BASE,)),
    "2p Dynamic earns more than S={i}": Claim("2p", "earnings", (DYNAMIC,), (ALONE,)),
    "2p S=N earns more than S={i}": Claim("2p", "earnings", STATIC, (ALONE,)),
    "2p S=N is more exploitable than S={i}": Claim("2p", "exploitability", STATIC, (ALONE,)),
    "2p Pre-flop earns more than All": Claim("2p", "earnings", (EARLY,), (ALL,)),
    "2p Pre-flop is less exploitable than All": Claim("2p", "exploitability", (ALL,), (EARLY,)),
    "2p Dynamic, S={i} less exploitable than Pre-flop": Claim(
        "2p", "exploitability", (EARLY,), (DYNAMIC, ALONE)
    ),
    "3p experts earn more than Base": Claim("3p", "earnings", ROWS[1:], (BASE,), signs=True),
    "3p Dynamic earns more than S={i}": Claim("3p", "earnings", (DYNAMIC,), (ALONE,)),
    "3p S=N earns more than S={i}": Claim("3p", "earnings", STATIC, (ALONE,)),
    "3p S=N earns more than Dynamic": Claim("3p", "earnings", STATIC, (DYNAMIC,)),
}


def all_claims() -> Iterator[tuple[str, Claim]]:
    """Every claim, and once more where the rule matters."""
    for item, claim in CLAIMS.items():
        yield item, claim
        if claim.column == "earnings" or ALL in (*claim.more, *claim.less):
            yield item + TWIN, claim.dropped()


def check_claims(
    half: str, numbers: Mapping[str, Numbers], chosen: str, left: Mapping[str, float] | None = None
) -> dict[str, Ours]:
    """item -> whether a claim about half of the table holds, whoever solved the games.

    Seeds of chance sampling are not so close to equilibrium, and random starts are not how solvers
    begin: they stand in the note.
    """
    found = {}
    for item, claim in all_claims():
        if claim.half == half:
            sure, started, drawn = kinds(claim.leads(numbers[claim.column]))
            how = "the smallest win or loss" if claim.signs else "the smallest lead"
            lead = Ours.lead(sure, chosen, how, left)
            found[item] = replace(lead, note=lead.note + true_of(started, drawn))
    return found
