"""Quick mode: with WORKBENCH_QUICK=1 in the environment, notebooks use their smaller numbers."""

from __future__ import annotations

import os
from typing import TypeVar

__all__ = ["quick"]

T = TypeVar("T")


def quick(full: T, small: T) -> T:
    """`full`, or `small` in quick mode.

    >>> import os; os.environ["WORKBENCH_QUICK"] = "1"
    >>> quick(100_000, 1_000)
    1000
    >>> del os.environ["WORKBENCH_QUICK"]
    >>> quick(100_000, 1_000)
    100000
    """
    return small if os.environ.get("WORKBENCH_QUICK", "") not in ("", "0") else full
