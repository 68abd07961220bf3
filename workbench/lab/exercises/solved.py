"""Games and solutions that several exercises compare answers with.

>>> by_rank()
GameTree 'leduc(suit_isomorphism=True)': 2 players, 1,939 histories, 288 infosets, 672 choices
>>> round(milli(solved(by_rank(), "cfr+", 2_000, "JQ-K")), -1)
490.0
"""

from __future__ import annotations

from functools import cache
from typing import Any

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.best_response import exploitability
from workbench.games.registry import load_game
from workbench.solvers.base import average
from workbench.solvers.iterate import iterate
from workbench.strategy import Strategy
from workbench.tree import GameTree

FIRST = ("r", "cr", "ccr", "cccr")  # the first raise of a hand of Leduc: four experts


@cache
def game(name: str, **options: Any) -> GameTree:
    """A game of the workbench, compiled once for all exercises."""
    return compile_game(load_game(name, **options))


def by_rank() -> GameTree:
    """Leduc poker without suits."""
    return game("leduc", suit_isomorphism=True)


def solved(tree: GameTree, solver: str, iterations: int = 1, rule: Any = None) -> Strategy:
    """What a solver finds; with a rule, in the abstraction, lifted into the game."""
    made = None if rule is None else abstract(tree, rule)
    coarse = tree if made is None else made.coarse
    found = average(coarse, next(iterate(coarse, solver, every=iterations)))
    return found if made is None else made.lift(found)


def milli(sigma: Strategy) -> float:
    """Exploitability in thousandths of an ante."""
    return 1000 * exploitability(sigma)
