"""Figures 1 and 2 of Gibson & Szafron (2011): who can tell what apart in the game of an expert."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from workbench.abstraction.abstraction import abstract
from workbench.compiling import compile_game
from workbench.evaluation.values import expected_values
from workbench.games.registry import load_game
from workbench.lab.ledger.entry import NO_SEEDS, Effort, Entry
from workbench.lab.ledger.ledger import Ours
from workbench.runs.solve import solve
from workbench.stitching.joining import Fixed, expert_game, expert_rule
from workbench.stitching.partition import betting_experts
from workbench.tree import GameTree

ONE, TWO = 0, 1  # the players
ITERATIONS = 1000


def blind(player: int, seen: Any, actions: Sequence[Hashable]) -> Hashable:
    """Forget what chance drew: player 1 knows nothing, player 2 only player 1's move."""
    return "nothing" if player == ONE else seen[-1]


def drawn(tree: GameTree, player: int) -> str:
    """A player's information sets as a figure shows them: "{a} {b c}", b and c look the same."""
    sets = [np.flatnonzero(tree.infoset == k).tolist() for k in tree.infosets_of(player)]
    named = [[tree.history_label(h).replace(" ", "") for h in histories] for histories in sets]
    return " ".join(sorted(f"{{{' '.join(sorted(names))}}}" for names in named)) or "none"


def shown(tree: GameTree, player: int, caption: str) -> Ours:
    """Whether a player's information sets are those of the caption."""
    found = drawn(tree, player)
    return Ours(found.count("{"), note=found, holds=found == caption)


def unchanged(game: Fixed) -> Ours:
    """The base as its own expert wins what it won before."""
    base = game.strategy
    change = float(expected_values(game.restrict(base))[0] - expected_values(base)[0])
    return Ours(change, note="change of player 1's value", holds=abs(change) < 1e-12)


def _views(effort: Effort) -> dict[str, GameTree]:
    tree = compile_game(load_game("figure1"))
    dynamic = expert_rule(tree, betting_experts(tree, ["l"]), blind)
    rules = {"blind": blind, "dynamic": dynamic}
    return {"game": tree, **{name: abstract(tree, rule).coarse for name, rule in rules.items()}}


def _experts(effort: Effort) -> dict[str, Fixed]:
    tree = compile_game(load_game("figure1"))
    base = solve(tree, "cfr+", ITERATIONS, abstraction=blind, checkpoints=ITERATIONS).strategy
    part, groups = betting_experts(tree, ["l"]), {"2a": {TWO}, "2b": {ONE, TWO}}
    return {name: expert_game(base, part, "l", players) for name, players in groups.items()}


FIGURE_1 = Entry(
    """Gibson & Szafron (2011), Figure 1: what its caption says about who can tell what apart.

    How: `data/games/figure1.txt` is the game of the figure (the payoffs are ours, the paper gives
    none). (a) is the abstraction that forgets chance's move. (b), the game of a dynamic expert, is
    that abstraction except in the part of the l-expert, G = {al, bl, cl}: there nothing is
    forgotten. Each row compares whole sets of histories; its number is how many there are.
    """,
    _views,
    {
        "1a game, player 1": lambda of: shown(of["game"], ONE, "{a} {b c}"),
        "1a game, player 2": lambda of: shown(of["game"], TWO, "{al bl} {ar br} {cl} {cr}"),
        "1a abstraction, player 1": lambda of: shown(of["blind"], ONE, "{a b c}"),
        "1a abstraction, player 2": lambda of: shown(of["blind"], TWO, "{al bl cl} {ar br cr}"),
        "1b dynamic expert, player 1": lambda of: shown(of["dynamic"], ONE, "{a b c}"),
        "1b dynamic expert, player 2": lambda of: shown(
            of["dynamic"], TWO, "{al bl} {ar br cr} {cl}"
        ),
    },
    lambda of: {"game": of["game"].name, **NO_SEEDS},
)

FIGURE_2 = Entry(
    """Gibson & Szafron (2011), Figure 2: who still decides in the game of a static expert.

    How (Definition 3.2): in the game of Figure 1a the expert's part is G = {al, bl, cl}, player 2
    after l. Every other decision of a player in S becomes a move of chance, with the probabilities
    of the base strategy. (a) S = {2}; (b) S = {1, 2}. Each row compares whole sets of histories;
    its number is how many information sets are left to decide.

    The base strategy is an equilibrium of Figure 1a's abstraction; which one does not matter here.
    If the caption is right, giving the decisions away changes nobody's winnings as long as the
    expert plays what the base would play: the last two rows.
    """,
    _experts,
    {
        "2a player 1 decides": lambda of: shown(of["2a"].tree, ONE, "{a} {b c}"),
        "2a player 2 decides": lambda of: shown(of["2a"].tree, TWO, "{al bl} {cl}"),
        "2b player 1 decides": lambda of: shown(of["2b"].tree, ONE, "none"),
        "2b player 2 decides": lambda of: shown(of["2b"].tree, TWO, "{al bl} {cl}"),
        "2a with the base as expert": lambda of: unchanged(of["2a"]),
        "2b with the base as expert": lambda of: unchanged(of["2b"]),
    },
    lambda of: {
        "game": of["2a"].full.name, "solver": "cfr+", "iterations": ITERATIONS, **NO_SEEDS
    },
)  # fmt: skip

ENTRIES = {"gibson-szafron-2011-figure1": FIGURE_1, "gibson-szafron-2011-figure2": FIGURE_2}
