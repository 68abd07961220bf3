"""Experiments: a game, a solver and a seed in; a strategy and what happened on the way out."""

from workbench.experiments.experiment import Experiment, grid
from workbench.experiments.quick import quick
from workbench.experiments.run import Run
from workbench.experiments.solve import solve
from workbench.experiments.store import Store
from workbench.experiments.sweep import Sweep, sweep

__all__ = ["Experiment", "Run", "Store", "Sweep", "grid", "quick", "solve", "sweep"]
