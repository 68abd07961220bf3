"""Leduc as a game of cards: its own hands and boards, and limit betting."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbench.games.leduc import Leduc
from workbench.poker.betting.betting import Limit
from workbench.poker.buckets.buckets import card_numbers
from workbench.poker.engine.card_game import CardGame
from workbench.poker.engine.public_strategy import PublicStrategy


@dataclass(frozen=True)
class LeducCards(Leduc):
    betting: ClassVar[Limit] = Limit(antes=(1, 1), bets=(2, 4), most=(2, 2))

    def public_game(self, buckets=None):
        return CardGame(self, buckets)

    def spot(self, seen):
        return *card_numbers(self, *seen[:2]), seen[2]


def places_in(tree, game):
    """Which choice of the engine each choice of a tree is."""
    numbers = PublicStrategy(game.real, game, np.arange(game.num_choices, dtype=float))
    found = []
    for infoset, seen in enumerate(tree.seen):
        here = numbers.at(seen)
        found += [here[action] for action in tree.actions_at(infoset)]
    return np.array(found, int)
