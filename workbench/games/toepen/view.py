"""What a player of Toepen knows, taken apart: her hand, the table, the deck.

The rules show (the hand she was dealt, the table), two lines of text:
("10♠ 9♥", "check 9♠ bet") is a player who was dealt two cards and faces a bet after the 9♠.

>>> view = SeenReader(ranks=("10", "9", "8"), players=2)
>>> hand, table = view(("10♠ 9♥", "bet call 9♥ check 10♥ / check 8♠"))
>>> hand.cards, hand.played, hand.mean_rank, hand.suits, hand.high
(('10♠',), ('9♥',), 3.0, 1, 1)
>>> table.cards, table.led, table.calls, table.stake
(('9♥', '10♥', '8♠'), '8♠', 1, 2)

With three players a bet counts once, when everybody has answered:

>>> hand, table = SeenReader(ranks=("10", "9"), players=3)(("10♠ 9♥", "bet call"))
>>> table.calls, table.stake, table.bet
(1, 1, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from workbench.games.toepen.suit_names import RANKS, SUITS
from workbench.rules import GameError
from workbench.tree import GameTree

_MOST = 50_000  # tables kept in mind, about 30 MB: games sampled from rules have no end of them


@dataclass(frozen=True, slots=True)
class OwnCards:
    """The cards of one player. Ranks are numbers: 1 for the lowest of the deck."""

    cards: tuple[str, ...]  # those she still holds, suit by suit, from high to low
    played: tuple[str, ...]  # those she has played, in this order
    ranks: tuple[int, ...]  # of the cards she holds, from low to high
    mean_rank: float  # of the cards she holds, 0 without any
    suits: int  # how many different ones she holds
    high: int  # how many of her cards are above the mean rank of the deck


@dataclass(frozen=True, slots=True)
class SeenTable:
    """What everybody has seen since the deal."""

    text: str  # all of it: "bet call 9♥ check 10♥ /"
    words: tuple[str, ...]  # the same, one by one, without the slashes
    cards: tuple[str, ...]  # the cards, in this order
    led: str  # the card to be answered, "" for who leads
    calls: int
    stake: int  # what the hand is worth now: 1 and 1 for every bet that was called
    bet: bool  # a bet waits for an answer


class SeenReader:
    """Reads what was seen, and remembers what it has read: tables and hands come back often."""

    def __init__(self, ranks: tuple[str, ...], players: int) -> None:
        self.players = players
        self.number = {rank: number for number, rank in enumerate(reversed(ranks), 1)}
        self.middle = (len(ranks) + 1) / 2
        self._table = lru_cache(_MOST)(self._read)
        self._hand = lru_cache(_MOST)(self._hold)

    def __call__(self, seen: tuple[str, str]) -> tuple[OwnCards, SeenTable]:
        dealt, text = seen
        table = self._table(text)
        return self._hand(dealt, table.cards), table

    def _read(self, text: str) -> SeenTable:
        words = tuple([word for word in text.split() if word != "/"])
        cards = tuple([word for word in words if word[-1] in SUITS])
        trick = text.rpartition("/")[2].split()
        led = next((word for word in trick if word[-1] in SUITS), "")
        stake, players, silent, called = 1, self.players, 0, False
        for word in words:
            if word == "bet":
                silent, called = players - 1, False
            elif word in ("call", "fold"):
                silent -= 1
                called = called or word == "call"
                players -= word == "fold"
                stake += called and silent == 0
        return SeenTable(text, words, cards, led, words.count("call"), stake, silent > 0)

    def _hold(self, dealt: str, table: tuple[str, ...]) -> OwnCards:
        mine = dealt.split()
        cards = tuple([card for card in mine if card not in table])
        ranks = tuple(sorted([self.number[card[:-1]] for card in cards]))
        return OwnCards(
            cards,
            tuple([card for card in table if card in mine]),
            ranks,
            round(sum(ranks) / max(len(ranks), 1), 3),
            len({card[-1] for card in cards}),
            sum(rank > self.middle for rank in ranks),
        )


def in_order(hand: str) -> str:
    """Cards in the order of the deck: suit by suit, from high to low."""
    cards = sorted(hand.split(), key=lambda card: (SUITS.index(card[-1]), RANKS.index(card[:-1])))
    return " ".join(cards)


def deck_of(tree: GameTree) -> tuple[str, tuple[str, ...], bool]:
    """The suits, the ranks, and whether suits have no names in this tree."""
    rules: Any = tree.rules
    if not all(hasattr(rules, what) for what in ("suits", "ranks", "suit_isomorphism", "hand")):
        raise GameError(
            f"{tree.name!r} does not show its players (hand, table) as Toepen does; this rule is "
            'for trees of load_game("toepen", ...)'
        )
    return SUITS[: rules.suits], RANKS[: rules.ranks], rules.suit_isomorphism
