"""A bar with words: how far, how long still.

>>> bar = ProgressBar()
>>> bar.show(Progress(0.25, "250 of 1,000 iterations", seconds=10.0, left=30.0, value=None))
>>> bar.bar.value, bar.words.value
(0.25, '<span role="status">250 of 1,000 iterations · 30 s left</span>')
>>> minutes(3), minutes(75), minutes(7300), minutes(1e6), minutes(1e12)
('3 s', '1 min 15 s', '2 h 1 min', '11 days', '31,709 years')
"""

from __future__ import annotations

from html import escape

import ipywidgets as widgets

from workbench.lab.widgets.jobs import Progress
from workbench.lab.widgets.style import row, tag


class ProgressBar:
    """The bar of a panel."""

    def __init__(self) -> None:
        self.bar = tag(widgets.FloatProgress(max=1.0, layout=widgets.Layout(width="14em")), "bar")
        self.bar.tooltip = "How much of the work is done"
        self.words = tag(widgets.HTML(), "progress")
        self.view = row(self.bar, self.words)
        self.text("")

    def begin(self) -> None:
        """Work has been asked for."""
        self.bar.value, self.bar.bar_style = 0.0, ""
        self.text("starting")

    def show(self, progress: Progress) -> None:
        """While it goes on."""
        self.bar.value = progress.fraction or 0.0
        if progress.left is not None:
            self.text(f"{progress.text} · {minutes(progress.left)} left")
        else:
            self.text(f"{progress.text} · {minutes(progress.seconds)} so far")

    def end(self, *, stopped: bool = False) -> None:
        """It is over."""
        if not stopped:
            self.bar.value = 1.0
        self.bar.bar_style = "warning" if stopped else "success"
        self.text("stopped" if stopped else "done")

    def text(self, words: str) -> None:
        self.words.value = f'<span role="status">{escape(words)}</span>'


def minutes(seconds: float) -> str:
    """A time as people say it."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    days = whole // 86_400
    if days < 2:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{days} days" if days < 730 else f"{days // 365:,} years"
