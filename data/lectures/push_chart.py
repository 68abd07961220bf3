"""How often each hand goes all-in, on the 13 × 13 chart of hands.

Dark cells go in, white ones fold, shades mix:

    found = wb.jamfold.solve(wb.jamfold.Tournament(units=9))
    wb.plots.plot_push_chart(found, (3, 3, 3), seat="button")
"""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from workbench.jamfold.found import TournamentSolution
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.hand_chart import draw_chart
from workbench.poker.cards.hand_classes import COMBOS, NAMES
from workbench.rules import GameError, shown

DID = {
    "": "first to act", "J": "after a jam", "F": "after a fold", "JJ": "after two jams",
    "JF": "after a jam and a fold", "FJ": "after a fold and a jam",
}  # fmt: skip


def plot_push_chart(
    found: TournamentSolution,
    stacks: Sequence[int],
    seat: str = "button",
    after: str = "",
    ax: Axes | None = None,
    *,
    title: str | None = None,
) -> Axes:
    """Draw how often each hand goes in at one seat of one state; see `Found.push`."""
    if not isinstance(found, TournamentSolution):
        raise GameError(f"a chart needs what wb.jamfold.solve found, not {shown(found)}")
    chart = found.push(stacks, seat, after)
    ax = draw_chart(chart, ax)
    share = float((chart.ravel() * COMBOS).sum() / COMBOS.sum())
    held = " · ".join(map(str, stacks))
    ax.set_title(title or f"{seat.capitalize()}, {DID[after]}: {share:.0%} go in\nstacks {held}")
    often = [name for name, p in zip(NAMES, chart.ravel(), strict=True) if p > 0.5]
    named = ", ".join(often[:40]) + (" and more" if len(often) > 40 else "") or "none"
    describe(ax, f"{share:.0%} of all hands go in. More often than not: {named}.")
    return ax
