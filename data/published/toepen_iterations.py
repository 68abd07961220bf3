"""Figures 3.1 and 3.2 of Le (2021): two iterations at one information set, worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.lab.analysis.worked_iteration import Update, late_average, thesis_example
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours

Iterations = tuple[Update, ...]
LATE = "the text weights what is played in the next iteration; its equation 2.6 what was played"


def _iterations(effort: Effort) -> Iterations:
    return thesis_example("3.2.2")


def _of(which: int, name: str, action: int | None = None) -> Callable[[Iterations], float]:
    """A number of one of the iterations, of one of its actions."""

    def found(work: Iterations) -> float:
        numbers: Any = getattr(work[which], name)
        return float(numbers if action is None else numbers[action])

    return found


def _sum(work: Iterations, action: int) -> Ours:
    first = work[0]
    late = {"with the next strategy": float(first.own * first.next[action])}
    return Ours(float(first.strategy_sum[action]), note=LATE, facts=late)


def _average(work: Iterations, action: int) -> Ours:
    late = {"with the next strategies": float(late_average(work)[action])}
    return Ours(float(work[-1].average[action]), note=LATE, facts=late)


ENTRIES = {
    "le-2021-figures3.1-3.2": Entry(
        """Le (2021), Examples 3.2.1 and 3.2.2, Figures 3.1 and 3.2: regrets, strategies and the
        average at an information set of three cards, with assumed reaches and values.

        How: the update of CFR, which multiplies by the opponents' reach as the examples do.
        """,
        _iterations,
        {f"3.{k + 1} counterfactual value": _of(k, "value") for k in (0, 1)}
        | {f"3.{k + 1} regret of action {a + 1}": _of(k, "regret", a)
           for k in (0, 1) for a in range(3)}
        | {f"3.{k + 1} next probability of action {a + 1}": _of(k, "next", a)
           for k in (0, 1) for a in (1, 2)}
        | {f"3.1 weighted sum of action {a + 1}": (_sum, a) for a in (1, 2)}
        | {f"3.2 average of action {a + 1}": (_average, a) for a in (1, 2)},
        lambda work: {"solver": "cfr", "iterations": len(work), **NO_SEEDS},
    )
}  # fmt: skip
