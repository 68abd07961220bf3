"""What version 0.1 called `wb.experiments`: runs, sweeps and sampling from the rules."""

from workbench.lab.analysis.rules_sampling.run import Estimate as Estimate
from workbench.lab.analysis.rules_sampling.run import (
    estimate_exploitability as estimate_exploitability,
)
from workbench.lab.analysis.rules_sampling.run import load_sampled as load_sampled
from workbench.lab.analysis.rules_sampling.run import sample_rules as sample_rules
from workbench.lab.sweep.sweep import Sweep as Sweep
from workbench.lab.sweep.sweep import sweep as sweep
from workbench.runs.experiment import Experiment as Experiment
from workbench.runs.experiment import grid as grid
from workbench.runs.run import Run as Run
from workbench.runs.solve import solve as solve
from workbench.runs.store import Store as Store
from workbench.settings import quick as quick
