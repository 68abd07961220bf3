"""Experiments: a game, a solver and a seed in; a strategy and what happened on the way out."""

from workbench.experiments.quick import quick
from workbench.experiments.run import Run
from workbench.experiments.solve import solve

__all__ = ["Run", "quick", "solve"]
