"""Panels for notebooks: views only, what they show is computed below.

Every panel takes plain arguments, works with defaults, can be closed, and does its work in the
background (`jobs.py`). ipywidgets is imported by the first panel.
"""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "lab.lectures.bets_panel": "BetsPanel",
        "lab.lectures.holdem_builder": "HoldemBuilder",
        "lab.lectures.regret_matcher": "RegretMatcher",
        "lab.lectures.smoothing_panel": "SmoothingPanel",
        "lab.lectures.stitching_explorer": "StitchingExplorer",
        "lab.lectures.tournament_panel": "TournamentPanel",
        "lab.widgets.abstraction_explorer": "AbstractionExplorer",
        "lab.lectures.cfr_stepper": "CFRStepper",
        "lab.widgets.class_view": "ClassView",
        "lab.widgets.game_browser": "GameBrowser",
        "lab.widgets.play_table": "PlayTable",
        "lab.widgets.prediction": "Prediction Votes predict",
        "lab.widgets.report_panel": "report_button",
        "lab.widgets.solver_panel": "SolverPanel",
        "lab.plots.strategy_grid": "StrategyGrid",
        "lab.widgets.switches": "slider switch",
    },
)
