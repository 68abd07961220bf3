"""Thinking at the table: from a blueprint, which knows a little about everything, to an answer that
is worked out when it is needed.

    public_states     what everybody at the table knows: where a game can be cut
    Searcher          a policy that solves the rest of the game anew, before it answers
    Thought           what it considered

>>> import workbench as wb
>>> leduc = wb.compile_game(wb.load_game("leduc", suit_isomorphism=True))
>>> blueprint = wb.solve(leduc, "cfr+", 200, abstraction="JQ-K").strategy
>>> searcher = wb.search.Searcher(blueprint, when=1)  # from the second round on
>>> wb.exploitability(searcher.strategy()) < wb.exploitability(blueprint)
True
"""

from workbench.later import group

__getattr__, __dir__, __all__ = group(
    __name__,
    {
        "search.public": "public_states",
        "search.searcher": "Searcher",
        "search.thought": "Thought",
    },
)
