"""The curves of a figure: a table with one line per curve, repeat and measuring point.

    curve,repeat,iteration,exploitability
    2 suits,0,500,0.131
    2 suits,0,1000,0.094
    2 suits,1,500,0.127
    …

The last two columns are the axes. `data/results/NAME.csv` keeps the table beside the claims about
the figure, `read_curves` reads it, and `plots.plot_curves` draws means and deviations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.rules import GameError

if TYPE_CHECKING:
    import pandas as pd

DIGITS = "%.7g"  # of a number in the file


def check_curves(table: pd.DataFrame) -> None:
    """Refuse a table whose repeats cannot be averaged: same points for all, and finite."""
    names = list(table.columns)
    if len(names) != 4 or names[:2] != ["curve", "repeat"] or not len(table):
        raise GameError(f"curves need lines of curve, repeat, x and y, not {', '.join(names)}")
    x, y = names[2:]
    if not np.isfinite(table[[x, y]].to_numpy(np.float64)).all():
        raise GameError(f"curves: {x} and {y} must be finite numbers")
    if table.duplicated(["curve", "repeat", x]).any():
        raise GameError(f"curves: a repeat has two values at the same {x}")
    for curve, lines in table.groupby("curve", sort=False):
        points = {tuple(repeat[x]) for _, repeat in lines.groupby("repeat")}
        if len(points) > 1:
            raise GameError(f"curves: the repeats of {curve!r} are measured at different {x}s")
