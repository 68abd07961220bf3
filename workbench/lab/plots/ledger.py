"""Does the published number lie in our range? One strip for each row of the ledger.

In the middle of a strip stands what was published, or zero for a claim that something is
positive. The bar is our range, small dots are the single solvers or seeds, the diamond is the
number we call ours. Every strip has its own scale, since rows have different units: the numbers
beside the strip say how wide it is. A row without range and difference is a diamond on the line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes

from workbench.lab.ledger.ledger import Row
from workbench.lab.ledger.notes import short
from workbench.lab.plots.alt_text import MOST, describe
from workbench.lab.plots.style import COLOURS, GREY, INK, axes, behind
from workbench.rules import GameError

VERDICT_COLOURS = {
    "reproduced": COLOURS[2],
    "inside the range": COLOURS[0],
    "claim holds": COLOURS[2],
    "not reproduced": COLOURS[1],
    "claim does not hold": COLOURS[1],
}
MARKS = {"not reproduced": "✗ ", "claim does not hold": "✗ ", "inside the range": "○ "}
TITLE = "line: published (zero for a claim)     bar: our range     ◆ ours     • each solver or seed"
NEAR = 0.5  # of half a strip: as wide as a number and its distance from the bar
TINY = 1e-9  # differences below this share of the number are rounding

Parts = Mapping[tuple[str, str], Mapping[str, float]]


def plot_ledger(
    rows: Sequence[Row], ax: Axes | None = None, *, parts: Parts | None = None, title: str = TITLE
) -> Axes:
    """Draw rows from top to bottom. `parts`: (source, item) -> {solver or seed: number}.

    Example:

        from workbench.lab import ledger
        wb.plots.plot_ledger([row for row in ledger.read_ledger() if row.unit == "milli-antes"])
    """
    if not rows:
        raise GameError("no rows to plot: `workbench reproduce NAME --save` makes some")
    ax = axes(ax, 11, 1.0 + 0.62 * len(rows))
    for k, row in enumerate(rows):
        _strip(ax, k, row, (parts or {}).get((row.source, row.item), {}))
    ax.set(xlim=(-1.5, 1.5), ylim=(len(rows) - 0.4, -0.6), xticks=[])
    ax.set_yticks(range(len(rows)), [f"{row.item}\n({row.unit})" for row in rows], fontsize=10)
    ax.tick_params(axis="y", length=0)
    right = ax.secondary_yaxis("right")
    right.set_yticks(range(len(rows)), [_says(row) for row in rows], fontsize=10)
    right.tick_params(length=0)
    for label, row in zip(right.get_yticklabels(), rows, strict=True):
        label.set_color(VERDICT_COLOURS[row.verdict])
    for axis in (ax, right):
        axis.spines[:].set_visible(False)
    ax.set_title(title, fontsize=12, color=INK)
    said = "; ".join(f"{row.item}: {_says(row)[2:].replace(chr(10), ', ')}" for row in rows[:MOST])
    more = f" And {len(rows) - MOST} more." if len(rows) > MOST else ""
    describe(ax, f"{len(rows)} strips. {said}.{more}")
    return ax


def _strip(ax: Axes, k: int, row: Row, parts: Mapping[str, float]) -> None:
    colour = VERDICT_COLOURS[row.verdict]
    low, high = (row.ours if end is None else end for end in (row.low, row.high))
    middle = 0.0 if row.published is None else row.published
    if high - low <= TINY * abs(row.ours) and row.verdict != "not reproduced":
        middle = low = high = row.ours  # no range: the number is what was printed, or a plain yes
    if row.published is not None or high > low:
        ax.plot([-1.1, 1.1], [k, k], color="#e4e4e4", linewidth=1, zorder=1)
        ax.plot([0, 0], [k - 0.33, k + 0.33], color=INK, linewidth=1.6, zorder=2)
    wide = max(abs(end - middle) for end in (low, high)) or 1.0

    def at(value: float) -> float:
        return (value - middle) / wide

    if low != middle or high != middle:
        ax.plot([at(low), at(high)], [k, k], color=colour, linewidth=9, alpha=0.3,
                solid_capstyle="butt", zorder=2)  # fmt: skip
        for value, outwards in [(low, -1), (high, 1)][: 2 if high > low else 1]:
            whole = abs(value - round(value)) < TINY  # else four digits are enough
            inwards = -NEAR < outwards * at(value) < 0  # beside the bar it would meet the line
            ax.annotate(
                short(value if whole else float(f"{value:.4g}")), (at(value), k),
                (0, 7) if inwards else (6 * outwards, 0),
                textcoords="offset points", va="bottom" if inwards else "center", fontsize=9,
                ha="left" if inwards == (outwards < 0) else "right", color=GREY, bbox=behind(0.5),
            )  # fmt: skip
        dots = list(parts.values())
        ax.plot([at(x) for x in dots], [k] * len(dots), "o", color=INK, markersize=3.5, zorder=3)
    ax.plot([at(row.ours)], [k], "D", color=colour, markersize=7, markeredgecolor="white", zorder=4)


def _says(row: Row) -> str:
    said = "" if row.published is None else f"published {short(row.published, row)}, "
    return f"{MARKS.get(row.verdict, '✓ ')}{row.verdict}\n{said}ours {short(row.ours, row)}"
