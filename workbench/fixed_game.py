"""Fixing: hand some decisions over to chance, which then plays them as a strategy would.

Everyday example: you practise against a machine that always plays the same way. To you its moves
are luck with known odds, like the cards. So the game with some decisions fixed is a game again,
with fewer decisions: every solver and judge works on it as on any other.

    at a history h of a fixed information set I
        player      chance
        edge ha     weight σ(I, a), no choice
    everywhere else nothing changes; the information sets that are left are numbered anew

It is the game of an expert (Gibson & Szafron 2011, Definition 3.2), the game of a student who
trains against one opponent, and, with a coin flip before it, a restricted Nash response.

Every history stays where it was, also behind a move of probability zero: chance simply never goes
there. So the sizes of the fixed game do not depend on the strategy, and arrays over histories
serve both games. Nothing can be learnt at an information set that lies wholly behind such moves;
`unreached` says which these are.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("kuhn"))
>>> bold = Strategy.from_function(tree, lambda player, seen, actions: "b")
>>> fixed = fix_players(bold, 1)  # player 1 always bets and calls
>>> fixed.tree
GameTree 'kuhn [fixed]': 2 players, 58 histories, 6 infosets, 12 choices
>>> both = fixed.lift(Strategy.uniform(fixed.tree))  # a strategy of Kuhn again
>>> both.at("J"), both.at("J p")
({'p': 0.5, 'b': 0.5}, {'p': 0.0, 'b': 1.0})
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.passes import luck
from workbench.rules import GameError
from workbench.strategy import Strategy, need_numbers, need_strategy
from workbench.tree import CHANCE, GameTree, IntArray, assemble, need_players, need_tree


@dataclass(frozen=True, eq=False, repr=False)
class Fixed:
    """Two trees with the same histories, and the map between their choices."""

    strategy: Strategy  # of the full game: what the fixed decisions play
    tree: GameTree  # what is left to decide
    choice_map: IntArray  # (K of full,) the choice in `tree`, -1 where it is fixed

    def __post_init__(self) -> None:
        full, left = need_strategy(self.strategy).tree, need_tree(self.tree)
        whose = f"what is fixed of {full.name!r}"
        numbers = need_numbers("choice_map", self.choice_map, (full.num_choices,), whose, np.int32)
        if not np.all((numbers >= -1) & (numbers < left.num_choices)):
            raise GameError(
                f"choice_map must be -1 or one of the {left.num_choices:,} choices of {left.name!r}"
            )
        numbers.flags.writeable = False
        object.__setattr__(self, "choice_map", numbers)

    @property
    def full(self) -> GameTree:
        """The game before anything was fixed."""
        return self.strategy.tree

    def lift(self, strategy: Strategy) -> Strategy:
        """The strategy of the full game: this one where it decides, else what was fixed."""
        other = need_strategy(strategy).tree
        if not other.same_as(self.tree):
            raise GameError(f"lift needs a strategy of {self.tree!r}, not of {other!r}")
        probs = self.strategy.probs.copy()
        free = self.choice_map >= 0
        probs[free] = strategy.probs[self.choice_map[free]]
        return Strategy(self.full, probs)

    def restrict(self, strategy: Strategy) -> Strategy:
        """The strategy of what is left to decide that plays like one of the full game."""
        other = need_strategy(strategy).tree
        if not other.same_as(self.full):
            raise GameError(f"restrict needs a strategy of {self.full!r}, not of {other!r}")
        free = self.choice_map >= 0
        probs = np.empty(self.tree.num_choices)
        probs[self.choice_map[free]] = strategy.probs[free]
        return Strategy(self.tree, probs)

    @property
    def unreached(self) -> NDArray[np.bool_]:
        """(M of tree,) True where chance never leads, however the others play."""
        there, deciding = np.zeros(self.tree.num_infosets), self.tree.infoset >= 0
        np.maximum.at(there, self.tree.infoset[deciding], luck(self.tree)[deciding])
        return np.asarray(there == 0.0)

    def __repr__(self) -> str:
        return (
            f"Fixed {self.full.name!r}: {self.tree.num_infosets:,} of "
            f"{self.full.num_infosets:,} infosets left to decide"
        )


def fix(strategy: Strategy, fixed: ArrayLike) -> Fixed:
    """Let chance play `strategy` at the information sets where `fixed`, (M,), is True."""
    tree = need_strategy(strategy).tree
    mask = np.asarray(fixed)
    if mask.dtype != np.bool_ or mask.shape != (tree.num_infosets,):
        raise GameError(
            f"fixed must say True or False for each of the {tree.num_infosets:,} information sets "
            f"of {tree.name!r}, not {mask.dtype} of shape {mask.shape}"
        )
    if not mask.any():
        return Fixed(strategy, tree, np.arange(tree.num_choices, dtype=np.int32))
    deciding = tree.infoset >= 0
    given = np.zeros(tree.num_histories, np.bool_)  # (N,) h is now a move of chance
    given[deciding] = mask[tree.infoset[deciding]]
    below = np.zeros(tree.num_histories, np.bool_)  # (N,) the edge into h is one of its moves
    below[1:] = given[tree.parent[1:]]
    chance, outcome = tree.chance.copy(), tree.outcome.copy()
    chance[below] *= strategy.probs[tree.choice[below]]
    rows = {name: row for row, name in enumerate(tree.outcomes)}
    named = np.array([rows.setdefault(action, len(rows)) for action in tree.actions], np.int32)
    outcome[below] = named[tree.choice[below]]
    left, choice_map = assemble(
        name=tree.name if tree.name.endswith(" [fixed]") else f"{tree.name} [fixed]",
        num_players=tree.num_players,
        parent=tree.parent,
        player=np.where(given, CHANCE, tree.player).astype(np.int8),
        infoset=np.where(given, -1, tree.infoset).astype(np.int32),
        choice=np.where(below, -1, tree.choice).astype(np.int32),
        chance=chance,
        terminal=tree.terminal,
        utility=tree.utility,
        outcome=outcome,
        first_choice=tree.first_choice,
        seen=tree.seen,
        actions=tree.actions,
        outcomes=tuple(rows),
        rules=tree.rules,  # players see here what they always saw
        derived_from=tree,
    )
    return Fixed(strategy, left, choice_map)


def fix_players(strategy: Strategy, players: Iterable[int] | int) -> Fixed:
    """Let chance play every decision of these players."""
    tree = need_strategy(strategy).tree
    return fix(strategy, np.isin(tree.infoset_player, need_players(tree, players)))


def fix_others(strategy: Strategy, player: int) -> Fixed:
    """Only `player` decides: her best strategy in this game is her best response.

    >>> import workbench as wb
    >>> fix_others(Strategy.uniform(wb.compile_game(wb.load_game("leduc"))), 0)
    Fixed 'leduc': 468 of 936 infosets left to decide
    """
    tree = need_strategy(strategy).tree
    return fix(strategy, tree.infoset_player != need_players(tree, (player,))[0])
