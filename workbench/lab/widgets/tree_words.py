"""A tree's information sets and moves in words, where the game has words.

A tree knows what the rules call things; people say it otherwise (`workbench.games.words`).

>>> from workbench.compiling import compile_game
>>> from workbench.games.registry import load_game
>>> kuhn = compile_game(load_game("kuhn"))
>>> words, facing = TreeWords(kuhn), kuhn.find_infoset("Q pb")
>>> words.moves(facing), words.knows(facing)
(['fold (p)', 'call (b)'], 'You hold the Queen')
>>> figure1 = compile_game(load_game("figure1"))
>>> TreeWords(figure1).moves(0), TreeWords(figure1).knows(0)
(['l', 'r'], '')
"""

from __future__ import annotations

from workbench.games.words import words_for
from workbench.rules import Rules, label_of
from workbench.tree import GameTree

UNKNOWN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class TreeWords:
    """Words for the infosets of a tree; plain names where there are none."""

    def __init__(self, tree: GameTree, rules: Rules | None = None) -> None:
        rules = tree.rules if rules is None else rules
        self.tree, self._words = (
            tree,
            words_for(rules) if rules and hasattr(rules, "words") else None,
        )

    def moves(self, infoset: int) -> list[str]:
        """What the actions are called in this moment."""
        actions = self.tree.actions_at(infoset)
        plain = [label_of(action) for action in actions]
        if self._words is None:
            return plain
        try:  # somebody's own game may have the name of one of ours
            said = [self._words.move(a, self.tree.seen[infoset], actions) for a in actions]
        except UNKNOWN:
            return plain
        return [
            word if name in word.split() else f"{word} ({name})"
            for word, name in zip(said, plain, strict=True)
        ]

    def knows(self, infoset: int) -> str:
        """What the player holds and sees."""
        if self._words is None:
            return ""
        try:
            return "; ".join(self._words.holds(self.tree.seen[infoset]))
        except UNKNOWN:
            return ""
