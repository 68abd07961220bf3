"""Leduc as the public-state engine reads it: its own hands and boards, and limit betting."""

from dataclasses import dataclass
from typing import ClassVar

from workbench.games.leduc import Leduc
from workbench.poker.betting.betting import Limit
from workbench.poker.buckets.buckets import card_numbers
from workbench.poker.engine.card_game import CardGame


@dataclass(frozen=True)
class LeducCards(Leduc):
    betting: ClassVar[Limit] = Limit(antes=(1, 1), bets=(2, 4), most=(2, 2))

    def public_game(self, buckets=None):
        return CardGame(self, buckets)

    def spot(self, seen):
        return *card_numbers(self, *seen[:2]), seen[2]
