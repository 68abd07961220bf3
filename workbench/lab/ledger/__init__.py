"""Is that what the paper says? One table of expressions for each published table or figure.

    rows = read_ledger()                          what was kept, nothing is computed
    result = recompute("kuhn-1950", quick=True)   measured again
    rows = judged("kuhn-1950", result)

`ledger.py` has the verdicts, `notes.py` the words beside them, `entry.py` says what an entry is,
`entries.py` finds, keeps and reads them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
