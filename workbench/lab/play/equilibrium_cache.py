"""Equilibria of the games that are played, each solved when it is first needed.

Small games take a moment. What took longer than a second to solve is kept on disk
(`disk_cache.py`), so that the next session begins at once.

>>> from workbench.games.registry import load_game
>>> book = EquilibriumCache(iterations=1000)
>>> kuhn = load_game("kuhn")
>>> book.knows(kuhn), book.strategy(kuhn).at(("K", "b"))["b"] > 0.999, book.knows(kuhn)
(False, True, True)
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from workbench import compiling, disk_cache
from workbench._version import __version__
from workbench.compiling import compile_game
from workbench.files import DamagedError, fitting
from workbench.poker.buckets.hand_clustering import cluster_hands, named_buckets
from workbench.rules import GameError, Rules
from workbench.runs.run import Run
from workbench.runs.solve import Progress, solve
from workbench.settings import need_whole
from workbench.solvers.base import Solver, find_solver
from workbench.strategy import Strategy, need_numbers
from workbench.tree import GameTree

WORTH_KEEPING = 1.0  # seconds of solving
TARGET = 1e-5  # exploitability; far below a cost of 0.01, also where one seldom comes
EFFORT = 500_000_000  # histories times iterations, some five seconds, unless a number is given
MOST_ITERATIONS = 20_000
MOST_HISTORIES = 5_000_000
COARSE = (3, 3, 3, 3)  # buckets a round where a game is too large without
BETWEEN_BUCKETS = 400  # iterations there: to 5 mbb within the buckets, some twenty seconds
THREE = "169-3-3-3"  # and with three players, who forget the first of them
SAMPLES = 200_000  # iterations with three players: some fifteen seconds
TREELESS = (200, 0.2)  # iterations and target for card games without a tree: some ten seconds


def treeless(rules: Rules) -> Any:
    """The game of cards, if its tree would take long; else None."""
    return compiling.treeless(rules, MOST_HISTORIES)


def solved(rules: object) -> bool:
    """Whether rules bring their solution, as a hand of a tournament does."""
    return hasattr(rules, "equilibrium")


class EquilibriumCache:
    """Solves games by one solver, each once."""

    def __init__(self, solver: str | Solver = "cfr+", iterations: int | None = None) -> None:
        self.solver = find_solver(solver)
        self.iterations = None if iterations is None else need_whole("iterations", iterations)
        self.hasty = False  # take what there is when a solver is stopped; see `stopped_after`
        self._reached: dict[tuple[Any, str | None], int] = {}
        self._solved: dict[tuple[Any, str | None], Strategy] = {}
        self._trees: dict[Any, GameTree] = {}

    def knows(self, rules: Rules, abstraction: str | None = None) -> bool:
        """True if `strategy` answers at once."""
        return (key_of(rules), abstraction) in self._solved

    @property
    def unfinished(self) -> bool:
        """True if one of its solvers was stopped early."""
        return bool(self._reached)

    def stopped_after(self, rules: Rules, abstraction: str | None = None) -> int:
        """The iterations of a solver that was stopped early; 0 if it came to its end."""
        return self._reached.get((key_of(rules), abstraction), 0)

    def tree(self, rules: Rules) -> GameTree:
        """The compiled game."""
        key = key_of(rules)
        if key not in self._trees:
            self._trees[key] = compile_game(getattr(rules, "simplest", rules), MOST_HISTORIES)
        return self._trees[key]

    def strategy(
        self, rules: Rules, abstraction: str | None = None, progress: bool | Progress | None = None
    ) -> Strategy:
        """The equilibrium of a game, or what the solver finds in an abstraction, lifted."""
        key = key_of(rules), abstraction
        if key not in self._solved:
            found: Any
            if solved(rules) and abstraction:
                raise GameError(f"{rules.name!r} brings its solution: it takes no abstraction")
            if solved(rules):
                found = rules.equilibrium  # type: ignore[attr-defined]
            elif (game := treeless(rules)) is not None:
                found = self._solve_public(game, abstraction, progress)
            else:
                found = self._solve(self.tree(rules), abstraction, progress)
            if getattr(found, "stopped", None) == "interrupted":
                if not self.hasty:
                    raise KeyboardInterrupt
                self._reached[key] = found.iterations
            self._solved[key] = getattr(found, "strategy", found)
        return self._solved[key]

    def _solve(
        self, tree: GameTree, abstraction: str | None, progress: bool | Progress | None
    ) -> Run | Strategy:
        some = max(100, min(MOST_ITERATIONS, EFFORT // tree.num_histories))
        iterations = self.iterations or some
        target = None if self.iterations or abstraction else TARGET  # there it is out of reach
        key = repr((__version__, abstraction, tree.fingerprint, self.solver, iterations, target))
        return self._kept(
            key, partial(Strategy, tree), np.float64, tree, self.solver, iterations,
            target=target, abstraction=abstraction, progress=progress,
        )  # fmt: skip

    def _solve_public(
        self, game: Any, abstraction: str | None, progress: bool | Progress | None
    ) -> Run | Strategy:
        """Solve a game without a tree; it is kept in single precision, 40 MB for Rhode Island."""
        cut: Any = None if abstraction is None else named_buckets(game.rules, abstraction)
        if game.num_players > 2:  # 350 MB, so it is not kept
            many = self.iterations or SAMPLES
            return solve(
                game.rules, "external-sampling", many, checkpoints=many, progress=progress,
                abstraction=cut or named_buckets(game.rules, THREE),
            )  # fmt: skip
        iterations = self.iterations or (TREELESS[0] if game.judged else BETWEEN_BUCKETS)
        whole = self.iterations is None and cut is None and game.judged
        target = TREELESS[1] if whole else None
        if cut is None and not game.judged:  # too large: it is played with buckets of hands
            cut = cluster_hands(game.rules, COARSE, metric="ehs2", method="percentile")
        within = None if cut is None else game.abstraction(cut)
        played = within.coarse if within else game

        def read(kept: Any) -> Strategy:
            probs = need_numbers("probabilities", kept, (played.num_choices,), "it")
            if not 0.0 <= probs.min() <= probs.max() <= 1.0:
                raise DamagedError("a kept equilibrium has odd numbers")
            found: Strategy = played.normalised(probs)
            return within.lift(found) if within else found

        key = repr((__version__, played.fingerprint, self.solver, iterations, target))
        return self._kept(
            key, read, np.float32, game.rules, self.solver, iterations, target=target,
            abstraction=played.buckets if within else None, progress=progress,
        )  # fmt: skip

    def _kept(
        self, key: str, read: Callable[[Any], Strategy], kind: Any, *game: Any, **settings: Any
    ) -> Run | Strategy:
        """What was kept under a key; else solve the game, and keep what took long."""
        kept = disk_cache.load("equilibria", key)
        with suppress(GameError), fitting("a kept equilibrium"):
            if kept is not None:
                return read(kept["probs"])
        run = solve(*game, **settings)
        if run.seconds > WORTH_KEEPING and run.stopped != "interrupted":
            disk_cache.save("equilibria", key, {"probs": run.strategy.probs.astype(kind)})
        return run


def key_of(rules: Rules) -> Any:
    """Equal games are solved once; rules without a hash are known by themselves: their tree
    keeps them, so that no other rules get their id."""
    rules = getattr(rules, "simplest", rules)  # the same game in fewer words, if it knows them
    try:
        hash(rules)
    except TypeError:
        return id(rules)
    return rules
