"""A tree's information sets and moves in words, where the game has words.

A tree knows what the rules call things; people say it otherwise (`workbench.lab.play.words`). The words
belong to the rules, and for a tree alone they are found by its name.

>>> from workbench.compiling import compile_game
>>> from workbench.games import load_game
>>> kuhn = compile_game(load_game("kuhn"))
>>> words, facing = TreeWords(kuhn), kuhn.find_infoset("Q pb")
>>> words.moves(facing), words.knows(facing)
(['fold (p)', 'call (b)'], 'You hold the Queen')
>>> figure1 = compile_game(load_game("figure1"))
>>> TreeWords(figure1).moves(0), TreeWords(figure1).knows(0)
(['l', 'r'], '')
"""

from __future__ import annotations

import ast

from workbench.games import GAMES, load_game
from workbench.lab.play.words import words_for
from workbench.rules import GameError, Rules
from workbench.tree import GameTree, label_of

__all__ = ["TreeWords", "rules_named"]

UNKNOWN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class TreeWords:
    """Words for the infosets of a tree; plain names where there are none."""

    def __init__(self, tree: GameTree, rules: Rules | None = None) -> None:
        rules = rules_named(tree.name) if rules is None else rules
        own = rules is not None and isinstance(rules, tuple(GAMES.values()))
        self.tree, self._words = tree, words_for(rules) if own and rules else None

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


def rules_named(name: str) -> Rules | None:
    """The rules with this full name, if they are ours.

    >>> rules_named("leduc(players=3)"), rules_named("leduc [JQ-K]"), rules_named("mine")
    (Leduc(players=3, ...), None, None)
    """
    game, _, options = name.partition("(")
    if game not in GAMES:
        return None
    try:
        call = ast.parse(f"f({options or ')'}", mode="eval").body
        assert isinstance(call, ast.Call)
        given = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
        return load_game(game, **given)
    except (GameError, SyntaxError, ValueError):
        return None
