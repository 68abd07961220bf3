"""Panels for notebooks: views only, what they show is computed below.

Every panel takes plain arguments, works with defaults, can be closed, and does its work in the
background (`background.py`). ipywidgets is imported by the first panel.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.widgets.prediction import Prediction, predict
    from workbench.widgets.solver_panel import SolverPanel
    from workbench.widgets.table import PlayTable

_FILES = {
    "PlayTable": "table",
    "Prediction": "prediction",
    "SolverPanel": "solver_panel",
    "predict": "prediction",
}

__all__ = [
    "PlayTable",
    "Prediction",
    "SolverPanel",
    "predict",
]


def __getattr__(name: str) -> Any:
    if name in _FILES:
        value = globals()[name] = getattr(import_module(f"workbench.widgets.{_FILES[name]}"), name)
        return value
    raise AttributeError(f"module 'workbench.widgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
