"""The signals of a card game with every suit of every card, as GameShrink was published with.

In `workbench.poker.strength.hand_signals` hands that differ only in the names of suits are one.
Here nobody has told us about suits: a node is a real hand on real cards, and GameShrink finds the
classes by itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.poker.strength.hand_signals import need_card_game
from workbench.poker.strength.signals import Edges, SignalTree


def real_signals(rules: Any) -> SignalTree:
    """The signal tree of a card game with one private card, with every suit of every card.

    >>> from workbench.games.registry import load_game
    >>> real_signals(load_game("rhode_island", ranks=3, suits=2)).nodes
    (6, 30, 120)
    """
    need_card_game(rules)
    cards = rules.deck.size
    told = np.arange(cards)[:, None]  # (nodes, own card and public cards so far)
    edges: list[Edges] = []
    for new in rules.public_cards[1:]:
        assert new == rules.private_cards == 1
        parent = np.repeat(np.arange(len(told)), cards)
        more = np.column_stack([told[parent], np.tile(np.arange(cards), len(told))])
        fits = (more[:, :-1] != more[:, -1:]).all(axis=1)
        told, parent = more[fits], parent[fits]
        edges.append(Edges(parent, np.arange(len(told)), np.ones(len(told), np.int64)))
    code = told @ cards ** np.arange(told.shape[1])[::-1]
    node = np.full(cards ** told.shape[1], -1, np.int32)
    node[code] = np.arange(len(told))
    ranks = rules.strength(told)
    shift = cards ** (told.shape[1] - 1)
    theirs = node[(code % shift)[:, None] + np.arange(cards) * shift]  # same board, other card
    theirs[np.arange(len(told)), told[:, 0]] = -1
    leaf, rival = np.nonzero(theirs >= 0)
    others = theirs[leaf, rival]
    return SignalTree(
        nodes=(cards, *(len(of.child) for of in edges)),
        edges=tuple(edges),
        leaf=leaf,
        others=others[:, None],
        outcome=np.sign(ranks[leaf] - ranks[others]) + 1,
        count=np.ones(len(leaf), np.int64),
    )
