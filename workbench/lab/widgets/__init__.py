"""Panels for notebooks: views only, what they show is computed below.

Every panel takes plain arguments, works with defaults, can be closed, and does its work in the
background (`jobs.py`). ipywidgets is imported by the first panel.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "abstraction_explorer": ["AbstractionExplorer"],
        "cfr_stepper": ["CFRStepper"],
        "game_browser": ["GameBrowser"],
        "holdem_builder": ["HoldemBuilder"],
        "play_table": ["PlayTable"],
        "prediction": ["Prediction", "predict"],
        "regret_matcher": ["RegretMatcher"],
        "report_button": ["report_button"],
        "solver_panel": ["SolverPanel"],
        "stitching_explorer": ["StitchingExplorer"],
        "switches": ["switch"],
        "tournament_panel": ["TournamentPanel"],
        "votes": ["Votes"],
    },
)
