"""Expected values: what each seat wins when strategies meet, exactly.

>>> from workbench.games.registry import load_game
>>> from workbench.compiling import compile_game
>>> from workbench.strategy import Strategy, need_strategy
>>> tree = compile_game(load_game("kuhn"))
>>> uniform = Strategy.uniform(tree)
>>> bold = Strategy.from_function(tree, lambda player, seen, actions: "b")
>>> expected_values([uniform, bold])
array([-0.25,  0.25])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.passes import profile_values
from workbench.rules import GameError
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray


def seated(strategies: Sequence[Strategy]) -> Strategy:
    """The profile in which seat i is played by strategies[i]."""
    if not isinstance(strategies, Sequence):
        raise GameError(
            f"one strategy for each seat is needed here, [a, b], not {type(strategies).__name__}"
        )
    if not strategies:
        raise GameError("no strategies: give one for each seat")
    tree = need_strategy(strategies[0]).tree
    if len(strategies) != tree.num_players:
        raise GameError(f"{tree.name!r} has {tree.num_players} seats, not {len(strategies)}")
    probs = np.empty(tree.num_choices)
    for i, strategy in enumerate(strategies):
        other = need_strategy(strategy).tree
        if not other.same_as(tree):
            raise GameError(
                f"seat {i} brings a strategy of {other.name!r}, seat 0 one of {tree.name!r}; "
                "lift both to the same game first"
            )
        mine = tree.choices_of(i)
        probs[mine.start : mine.stop] = strategy.probs[mine.start : mine.stop]
    return Strategy(tree, probs)


def expected_values(strategies: Sequence[Strategy] | Strategy) -> FloatArray:
    """(P,) what each seat wins; one strategy per seat, or one profile for all seats."""
    if isinstance(strategies, Sequence):
        strategies = seated(strategies)
    profile = need_strategy(strategies)
    return profile_values(profile.tree, profile.probs)
