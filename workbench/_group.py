"""A group of names that stand all over the package; each brings its file along at first use."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def group(
    name: str, places: dict[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of the module: file below workbench -> its names."""
    file_of = {one: file for file, names in places.items() for one in names.split()}

    def find(asked: str) -> Any:
        if asked not in file_of:
            raise AttributeError(f"{name} has no {asked!r}")
        found = getattr(import_module(f"workbench.{file_of[asked]}"), asked)
        setattr(sys.modules[name], asked, found)
        return found

    return find, lambda: sorted(file_of), sorted(file_of)
