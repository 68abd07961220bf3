"""Pictures of games, strategies and runs: one figure per file, `plot_x(data, ax=None) -> Axes`.

Each function draws into the Axes it is given, or makes a figure of a fitting size; none shows
or saves it, and none changes matplotlib's settings. matplotlib is imported by the first plot.
"""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "lab.lectures.partition_plot": "plot_partition",
        "lab.lectures.push_chart": "plot_push_chart",
        "lab.lectures.regret_plot": "plot_regret",
        "lab.lectures.strategy_map": "plot_strategy_map",
        "lab.lectures.tradeoff": "plot_tradeoff",
        "lab.plots.alt_text": "describe",
        "lab.plots.convergence": "plot_convergence",
        "lab.plots.curves": "plot_curves",
        "lab.plots.game_tree": "plot_game_tree",
        "lab.plots.gaps": "plot_gaps",
        "lab.plots.hand_chart": "plot_bucket_chart",
        "lab.plots.hand_map": "plot_hand_map",
        "lab.plots.labels": "label_curves",
        "lab.plots.ledger": "VERDICT_COLOURS plot_ledger",
        "lab.plots.ranges": "plot_ranges",
        "lab.plots.strategy_table": "strategy_html",
        "lab.plots.style": "colour",
        "lab.plots.tournament": "WON_AND_LOST plot_tournament",
        "lab.plots.votes": "plot_votes",
    },
)
