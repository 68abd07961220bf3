"""Limit Texas Hold'em for two or three: two private cards, five public ones, four betting rounds.

Everyday example: you hold A♥ K♥, the flop is Q♥ J♥ 2♣. Nothing yet, but nine hearts and three tens
would make you a flush or a straight.

    deal       the small blind (player 1) puts in half a big blind, player 2 a whole one; two
               private cards each, then three public cards (flop), one (turn), one (river)
    betting    "f" fold (only when facing a bet), "c" check or call, "r" bet or raise
               a bet is one big blind in the first two rounds and two in the others; four bets a
               round, and before the flop the big blind is the first of them
               the small blind acts first before the flop and last afterwards
    showdown   the best five of seven cards

With three, player 1 is the small blind, player 2 the big blind and player 3 the button, who puts in
nothing. The button acts first before the flop, then the blinds; afterwards the small blind is first
and the button last (the seats of the Annual Computer Poker Competition). Nobody can run out of
chips, so there is one pot; the best hand of those who have not folded takes it, equal ones share.

All amounts are in milli big blinds (mbb): a small blind is 500, results are in mbb per hand. Only
people at a table count in whole big blinds (bb).

The real game has 3.2 · 10¹⁴ information sets. `wb.solve` plays it with buckets of hands, and only
with them: abstraction=wb.cluster_hands(rules, (3, 3, 3, 3), metric="ehs2", method="percentile"),
or in short abstraction="3333".

Three players are solved by "external-sampling", with 169 classes of hands before the flop that are
forgotten afterwards: wb.cluster_hands(rules, (169, 3, 3, 3), …, recall="imperfect").

`seen` is (private cards, public cards, betting): ("A♥ K♥", "Q♥ J♥ 2♣", "rc/r").

>>> rules = LimitHoldem()
>>> state = rules.start()
>>> for action in ["A♥ K♥", "7♠ 7♦", "r", "c", "Q♥ J♥ 2♣", "r"]:
...     state = rules.next(state, action)
>>> rules.node(state)
Decision(player=0, seen=('A♥ K♥', 'Q♥ J♥ 2♣', 'rc/r'), actions=('f', 'c', 'r'))
>>> rules.node(rules.next(state, "f"))
Terminal(payoffs=(-2000.0, 2000.0))
>>> three = LimitHoldem(players=3)
>>> state = three.start()
>>> for action in ["A♥ K♥", "7♠ 7♦", "2♠ 2♦", "f", "c", "c", "Q♥ J♥ 2♣", "r"]:
...     state = three.next(state, action)
>>> three.node(state)
Decision(player=1, seen=('7♠ 7♦', 'Q♥ J♥ 2♣', 'fcc/r'), actions=('f', 'c', 'r'))
>>> three.node(three.next(state, "f"))
Terminal(payoffs=(1000.0, -1000.0, 0.0))
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from workbench.games.words import Words, number
from workbench.poker.betting.betting import Limit
from workbench.poker.buckets.holdem_buckets import HoldemBuckets
from workbench.poker.buckets.mixed_buckets import MixedBuckets, SeatedBuckets
from workbench.poker.cards.seven_cards import strength_of
from workbench.poker.engine.card_game import CardGame
from workbench.poker.engine.three_game import ThreeGame
from workbench.poker.games.board_poker import BoardPoker, BoardPokerWords
from workbench.rules import Rules
from workbench.settings import Between, check, full_name
from workbench.tree import IntArray

_BETS: dict[str, Any] = {"bets": (1000, 1000, 2000, 2000), "most": (4, 4, 4, 4)}
BETTING = {
    2: Limit(antes=(500, 1000), first=(0, 1, 1, 1), **_BETS),
    3: Limit(antes=(500, 1000, 0), first=(2, 0, 0, 0), **_BETS),
}


class HoldemWords(BoardPokerWords):
    """Counted in big blinds, as players do.

    >>> words = HoldemWords(LimitHoldem())
    >>> words.amount(1500), words.amount(-1000), words.number(1345)
    ('1.5 bb', '−1 bb', '1.34')
    >>> words.price("raise", ("A♥ K♥", "", ""), 1500), words.price("call", ("A♥ K♥", "", ""), 500)
    ('to 2', '0.5')
    """

    coin = 1000.0

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.unit = "bb"

    def amount(self, payoff: float) -> str:
        return f"{number(payoff / self.coin).rstrip('0').rstrip('.')} {self.unit}"


@dataclass(frozen=True)
class LimitHoldem(BoardPoker):
    """Limit Texas Hold'em."""

    players: Annotated[int, Between(2, 3)] = 2

    private_cards: ClassVar[int] = 2
    public_cards: ClassVar[tuple[int, ...]] = (0, 3, 1, 1)
    hands_unlisted: ClassVar[bool] = True  # too many hands to list their buckets
    unit: ClassVar[str] = "milli big blind"
    per: ClassVar[str] = "hand"
    about: ClassVar[str] = (
        "The first player puts in half a big blind, the second a whole one, and all get "
        "two cards. Three cards are turned up for all, then a fourth, then a fifth, with a "
        "round of betting before and after each time. A bet is one big blind in the first two "
        "rounds and two in the others; four bets a round. The best five of seven cards win."
    )
    words: ClassVar[type[Words]] = HoldemWords
    tables: ClassVar[dict[str, Any]] = {"Limit Texas Hold'em": {}}

    def __post_init__(self) -> None:
        check(self, "limit_holdem")

    @property
    def betting(self) -> Limit:  # type: ignore[override]
        return BETTING[self.players]

    @property
    def bucket_names(self) -> tuple[str, ...]:
        """To choose from in a list; any counts do."""
        return ("2222", "3333", "5555") if self.players == 2 else ("169-3-3-3",)

    @cached_property
    def name(self) -> str:
        return full_name("limit_holdem", self)

    def strength(self, cards: NDArray[np.integer]) -> IntArray:
        """How strong the hands (…, seven cards) are."""
        flat = np.asarray(cards).reshape(-1, cards.shape[-1])
        found = np.array([strength_of(hand) for hand in flat.tolist()], np.int32)
        return found.reshape(cards.shape[:-1])

    def public_game(
        self, buckets: HoldemBuckets | MixedBuckets | SeatedBuckets | None = None
    ) -> CardGame:
        """The game with these buckets; without, the real one, which nobody can solve here."""
        return (CardGame if self.players == 2 else ThreeGame)(self, buckets)
