"""Names that are imported when they are first used: groups of ours, and pandas as `pd`.

Games are compiled and judged without pandas, and loading it takes longer than a thousand iterations
on Leduc (0.02 s).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

__all__ = ["group", "named_class", "pd"]

if TYPE_CHECKING:
    import pandas as pd
else:

    class Pandas:
        """`pd.DataFrame(…)` loads it, an annotation does not."""

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module("pandas"), name)

    pd = Pandas()


def named_class(known: dict[str, Any], name: str, where: str) -> Any:
    """What a registry knows by a name: a class, or where it stands below a package."""
    if isinstance(known[name], str):
        known[name] = resolve_name(f"{where}.{known[name]}")
    return known[name]


def group(
    name: str, places: dict[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """A module's `__getattr__`, `__dir__` and `__all__`: file below workbench -> its names."""
    file_of = {one: file for file, names in places.items() for one in names.split()}

    def find(asked: str) -> Any:
        if asked not in file_of:
            raise AttributeError(f"{name} has no {asked!r}")
        found = getattr(import_module(f"workbench.{file_of[asked]}"), asked)
        setattr(sys.modules[name], asked, found)
        return found

    return find, lambda: sorted(file_of), sorted(file_of)
