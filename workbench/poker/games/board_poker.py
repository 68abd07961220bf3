"""Poker with a board: private cards, public cards, limit betting in rounds, a showdown.

What Rhode Island and Texas Hold'em share. A state is (what was dealt so far, the betting so far):
one entry for each seat, then one for each deal to the board, (("A♥ K♥", "7♠ 7♦", "Q♥ J♥ 2♣"),
"rc/"). A game says how many cards each entry has, how bets go, and which hand is best.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.games.deck import Deck
from workbench.games.words import PokerWords, a_card
from workbench.poker.betting.betting import Betting, Limit
from workbench.rules import Chance, Decision, Node, Terminal
from workbench.tree import IntArray

if TYPE_CHECKING:
    from workbench.policies import Step

STREETS = ("flop", "turn", "river")

Seen = tuple[str, str, str]
State = tuple[tuple[str, ...], str]


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


class BoardPoker:
    """Rules for two or more; see the first lines of this file."""

    private_cards: ClassVar[int]
    public_cards: ClassVar[tuple[int, ...]]
    betting: ClassVar[Limit]

    @property
    def deck(self) -> Deck:
        return Deck()

    @property
    def seats(self) -> int:
        return len(self.betting.antes)

    def strength(self, cards: NDArray[np.integer]) -> IntArray:
        """How strong the hands (…, private and public cards) are."""
        raise NotImplementedError

    @property
    def rank_names(self) -> str:
        """The ranks from low to high."""
        return self.deck.rank_names

    def seen_with(self, private: Sequence[int], public: Sequence[int], betting: str) -> Seen:
        """What a player knows who holds this."""
        held, board = (" ".join(map(self.deck.name, cards)) for cards in (private, public))
        return held, board, betting

    def spot(self, seen: Seen) -> tuple[tuple[int, ...], tuple[int, ...], str]:
        """The private cards, the public cards and the betting of what a player has seen."""
        held, board, betting = seen
        return self.deck.parse(held), self.deck.parse(board), betting

    def paid(self, betting: str) -> tuple[int, ...]:
        """What each seat has put into the pot."""
        return self.betting.follow(betting).paid

    def start(self) -> State:
        return (), ""

    def next(self, state: State, action: str) -> State:
        cards, betting = state
        if action in ("f", "c", "r"):
            return cards, betting + action
        return (*cards, action), betting + "/" * (len(cards) >= self.seats)

    def node(self, state: State) -> Node:
        cards, betting = state
        if len(cards) < self.seats:
            return self._deal(cards, self.private_cards)
        at = self.betting.follow(betting)
        if at.player >= 0:
            board = " ".join(cards[self.seats :])
            return Decision(at.player, (cards[at.player], board, betting), at.actions)
        if at.folded < 0 and at.round < len(self.public_cards) - 1:
            return self._deal(cards, self.public_cards[at.round + 1])
        return Terminal(self._payoffs(cards, at))

    def _payoffs(self, cards: tuple[str, ...], at: Betting) -> tuple[float, ...]:
        """The best hand of those who are left takes the pot; equal ones share it."""
        best = dict.fromkeys(at.live, 0)
        if len(at.live) > 1:
            best = {seat: _strength(self, (cards[seat], *cards[self.seats :])) for seat in at.live}
        winners = [seat for seat in at.live if best[seat] == max(best.values())]
        share = sum(at.paid) / len(winners)
        return tuple(share * (seat in winners) - paid for seat, paid in enumerate(at.paid))

    def _deal(self, dealt: tuple[str, ...], new: int) -> Chance:
        """The next cards, from what is left of the deck."""
        taken = {card for some in dealt for card in some.split()}
        left = [card for card in map(self.deck.name, range(self.deck.size)) if card not in taken]
        chance = 1 / comb(len(left), new)
        return Chance({" ".join(some): chance for some in combinations(left, new)})


@lru_cache(maxsize=150_000)
def _strength(rules: BoardPoker, cards: tuple[str, ...]) -> int:
    return int(rules.strength(np.array(rules.deck.parse("".join(cards)))))
