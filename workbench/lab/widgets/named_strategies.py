"""Strategies to be compared: by name, of one game, with the regrets of their solvers.

>>> from workbench.compiling import compile_game
>>> from workbench.games.registry import load_game
>>> kuhn = compile_game(load_game("kuhn"))
>>> strategies, regrets = compared(kuhn, None)
>>> list(strategies), list(regrets)
(['CFR+', 'uniform'], ['CFR+'])
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from workbench.rules import GameError
from workbench.runs.run import Run
from workbench.runs.solve import solve
from workbench.solvers.base import State
from workbench.strategy import Strategy, need_strategy
from workbench.tree import FloatArray, GameTree

SOLVED = 20_000  # histories of games that are solved if no strategy is given

Given = Strategy | Run | Mapping[str, Strategy | Run] | None


def compared(
    tree: GameTree, given: Given, state: State | None = None
) -> tuple[dict[str, Strategy], dict[str, FloatArray]]:
    """name -> strategy, and (K,) the regrets that their solvers have summed up."""
    if given is None:
        small = tree.num_histories <= SOLVED
        given = {"CFR+": solve(tree, "cfr+", 1000)} if small else {}
        given = {**given, "uniform": Strategy.uniform(tree)}
    if not isinstance(given, Mapping):
        name = given.solver.name if isinstance(given, Run) else "strategy"
        given = {name: given}
    if not given:
        raise GameError("strategies: give at least one, {name: strategy}")
    strategies, regrets = {}, {}
    for name, one in given.items():
        sigma = one.strategy if isinstance(one, Run) else need_strategy(one)
        if not sigma.tree.same_as(tree):
            raise GameError(f"{name!r} is a strategy of {sigma.tree!r}, not of {tree!r}")
        strategies[str(name)] = sigma
        if isinstance(one, Run):
            regrets[str(name)] = _regret_of(one)
    if state is not None:
        if state.regret.shape != (tree.num_choices,):
            raise GameError(
                f"state has {len(state.regret)} regrets, {tree.name!r} {tree.num_choices} choices"
            )
        regrets[next(iter(strategies))] = state.regret
    return strategies, regrets


def _regret_of(run: Run) -> FloatArray:
    """(K,) regrets of a run; with an abstraction those of the coarse choice, nan without one."""
    if run.abstraction is None:
        return run.state.regret
    there = run.abstraction.choice_map
    return np.where(there >= 0, run.state.regret[there], np.nan)
