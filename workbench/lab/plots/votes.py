"""What a class predicts: how many voted for each option, or for numbers of which size.

>>> from workbench.lab.exercises.questions import Question
>>> from workbench.lab.plots.alt_text import describe
>>> ask = Question("Which suit is red?", "hearts", options=("spades", "hearts"))
>>> describe(plot_votes(ask, ["hearts", "spades", "hearts"], answer=True))
'3 votes. spades: 1; hearts: 2. The answer: hearts.'
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
from workbench.lab.plots.style import COLOURS, INK, axes, label, with_unit
from workbench.tree import FloatArray

BARS = 20  # of numbers, at most


def plot_votes(
    question: Question, guesses: Sequence[Any], ax: Axes | None = None, *, answer: bool = False
) -> Axes:
    """Draw the guesses; with `answer`, mark what is true."""
    ax = axes(ax, 7.5, max(2.4, 0.8 + 0.6 * len(question.options)) if question.options else 3.2)
    many = f"{len(guesses)} {'vote' if len(guesses) == 1 else 'votes'}"
    draw = _options if question.options else _numbers
    said = draw(question, list(guesses), ax, answer)
    ax.set_title(many, fontsize=13)
    truth = f" The answer: {question.number(question.answer)}." if answer else ""
    describe(ax, f"{said or 'Nothing yet'}.{truth}")
    return ax


def _options(question: Question, guesses: list[Any], ax: Axes, answer: bool) -> str:
    """A bar for each option."""
    counts = Counter(guesses)
    for k, option in enumerate(question.options):
        true = answer and option == question.answer
        ax.barh(
            k, counts[option], height=0.7, color=COLOURS[2 if true else 4],
            hatch="//" if true else None, edgecolor="white" if true else None,
        )  # fmt: skip
        text = f"{counts[option]}{'  ✓' if true else ''}"
        at = {"xytext": (5, 0), "textcoords": "offset points"}
        ax.annotate(text, (counts[option], k), **at, va="center", fontsize=13, color=INK)
    shown = [fill(option.replace("`", ""), 34) for option in question.options]
    ax.set_yticks(range(len(shown)), shown)
    ax.set_ylim(len(shown) - 0.5, -0.5)
    ax.set_xlim(0, 1.12 * max(counts.values(), default=1) + 0.3)
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    label(ax, "Votes", "", "", grid="x", ticks=12)
    return "; ".join(f"{option}: {counts[option]}" for option in question.options)


def _numbers(question: Question, guesses: list[Any], ax: Axes, answer: bool) -> str:
    """A histogram; each bar has the same width as the eye sees it."""
    edges = _edges(question)
    counts, _ = np.histogram(np.array(guesses, float), edges)
    ax.bar(
        edges[:-1], counts, np.diff(edges), align="edge", color=COLOURS[4], edgecolor="white"
    )  # fmt: skip
    if question.log:
        ax.set_xscale("log")
    ax.set_xlim(edges[0], edges[-1])
    ax.set_ylim(0, 1.2 * max(counts.max(), 1))
    ax.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    label(ax, with_unit("Guess", question.unit), "Votes", "", grid="y", ticks=12)
    if answer:
        truth = float(question.answer)
        ax.axvline(truth, color=COLOURS[2], linestyle="--", linewidth=2.5)
        late = ax.transAxes.inverted().transform(ax.transData.transform((truth, 0)))[0] > 0.6
        ax.annotate(
            f"{question.number(question.answer)} ✓", (truth, 1), xycoords=("data", "axes fraction"),
            xytext=(-6 if late else 6, -14), textcoords="offset points", fontsize=13, color=INK,
            ha="right" if late else "left",
        )  # fmt: skip
    if not guesses:
        return ""
    low, middle, high = (question.number(float(f(guesses))) for f in (min, np.median, max))
    most = int(counts.argmax())
    place = f"{question.number(float(edges[most]))} to {question.number(float(edges[most + 1]))}"
    return f"From {low} to {high}, the middle one {middle}; most of them from {place}"


def _edges(question: Question) -> FloatArray:
    """Where bars begin and end: each holds equally many steps of the slider, its ends included."""
    if question.log:
        return np.geomspace(question.low * (1 - 1e-9), question.high * (1 + 1e-9), BARS)
    steps = round((question.high - question.low) / question.step) + 1
    each = -(-steps // BARS)
    start = question.low - question.step / 2
    return start + question.step * each * np.arange(-(-steps // each) + 1)
