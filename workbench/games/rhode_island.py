"""Rhode Island Hold'em: one private card, two public ones, three rounds of betting.

Everyday example: you hold the Ace of hearts, the board shows the King and the 2 of hearts. Your
flush beats every pair; only a straight, three of a kind or a straight flush beats you.

    deck       all cards by default; `ranks` and `suits` make it smaller (the top ones stay)
    deal       ante 5, one private card each, a public card after the first and the second round
    betting    "f" fold (only when facing a bet), "c" check or call, "r" bet or raise
               a bet is 10, 20 and 20 chips in the three rounds, at most a bet and two raises
               player 1 acts first in every round
    showdown   the best hand of three cards (see `workbench.poker.hands`); ties split

Shi and Littman (2001) made the game to be too large for the solvers of its day; Gilpin and
Sandholm (2005) solved it with automated abstraction, eight days and 25 GB of linear programming.
Its tree has billions of nodes, so `wb.solve` takes the public-state engine (`workbench.poker`);
small decks also compile.

`seen` is (private card, public cards, betting): ("A♥", "K♥ 2♥", "cc/rc/r").

>>> rules = RhodeIsland()
>>> state = rules.start()
>>> for action in ["A♥", "K♠", "c", "c", "K♥", "r", "c", "2♥", "r"]:
...     state = rules.next(state, action)
>>> rules.node(state)
Decision(player=1, seen=('K♠', 'K♥ 2♥', 'cc/rc/r'), actions=('f', 'c', 'r'))
>>> rules.node(rules.next(state, "c"))
Terminal(payoffs=(45.0, -45.0))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.games.words import PokerWords, Words
from workbench.poker.betting import Limit
from workbench.poker.buckets import HandBuckets
from workbench.poker.cards import Deck
from workbench.poker.hands import three_cards
from workbench.poker.public_game import PublicGame
from workbench.rules import Chance, Decision, GameError, Node, Terminal
from workbench.settings import Between, check, full_name
from workbench.tree import IntArray

Seen = tuple[str, str, str]
State = tuple[tuple[str, ...], str]  # the cards dealt so far (board last), the betting so far


class RhodeIslandWords(PokerWords):
    """Two public cards, and moves that are called after the moment."""

    def move(self, action: str, seen: Any, actions: Sequence[str]) -> str:
        facing = "f" in actions
        names = {"f": "fold", "c": "call" if facing else "check", "r": "raise" if facing else "bet"}
        return names[action]

    def holds(self, seen: Any) -> list[str]:
        board = " and ".join(self.card(card) for card in seen[1].split())
        return [f"You hold {self.card(seen[0])}", *([f"the board shows {board}"] if board else [])]


@dataclass(frozen=True)
class RhodeIsland:
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
    words: ClassVar[type[Words]] = RhodeIslandWords
    tables: ClassVar[dict[str, Any]] = {"Rhode Island Hold'em": {}}

    def __post_init__(self) -> None:
        check(self, "rhode_island")
        if self.ranks * self.suits < 4:
            raise GameError(
                f"rhode_island: {self.ranks} ranks in {self.suits} suits are "
                f"{self.ranks * self.suits} cards; a deal needs 4, take more"
            )

    @property
    def name(self) -> str:
        return full_name("rhode_island", self)

    @property
    def deck(self) -> Deck:
        return Deck(self.ranks, self.suits)

    @property
    def rank_names(self) -> str:
        """The ranks from low to high."""
        return self.deck.rank_names

    def strength(self, cards: NDArray[np.integer]) -> IntArray:
        """How strong the hands (…, private and public cards) are."""
        return three_cards(self.deck, cards)

    def public_game(self, buckets: HandBuckets | None = None) -> PublicGame:
        """The game for the public-state engine; players may tell apart buckets of hands only."""
        return PublicGame(self, buckets)

    def seen(self, private: Sequence[int], public: Sequence[int], betting: str) -> Seen:
        """What a player knows who holds this."""
        held, board = (" ".join(map(self.deck.name, cards)) for cards in (private, public))
        return held, board, betting

    def spot(self, seen: Seen) -> tuple[tuple[int, ...], tuple[int, ...], str]:
        """The private cards, the public cards and the betting of what a player has seen."""
        held, board, betting = seen
        return self.deck.parse(held), self.deck.parse(board), betting

    def paid(self, betting: str) -> tuple[int, ...]:
        """What both seats have put into the pot."""
        return self.betting.follow(betting).paid

    def start(self) -> State:
        return (), ""

    def next(self, state: State, action: str) -> State:
        cards, betting = state
        if action in ("f", "c", "r"):
            return cards, betting + action
        return (*cards, action), betting + "/" * (len(cards) >= self.players)

    def node(self, state: State) -> Node:
        cards, betting = state
        if len(cards) < self.players:
            return self._deal(cards)
        at = self.betting.follow(betting)
        if at.player >= 0:
            board = " ".join(cards[self.players :])
            return Decision(at.player, (cards[at.player], board, betting), at.actions)
        if at.folded < 0 and at.round < 2:
            return self._deal(cards)
        won = self._showdown(cards) if at.folded < 0 else 2 * at.folded - 1
        return Terminal((float(won * min(at.paid)), float(-won * min(at.paid))))

    def _showdown(self, cards: tuple[str, ...]) -> int:
        """1 if the first player wins, -1 if the second does, 0 if they share."""
        first, second, *board = self.deck.parse("".join(cards))
        mine, yours = self.strength(np.array([[first, *board], [second, *board]]))
        return int(np.sign(mine - yours))

    def _deal(self, dealt: tuple[str, ...]) -> Chance:
        """The next card, from what is left of the deck."""
        deck = map(self.deck.name, range(self.deck.size))
        left = [card for card in deck if card not in dealt]
        return Chance(dict.fromkeys(left, 1 / len(left)))
