"""Traces of runs as the curves of a figure; `lab/ledger/ledger.py` says how these are kept.

Runs of one curve are its repeats:

    curves_of({"2 suits": runs})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from workbench.runs.run import Run


def curves_of(runs: Mapping[str, Sequence[Run]], times: int = 1) -> pd.DataFrame:
    """The traces of runs, {curve: its repeats}, as one table; a repeat is called by its seed.

    `times`: 2 where a figure shows b₁ + b₂.
    """
    pieces = [
        run.trace[["iteration", "exploitability"]].assign(curve=curve, repeat=run.seed)
        for curve, repeats in runs.items()
        for run in repeats
    ]
    table = pd.concat(pieces, ignore_index=True)
    table = table[["curve", "repeat", "iteration", "exploitability"]]
    return table.assign(exploitability=times * table["exploitability"])
