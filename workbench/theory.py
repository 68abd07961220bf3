"""Theorems and other forms of a game, to be looked at.

    normal_form, sequence_form      a game as a table of whole plans, as sequences of own moves
    equilibrium_range, …            what all equilibria have in common, and how far they differ
    restricted_response, …          to exploit somebody and stay safe
    graft_gains                     what the theorem about grafts says, part by part
    fix, …, subgame, join_parts     some moves decided already; a game in parts

>>> import workbench as wb
>>> wb.theory.count_pure_strategies(wb.compile_game(wb.load_game("kuhn")))
(27, 64)
"""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "lab.analysis.equilibrium_range": "equilibrium_range learnt_equilibria",
        "lab.lectures.normal_form": "NormalForm count_pure_strategies normal_form",
        "lab.lectures.restricted_nash": "exploitation_frontier restricted_response",
        "lab.lectures.subgames": "join_parts subgame",
        "lab.ledger.papers.graft_theorem": "GraftGains graft_gains",
        "lab.ledger.papers.predetermined": "predetermined",
        "sequence_form": "sequence_form",
        "stitching.joining": "Fixed fix fix_others fix_players",
    },
)
