"""Pictures of games, strategies and runs: one figure per file, `plot_x(data, ax=None) -> Axes`.

Each function draws into the Axes it is given, or makes a figure of a fitting size; none shows
or saves it, and none changes matplotlib's settings. matplotlib is imported by the first plot.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.lab.plots.convergence import plot_convergence
    from workbench.lab.plots.curves import plot_curves
    from workbench.lab.plots.game_tree import plot_game_tree
    from workbench.lab.plots.gaps import plot_gaps
    from workbench.lab.plots.ledger import plot_ledger
    from workbench.lab.plots.partition import plot_partition
    from workbench.lab.plots.ranges import plot_ranges
    from workbench.lab.plots.regret import plot_regret
    from workbench.lab.plots.strategy_map import plot_strategy_map
    from workbench.lab.plots.strategy_table import strategy_html
    from workbench.lab.plots.tournament import plot_tournament
    from workbench.lab.plots.tradeoff import plot_tradeoff
    from workbench.lab.plots.alt_text import describe

_FILES = {
    "describe": "alt_text",
    "plot_convergence": "convergence",
    "plot_curves": "curves",
    "plot_game_tree": "game_tree",
    "plot_gaps": "gaps",
    "plot_ledger": "ledger",
    "plot_partition": "partition",
    "plot_ranges": "ranges",
    "plot_regret": "regret",
    "plot_strategy_map": "strategy_map",
    "plot_tournament": "tournament",
    "plot_tradeoff": "tradeoff",
    "strategy_html": "strategy_table",
}

__all__ = [
    "describe",
    "plot_convergence",
    "plot_curves",
    "plot_game_tree",
    "plot_gaps",
    "plot_ledger",
    "plot_partition",
    "plot_ranges",
    "plot_regret",
    "plot_strategy_map",
    "plot_tournament",
    "plot_tradeoff",
    "strategy_html",
]


def __getattr__(name: str) -> Any:
    if name in _FILES:
        value = globals()[name] = getattr(import_module(f"workbench.lab.plots.{_FILES[name]}"), name)
        return value
    raise AttributeError(f"module 'workbench.lab.plots' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
