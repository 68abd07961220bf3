"""Leduc's golden values: counts, the value, uniform play; two and three players.

Published here means: what OpenSpiel's own tests expect, with the file named; where no text
prints a number, it is computed a second time in our tests, by plain recursion on the rules. How:
compile the game and count; enclose the value by best responses to the strategies of a linear
program; answer uniform play by exact best responses. Where OpenSpiel is installed, its own game
is compiled as well and must give the same (two players; its three-player Leduc has eight cards,
ours has the six of Gibson and Szafron).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version

from workbench.compiling import compile_game
from workbench.evaluation.best_response import best_response, exploitability
from workbench.evaluation.values import expected_values
from workbench.games.registry import load_game
from workbench.lab.formats.openspiel import from_openspiel
from workbench.lab.ledger.bases import value_bounds
from workbench.lab.ledger.effort import Effort
from workbench.lab.ledger.ledger import Ours, Result
from workbench.rules import GameError
from workbench.solvers.base import average
from workbench.solvers.iterate import iterate
from workbench.solvers.lp import LP
from workbench.strategy import Strategy
from workbench.tree import GameTree

MEASURES: dict[str, Callable[[GameTree], float]] = {
    "histories": lambda tree: tree.num_histories,
    "information sets": lambda tree: tree.num_infosets,
    "uniform NashConv": lambda tree: 2 * exploitability(Strategy.uniform(tree)),
    "uniform value to player 1": lambda tree: expected_values(Strategy.uniform(tree))[0],
    "uniform best response of player 1": lambda t: best_response(Strategy.uniform(t), 0).value,
    "uniform best response of player 2": lambda t: best_response(Strategy.uniform(t), 1).value,
}


def measure(effort: Effort) -> Result:
    two, two_ranks = (compile_game(load_game("leduc", suit_isomorphism=s)) for s in (False, True))
    three, three_ranks = (
        compile_game(load_game("leduc", players=3, suit_isomorphism=s)) for s in (False, True)
    )
    ours = {}
    theirs = _openspiel()
    for item, number in MEASURES.items():
        value = float(number(two))
        note = ""
        if theirs is not None:
            same = abs(float(number(theirs)) - value) < 1e-12 * max(1.0, abs(value))
            note = "OpenSpiel's own game gives " + ("the same" if same else f"{number(theirs)}")
        ours[f"2p {item}"] = Ours(value, note=note)
    low, high = value_bounds(average(two_ranks, next(iterate(two_ranks, LP()))))
    proof = "the range is what best responses to the LP's strategies prove"
    ours["2p value to player 1"] = Ours((low + high) / 2, low, high, proof)
    ours["2p information sets by rank"] = Ours(two_ranks.num_infosets)
    ours["3p histories"] = Ours(three.num_histories)
    ours["3p information sets"] = Ours(three.num_infosets)
    ours["3p information sets by rank"] = Ours(three_ranks.num_infosets)
    for player, value in enumerate(expected_values(Strategy.uniform(three)), 1):
        ours[f"3p uniform value to player {player}"] = Ours(float(value))
    return Result(
        ours,
        {
            "game": "leduc",
            "solver": "lp",
            "seeds": "none: nothing is drawn at random",
            "OpenSpiel": version("open_spiel") if theirs is not None else "not installed",
        },
    )


def _openspiel() -> GameTree | None:
    try:
        return compile_game(from_openspiel("leduc_poker"))
    except GameError:  # not installed
        return None
