"""The field of Waugh, Bard & Bowling's Leduc tournament: three bases, each grafted in two ways.

    J.Q.K, JQ.K, J.QK       equilibria of these abstractions
    … preflop grafts        a graft for each private card, which plays everything
    … flop grafts           a graft for each private card, which plays after the flop

A graft forgets nothing about its player. Its opponent stays in the base's abstraction: with an
opponent who sees everything the text's claims fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from workbench.evaluation.best_response import exploitability
from workbench.evaluation.tournament import tournament
from workbench.evaluation.values import seated
from workbench.lab.analysis.graft_theorem import GraftGains, graft_gains
from workbench.solvers.base import Solver
from workbench.stitching.builders import card_experts
from workbench.strategy import Strategy
from workbench.tree import GameTree

BASES = ("J.Q.K", "JQ.K", "J.QK")
PREFLOP = tuple(f"{name} preflop grafts" for name in BASES)
FLOP = tuple(f"{name} flop grafts" for name in BASES)
NAMES = BASES + PREFLOP + FLOP


@dataclass(frozen=True)
class Nine:
    """How the nine do, by name; chips."""

    winnings: dict[str, float]  # mean of what one wins from the eight others
    wins: dict[str, float]  # from how many one wins more than nothing
    exploitability: dict[str, float]
    folding: dict[str, float]  # what always folding wins from each
    theorem: list[GraftGains]  # both sides of Theorem 1 for every player's grafts

    @property
    def epsilon(self) -> float:
        """How much somebody could gain in a game that was solved for them, at most."""
        return max(one.epsilon for one in self.theorem)


def play_nine(
    tree: GameTree, bases: Mapping[str, Strategy], solver: Solver | str, iterations: int
) -> Nine:
    """Graft the three bases, and let everybody meet everybody, exactly."""
    players, theorem = dict(bases), []
    for kind, start in (("preflop", 0), ("flop", 1)):
        cards = card_experts(tree, start=start)
        for name, base in bases.items():
            both = [
                graft_gains(
                    tree, base, cards.of(i), i, outside=name, solver=solver, iterations=iterations
                )
                for i in (0, 1)
            ]
            players[f"{name} {kind} grafts"] = seated([one.strategy for one in both])
            theorem += both
    field = {name: players[name] for name in NAMES} | {"folding": always_fold(tree)}
    table = tournament(field).to_numpy().copy()
    np.fill_diagonal(table, 0.0)  # nobody meets herself
    won, folding = table[:-1, :-1], table[-1, :-1]
    mean, wins = won.sum(axis=1) / (len(NAMES) - 1), (won > 1e-9).sum(axis=1)
    return Nine(
        dict(zip(NAMES, mean.tolist(), strict=True)),
        dict(zip(NAMES, map(float, wins), strict=True)),
        {name: exploitability(players[name]) for name in NAMES},
        dict(zip(NAMES, folding.tolist(), strict=True)),
        theorem,
    )


def always_fold(tree: GameTree) -> Strategy:
    """Fold whenever there is something to fold to; check otherwise."""
    return Strategy.from_function(tree, lambda p, s, actions: "f" if "f" in actions else "c")
