"""The signals of a card game: hands on boards, whom they may lead to and whom they meet.

A node of round r is a class of hands (boards.py): a private hand and the public cards so far, up
to the names of suits. Rhode Island has 13, 325 and 9,997; each of the last meets 49 cards.

>>> from workbench.games.registry import load_game
>>> signals = hand_signals(load_game("rhode_island"))
>>> signals.nodes, len(signals.leaf)
((13, 325, 9997), 489853)
"""

from itertools import pairwise
from typing import Any

import numpy as np

from workbench.poker.cards.boards import Boards, boards_of
from workbench.poker.strength.signals import Edges, SignalTree
from workbench.rules import GameError, shown
from workbench.tree import hands_unlisted


def is_card_game(rules: Any) -> bool:
    """Whether these are rules of a card game for two whose hands and boards can be listed."""
    wanted = ("deck", "private_cards", "public_cards", "strength")
    return (
        not hands_unlisted(rules)
        and all(hasattr(rules, name) for name in wanted)
        and rules.players == 2
    )


def need_card_game(rules: Any) -> tuple[Boards, ...]:
    """The boards of a card game; an error for other games."""
    if not (hands_unlisted(rules) or is_card_game(rules)):
        raise GameError(
            f"{shown(getattr(rules, 'name', rules))} is not a card game for two with hands "
            "and boards, such as load_game('rhode_island') or load_game('leduc')"
        )
    return boards_of(rules)


def hand_signals(rules: Any) -> SignalTree:
    """The signal tree of a card game, up to the names of suits."""
    boards = need_card_game(rules)
    last = boards[-1]
    _, first = np.unique(last.classes[last.classes >= 0], return_index=True)
    board, hand = (of[first] for of in np.nonzero(last.classes >= 0))  # one hand of each class
    hands = rules.deck.hands(rules.private_cards)
    shape = len(last.cards), len(hands)
    mine = np.broadcast_to(hands, (*shape, hands.shape[1]))
    public = np.broadcast_to(last.cards[:, None], (*shape, last.cards.shape[1]))
    ranks = rules.strength(np.concatenate([mine, public], axis=-1))  # at the showdown
    shared = (hands[:, None, :, None] == hands[None, :, None, :]).any((2, 3))  # cards of two hands
    rivals = (last.classes >= 0)[board] & ~shared[hand]  # (leaves, hands)
    leaf, rival = np.nonzero(rivals)
    at = board[leaf]
    return SignalTree(
        nodes=tuple(one.num_classes for one in boards),
        edges=tuple(_edges(before, after) for before, after in pairwise(boards)),
        leaf=leaf,
        others=last.classes[at, rival][:, None],
        outcome=np.sign(ranks[at, hand[leaf]] - ranks[at, rival]) + 1,
        count=np.ones(len(leaf), np.int64),
    )


def _edges(before: Boards, after: Boards) -> Edges:
    """From classes of hands to those after the next public cards. A canonical board stands for
    `step` real ones, and hands of one class have the same futures: their sum will do."""
    parent, child = before.classes[after.parent], after.classes
    free = child >= 0
    many = np.broadcast_to(after.step[:, None], free.shape)[free]
    pairs = np.column_stack([parent[free], child[free]])
    distinct, where = np.unique(pairs, axis=0, return_inverse=True)
    count = np.bincount(where.ravel(), many).astype(np.int64)
    return Edges(distinct[:, 0], distinct[:, 1], count)
