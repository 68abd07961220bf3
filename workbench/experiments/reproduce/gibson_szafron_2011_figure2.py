"""Gibson & Szafron (2011), Figure 2: who still decides in the game of a static expert.

How (Definition 3.2): in the game of Figure 1a the expert's part is G = {al, bl, cl}, player 2
after l. Every other decision of a player in S becomes a move of chance, with the probabilities
of the base strategy. (a) S = {2}; (b) S = {1, 2}. Each row compares whole sets of histories;
its number is how many information sets are left to decide.

The base strategy is an equilibrium of Figure 1a's abstraction; which one does not matter here.
If the caption is right, giving the decisions away changes nobody's winnings as long as the
expert plays what the base would play: the last two rows.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from workbench.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation import expected_values
from workbench.experiments.reproduce.effort import Effort
from workbench.experiments.reproduce.figure_partition import drawn
from workbench.experiments.reproduce.gibson_szafron_2011_figure1 import PLAYER_1, PLAYER_2, blind
from workbench.experiments.reproduce.ledger import Ours, Result
from workbench.games import load_game
from workbench.rules import Chance, Decision, Node, Rules
from workbench.solvers import average, iterate
from workbench.strategy import Strategy

ITERATIONS = 1000
GAMES = {"2a": {PLAYER_2}, "2b": {PLAYER_1, PLAYER_2}}  # the players in S
CAPTION = {
    "2a player 1 decides": ("2a", PLAYER_1, "{a} {b c}"),
    "2a player 2 decides": ("2a", PLAYER_2, "{al bl} {cl}"),
    "2b player 1 decides": ("2b", PLAYER_1, "none"),
    "2b player 2 decides": ("2b", PLAYER_2, "{al bl} {cl}"),
}


@dataclass(frozen=True, eq=False)
class Seeded:
    """The game in which players of S decide in G only; elsewhere the base strategy moves."""

    rules: Rules
    base: Strategy
    fixed: set[int]  # S

    @property
    def name(self) -> str:
        return f"{self.rules.name}, seeded"

    @property
    def players(self) -> int:
        return self.rules.players

    def start(self) -> Any:
        return self.rules.start()

    def next(self, state: Any, action: Hashable) -> Any:
        return self.rules.next(state, action)

    def node(self, state: Any) -> Node:
        node = self.rules.node(state)
        if not isinstance(node, Decision) or node.player not in self.fixed:
            return node
        if node.player == PLAYER_2 and node.seen[-1] == "l":  # type: ignore[index]
            return node  # in G
        return Chance(self.base.at(node.seen, node.player))


def measure(effort: Effort) -> Result:
    rules = load_game("figure1")
    tree = compile_game(rules)
    blinded = abstract(tree, blind)
    state = next(iterate(blinded.coarse, "cfr+", every=ITERATIONS))
    base = blinded.lift(average(blinded.coarse, state))
    games = {name: compile_game(Seeded(rules, base, fixed)) for name, fixed in GAMES.items()}
    ours = {}
    for item, (game, player, caption) in CAPTION.items():
        found = drawn(games[game], player)
        ours[item] = Ours(found.count("{"), note=found, holds=found == caption)
    value = expected_values(base)[0]
    for name, seeded in games.items():
        again = Strategy.from_function(seeded, lambda p, seen, actions: base.at(seen, p))
        change = float(expected_values(again)[0] - value)
        ours[f"{name} with the base as expert"] = Ours(
            change, note="change of player 1's value", holds=abs(change) < 1e-12
        )
    return Result(
        ours, {"game": tree.name, "solver": "cfr+", "iterations": ITERATIONS, "seeds": "none"}
    )
