"""Experiments: a game, a solver and a seed in; a strategy and what happened on the way out."""

from workbench.experiments.experiment import Experiment, grid
from workbench.experiments.quick import quick
from workbench.experiments.run import Run
from workbench.experiments.sampled import (
    Estimate,
    estimate_exploitability,
    load_sampled,
    sample_rules,
)
from workbench.experiments.solve import solve
from workbench.experiments.store import Store
from workbench.experiments.sweep import Sweep, sweep

__all__ = [
    "Estimate",
    "Experiment",
    "Run",
    "Store",
    "Sweep",
    "estimate_exploitability",
    "grid",
    "load_sampled",
    "quick",
    "sample_rules",
    "solve",
    "sweep",
]
