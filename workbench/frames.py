"""`pd`: pandas, loaded when something of it is first used.

Games are solved without it, and loading it takes longer than compiling and solving Kuhn.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["pd"]

if TYPE_CHECKING:
    import pandas as pd
else:

    class Pandas:
        """pandas by name: `pd.DataFrame` asks for it, an annotation does not."""

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module("pandas"), name)

    pd = Pandas()
