"""The algorithms: each a frozen dataclass of settings, found by its name.

>>> find_solver("dcfr")
DCFR(alternating=True, engine='auto', alpha=1.5, beta=0.0, gamma=2.0)
>>> find_solver("crf+")
Traceback (most recent call last):
    ...
workbench.rules.GameError: there is no solver 'crf+'; did you mean 'cfr+'? \
Solvers: cfr, cfr+, chance-sampling, dcfr, external-sampling, linear-cfr, lp, \
outcome-sampling, pcfr+
"""

from __future__ import annotations

from typing import Any

from workbench.random import random_state
from workbench.rules import GameError, unknown_name
from workbench.solvers.base import (
    Solver,
    State,
    average,
    current,
    iterate,
    need_state,
    profiles,
    start_state,
)
from workbench.solvers.cfr import CFR, DCFR, CFRPlus, LinearCFR, PCFRPlus
from workbench.solvers.chance_sampling import ChanceSampling
from workbench.solvers.external_sampling import ExternalSampling
from workbench.solvers.lp import LP
from workbench.solvers.outcome_sampling import OutcomeSampling

__all__ = [
    "CFR", "DCFR", "LP", "CFRPlus", "ChanceSampling", "ExternalSampling", "LinearCFR",
    "OutcomeSampling", "PCFRPlus", "Solver", "State", "average", "current", "find_solver",
    "iterate", "list_solvers", "need_state", "profiles", "random_state", "start_state",
]  # fmt: skip

FAMILY = (
    CFR, CFRPlus, LinearCFR, DCFR, PCFRPlus, ChanceSampling, ExternalSampling, OutcomeSampling, LP
)  # fmt: skip
SOLVERS: dict[str, type[Any]] = {solver.name: solver for solver in FAMILY}


def list_solvers() -> list[str]:
    """The names `solve` knows."""
    return sorted(SOLVERS)


def find_solver(solver: Solver | str) -> Solver:
    """The settings with this name, all at their defaults; settings are handed through."""
    if not isinstance(solver, str):
        if isinstance(solver, type) or not hasattr(solver, "advance"):
            raise GameError(
                f"{solver!r} is no solver; give settings such as CFRPlus(), or a name: "
                + ", ".join(list_solvers())
            )
        return solver
    if solver not in SOLVERS:
        raise unknown_name("solver", solver, list_solvers())
    found: Solver = SOLVERS[solver]()
    return found
