"""Abstraction: play a coarser game, in which some things look the same or cannot be done.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("leduc"))
>>> wb.abstract(tree, "JQ-K")
Abstraction 'JQ-K' of 'leduc': 936 -> 132 infosets
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "abstraction": ["merged_table"],
        "children": ["share_children"],
        "clustering": ["strength"],
        "gameshrink": ["shrink"],
        "line_clusters": ["LineClusters", "percentiles"],
        "registry": ["chain"],
        "rules": ["merge_cards", "merge_infosets", "piecewise", "restrict_actions"],
    },
)
