"""Abstraction: play a coarser game, in which some things look the same or cannot be done.

>>> from workbench.games import load_game
>>> from workbench.compiling import compile_game
>>> tree = compile_game(load_game("leduc"))
>>> ab = abstract(tree, "JQ-K")
>>> ab
Abstraction 'JQ-K' of 'leduc': 936 -> 132 infosets
"""

from workbench.abstraction.merge_cards import merge_cards
from workbench.abstraction.clustering import cluster, strength
from workbench.abstraction.abstraction import Abstraction, abstract
from workbench.abstraction.merged_table import merged_table
from workbench.abstraction.registry import chain, list_abstractions
from workbench.abstraction.rules import merge_infosets, piecewise, restrict_actions
from workbench.games.toepen.hand_rules import hand_rule

__all__ = [
    "Abstraction",
    "abstract",
    "chain",
    "cluster",
    "hand_rule",
    "list_abstractions",
    "merge_cards",
    "merge_infosets",
    "merged_table",
    "piecewise",
    "restrict_actions",
    "strength",
]
