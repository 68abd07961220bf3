"""Is that what the paper says? One table of expressions for each published table or figure.

    rows = read_ledger()                          what was kept, nothing is computed
    result = recompute("kuhn-1950", quick=True)   measured again
    rows = judged("kuhn-1950", result)

`ledger.py` has the verdicts, `notes.py` the words beside them, `entry.py` says what an entry is,
`entries.py` finds, keeps and reads them, `curves.py` says how the curves of a figure are kept.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "curves": ["curves_of"],
        "entries": [
            "judged", "list_entries", "read_curves", "read_ledger", "read_published",
            "read_result", "read_settings", "recompute", "save_result",
        ],
        "entry": ["Effort", "Entry"],
        "ledger": ["Ours", "Published", "Result", "Row", "VERDICTS", "judge"],
        "papers.leduc_experts": ["play_field", "table1_sizes"],
        "papers.toepen_program": ["judged_as_told"],
        "papers.worked_examples": ["WorkedExample"],
    },
)  # fmt: skip
