"""The rest of a game after some moves, as a game of its own; and what is lost by solving it so.

Everyday example: three assistants prepare a poker player, one for the hands with a Jack, one for
those with a Queen, one for those with a King. Each of them solves *her* part of the game, in which
everybody knows the card, since no other card occurs there. Each answer is perfect, and together
they play with open cards: nobody bluffs with the Jack, for in that part there is nobody to fool.

Waugh, Bard & Bowling (2009, section 3) call it a decomposition that does not *mesh*: an opponent
who sees which part is being played has learnt what the player wanted to hide. Grafts avoid it: each
is solved in the whole game, with a common base for all the others (`stitching`).

>>> import workbench as wb
>>> kuhn = wb.load_game("kuhn")
>>> tree = wb.compile_game(kuhn)
>>> parts = {card: wb.solve(subgame(kuhn, card), "lp").strategy for card in "JQK"}
>>> open_cards = join_parts(tree, 0, parts, lambda seen: seen[0])
>>> round(wb.best_response(open_cards, 1).value, 4), round(1 / 18, 4)
(0.1111, 0.0556)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.rules import Chance, Decision, GameError, Node, Rules, need_rules, shown
from workbench.strategy import Strategy, need_strategy
from workbench.tree import GameTree, need_players, need_tree


@dataclass(frozen=True)
class After:
    """The rules of what follows; see `subgame`."""

    rules: Rules
    moves: tuple[Hashable, ...]

    @property
    def name(self) -> str:
        return f"{self.rules.name} after {' '.join(map(str, self.moves))}"

    @property
    def players(self) -> int:
        return self.rules.players

    def start(self) -> Any:
        state = self.rules.start()
        for move in self.moves:
            known = _moves(self.rules, state)
            if known is not None and move not in known:
                raise GameError(
                    f"{self.rules.name!r} has no move {shown(move)} here; there are: "
                    f"{', '.join(map(str, known)) or 'none, the game is over'}"
                )
            state = self.rules.next(state, move)
        return state

    def next(self, state: Any, action: Hashable) -> Any:
        return self.rules.next(state, action)

    def node(self, state: Any) -> Node:
        return self.rules.node(state)


def _moves(rules: Rules, state: Any) -> tuple[Any, ...] | None:
    """What may happen here; None where chance has more outcomes than can be listed."""
    try:
        node = rules.node(state)
    except GameError:
        return None
    if isinstance(node, Chance):
        return tuple(node.probabilities)
    return tuple(node.actions) if isinstance(node, Decision) else ()


def subgame(rules: Rules, *moves: Hashable) -> After:
    """The game that begins when these moves, of chance or players, have been made and *everybody
    knows it*: players see what they always see, but nothing else can have happened."""
    game = After(need_rules(rules), moves)
    game.start()
    return game


def join_parts(
    tree: GameTree,
    player: int,
    parts: Mapping[Any, Strategy],
    part_of: Callable[[Any], Hashable],
    others: Strategy | None = None,
) -> Strategy:
    """One strategy of many: where `player` has seen x, she plays as in parts[part_of(x)].

    The other players play `others`, or uniformly. Every information set of hers must occur in its
    part.
    """
    (i,) = need_players(need_tree(tree), (player,))
    probs = (Strategy.uniform(tree) if others is None else need_strategy(others, tree)).probs.copy()
    where = {
        key: {
            part.tree.seen[infoset]: part.probs[
                slice(*part.tree.first_choice[infoset : infoset + 2])
            ]
            for infoset in part.tree.infosets_of(i)
        }
        for key, part in parts.items()
    }
    for infoset in tree.infosets_of(i):
        seen, key = tree.seen[infoset], part_of(tree.seen[infoset])
        if seen not in where.get(key, {}):
            raise GameError(
                f"information set {tree.infoset_label(infoset)!r} does not occur in part {key!r}; "
                f"there are the parts {', '.join(map(str, where))}"
            )
        probs[slice(*tree.first_choice[infoset : infoset + 2])] = where[key][seen]
    return Strategy(tree, probs)
