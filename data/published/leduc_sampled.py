"""Gibson & Szafron's Table 1 once more, by the paper's own method and at its own length.

`leduc_table1.py` takes its ranges over solvers that come as close as the paper's; here every game
is solved by chance-sampled CFR with 100 million deals, and the range is over seeds.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from workbench.lab.ledger.papers.leduc_experts import BASES, ROWS, TWIN
from workbench.lab.ledger.papers.leduc_runs import (
    BASE,
    CLAIMS,
    LOST,
    PLAIN,
    Runs,
    Way,
    by_seed,
    make,
)

from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours

NAME = "gibson-szafron-2011-table1-100m"
DEALS = 100_000_000
ALONE = (BASE["2p"],)  # the base of the table's rows; earnings need all three
SEEDS = {0: BASES, 1: BASES, 2: ALONE, 3: ALONE}
ITEMS = (
    *(f"2p exploitability {row}" for row in LOST),
    *(f"2p earnings {row}{end}" for row in ROWS for end in ("", TWIN)),
)


class Sampled:
    """A field for each seed, made when an expression asks for it."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort

    @cached_property
    def runs(self) -> Runs:
        self.effort.full_only("100 million deals in each of 144 games take a night")
        ways = {
            by_seed(DEALS, seed): Way(PLAIN, DEALS, seed, suits=True, bases=bases)
            for seed, bases in SEEDS.items()
        }
        return make("2p", ways, self.effort)

    @property
    def settings(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "game": "leduc",
            "deals": DEALS,
            "seeds": f"{min(SEEDS)} to {max(SEEDS)}; earnings: "
            + ", ".join(str(seed) for seed, bases in SEEDS.items() if bases == BASES),
        }
        if self.effort.quick:
            return found
        left = "milli-antes to gain inside, largest of all games"
        return found | {left: self.runs.inside}


def _cell(work: Sampled, item: str) -> Ours:
    each = work.runs.by_item[item]
    return Ours.mean([*each.values()], parts=each, left=work.runs.inside, facts=seeds(each))


def _claim(work: Sampled, item: str) -> Ours:
    each = work.runs.by_item[item]
    return Ours.lead(
        each, next(iter(each)), "seeds", left=work.runs.inside, note="the smallest lead, by seed",
        facts=seeds(each),
    )  # fmt: skip


def seeds(each: dict[str, float]) -> dict[str, float]:
    """{"seed 0": 494.9}"""
    return {name[name.index("seed") :]: x for name, x in each.items()}


SAMPLED = Entry(
    """Gibson & Szafron (2011), Table 1, two players, by the paper's own method: chance-sampled CFR,
    100 million iterations.

    How: as in `gibson-szafron-2011-table1`, but every game is solved by chance-sampled CFR without
    weights, on the tree with suits, with as many deals as in the paper, and ranges and verdicts are
    over seeds. "Left" is the mean over both players of what each could still gain in the abstract
    game, the largest of all games of a seed; the paper's were within a milli-ante, too.
    """,
    Sampled,
    {
        **{item: (_cell, item) for item in ITEMS},
        **{item: (_claim, item) for item in CLAIMS if item.startswith("2p")},
    },
)

ENTRIES = {NAME: SAMPLED}
