"""Is that what the paper says? One small file for each published table or figure.

    rows = read_ledger()                          what was kept, nothing is computed
    result = recompute("kuhn-1950", quick=True)   measured again
    rows = judged("kuhn-1950", result)

`entries.py` finds the files by their names, `ledger.py` has the verdicts, `effort.py` says how much
work an entry may do, `curves.py` how the curves of a figure are kept.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "curves": ["curves_of"],
        "effort": ["Effort"],
        "entries": [
            "judged",
            "list_entries",
            "read_curves",
            "read_ledger",
            "read_published",
            "read_result",
            "read_settings",
            "recompute",
            "save_result",
        ],
        "ledger": ["Ours", "Published", "Result", "Row", "VERDICTS", "judge"],
    },
)
