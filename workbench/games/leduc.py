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
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.games.words import PokerWords, Words
from workbench.rules import Chance, Decision, GameError, Node, Terminal
from workbench.settings import Between, check, full_name
from workbench.tree import IntArray

if TYPE_CHECKING:
    from workbench.games.deck import Deck

_RANKS = "23456789TJQKA"
_SUITS = "♠♥"

State = tuple[tuple[str, ...], str]  # the cards dealt so far (board last), the betting so far


class Betting(NamedTuple):
    """Where a betting string leads. It is public, so every deal shares it."""

    player: int  # who acts now; -1: the round is over
    actions: tuple[str, ...]
    folded: int  # the seat that gave up and left one winner, -1: none has
    paid: tuple[int, ...]  # what every seat has put into the pot
    round: int
    live: tuple[int, ...]  # the seats that have not folded


@dataclass(frozen=True)
class LimitBetting:
    """Antes or blinds, and for each round the size of a bet, how many there may be (a blind is the
    first of them) and who acts first."""

    antes: tuple[int, ...]  # one for each seat
    bets: tuple[int, ...]
    most: tuple[int, ...]
    first: tuple[int, ...] = ()  # empty: player 0 in every round

    def follow(self, betting: str) -> Betting:
        """Replay a betting string."""
        return follow_limit(self, betting)


@lru_cache(maxsize=100_000)
def follow_limit(
    limit: LimitBetting, betting: str, number: int = 0, live: tuple[int, ...] | None = None
) -> Betting:
    """From the first round on, or from another one for those who are in, as if nothing was paid."""
    paid = [0] * len(limit.antes) if number else list(limit.antes)
    live = tuple(range(len(paid))) if live is None else live
    bets, first = int(len({*paid}) > 1), limit.first or (0,) * len(limit.bets)  # a blind is a bet
    waiting = _from(first[number], live)
    for letter in betting:
        if letter == "/":
            number, bets = number + 1, 0
            waiting = _from(first[number], live)
            continue
        player, *waiting = waiting
        if letter == "f":
            live = tuple(seat for seat in live if seat != player)
            if len(live) == 1:
                return Betting(-1, (), player, tuple(paid), number, live)
            continue
        paid[player] = max(paid)
        if letter == "r":
            paid[player] += limit.bets[number]
            bets += 1
            waiting = _from(player, live)[1:]  # all others answer
    if not waiting:
        return Betting(-1, (), -1, tuple(paid), number, live)
    fold = ("f",) if paid[waiting[0]] < max(paid) else ()
    bet = ("r",) if bets < limit.most[number] else ()
    return Betting(waiting[0], (*fold, "c", *bet), -1, tuple(paid), number, live)


def _from(first: int, live: tuple[int, ...]) -> list[int]:
    """The seats that are in, in the order in which they act if `first` comes first."""
    return sorted(live, key=lambda seat: (seat < first, seat))


class TablePoker:
    """Private cards, rounds of betting with cards on the board between them, a showdown. A state is
    (what was dealt so far, the betting so far): one entry for each seat, then one for each deal to
    the board, (("A♥ K♥", "7♠ 7♦", "Q♥ J♥ 2♣"), "rc/"). Games differ in how bets go (`follow`), in
    what may be dealt (`deal`) and in whose hand is best (`winners`)."""

    unit: ClassVar[str] = "chip"

    def paid(self: Any, betting: str) -> tuple[int, ...]:
        """What every seat has put into the pot."""
        return self.follow(betting).paid  # type: ignore[no-any-return]

    def start(self) -> State:
        return (), ""

    def next(self: Any, state: State, action: str) -> State:
        cards, betting = state
        if action[0] in "fcr":
            return cards, betting + action
        return (*cards, action), betting + "/" * (len(cards) >= self.players)

    def node(self: Any, state: State) -> Node:
        cards, betting = state
        if len(cards) < self.players:
            return self.deal(cards, self.private_cards)  # type: ignore[no-any-return]
        at, board = self.follow(betting), cards[self.players :]
        if at.player >= 0:
            return Decision(at.player, (cards[at.player], " ".join(board), betting), at.actions)
        if len(at.live) > 1 and len(board) + 1 < len(self.public_cards):
            return self.deal(cards, self.public_cards[len(board) + 1])  # type: ignore[no-any-return]
        winners = self.winners(cards, at.live) if len(at.live) > 1 else at.live
        return Terminal(_payoffs(at.paid, winners))


class LeducPoker(TablePoker):
    """The deck of Leduc, two suits of some ranks, and its hands."""

    private_cards: ClassVar[int] = 1
    public_cards: ClassVar[tuple[int, ...]] = (0, 1)  # new ones in each round

    def deal(self: Any, dealt: tuple[str, ...], new: int) -> Chance:
        """The next card, from what is left of the deck."""
        left = 2 * len(self.rank_names) - len(dealt)
        if self.suit_isomorphism:
            copies = {rank: 2 - dealt.count(rank) for rank in self.rank_names}
            return Chance({rank: count / left for rank, count in copies.items() if count})
        deck = [rank + suit for rank in self.rank_names for suit in _SUITS]
        return Chance({card: 1 / left for card in deck if card not in dealt})

    def winners(self, cards: tuple[str, ...], live: tuple[int, ...]) -> tuple[int, ...]:
        """The seats still in that win the showdown: pairs first, then rank."""
        board, ranks = cards[-1][0], [cards[seat][0] for seat in live]
        strength = [len(_RANKS) if rank == board else _RANKS.index(rank) for rank in ranks]
        best = max(strength)
        return tuple([seat for seat, value in zip(live, strength, strict=True) if value == best])


@dataclass(frozen=True)
class Leduc(LeducPoker):
    """Leduc poker for `players` seats and a deck of two suits of `ranks` ranks."""

    players: Annotated[int, Between(2, 10)] = 2
    ranks: Annotated[int, Between(2, 13), "3 is J Q K; the deck has two suits"] = 3
    suit_isomorphism: Annotated[bool, "cards are ranks only: the same game, smaller"] = False

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

    @property
    def rank_names(self) -> str:
        """The ranks from low to high."""
        return "JQKA"[: self.ranks] if self.ranks <= 4 else _RANKS[-self.ranks :]

    @property
    def deck(self) -> Deck:
        """Two suits; a card is a number there."""
        from workbench.games.deck import Deck  # solving Leduc by its tree needs no deck

        return Deck(self.ranks, 2)

    def strength(self, cards: NDArray[np.integer]) -> IntArray:
        """How strong hands (…, private card and board) are: pairs first, then rank."""
        own, board = cards[..., 0] // 2, cards[..., 1] // 2
        return np.asarray(own + self.ranks * (own == board), np.int32)

    @property
    def abstractions(self) -> dict[str, Any]:
        """What a player may forget, by name; those of the papers are for J, Q and K."""
        from workbench.games.merge_cards import MergeCards

        papers = PAPERS.items() if self.ranks == 3 else ()
        return {"null": null} | {name: MergeCards(groups, name=name) for name, groups in papers}

    def follow(self, betting: str) -> Betting:
        return _follow(self.players, betting)


@cache
def _follow(players: int, betting: str) -> Betting:
    return LimitBetting((1,) * players, bets=(2, 4), most=(2, 2)).follow(betting)


@cache
def _payoffs(paid: tuple[int, ...], winners: tuple[int, ...]) -> tuple[float, ...]:
    """Every seat's share of the pot, minus what it paid."""
    share = sum(paid) / len(winners)
    return tuple(share * (seat in winners) - put for seat, put in enumerate(paid))


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
