"""Kuhn poker: three cards, one coin each in the pot, and one coin to bet.

Everyday example: you hold the Queen and pass, the other player bets. That card is the Jack or
the King. If you pass you lose your ante; if you bet as well, the higher card wins two coins.

    cards      J < Q < K, one of each; every player antes 1 and is dealt one card
    actions    "p" pass, "b" bet 1; a bet is answered by "b" (call) or "p" (fold)
    betting    pp, bb, pbb: the higher card wins    bp, pbp: the bettor wins 1

`seen` is (own card, betting so far). Twelve information sets; with best play player 0 loses
1/18 of a coin a game, whoever plays better than that owes it to the opponent's mistakes
(H. W. Kuhn, "A simplified two-person poker", 1950).

>>> kuhn = Kuhn()
>>> state = kuhn.start()
>>> for action in ["Q", "K", "p", "b"]:
...     state = kuhn.next(state, action)
>>> kuhn.node(state)
Decision(player=0, seen=('Q', 'pb'), actions=('p', 'b'))
>>> kuhn.node(kuhn.next(state, "b"))
Terminal(payoffs=(-2.0, 2.0))
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from workbench.games.words import PokerWords, Words, card_name
from workbench.rules import Chance, Decision, Node, Terminal
from workbench.settings import Between, check, full_name

_RANKS = "23456789TJQKA"
_DECISIONS = {"": 0, "p": 1, "b": 1, "pb": 0}  # who acts after this betting
_FOLDS = {"bp": (1.0, -1.0), "pbp": (-1.0, 1.0)}
_STAKES = {"pp": 1.0, "bb": 2.0, "pbb": 2.0}  # what the higher card wins at a showdown

State = tuple[str, str]  # the cards dealt so far in seat order, the betting so far


class KuhnWords(PokerWords):
    """A bet is answered by "b" (call) or "p" (fold)."""

    def move(self, action: str, seen: tuple[str, str], actions: Sequence[str]) -> str:
        facing = seen[1].endswith("b")
        return {"p": "fold" if facing else "pass", "b": "call" if facing else "bet"}[action]

    @staticmethod
    def card(card: str) -> str:
        return f"the {card_name(card)}"  # there is one of each


@dataclass(frozen=True)
class Kuhn:
    """Kuhn poker with `cards` cards: 3 is J Q K, 4 adds the ace, 13 is a whole suit."""

    cards: Annotated[int, Between(3, 13), "3 is J Q K, 4 adds the ace"] = 3
    players: ClassVar[int] = 2
    unit: ClassVar[str] = "chip"
    about: ClassVar[str] = (
        "Both put 1 chip into the pot and get one card. Pass, or bet 1 chip more; a bet is "
        "answered by calling it or by folding. The higher card wins."
    )
    words: ClassVar[type[Words]] = KuhnWords
    tables: ClassVar[dict[str, Any]] = {"Kuhn poker": {}}

    def __post_init__(self) -> None:
        check(self, "kuhn")

    @property
    def name(self) -> str:
        return full_name("kuhn", self)

    @property
    def rank_names(self) -> str:
        """The cards from low to high."""
        return "JQKA"[: self.cards] if self.cards <= 4 else _RANKS[-self.cards :]

    def paid(self, betting: str) -> tuple[float, float]:
        """What both have put into the pot."""
        return 1.0 + betting[::2].count("b"), 1.0 + betting[1::2].count("b")

    def start(self) -> State:
        return "", ""

    def next(self, state: State, action: str) -> State:
        cards, betting = state
        return (cards + action, betting) if len(cards) < 2 else (cards, betting + action)

    def node(self, state: State) -> Node:
        cards, betting = state
        if len(cards) < 2:
            left = [card for card in self.rank_names if card not in cards]
            return Chance(dict.fromkeys(left, 1.0 / len(left)))
        if betting in _DECISIONS:
            player = _DECISIONS[betting]
            return Decision(player, (cards[player], betting), ("p", "b"))
        if betting in _FOLDS:
            return Terminal(_FOLDS[betting])
        stake = _STAKES[betting]
        first_wins = _RANKS.index(cards[0]) > _RANKS.index(cards[1])
        return Terminal((stake, -stake) if first_wins else (-stake, stake))
