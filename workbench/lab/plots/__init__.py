"""Pictures of games, strategies and runs: one figure per file, `plot_x(data, ax=None) -> Axes`.

Each function draws into the Axes it is given, or makes a figure of a fitting size; none shows
or saves it, and none changes matplotlib's settings. matplotlib is imported by the first plot.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "alt_text": ["describe"],
        "convergence": ["plot_convergence"],
        "curves": ["plot_curves"],
        "game_tree": ["plot_game_tree"],
        "gaps": ["plot_gaps"],
        "hand_chart": ["plot_bucket_chart"],
        "hand_map": ["plot_hand_map"],
        "labels": ["label_curves"],
        "ledger": ["VERDICT_COLOURS", "plot_ledger"],
        "partition": ["plot_partition"],
        "push_chart": ["plot_push_chart"],
        "ranges": ["plot_ranges"],
        "regret": ["plot_regret"],
        "strategy_map": ["plot_strategy_map"],
        "strategy_table": ["strategy_html"],
        "style": ["colour"],
        "tournament": ["WON_AND_LOST", "plot_tournament"],
        "tradeoff": ["plot_tradeoff"],
        "votes": ["plot_votes"],
    },
)
