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

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from workbench.rules import GameError

if TYPE_CHECKING:
    import pandas as pd

    from workbench.runs.run import Run

DIGITS = "%.7g"  # of a number in the file


def curves_of(runs: Mapping[str, Sequence[Run]], times: int = 1) -> pd.DataFrame:
    """The traces of runs, {curve: its repeats}, as one table; a repeat is called by its seed.

    `times`: 2 where a figure shows b₁ + b₂.
    """
    import pandas as pd

    pieces = [
        run.trace[["iteration", "exploitability"]].assign(curve=curve, repeat=run.seed)
        for curve, repeats in runs.items()
        for run in repeats
    ]
    table = pd.concat(pieces, ignore_index=True)
    table = table[["curve", "repeat", "iteration", "exploitability"]]
    return table.assign(exploitability=times * table["exploitability"])


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
