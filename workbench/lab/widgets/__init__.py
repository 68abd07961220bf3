"""Panels for notebooks: views only, what they show is computed below.

Every panel takes plain arguments, works with defaults, can be closed, and does its work in the
background (`background.py`). ipywidgets is imported by the first panel.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.lab.widgets.abstraction_explorer import AbstractionExplorer
    from workbench.lab.widgets.cfr_stepper import CFRStepper
    from workbench.lab.widgets.game_browser import GameBrowser
    from workbench.lab.widgets.prediction import Prediction, predict
    from workbench.lab.widgets.report_button import report_button
    from workbench.lab.widgets.solver_panel import SolverPanel
    from workbench.lab.widgets.stitching_explorer import StitchingExplorer
    from workbench.lab.widgets.switches import switch
    from workbench.lab.widgets.play_table import PlayTable

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
        value = globals()[name] = getattr(import_module(f"workbench.lab.widgets.{_FILES[name]}"), name)
        return value
    raise AttributeError(f"module 'workbench.lab.widgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
