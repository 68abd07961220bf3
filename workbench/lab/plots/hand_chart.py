"""The 13 × 13 chart of hands that every player knows: pairs on the diagonal, suited hands above it.

Here it says which hands share a bucket in Hold'em, before the flop or on a board:

    wb.plots.plot_bucket_chart(cut)                      # cut = wb.cluster_hands(holdem, …)
    wb.plots.plot_bucket_chart(cut, "Qh Jh 2c")
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from workbench.games.deck import Deck
from workbench.lab.plots.alt_text import describe
from workbench.lab.plots.style import INK, axes
from workbench.poker.buckets.holdem_buckets import ROUNDS, HoldemBuckets
from workbench.poker.cards.hand_classes import NAMES
from workbench.poker.strength.holdem_tables import need_board
from workbench.rules import GameError, shown

NUMBERED = 20  # buckets at most, that have their number in each cell


def draw_chart(
    shades: NDArray[np.floating], ax: Axes | None, notes: NDArray[Any] | None = None
) -> Axes:
    """Cells (13, 13) from 0, light, to 1, dark; nan stays white. Each has the name of its hand and,
    below it, a note."""
    ax = axes(ax, 6.4, 6.4)
    ax.imshow(shades, cmap="Blues", vmin=0.0, vmax=1.3, aspect="equal")
    size = min(8.0, 1.45 * ax.figure.get_figwidth())  # type: ignore[union-attr]
    for k, name in enumerate(NAMES):
        row, column = divmod(k, 13)
        colour = "white" if shades[row, column] > 0.8 else INK
        middle: dict[str, Any] = {"ha": "center", "va": "center", "color": colour}
        ax.text(column, row - 0.18 * (notes is not None), name, fontsize=size, **middle)
        if notes is not None:
            ax.text(column, row + 0.24, notes[row, column], fontsize=0.8 * size, **middle)
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def plot_bucket_chart(
    buckets: HoldemBuckets, board: str = "", ax: Axes | None = None, *, title: str | None = None
) -> Axes:
    """Draw the buckets of two cards before the flop, or on a board; darker is stronger.

    Up to 20 buckets are numbered in the cells, from 1, the weakest. Buckets that remember earlier
    rounds are numbered by them first. Where the suits of a class make a difference on the board, a
    cell shows the bucket of most of its hands.
    """
    if not isinstance(buckets, HoldemBuckets):
        raise GameError(
            f"a chart needs buckets of Hold'em (wb.cluster_hands), not {shown(buckets)}"
        )
    public = need_board(board)
    chart, r = buckets.chart(public), ROUNDS[len(public)]
    count = buckets.classes[r]
    shades = np.where(chart < 0, np.nan, (chart + 0.5) / count)
    numbers = np.where(chart < 0, "", (chart + 1).astype(str))
    ax = draw_chart(shades, ax, notes=numbers if 2 < count <= NUMBERED else None)
    where = " ".join(map(Deck().name, public)) or "before the flop"
    ax.set_title(title or f"{count} buckets {'on ' * bool(public)}{where}")
    members = [
        f"{one + 1}: {', '.join(np.array(NAMES)[chart.ravel() == one][:12])}"
        for one in range(min(count, 12))
    ]
    describe(ax, f"Hands that share a bucket, from weak to strong. {'; '.join(members)}.")
    return ax
