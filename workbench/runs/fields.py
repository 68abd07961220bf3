"""What the fields of an experiment may hold: checked once, and then they stay as they are.

>>> target(-1)
Traceback (most recent call last):
    ...
workbench.rules.GameError: target must be a number of at least 0, not -1
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from workbench.rules import GameError

__all__ = ["Kept", "target"]


class Kept(dict[str, Any]):
    """Names with their values, which nobody changes any more; lists and numbers made plain."""

    def __init__(self, field: str, values: Any) -> None:
        if not isinstance(values, Mapping):
            raise GameError(f"{field} must be names with their values, not {values!r}")
        self.field = field
        super().__init__({name: _plain(value) for name, value in values.items()})

    def __reduce__(self) -> Any:
        return type(self), (self.field, dict(self))

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise GameError(f"{self.field} of an experiment stay as they are; make another experiment")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def _plain(value: Any) -> Any:
    """TOML has no tuples, and NumPy's numbers have another repr, so would make another run."""
    if isinstance(value, np.generic):
        return value.item()
    return tuple(value) if isinstance(value, list) else value


def target(value: Any) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (number and math.isfinite(value) and value >= 0.0):
        raise GameError(f"target must be a number of at least 0, not {value!r}")
    return float(value)
