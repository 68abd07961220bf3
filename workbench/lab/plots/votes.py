"""What a class predicts: how many voted for each option, or for numbers of which size.

>>> from workbench.lab.exercises.questions import Question
>>> from workbench.lab.plots.alt_text import describe
>>> ask = Question("Which suit is red?", "hearts", options=("spades", "hearts"))
>>> describe(plot_votes(ask, ["hearts", "spades", "hearts"], answer=True))
'3 votes. spades: 1. hearts: 2. The answer is hearts.'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from workbench.lab.exercises.questions import Question
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.style import COLOURS, axes, label, with_unit
from workbench.tree import FloatArray

BARS = 20  # of numbers, at most
EARLIER = "#b0b0b0"


def plot_votes(
    question: Question,
    guesses: Sequence[Any],
    ax: Axes | None = None,
    *,
    answer: bool = False,
    before: Sequence[Any] | None = None,
) -> Axes:
    """Draw the guesses; with `answer`, mark what is true; `before`: those of an earlier vote, which
    stand beside them in grey."""
    ax = axes(ax, 7.5, 1.2 + 0.6 * len(question.options) if question.options else 3.4)
    draw = _options if question.options else _numbers
    said, many = "", f"{len(guesses)} {'vote' if len(guesses) == 1 else 'votes'}"
    if before is not None:
        said = f"Before, {len(before)}: {draw(question, list(before), ax, False, -1)} After: "
        many += f" again, {len(before)} before (grey)"
    said += draw(question, list(guesses), ax, answer, 0 if before is None else 1) or "Nothing yet."
    truth = question.number(question.answer)
    describe(ax, f"{said} The answer is {truth}." if answer else said)
    told = answer and not question.options  # an option has its tick
    ax.set_title(f"{many}; the answer is {truth}" if told else many, fontsize=13)
    return ax


def _options(question: Question, guesses: list[Any], ax: Axes, answer: bool, side: int) -> str:
    """A bar for each option; the right one has another colour, stripes and a tick. side: -1 for the
    upper half of its place, 1 for the lower one."""
    counts, high = Counter(guesses), 0.37 if side else 0.7
    for k, option in enumerate(question.options):
        true = answer and option == question.answer
        look = {"color": COLOURS[2], "hatch": "//"} if true else {"color": COLOURS[4]}
        look = {"color": EARLIER} if side < 0 else look
        place = k + side * high / 2
        (bar,) = ax.barh(place, counts[option], height=high, edgecolor="white", **look)
        text = f"{counts[option]}{'  ✓' if true else ''}"
        ax.text(bar.get_width(), place, f" {text}", va="center", fontsize=9 if side else 13)
    ax.set_yticks(range(len(question.options)), [fill(one, 34) for one in question.options])
    ax.set_ylim(len(question.options) - 0.5, -0.5)
    ax.set_xlim(0, max(1.12 * max(counts.values(), default=1) + 0.3, side and ax.get_xlim()[1]))
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    label(ax, "Votes", "", "", grid="x", ticks=12)
    return " ".join(f"{option}: {counts[option]}." for option in question.options)


def _numbers(question: Question, guesses: list[Any], ax: Axes, answer: bool, side: int) -> str:
    """A histogram, an earlier one behind it; a dashed line is the answer."""
    edges = _edges(question)
    counts, _ = np.histogram(np.array(guesses, float), edges)
    colour, wide = EARLIER if side < 0 else COLOURS[4], 0.6 if side > 0 else 1.0
    ax.bar(edges[:-1], counts, wide * np.diff(edges), align="edge", color=colour, edgecolor="white")
    ax.set_xscale("log" if question.log else "linear")
    ax.set_xlim(edges[0], edges[-1])
    ax.set_ylim(0, max(1.1 * max(counts.max(), 1), side and ax.get_ylim()[1]))
    ax.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    label(ax, with_unit("Guess", question.unit), "Votes", "", grid="y", ticks=12)
    if answer:
        ax.axvline(float(question.answer), color=COLOURS[2], linestyle="--", linewidth=3)
    middle = float(np.median(guesses)) if guesses else np.nan
    says = [
        f"{question.number(float(low))} to {question.number(float(high))}: {many}."
        for low, high, many in zip(edges, edges[1:], counts, strict=False)
        if many
    ]
    return " ".join([*says, f"The middle one: {question.number(middle)}."] if guesses else says)


def _edges(question: Question) -> FloatArray:
    """Where bars begin and end: each holds equally many steps of the slider, its ends included."""
    if question.log:
        low, high = np.log10(question.low) - 1e-9, np.log10(question.high) + 1e-9
        return np.logspace(low, high, BARS, dtype=float)
    steps = round((question.high - question.low) / question.step) + 1
    each = -(-steps // BARS)
    bars = np.arange(-(-steps // each) + 1, dtype=float)
    return question.low + question.step * (each * bars - 0.5)
