"""workbench: games of imperfect information, from rules in plain Python to exact answers.

Importing costs numpy only; everything else arrives when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from workbench._version import __version__
from workbench.compiling import compile_game
from workbench.games import list_games, load_game
from workbench.rules import Chance, Decision, GameError, Rules, Terminal
from workbench.strategy import Strategy
from workbench.tree import GameTree

if TYPE_CHECKING:
    from workbench import abstraction, evaluation, plots, solvers
    from workbench.abstraction import Abstraction, abstract, list_abstractions
    from workbench.evaluation import (
        best_response,
        earnings,
        earnings_table,
        expected_values,
        exploitability,
        gains,
        measured_regrets,
        meetings,
        regret_bound,
        sample_match,
        sample_tournament,
        seated,
        standings,
        tournament,
    )
    from workbench.experiments import Experiment, Run, Store, grid, quick, solve, sweep
    from workbench.fixing import Fixed, fix, fix_others, fix_players
    from workbench.games.openspiel import from_openspiel
    from workbench.solvers import average, current, iterate, list_solvers
    from workbench.solvers.selection import equilibrium_range, learnt_equilibria

_LATER = {
    "Abstraction": "workbench.abstraction",
    "Experiment": "workbench.experiments",
    "Fixed": "workbench.fixing",
    "Run": "workbench.experiments",
    "Store": "workbench.experiments",
    "abstract": "workbench.abstraction",
    "average": "workbench.solvers",
    "best_response": "workbench.evaluation",
    "current": "workbench.solvers",
    "earnings": "workbench.evaluation",
    "earnings_table": "workbench.evaluation",
    "equilibrium_range": "workbench.solvers.selection",
    "expected_values": "workbench.evaluation",
    "exploitability": "workbench.evaluation",
    "fix": "workbench.fixing",
    "fix_others": "workbench.fixing",
    "fix_players": "workbench.fixing",
    "from_openspiel": "workbench.games.openspiel",
    "gains": "workbench.evaluation",
    "grid": "workbench.experiments",
    "iterate": "workbench.solvers",
    "learnt_equilibria": "workbench.solvers.selection",
    "list_abstractions": "workbench.abstraction",
    "list_solvers": "workbench.solvers",
    "measured_regrets": "workbench.evaluation",
    "meetings": "workbench.evaluation",
    "quick": "workbench.experiments",
    "regret_bound": "workbench.evaluation",
    "sample_match": "workbench.evaluation",
    "sample_tournament": "workbench.evaluation",
    "seated": "workbench.evaluation",
    "solve": "workbench.experiments",
    "standings": "workbench.evaluation",
    "sweep": "workbench.experiments",
    "tournament": "workbench.evaluation",
}
_PACKAGES = ("abstraction", "evaluation", "experiments", "plots", "solvers")

__all__ = [
    "Abstraction",
    "Chance",
    "Decision",
    "Experiment",
    "Fixed",
    "GameError",
    "GameTree",
    "Rules",
    "Run",
    "Store",
    "Strategy",
    "Terminal",
    "__version__",
    "abstract",
    "abstraction",
    "average",
    "best_response",
    "compile_game",
    "current",
    "earnings",
    "earnings_table",
    "equilibrium_range",
    "evaluation",
    "expected_values",
    "exploitability",
    "fix",
    "fix_others",
    "fix_players",
    "from_openspiel",
    "gains",
    "grid",
    "iterate",
    "learnt_equilibria",
    "list_abstractions",
    "list_games",
    "list_solvers",
    "load_game",
    "measured_regrets",
    "meetings",
    "plots",
    "quick",
    "regret_bound",
    "sample_match",
    "sample_tournament",
    "seated",
    "solve",
    "solvers",
    "standings",
    "sweep",
    "tournament",
]


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return import_module(f"workbench.{name}")
    if name in _LATER:
        value = globals()[name] = getattr(import_module(_LATER[name]), name)
        return value
    raise AttributeError(f"module 'workbench' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
