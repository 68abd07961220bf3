"""Is that what the paper says? One small file for each published table or figure.

    rows = read_ledger()                          what was kept, nothing is computed
    result = recompute("kuhn-1950", quick=True)   measured again
    rows = judged("kuhn-1950", result)

`entries.py` finds the files by their names, `ledger.py` has the verdicts, `effort.py` says how much
work an entry may do, `curves.py` how the curves of a figure are kept.
"""

from workbench.lab.ledger.curves import curves_of
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.entries import (
    judged,
    list_entries,
    read_curves,
    read_ledger,
    read_published,
    read_result,
    read_settings,
    recompute,
    save_result,
)
from workbench.lab.ledger.ledger import VERDICTS, Ours, Published, Result, Row, judge

__all__ = [
    "VERDICTS", "Effort", "Ours", "Published", "Result", "Row", "curves_of", "judge", "judged",
    "list_entries", "read_curves", "read_ledger", "read_published", "read_result",
    "read_settings", "recompute", "save_result",
]  # fmt: skip
