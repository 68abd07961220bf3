"""Leduc poker: a deck of six cards, two rounds of betting, one card on the board.

Everyday example: you hold a Queen, the board shows the other Queen, your opponent raises with a
King. Your pair wins; the other side only knows that a pair is possible. Small enough to solve
exactly, large enough that forgetting something costs money: the fruit fly of poker research.

    deck       two suits of `ranks` ranks: J Q K by default, for two and for three players
    deal       ante 1, one private card each in seat order, one board card between the rounds
    betting    "f" fold (only when facing a bet), "c" check or call, "r" bet or raise
               a bet is 2 in the first round and 4 in the second, at most two bets a round
               the lowest seat still in acts first in both rounds
    showdown   a pair with the board beats everything, else the highest rank; ties split

`seen` is (private card, board, betting): ("Q♠", "", "cr") before the flop and
("Q♠", "K♥", "crc/r") after it; the slash is the end of the first round. Payoffs are chips won
beyond one's own contribution.

With `suit_isomorphism` cards are ranks only: deals that differ in suits alone are merged and
carry the sum of their probabilities. That is the same game with 288 instead of 936
information sets (three players: 4,203 instead of 13,878).

What a player may forget (`abstractions`), f(player, seen, actions) -> label; information sets of
one player with equal labels become one:

    name           before the flop          on the flop                         infosets (3 players)
    null           rank                     rank and the board card             288 (4,203)
    J.Q.K          J | Q | K                that bucket, paired or not          198 (2,835)
    JQ-K, JQ.K     J or Q | K               that bucket, paired or not          132 (1,890)
    J-QK, J.QK     J | Q or K               that bucket, paired or not          132 (1,890)

The null abstraction forgets only the suit of the private card. Suits never decide a hand, so the
value stays what it was; but an opponent still sees the suit of the board, and an equilibrium that
plays ♠ and ♥ differently for no reason can lose a little to that (CFR finds none, the LP may).
On the tree with suits it leaves 468 sets: the board keeps its suit unless it pairs the private
card, because "I hold a Queen and the board is the Queen of hearts" would give the suit away; so a
rank sees five different boards. Names with a dash are those of Gibson and Szafron (2011), names
with dots those of Waugh, Bard and Bowling (2009).

>>> leduc = Leduc()
>>> leduc.abstractions["JQ-K"](0, ("Q♠", "Q♥", "crc/r"), ("f", "c", "r"))
('JQ', 'pair', 'crc/r')
>>> state = leduc.start()
>>> for action in ["Q♠", "K♠", "c", "r", "c", "Q♥", "r"]:
...     state = leduc.next(state, action)
>>> leduc.node(state)
Decision(player=1, seen=('K♠', 'Q♥', 'crc/r'), actions=('f', 'c', 'r'))
>>> leduc.node(leduc.next(state, "c"))
Terminal(payoffs=(7.0, -7.0))
>>> Leduc(players=3, suit_isomorphism=True).name
'leduc(players=3, suit_isomorphism=True)'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.games.board_poker import BoardPoker
from workbench.games.words import PokerWords, Words
from workbench.poker.betting import Betting, Limit
from workbench.rules import Chance, GameError
from workbench.settings import Between, check, full_name
from workbench.tree import IntArray

if TYPE_CHECKING:
    from workbench.poker.cards import Deck

_RANKS = "23456789TJQKA"
_SUITS = "♠♥"


class LeducPoker(BoardPoker):
    """Two cards of each rank, one for each player and one on the board; a pair wins."""

    public_cards: ClassVar[tuple[int, ...]] = (0, 1)

    @property
    def rank_names(self) -> str:
        """The ranks from low to high."""
        return "JQK"

    def _deal(self, dealt: tuple[str, ...], number: int) -> Chance:
        left = 2 * len(self.rank_names) - len(dealt)
        copies = {rank: 2 - dealt.count(rank) for rank in self.rank_names}
        return Chance({rank: count / left for rank, count in copies.items() if count})

    def _strength(self, cards: tuple[str, ...]) -> int:
        own, board = cards[0][0], cards[1][0]
        return len(_RANKS) if own == board else _RANKS.index(own)


@dataclass(frozen=True)
class Leduc(LeducPoker):
    """Leduc poker for `players` seats and a deck of two suits of `ranks` ranks."""

    players: Annotated[int, Between(2, 10)] = 2
    ranks: Annotated[int, Between(2, 13), "3 is J Q K; the deck has two suits"] = 3
    suit_isomorphism: Annotated[bool, "cards are ranks only: the same game, smaller"] = False

    private_cards: ClassVar[int] = 1
    unit: ClassVar[str] = "chip"
    about: ClassVar[str] = (
        "All put 1 chip into the pot and get one card. Bets are 2 chips; then a card is turned "
        "up for all, and bets are 4. In each round at most one bet and one raise. A pair with the "
        "card on the board wins, else the highest card; equal cards share the pot."
    )
    words: ClassVar[type[Words]] = PokerWords
    tables: ClassVar[dict[str, Any]] = {
        "Leduc poker": {}, "Leduc poker for three": {"options": {"players": 3}}
    }  # fmt: skip

    def __post_init__(self) -> None:
        check(self, "leduc")
        if self.players + 1 > 2 * self.ranks:
            raise GameError(
                f"leduc: {self.players} players and the board need {self.players + 1} cards, "
                f"{self.ranks} ranks give {2 * self.ranks}; take more ranks or fewer players"
            )

    @property
    def name(self) -> str:
        return full_name("leduc", self)

    def follow(self, betting: str) -> Betting:
        return _follow(self.players, betting)

    @property
    def rank_names(self) -> str:
        return "JQKA"[: self.ranks] if self.ranks <= 4 else _RANKS[-self.ranks :]

    @property
    def deck(self) -> Deck:
        """Two suits; a card is a number there."""
        from workbench.poker.cards import Deck  # solving Leduc by its tree needs no deck

        return Deck(self.ranks, 2)

    def strength(self, cards: NDArray[np.integer]) -> IntArray:
        """How strong hands (…, private card and board) are: pairs first, then rank."""
        own, board = cards[..., 0] // 2, cards[..., 1] // 2
        return np.asarray(own + self.ranks * (own == board), np.int32)

    @property
    def abstractions(self) -> dict[str, Any]:
        """What a player may forget, by name; those of the papers are for J, Q and K."""
        return {"null": null} | (_papers() if self.ranks == 3 else {})

    def _deal(self, dealt: tuple[str, ...], number: int) -> Chance:
        if self.suit_isomorphism:
            return super()._deal(dealt, number)
        left = 2 * self.ranks - len(dealt)
        deck = [rank + suit for rank in self.rank_names for suit in _SUITS]
        return Chance({card: 1 / left for card in deck if card not in dealt})


@cache
def _follow(players: int, betting: str) -> Betting:
    return Limit(antes=(1,) * players, bets=(2, 4), most=(2, 2)).follow(betting)


# ---- what a player may forget --------------------------------------------------------


def null(player: int, seen: tuple[str, str, str], actions: Sequence[Any]) -> tuple[str, str, str]:
    """Forget the suit of the private card and nothing else.

    >>> null(0, ("Q♠", "K♥", "crc/r"), ()), null(0, ("Q♠", "Q♥", "crc/r"), ())
    (('Q', 'K♥', 'crc/r'), ('Q', 'Q', 'crc/r'))
    """
    private, board, betting = seen
    rank = private[0]
    return rank, rank if board.startswith(rank) else board, betting


PAPERS = {"JQ-K": ("JQ",), "J-QK": ("QK",), "J.Q.K": (), "JQ.K": ("JQ",), "J.QK": ("QK",)}


@cache
def _papers() -> dict[str, Any]:
    """The buckets of the papers: a group of ranks, and whether the board pairs it."""
    from workbench.games.merge_cards import MergeCards

    return {name: MergeCards(groups, name=name) for name, groups in PAPERS.items()}
