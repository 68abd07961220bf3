"""Poker with a board: private cards, public cards, limit betting in rounds, a showdown.

What Leduc, Rhode Island and Texas Hold'em share. A state is (what was dealt so far, the betting so
far): one entry for each seat, then one for each deal to the board, (("A♥ K♥", "7♠ 7♦", "Q♥ J♥ 2♣"),
"rc/"). A game says how many cards each entry has, how bets go, and which hand is best.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.games.words import PokerWords, a_card
from workbench.poker.betting import Betting, Limit
from workbench.poker.cards import Deck
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
        if action == "r" and self._blinds and "/" not in seen[2]:  # a blind was the first bet
            return "raise"
        return super().move(action, seen, actions)

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
    """The course of a hand; see the first lines of this file."""

    public_cards: ClassVar[tuple[int, ...]]  # that are turned up before each round
    betting: ClassVar[Limit]

    def follow(self, betting: str) -> Betting:
        """Where a betting string leads."""
        return self.betting.follow(betting)

    def paid(self, betting: str) -> tuple[int, ...]:
        """What each seat has put into the pot."""
        return self.follow(betting).paid

    def start(self) -> State:
        return (), ""

    def next(self, state: State, action: str) -> State:
        cards, betting = state
        if action[0] in "fcr":
            return cards, betting + action
        return (*cards, action), betting + "/" * (len(cards) >= len(self.paid(betting)))

    def node(self, state: State) -> Node:
        cards, betting = state
        at = self.follow(betting)
        seats = len(at.paid)
        if len(cards) < seats:
            return self._deal(cards, 0)
        if at.player >= 0:
            board = " ".join(cards[seats:])
            return Decision(at.player, (cards[at.player], board, betting), at.actions)
        if at.folded < 0 and at.round < len(self.public_cards) - 1:
            return self._deal(cards, at.round + 1)
        return Terminal(self._payoffs(cards, at))

    def _deal(self, dealt: tuple[str, ...], number: int) -> Chance:
        """The next cards: of a player in round 0, else those that begin a round."""
        raise NotImplementedError

    def _strength(self, cards: tuple[str, ...]) -> int:
        """How strong a player's cards are together with the board's."""
        raise NotImplementedError

    def _payoffs(self, cards: tuple[str, ...], at: Betting) -> tuple[float, ...]:
        """The best hand of those who are left takes the pot; equal ones share it."""
        if len(at.live) == 1:
            return _shares(at.paid, at.live)
        board, best, winners = cards[len(at.paid) :], -1, ()
        for seat in at.live:
            strength = self._strength((cards[seat], *board))
            if strength > best:
                best, winners = strength, (seat,)
            elif strength == best:
                winners = (*winners, seat)
        return _shares(at.paid, winners)


@cache
def _shares(paid: tuple[int, ...], winners: tuple[int, ...]) -> tuple[float, ...]:
    """Every seat's share of the pot, minus what it paid."""
    share = sum(paid) / len(winners)
    return tuple(share * (seat in winners) - put for seat, put in enumerate(paid))


class DeckPoker(BoardPoker):
    """The same with the cards of a deck, which are numbers to the public-state engine."""

    private_cards: ClassVar[int]

    @property
    def deck(self) -> Deck:
        return Deck()

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

    def _strength(self, cards: tuple[str, ...]) -> int:
        return _strength(self, cards)

    def _deal(self, dealt: tuple[str, ...], number: int) -> Chance:
        new = self.public_cards[number] if number else self.private_cards
        taken = {card for some in dealt for card in some.split()}
        left = [card for card in map(self.deck.name, range(self.deck.size)) if card not in taken]
        chance = 1 / comb(len(left), new)
        return Chance({" ".join(some): chance for some in combinations(left, new)})


@lru_cache(maxsize=150_000)
def _strength(rules: DeckPoker, cards: tuple[str, ...]) -> int:
    return int(rules.strength(np.array(rules.deck.parse("".join(cards)))))
