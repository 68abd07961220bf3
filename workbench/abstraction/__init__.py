"""Abstraction: play a coarser game, in which some things look the same or cannot be done.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> wb.abstract(tree, "JQ-K")
Abstraction 'JQ-K' of 'leduc': 936 -> 132 infosets
"""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "abstraction.abstraction": "chain merge_infosets merged_table piecewise restrict_actions",
        "abstraction.bets": "MAPPINGS BetSizes",
        "abstraction.clustering": "strength",
        "games.merge_cards": "merge_cards",
        "poker.buckets.round_clustering": "share_children",
        "poker.buckets.gameshrink": "shrink",
        "poker.buckets.line_clusters": "LineClusters percentiles",
    },
)
