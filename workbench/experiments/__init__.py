"""Experiments: a game, a solver and a seed in; a strategy and what happened on the way out."""

from workbench.runs.experiment import Experiment, grid
from workbench.runs.quick import quick
from workbench.runs.run import Run
from workbench.lab.analysis.rules_sampling.run import (
    Estimate,
    estimate_exploitability,
    load_sampled,
    sample_rules,
)
from workbench.runs.solve import solve
from workbench.runs.store import Store
from workbench.lab.sweep.sweep import Sweep, sweep

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
