"""Panels for notebooks: views only, what they show is computed below.

Every panel takes plain arguments, works with defaults, can be closed, and does its work in the
background (`background.py`). ipywidgets is imported by the first panel.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.widgets.abstraction_explorer import AbstractionExplorer
    from workbench.widgets.cfr_stepper import CFRStepper
    from workbench.widgets.game_browser import GameBrowser
    from workbench.widgets.prediction import Prediction, predict
    from workbench.widgets.saving import report_button
    from workbench.widgets.solver_panel import SolverPanel
    from workbench.widgets.stitching_explorer import StitchingExplorer
    from workbench.widgets.switches import switch
    from workbench.widgets.table import PlayTable

SWITCH = "application/vnd.workbench.switch+json"  # how reports know a stored switch

_FILES = {
    "AbstractionExplorer": "abstraction_explorer",
    "CFRStepper": "cfr_stepper",
    "PlayTable": "table",
    "GameBrowser": "game_browser",
    "Prediction": "prediction",
    "SolverPanel": "solver_panel",
    "StitchingExplorer": "stitching_explorer",
    "predict": "prediction",
    "report_button": "saving",
    "switch": "switches",
}

__all__ = [
    "AbstractionExplorer",
    "CFRStepper",
    "GameBrowser",
    "PlayTable",
    "Prediction",
    "SolverPanel",
    "StitchingExplorer",
    "predict",
    "report_button",
    "switch",
]


def __getattr__(name: str) -> Any:
    if name in _FILES:
        value = globals()[name] = getattr(import_module(f"workbench.widgets.{_FILES[name]}"), name)
        return value
    raise AttributeError(f"module 'workbench.widgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
