"""Exercise of notebook 00, *Start here*: one strategy, two conventions."""

from __future__ import annotations

from typing import Any

from workbench.exercises.answers import nearly
from workbench.exercises.core import Verdict, exercise

__all__ = ["check_points"]


@exercise(
    "Look up *NashConv* and *exploitability* in the glossary. Which of the two does the thesis "
    "print?",
    "The thesis adds what both players could win, b1 + b2. `wb.exploitability` is the mean of the "
    "two.",
)
def check_points(answer: Any) -> Verdict:
    """A thesis says 0.9 points a hand, and means b1 + b2: what would `wb.exploitability` print?"""
    return nearly(
        answer,
        0.45,
        slips={
            0.9: "That is the thesis's own number, the *sum* over both players.",
            1.8: "The wrong way round: the thesis adds up, and we take the mean.",
            450: "That is in thousandths; `wb.exploitability` prints points.",
        },
        good="Half as much, and the same strategy. Before you compare two papers, ask whether they "
        "add up or take the mean, and what their unit is.",
    )
