"""Rhode Island Hold'em: one private card, two public ones, three rounds of betting.

Everyday example: you hold the Ace of hearts, the board shows the King and the 2 of hearts. Your
flush beats every pair; only a straight, three of a kind or a straight flush beats you.

    deck       all cards by default; `ranks` and `suits` make it smaller (the top ones stay)
    deal       ante 5, one private card each, a public card after the first and the second round
    betting    "f" fold (only when facing a bet), "c" check or call, "r" bet or raise
               a bet is 10, 20 and 20 chips in the three rounds, at most a bet and two raises
               player 1 acts first in every round
    showdown   the best hand of three cards (see below); ties split

Shi and Littman (2001) made the game to be too large for the solvers of its day; Gilpin and
Sandholm (2005) solved it with automated abstraction, eight days and 25 GB of linear programming.
Its tree has billions of nodes, so `wb.solve` plays it as a game of cards (`workbench.poker`); small
decks also compile.

`seen` is (private card, public cards, betting): ("A♥", "K♥ 2♥", "cc/rc/r").

How strong a hand is, is one integer for three cards, larger is better, equal ones tie:

    8  straight flush     7 8 9 of one suit
    7  three of a kind
    6  straight           the ace also stands below the lowest rank: A 2 3
    5  flush
    4  pair
    3  high card

Three of a kind beats a straight, and a straight beats a flush: of the 22,100 hands of three cards
48 are straight flushes, 52 three of a kind, 720 straights, 1,096 flushes, 3,744 pairs. Within a
kind the cards decide, from the most important one down. A deck of three ranks has one straight,
a smaller one has none.

>>> rules = RhodeIsland()
>>> state = rules.start()
>>> for action in ["A♥", "K♠", "c", "c", "K♥", "r", "c", "2♥", "r"]:
...     state = rules.next(state, action)
>>> rules.node(state)
Decision(player=1, seen=('K♠', 'K♥ 2♥', 'cc/rc/r'), actions=('f', 'c', 'r'))
>>> rules.node(rules.next(state, "c"))
Terminal(payoffs=(45.0, -45.0))
>>> hands = [rules.deck.parse(text) for text in ("Ah2c3d", "AhAdKs", "4h2c3d")]
>>> three_cards(rules.deck, np.array(hands)).argsort().tolist()
[1, 0, 2]
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.games.deck import Deck
from workbench.games.words import Words
from workbench.poker.betting.betting import Limit
from workbench.poker.buckets.buckets import HandBuckets
from workbench.poker.engine.card_game import CardGame
from workbench.poker.games.board_poker import BoardPoker, BoardPokerWords
from workbench.rules import GameError
from workbench.settings import Between, check, full_name
from workbench.tree import IntArray


@dataclass(frozen=True)
class RhodeIsland(BoardPoker):
    """Rhode Island Hold'em with a deck of `ranks` ranks in `suits` suits."""

    ranks: Annotated[int, Between(2, 13), "13 is the whole deck, 3 is Q K A"] = 13
    suits: Annotated[int, Between(1, 4)] = 4

    players: ClassVar[int] = 2
    private_cards: ClassVar[int] = 1
    public_cards: ClassVar[tuple[int, ...]] = (0, 1, 1)
    betting: ClassVar[Limit] = Limit(antes=(5, 5), bets=(10, 20, 20), most=(3, 3, 3))
    unit: ClassVar[str] = "chip"
    per: ClassVar[str] = "hand"
    about: ClassVar[str] = (
        "Both put 5 chips into the pot and get one card. A bet is 10 chips; then a card is turned "
        "up for all and bets are 20; then another one, and bets are 20 again. In each round at "
        "most one bet and two raises. The best three cards win: straight flush, three of a kind, "
        "straight, flush, pair, high card."
    )
    words: ClassVar[type[Words]] = BoardPokerWords
    tables: ClassVar[dict[str, Any]] = {"Rhode Island Hold'em": {}}

    def __post_init__(self) -> None:
        check(self, "rhode_island")
        if self.ranks * self.suits < 4:
            raise GameError(
                f"rhode_island: {self.ranks} ranks in {self.suits} suits are "
                f"{self.ranks * self.suits} cards; a deal needs 4, take more"
            )

    @cached_property
    def name(self) -> str:
        return full_name("rhode_island", self)

    @property
    def bucket_names(self) -> tuple[str, ...]:
        """To choose from in a list; any counts do, as far as the deck has so many hands."""
        whole = self.ranks == 13 and self.suits == 4
        return (*(("13-50-250", "13-100-750") if whole else ()), "gameshrink")

    @cached_property
    def deck(self) -> Deck:
        return Deck(self.ranks, self.suits)

    def strength(self, cards: NDArray[np.integer]) -> IntArray:
        """How strong the hands (…, private and public cards) are."""
        return three_cards(self.deck, cards)

    def public_game(self, buckets: HandBuckets | None = None) -> CardGame:
        """The game of cards; players may tell apart buckets of hands only."""
        return CardGame(self, buckets)


def three_cards(deck: Deck, cards: NDArray[np.integer]) -> IntArray:
    """The strength of hands of three cards, (…, 3) -> (…)."""
    ranks = np.sort(cards // deck.suits, axis=-1)[..., ::-1].astype(np.int32)  # highest first
    high, middle, low = ranks[..., 0], ranks[..., 1], ranks[..., 2]
    suits = cards % deck.suits
    flush = (suits == suits[..., :1]).all(axis=-1)
    wheel = (high == deck.ranks - 1) & (middle == 1) & (low == 0) & (deck.ranks > 3)
    straight = ((high - middle == 1) & (middle - low == 1)) | wheel
    three, pair = high == low, (high == middle) | (middle == low)
    kind = np.select([straight & flush, three, straight, flush, pair], [8, 7, 6, 5, 4], 3)
    kicker = np.where(high == middle, low, high)  # beside a pair, whose rank is the middle card's
    first = np.where(wheel, middle, np.where(pair, middle, high))
    second = np.where(straight, 0, np.where(pair, kicker, middle))
    third = np.where(straight | pair, 0, low)
    return np.asarray(((kind * 16 + first) * 16 + second) * 16 + third, np.int32)
