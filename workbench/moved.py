"""Names that stood elsewhere in version 0.1: whoever asks for one is told where it is now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def moved(now: Mapping[str, str], others: Callable[[str], Any] | None = None) -> Callable[..., Any]:
    """A `__getattr__` of a class, or of a module whose other names are found by `others`.

    >>> class Tree: __getattr__ = moved({"to_efg": "wb.to_efg(tree)"})
    >>> Tree().to_efg()
    Traceback (most recent call last):
        ...
    AttributeError: 'to_efg' stands elsewhere since version 0.1: use wb.to_efg(tree)
    """

    def find(*asked: Any) -> Any:
        name = asked[-1]
        if name in now:
            raise AttributeError(f"{name!r} stands elsewhere since version 0.1: use {now[name]}")
        if others is not None:
            return others(name)
        what = f"{type(asked[0]).__name__!r} object has no attribute {name!r}"
        raise AttributeError(what, name=name, obj=asked[0])

    return find
