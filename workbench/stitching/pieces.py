"""What stitched strategies are made of, by name: games, abstractions, choices of experts, bases.

Every piece has a name for a list to choose from and the Python that makes it. Each is made once.

>>> partition("leduc", "first bet")
GraftingPartition of 'leduc': base 72, r 372, cr 372, ccr 60, cccr 60 infosets
>>> list(abstractions("kuhn")), abstractions("kuhn")["JQ-K"].code
(['null', 'JQ-K', 'J-QK'], 'wb.merge_cards("JQ")')
>>> ways("kuhn"), ways("leduc")
(['first bet', 'card'], ['first bet', 'round', 'card', 'card, later'])
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from workbench.abstraction.registry import list_abstractions
from workbench.compiling import compile_game
from workbench.games.merge_cards import merge_cards, ranks_of
from workbench.games.registry import load_game
from workbench.passes import rounds
from workbench.runs.solve import solve
from workbench.stitching.builders import betting_experts, card_experts, first_bets, round_experts
from workbench.stitching.expert_rules import NamedRule
from workbench.stitching.partition import GraftingPartition
from workbench.strategy import Strategy
from workbench.tree import GameTree

GAMES = {  # and the options of `load_game`
    "leduc": ("leduc", {}),
    "leduc, suits merged": ("leduc", {"suit_isomorphism": True}),
    "kuhn": ("kuhn", {}),
}
WAYS = {  # of choosing experts: what an expert is chosen by, and the code
    "first bet": ("how the first bet came", "wb.betting_experts(tree, {names})"),
    "round": ("how the second round was reached", "wb.round_experts(tree)"),
    "card": ("the player's own card", "wb.card_experts(tree)"),
    "card, later": ("the player's own card, second round", "wb.card_experts(tree, start=1)"),
}


class Piece(NamedTuple):
    """An abstraction and the code that makes it; None forgets nothing."""

    rule: NamedRule
    code: str


@cache
def game_tree(game: str) -> GameTree:
    """The compiled game."""
    name, options = GAMES[game]
    return compile_game(load_game(name, **options))


@cache
def abstractions(game: str) -> dict[str, Piece]:
    """Those the game brings along; Kuhn's cards merged in the same way."""
    tree = game_tree(game)
    if names := list_abstractions(tree):
        return {name: Piece(name, f'"{name}"') for name in names}
    ranks = ranks_of(tree)
    found = {"null": Piece(None, "None")}
    for k in range(len(ranks) - 1):
        pair = "".join(ranks[k : k + 2])
        name = "-".join([*ranks[:k], pair, *ranks[k + 2 :]])
        found[name] = Piece(merge_cards(pair), f'wb.merge_cards("{pair}")')
    return found


def ways(game: str) -> list[str]:
    """The ways to choose experts that this game has."""
    later = int(rounds(game_tree(game)).max()) > 0
    return [way for way in WAYS if later or way in ("first bet", "card")]


@cache
def partition(game: str, way: str) -> GraftingPartition:
    """All experts of one way."""
    tree = game_tree(game)
    if way == "first bet":
        return betting_experts(tree, first_bets(tree))
    if way == "round":
        return round_experts(tree)
    return card_experts(tree, start=1 if way == "card, later" else 0)


@lru_cache(maxsize=64)
def base(
    game: str, abstraction: str, solver: str, iterations: int, seed: int, store: str | None = None
) -> Strategy:
    """A base strategy; `store`: a folder where it is kept on its way."""
    rule, tree = abstractions(game)[abstraction].rule, game_tree(game)
    return solve(tree, solver, iterations, seed=seed, abstraction=rule, store=store).strategy
