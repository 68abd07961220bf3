"""Expected values: what each seat wins when strategies meet, exactly.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> uniform = Strategy.uniform(tree)
>>> bold = Strategy.from_function(tree, lambda player, seen, actions: "b")
>>> expected_values([uniform, bold])
array([-0.25,  0.25])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.form import Form
from workbench.passes import profile_values
from workbench.rules import GameError
from workbench.strategy import JudgesItself, Strategy, need_strategy
from workbench.tree import FloatArray, GameTree


def common_tree(strategies: Sequence[Strategy]) -> GameTree:
    """The game that all strategies are for."""
    if not isinstance(strategies, Sequence) or not strategies:
        given = repr(strategies) if isinstance(strategies, Sequence) else type(strategies).__name__
        raise GameError(f"a list of strategies is needed here, [a, b], not {given}")
    tree: GameTree = _of_a_game(strategies[0]).tree
    for k, strategy in enumerate(strategies):
        other = _of_a_game(strategy).tree
        if not other.same_as(tree):
            raise GameError(
                f"strategy {k} is of {other.name!r}, strategy 0 of {tree.name!r}, and they cannot "
                "meet; lift both to the same game first"
            )
    return tree


def _of_a_game(strategy: object) -> Strategy | JudgesItself:
    return strategy if isinstance(strategy, JudgesItself) else need_strategy(strategy)


def seated(strategies: Sequence[Strategy]) -> Strategy:
    """The profile in which seat i is played by strategies[i]."""
    tree = common_tree(strategies)
    if len(strategies) != tree.num_players:
        raise _seats(tree.name, tree.num_players, len(strategies))
    if isinstance(tree, Form):
        return tree.seated(strategies)  # type: ignore[no-any-return]
    probs = np.empty(tree.num_choices)
    for i, strategy in enumerate(strategies):
        mine = tree.choices_of(i)
        probs[mine.start : mine.stop] = strategy.probs[mine.start : mine.stop]
    return Strategy(tree, probs)


def _seats(name: str, seats: int, given: int) -> GameError:
    return GameError(f"{name!r} has {seats} seats, not {given}; give one strategy for each seat")


def expected_values(
    strategies: Sequence[Strategy | JudgesItself] | Strategy | JudgesItself,
) -> FloatArray:
    """(P,) what each seat wins; one strategy per seat, or one profile for all seats."""
    if isinstance(strategies, JudgesItself):
        return strategies.expected_values()
    if isinstance(strategies, Sequence) and strategies and isinstance(strategies[0], JudgesItself):
        if len(strategies) != (seats := strategies[0].tree.num_players):
            raise _seats(strategies[0].tree.name, seats, len(strategies))
        return strategies[0].expected_values(*strategies[1:])
    if isinstance(strategies, Sequence):
        strategies = seated(strategies)  # type: ignore[arg-type]  # which checks each of them
    profile = need_strategy(strategies)
    return profile_values(profile.tree, profile.probs)
