"""Gibson & Szafron's Table 1 once more, by the paper's own method and at its own length.

`leduc_table1.py` takes its ranges over solvers that come as close as the paper's; here every game
is solved by chance-sampled CFR with 100 million deals, and the range is over seeds.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from workbench.lab.ledger.papers.leduc_experts import ALL, BASES, ROWS, TWIN
from workbench.lab.ledger.papers.leduc_runs import (
    BASE,
    CLAIMS,
    LOST,
    PLAIN,
    Runs,
    Setup,
    by_seed,
    make,
    printed,
)

from workbench.lab.ledger.entry import Effort, Entry
from workbench.lab.ledger.ledger import Ours

NAME = "gibson-szafron-2011-table1-100m"
DEALS = 100_000_000
ALONE = (BASE["2p"],)  # the base of the table's rows; earnings need all three
SEEDS = {0: BASES, 1: BASES, 2: ALONE, 3: ALONE}
BY_BASE = (
    "open which equilibrium of the base the paper's run ended at; four seeds are few, and one of "
    "eight with a tenth of the deals loses 214.6"
)
BY_RULE = (
    "open: neither rule for leftovers gives what is printed; with a hundredth of the deals some "
    "seeds that keep them come near it"
)
BY_FIELD = "open which equilibria the paper's field of fifteen played; two seeds are few"
ITEMS = (
    *(f"2p exploitability {row}" for row in LOST),
    *(f"2p earnings {row}{end}" for row in ROWS for end in ("", TWIN)),
)


class SampledFields:
    """A field for each seed, made when an expression asks for it."""

    def __init__(self, effort: Effort) -> None:
        self.effort = effort

    @cached_property
    def runs(self) -> Runs:
        self.effort.full_only("100 million deals in each of 144 games take a night")
        ways = {
            by_seed(DEALS, seed): Setup(PLAIN, DEALS, seed, suits=True, bases=bases)
            for seed, bases in SEEDS.items()
        }
        return make("2p", ways, self.effort)

    @property
    def settings(self) -> dict[str, Any]:
        earning = [seed for seed, bases in SEEDS.items() if bases == BASES]
        which = f"{min(SEEDS)} to {max(SEEDS)}; earnings: {', '.join(map(str, earning))}"
        found: dict[str, Any] = {"game": "leduc", "deals": DEALS, "seeds": which}
        if self.effort.quick:
            return found
        inside = self.runs.inside
        left = ", ".join(f"{name} {x:.3g}" for name, x in seeds(inside).items())
        return found | {
            "ranges": "ours is the mean over seeds; ranges and verdicts are over seeds of "
            f"chance-sampled CFR without weights, {DEALS:,} deals in every game, on the tree with "
            f"suits: seeds {which}. Left: {left}; the mean gain in milli-antes, over the players, "
            f"the largest of all games of a seed ({' and '.join(map(str, earning))}: of three "
            f"bases, the others: of {ALONE[0]})",
            "milli-antes to gain inside, largest of all games": inside,
        }


def _cell(work: SampledFields, item: str) -> Ours:
    """What is open is said where the printed number lies outside; an earning has its lead, too."""
    each, said = work.runs.by_item[item], printed(NAME)
    facts: dict[str, Any] = dict(seeds(each))
    column, row = item.removeprefix("2p ").split(" ", 1)
    base = "2p earnings Base" + TWIN * row.endswith(TWIN)
    if column == "earnings" and item != base:
        of_base = work.runs.by_item[base]
        leads = seeds({name: x - of_base[name] for name, x in each.items()})
        facts["more than Base"] = {**leads, "as printed": said[item] - said[base]}
    inside = min(each.values()) <= said[item] <= max(each.values())
    rule = row.removesuffix(TWIN) == ALL
    why = BY_RULE if rule else BY_FIELD if column == "earnings" else BY_BASE
    return Ours.mean(
        [*each.values()], parts=each, left=_left(work, each), facts=facts,
        note="" if inside else why,
    )  # fmt: skip


def _claim(work: SampledFields, item: str) -> Ours:
    each = work.runs.by_item[item]
    true = [name for name, lead in each.items() if lead > 0]
    return Ours.mean(
        [*each.values()], parts=each, left=_left(work, each), facts=seeds(each), true_of=true,
        holds=len(true) == len(each), note="the smallest lead, its mean over seeds",
    )  # fmt: skip


def _left(work: SampledFields, each: dict[str, float]) -> dict[str, float]:
    return {name: work.runs.inside[name] for name in each}


def seeds(each: dict[str, float]) -> dict[str, float]:
    """{"seed 0": 494.9}"""
    return {name[name.index("seed") :]: x for name, x in each.items()}


SAMPLED = Entry(
    """Gibson & Szafron (2011), Table 1, two players, by the paper's own method: chance-sampled CFR,
    100 million iterations.

    How: as in `gibson-szafron-2011-table1`, but every game is solved by chance-sampled CFR without
    weights, on the tree with suits, with as many deals as in the paper, and ranges and verdicts are
    over seeds; of a claim "ours" is the mean of the seeds' leads, and it holds if every seed's is
    positive. "Left" is the mean over both players of what each could still gain in the abstract
    game, the largest of all games of a seed: 0.96 to 1.41 milli-antes are left; the paper reports
    less than one.
    """,
    SampledFields,
    {
        **{item: (_cell, item) for item in ITEMS},
        **{item: (_claim, item) for item in CLAIMS if item.startswith("2p")},
    },
    scale="as many deals in every game as in the paper; 0.96 to 1.41 milli-antes are left to gain, "
    "the paper reports less than one",
)

ENTRIES = {NAME: SAMPLED}
