"""workbench: games of imperfect information, from rules in plain Python to exact answers.

Importing costs numpy only; everything else arrives when it is first asked for.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from workbench._version import __version__
from workbench.compiling import compile_game
from workbench.games import list_games, load_game
from workbench.rules import Chance, Decision, GameError, Rules, Terminal
from workbench.strategy import Strategy
from workbench.tree import GameTree

if TYPE_CHECKING:
    from workbench import (
        abstraction,
        evaluation,
        exercises,
        play,
        plots,
        reports,
        solvers,
        stitching,
        widgets,
    )
    from workbench.abstraction import (
        Abstraction,
        abstract,
        chain,
        cluster,
        hand_rule,
        list_abstractions,
        merge_cards,
        merged_table,
        strength,
    )
    from workbench.deciding import decider
    from workbench.evaluation import (
        best_response,
        dominated_choices,
        dominated_mass,
        dominated_table,
        earnings,
        earnings_table,
        expected_values,
        exploitability,
        gains,
        look,
        measured_regrets,
        meetings,
        play_match,
        regret_bound,
        sample_match,
        sample_tournament,
        sampled_regret_bound,
        sampled_regrets,
        seated,
        standings,
        tournament,
    )
    from workbench.runs import (
        Experiment,
        Run,
        Store,
        estimate_exploitability,
        grid,
        load_sampled,
        quick,
        sample_rules,
        solve,
        sweep,
    )
    from workbench.stitching.expert_rules import expert_rule
    from workbench.stitching.experts import (
        Expert,
        dynamic_experts,
        expert_sizes,
        experts,
        grafts,
        rebuild_base,
        static_experts,
    )
    from workbench.lab.analysis.graft_theorem import GraftGains, graft_gains
    from workbench.fixed_game import Fixed, fix, fix_others, fix_players
    from workbench.games.hand import play_hand
    from workbench.lab.formats.openspiel import from_openspiel
    from workbench.games.toepen.match import ToepenMatch
    from workbench.lab.reports import write_report
    from workbench.solvers import average, current, iterate, list_solvers
    from workbench.lab.analysis.trained_response import trained_exploitability, trained_response
    from workbench.lab.analysis.restricted_nash import exploitation_frontier, restricted_response
    from workbench.lab.analysis.equilibrium_range import equilibrium_range, learnt_equilibria
    from workbench.stitching import (
        GraftingPartition,
        betting_experts,
        card_experts,
        heads_up_experts,
        round_experts,
        stitch,
    )

_LATER = {
    "Abstraction": "workbench.abstraction",
    "Experiment": "workbench.runs",
    "Expert": "workbench.stitching.experts",
    "Fixed": "workbench.fixed_game",
    "GraftGains": "workbench.lab.analysis.graft_theorem",
    "GraftingPartition": "workbench.stitching",
    "Run": "workbench.runs",
    "Store": "workbench.runs",
    "ToepenMatch": "workbench.games.toepen.match",
    "abstract": "workbench.abstraction",
    "average": "workbench.solvers",
    "best_response": "workbench.evaluation",
    "betting_experts": "workbench.stitching",
    "card_experts": "workbench.stitching",
    "chain": "workbench.abstraction",
    "cluster": "workbench.abstraction",
    "current": "workbench.solvers",
    "decider": "workbench.deciding",
    "dominated_choices": "workbench.evaluation",
    "dominated_mass": "workbench.evaluation",
    "dominated_table": "workbench.evaluation",
    "dynamic_experts": "workbench.stitching.experts",
    "earnings": "workbench.evaluation",
    "earnings_table": "workbench.evaluation",
    "equilibrium_range": "workbench.lab.analysis.equilibrium_range",
    "estimate_exploitability": "workbench.runs",
    "expected_values": "workbench.evaluation",
    "expert_rule": "workbench.stitching.expert_rules",
    "expert_sizes": "workbench.stitching.experts",
    "experts": "workbench.stitching.experts",
    "exploitability": "workbench.evaluation",
    "exploitation_frontier": "workbench.lab.analysis.restricted_nash",
    "fix": "workbench.fixed_game",
    "fix_others": "workbench.fixed_game",
    "fix_players": "workbench.fixed_game",
    "from_openspiel": "workbench.lab.formats.openspiel",
    "gains": "workbench.evaluation",
    "graft_gains": "workbench.lab.analysis.graft_theorem",
    "grafts": "workbench.stitching.experts",
    "grid": "workbench.runs",
    "hand_rule": "workbench.abstraction",
    "heads_up_experts": "workbench.stitching",
    "iterate": "workbench.solvers",
    "learnt_equilibria": "workbench.lab.analysis.equilibrium_range",
    "list_abstractions": "workbench.abstraction",
    "list_solvers": "workbench.solvers",
    "load_sampled": "workbench.runs",
    "look": "workbench.evaluation",
    "measured_regrets": "workbench.evaluation",
    "meetings": "workbench.evaluation",
    "merge_cards": "workbench.abstraction",
    "merged_table": "workbench.abstraction",
    "play_hand": "workbench.games.hand",
    "play_match": "workbench.evaluation",
    "quick": "workbench.runs",
    "rebuild_base": "workbench.stitching.experts",
    "regret_bound": "workbench.evaluation",
    "round_experts": "workbench.stitching",
    "restricted_response": "workbench.lab.analysis.restricted_nash",
    "sample_match": "workbench.evaluation",
    "sample_rules": "workbench.runs",
    "sample_tournament": "workbench.evaluation",
    "sampled_regret_bound": "workbench.evaluation",
    "sampled_regrets": "workbench.evaluation",
    "seated": "workbench.evaluation",
    "solve": "workbench.runs",
    "standings": "workbench.evaluation",
    "static_experts": "workbench.stitching.experts",
    "stitch": "workbench.stitching",
    "strength": "workbench.abstraction",
    "sweep": "workbench.runs",
    "tournament": "workbench.evaluation",
    "trained_exploitability": "workbench.lab.analysis.trained_response",
    "trained_response": "workbench.lab.analysis.trained_response",
    "write_report": "workbench.lab.reports",
}
_PACKAGES = (
    "abstraction", "evaluation", "exercises", "experiments", "play", "plots", "reports", "solvers",
    "stitching", "widgets",
)  # fmt: skip

__all__ = [
    "Abstraction",
    "Chance",
    "Decision",
    "Experiment",
    "Expert",
    "Fixed",
    "GameError",
    "GameTree",
    "GraftGains",
    "GraftingPartition",
    "Rules",
    "Run",
    "Store",
    "Strategy",
    "Terminal",
    "ToepenMatch",
    "__version__",
    "abstract",
    "abstraction",
    "average",
    "best_response",
    "betting_experts",
    "card_experts",
    "chain",
    "cluster",
    "compile_game",
    "current",
    "decider",
    "dominated_choices",
    "dominated_mass",
    "dominated_table",
    "dynamic_experts",
    "earnings",
    "earnings_table",
    "equilibrium_range",
    "estimate_exploitability",
    "evaluation",
    "exercises",
    "expected_values",
    "expert_rule",
    "expert_sizes",
    "experts",
    "exploitability",
    "exploitation_frontier",
    "fix",
    "fix_others",
    "fix_players",
    "from_openspiel",
    "gains",
    "graft_gains",
    "grafts",
    "grid",
    "hand_rule",
    "heads_up_experts",
    "iterate",
    "learnt_equilibria",
    "list_abstractions",
    "list_games",
    "list_solvers",
    "load_game",
    "load_sampled",
    "look",
    "measured_regrets",
    "meetings",
    "merge_cards",
    "merged_table",
    "play",
    "play_hand",
    "play_match",
    "plots",
    "quick",
    "rebuild_base",
    "regret_bound",
    "reports",
    "restricted_response",
    "round_experts",
    "sample_match",
    "sample_rules",
    "sample_tournament",
    "sampled_regret_bound",
    "sampled_regrets",
    "seated",
    "solve",
    "solvers",
    "standings",
    "static_experts",
    "stitch",
    "stitching",
    "strength",
    "sweep",
    "tournament",
    "trained_exploitability",
    "trained_response",
    "widgets",
    "write_report",
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


if "IPython" in sys.modules:  # figures of a notebook are stored with a description
    import_module("workbench.lab.plots.alt_text").describe_in_notebooks()
