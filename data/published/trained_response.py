"""Best responses that are trained, not computed: one player learns, the others stay as they are.

Le (2021), Section 4.1.1, estimates exploitability in this way: the others' part of a profile
becomes chance (`wb.theory.fix`), and any solver trains the one player who is left, from nothing or
from where training stood. What she then wins is a *lower* bound on what could be won, and nobody
knows how far below. On a tree the exact best response is one sweep, so the shortfall of the
estimate can be shown beside it.

>>> import workbench as wb
>>> uniform = Strategy.uniform(wb.compile_game(wb.load_game("leduc")))
>>> trained_response(uniform, 0, "cfr+", iterations=10)
TrainedResponse of player 0: wins 2.0355 of 2.0875, 0.0520 short
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from workbench.evaluation.values import best_response, expected_values
from workbench.kernels import random_state
from workbench.lab.text import number
from workbench.later import pd
from workbench.settings import need_several, need_whole
from workbench.solvers.base import Solver, State, average, iterate, need_state
from workbench.stitching.joining import Fixed, fix_others
from workbench.strategy import Strategy, need_strategy


@dataclass(frozen=True, eq=False, repr=False)
class TrainedResponse:
    """What a player has learnt against the others, and what she could have learnt."""

    player: int
    value: float  # what she wins, exact
    best: float  # what the exact best response wins
    strategy: Strategy  # she plays what she learnt, the others as before

    @property
    def shortfall(self) -> float:
        """How much the estimate is too small."""
        return self.best - self.value

    def __repr__(self) -> str:
        return (
            f"TrainedResponse of player {self.player}: wins {number(self.value, 4)} of "
            f"{number(self.best, 4)}, {number(self.shortfall, 4)} short"
        )


def trained_response(
    sigma: Strategy,
    player: int,
    solver: Solver | str = "external-sampling",
    *,
    iterations: int = 10_000,
    seed: int = 0,
    start: State | None = None,
    keep_average: bool = False,
) -> TrainedResponse:
    """Train one player against the others' part of a profile, for so many iterations.

    `start`: the state of a solver of the *whole* game whose regrets to go on from, as the thesis
    does. With `keep_average` the old average goes on too, and a long one hardly moves any more.
    """
    fixed = fix_others(need_strategy(sigma), player)
    need_whole("iterations", iterations)
    begin = None if start is None else _part_of(start, fixed, seed, keep_average)
    state = next(iterate(fixed.tree, solver, seed=seed, start=begin, every=iterations))
    learnt = fixed.lift(average(fixed.tree, state))
    value, best = expected_values(learnt)[player], best_response(sigma, player).value
    return TrainedResponse(player, float(value), best, learnt)


def trained_exploitability(
    sigma: Strategy,
    solver: Solver | str = "external-sampling",
    *,
    iterations: int = 10_000,
    seeds: Iterable[int] = (0,),
    start: State | None = None,
    keep_average: bool = False,
) -> pd.DataFrame:
    """The thesis's estimate beside the truth: one row per seed, sums over players.

    Columns: seed, estimate (b_1 + b_2 of trained responses), exact (of best responses), shortfall.
    In a two-player zero-sum game `exact` is twice `exploitability`.
    """
    rows = []
    for seed in need_several("seeds", seeds, "whole numbers"):
        found = [
            trained_response(
                sigma, player, solver, iterations=iterations, seed=seed, start=start,
                keep_average=keep_average,
            )
            for player in range(need_strategy(sigma).tree.num_players)
        ]  # fmt: skip
        estimate, exact = sum(each.value for each in found), sum(each.best for each in found)
        rows.append((seed, estimate, exact, exact - estimate))
    return pd.DataFrame(rows, columns=["seed", "estimate", "exact", "shortfall"])


def _part_of(state: State, fixed: Fixed, seed: int, keep_average: bool) -> State:
    """The state of the whole game, cut down to what is left to decide; random numbers anew."""
    need_state(fixed.full, state)
    free = np.flatnonzero(fixed.choice_map >= 0)
    order = free[np.argsort(fixed.choice_map[free])]  # (K of what is left,) their old numbers
    average = state.strategy_sum[order]
    return replace(
        state,
        regret=state.regret[order],
        probs=state.probs[order],
        strategy_sum=average if keep_average else np.zeros_like(average),
        rng=random_state(seed),
        game=0,  # what is left is a game of its own
    )
