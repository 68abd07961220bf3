"""Poker with a board: private cards, public cards, limit betting in rounds, a showdown.

What Rhode Island and Texas Hold'em share. A game says how many cards each deal has, how bets go,
and which hand is best.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from workbench.games.deck import Deck
from workbench.games.leduc import Betting, TablePoker
from workbench.games.words import PokerWords, a_card
from workbench.poker.betting.betting import Limit
from workbench.rules import Chance

if TYPE_CHECKING:
    from workbench.policies import Step

STREETS = ("flop", "turn", "river")

Seen = tuple[str, str, str]


class BoardPokerWords(PokerWords):
    """Several cards at once, and moves that are called after the moment."""

    @staticmethod
    def card(name: str) -> str:
        """One card or several: "the Ace of hearts", "A♥ K♥"."""
        return name if " " in name else a_card(name)

    def move(self, action: str, seen: Any, actions: Sequence[str]) -> str:
        name = super().move(action, seen, actions)
        return "raise" if name == "bet" and self._blinds and "/" not in seen[2] else name

    @property
    def _blinds(self) -> bool:
        """Whether what is put in before the cards is a first bet, and not an ante."""
        limit: Limit = self.rules.betting  # type: ignore[attr-defined]
        return limit.antes[0] != limit.antes[1]

    def price(self, move: str, seen: Any, paid: float) -> str:
        """A call and a bet by what they cost, a raise by what it comes to in this round."""
        if move != "raise":
            return f"{paid / self.coin:g}"
        betting, limit = seen[2], self.rules.betting  # type: ignore[attr-defined]
        now, (before, new, _) = limit.follow(betting), betting.rpartition("/")
        spent = now.paid[now.player]
        if new or not self._blinds:  # only what came in this round
            spent -= limit.follow(before + new).paid[now.player]
        return f"to {(spent + paid) / self.coin:g}"

    def street(self, step: Step) -> str:
        """Which cards a deal to the board turned up; nothing for the hands of the players."""
        deal = len(step.before[0]) - self.rules.players
        return STREETS[deal] if step.player < 0 and deal >= 0 else ""

    def told(self, step: Step, names: Sequence[str], you: int) -> list[str]:
        if street := self.street(step):
            return [f"The {street} is {self.card(step.what)}"]
        return super().told(step, names, you)

    def done(self, step: Step, names: Sequence[str], you: int) -> list[str]:
        """Between what people did also the street: a check after the flop is another one."""
        if street := self.street(step):
            return [f"The {street} comes"]
        return super().done(step, names, you)


class BoardPoker(TablePoker):
    """Rules for two or more; see the first lines of this file."""

    betting: ClassVar[Limit]

    @property
    def deck(self) -> Deck:
        return Deck()

    def follow(self, betting: str) -> Betting:
        return self.betting.follow(betting)

    @property
    def rank_names(self) -> str:
        """The ranks from low to high."""
        return self.deck.rank_names

    def spot(self, seen: Seen) -> tuple[tuple[int, ...], tuple[int, ...], str]:
        """The private cards, the public cards and the betting of what a player has seen."""
        held, board, betting = seen
        return self.deck.parse(held), self.deck.parse(board), betting

    def winners(self: Any, cards: tuple[str, ...], live: tuple[int, ...]) -> tuple[int, ...]:
        """The best hands of those who are left."""
        best = {seat: _strength(self, (cards[seat], *cards[self.players :])) for seat in live}
        return tuple(seat for seat in live if best[seat] == max(best.values()))

    def deal(self, dealt: tuple[str, ...], new: int) -> Chance:
        """The next cards, from what is left of the deck."""
        taken = {card for some in dealt for card in some.split()}
        left = [card for card in map(self.deck.name, range(self.deck.size)) if card not in taken]
        chance = 1 / comb(len(left), new)
        return Chance({" ".join(some): chance for some in combinations(left, new)})


@lru_cache(maxsize=150_000)
def _strength(rules: Any, cards: tuple[str, ...]) -> int:
    return int(rules.strength(np.array(rules.deck.parse("".join(cards)))))
