"""Figures 3.1 and 3.2 of Le (2021): two iterations at one information set, worked out."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from workbench.lab.lectures.worked_iteration import Update
from workbench.lab.ledger.papers.worked_examples import late_average, thesis_example

from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours

Iterations = tuple[Update, ...]
PRINTED = (  # value, regrets, next strategy
    (0.4, (-1.0, 0.8, 0.2), (0.0, 0.8, 0.2)),
    (0.6, (-2.1, 0.2, 2.6), (0.0, 0.071, 0.93)),
)
AVERAGE = (0.0, 0.49, 0.51)


def _iterations(effort: Effort) -> Iterations:
    found: Iterations = thesis_example("3.2.2")
    return found


def _off(printed: ArrayLike, ours: ArrayLike) -> float:
    return float(np.abs(np.asarray(printed) - np.asarray(ours)).max())


def _update(work: Iterations, which: int) -> Ours:
    found, (value, regret, following) = work[which], PRINTED[which]
    off = _off((value, *regret, *following), (found.value, *found.regret, *found.next))
    return Ours(off, holds=off <= 0.005)


def _average(work: Iterations) -> Ours:
    off = _off(AVERAGE, work[-1].average)
    late = {"if each iteration adds the next strategy instead": _off(AVERAGE, late_average(work))}
    note = "equation 2.6 adds what was played: 0.19, 0.53 and 0.28"
    return Ours(off, holds=off <= 0.005, note=note, facts=late)


ENTRIES = {
    "le-2021-figures3.1-3.2": Entry(
        """Le (2021), Examples 3.2.1 and 3.2.2, Figures 3.1 and 3.2: regrets, strategies and the
        average at an information set of three cards, with assumed reaches and values.

        How: the update of CFR, which multiplies by the opponents' reach as the examples do.
        """,
        _iterations,
        {
            "3.1 regrets, next strategy": (_update, 0),
            "3.2 regrets, next strategy": (_update, 1),
            "3.2 average strategy": _average,
        },
        lambda work: {
            "game": "an information set of Toepen",
            "solver": "cfr",
            "iterations": len(work),
            **NO_SEEDS,
        },
    )
}
