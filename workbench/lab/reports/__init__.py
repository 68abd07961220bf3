"""Pages to hand out: one self-contained HTML file each, readable without a kernel or a network.

`write_report` turns an executed notebook, a folder of notebooks (a course) or a run into pages;
`workbench report` is the same from a shell.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.lab.reports.ledger import write_ledger
    from workbench.lab.reports.writing import Report, write_report

_FILES = {"Report": "writing", "write_ledger": "ledger", "write_report": "writing"}

__all__ = ["Report", "write_ledger", "write_report"]


def __getattr__(name: str) -> Any:
    if name in _FILES:
        value = globals()[name] = getattr(import_module(f"workbench.lab.reports.{_FILES[name]}"), name)
        return value
    raise AttributeError(f"module 'workbench.lab.reports' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
