"""Solvers by their names.

>>> find_solver("dcfr")
DCFR(alternating=True, engine='auto', alpha=1.5, beta=0.0, gamma=2.0)
>>> find_solver("dcfr", {"alpa": 2.0})
Traceback (most recent call last):
    ...
workbench.rules.GameError: dcfr has no setting 'alpa'; did you mean 'alpha'? \
Settings: alternating, engine, alpha, beta, gamma
>>> find_solver("crf+")
Traceback (most recent call last):
    ...
workbench.rules.GameError: there is no solver 'crf+'; did you mean 'cfr+'? \
Solvers: cfr, cfr+, chance-sampling, ...
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from workbench.rules import GameError, shown
from workbench.settings import changed, code, full_name, make, read_call, unknown_name
from workbench.solvers.base import Solver

SOLVERS: dict[str, str | type[Any]] = {  # a class, or where to find it below workbench.solvers
    "cfr": "cfr.CFR",
    "cfr+": "cfr.CFRPlus",
    "linear-cfr": "cfr.LinearCFR",
    "dcfr": "cfr.DCFR",
    "pcfr+": "cfr.PCFRPlus",
    "chance-sampling": "chance_sampling.ChanceSampling",
    "external-sampling": "external_sampling.ExternalSampling",
    "outcome-sampling": "outcome_sampling.OutcomeSampling",
    "lp": "lp.LP",
    "egt": "egt.EGT",
    "iterated-smoothing": "iterated_smoothing.IteratedSmoothing",
    "fictitious-play": "fictitious_play.FictitiousPlay",
}


def list_solvers() -> list[str]:
    """The names `solve` knows."""
    return sorted(SOLVERS)


def solver_class(name: str) -> type[Any]:
    """The dataclass of a solver's settings."""
    if name not in SOLVERS:
        raise unknown_name("solver", name, list_solvers())
    found = SOLVERS[name]
    if isinstance(found, str):
        file, _, attribute = found.rpartition(".")
        found = SOLVERS[name] = getattr(import_module(f"workbench.solvers.{file}"), attribute)
    assert isinstance(found, type)
    return found


def is_listed(solver: Solver) -> bool:
    """Whether a solver, with whatever settings, is one that has a name here."""
    return solver.name in SOLVERS and type(solver) is solver_class(solver.name)


def solver_name(solver: Solver) -> str:
    """What people read: its name, and the settings that differ from their defaults.

    >>> solver_name(find_solver("cfr+")), solver_name(find_solver("dcfr", {"alpha": 2.0}))
    ('cfr+', 'dcfr(alpha=2.0)')
    """
    if is_listed(solver):
        return full_name(solver.name, solver)
    return f"{solver.name} (your own)"


def stored_name(solver: str, settings: str) -> str:
    """The same of a solver whose settings stand in a table, as Python writes them.

    >>> stored_name("dcfr", "DCFR(alternating=True, engine='auto', alpha=2.0, beta=0.0, gamma=2.0)")
    'dcfr(alpha=2.0)'
    """
    try:
        kind = solver_class(solver)
        name, given = read_call(settings)
        return solver_name(make(kind, given, solver)) if name == kind.__name__ else settings
    except ValueError:  # somebody's own
        return settings


def solver_code(solver: Solver | str) -> str:
    """A solver as Python: its name if all settings are the usual ones, `solver` if one's own.

    >>> solver_code("cfr+"), solver_code(find_solver("dcfr", {"alpha": 2.0}))
    ('"cfr+"', 'wb.solvers.DCFR(alpha=2.0)')
    """
    solver = find_solver(solver)
    if not is_listed(solver):
        return "solver"
    if not changed(solver):
        return f'"{solver.name}"'
    return code(f"solvers.{type(solver).__name__}", changed(solver))


def find_solver(solver: Solver | str, settings: Mapping[str, Any] | None = None) -> Solver:
    """The solver with this name and these settings; one that has them is handed through."""
    if isinstance(solver, str):
        found: Solver = make(solver_class(solver), settings or {}, solver, "setting")
        return found
    if isinstance(solver, type) or not hasattr(solver, "advance"):
        raise GameError(
            f"{shown(solver)} is no solver; give settings such as CFRPlus(), or a name: "
            + ", ".join(list_solvers())
        )
    for needed in ("name", "exact", "check"):
        if not hasattr(solver, needed):
            raise GameError(
                f"your solver {solver!r} has no {needed!r}; a solver has name, exact, check(tree) "
                "and advance(tree, state, iterations)"
            )
    if settings:
        raise GameError("settings belong to a solver given by name; yours has them already")
    return solver
