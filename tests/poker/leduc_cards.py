"""Leduc as the public-state engine reads it: J Q K in two suits, one private card, one public."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbench.games.deck import Deck
from workbench.poker.betting.betting import Limit
from workbench.poker.engine.card_game import CardGame


@dataclass(frozen=True)
class LeducCards:
    name: ClassVar[str] = "leduc"
    private_cards: ClassVar[int] = 1
    public_cards: ClassVar[tuple[int, ...]] = (0, 1)
    betting: ClassVar[Limit] = Limit(antes=(1, 1), bets=(2, 4), most=(2, 2))
    deck: ClassVar[Deck] = Deck(3, 2)  # its Q K A are Leduc's J Q K

    def strength(self, cards):
        ranks = cards // 2
        return np.where(ranks[..., 0] == ranks[..., 1], 3, ranks[..., 0])

    def public_game(self, buckets=None):
        return CardGame(self, buckets)

    def spot(self, seen):
        private, board, betting = (part.translate(str.maketrans("KQJ", "AKQ")) for part in seen)
        return self.deck.parse(private), self.deck.parse(board), betting
