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

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench.games.options import full_name, require_whole
from workbench.rules import Chance, Decision, Node, Terminal

__all__ = ["Kuhn"]

_RANKS = "23456789TJQKA"
_DECISIONS = {"": 0, "p": 1, "b": 1, "pb": 0}  # who acts after this betting
_FOLDS = {"bp": (1.0, -1.0), "pbp": (-1.0, 1.0)}
_STAKES = {"pp": 1.0, "bb": 2.0, "pbb": 2.0}  # what the higher card wins at a showdown

State = tuple[str, str]  # the cards dealt so far in seat order, the betting so far


@dataclass(frozen=True)
class Kuhn:
    """Kuhn poker with `cards` cards: 3 is J Q K, 4 adds the ace, 13 is a whole suit."""

    cards: int = 3
    players: ClassVar[int] = 2

    def __post_init__(self) -> None:
        require_whole("kuhn", "cards", self.cards, 3, len(_RANKS))

    @property
    def name(self) -> str:
        return full_name("kuhn", self)

    @property
    def deck(self) -> str:
        """The cards from low to high."""
        return "JQKA"[: self.cards] if self.cards <= 4 else _RANKS[-self.cards :]

    def start(self) -> State:
        return "", ""

    def next(self, state: State, action: str) -> State:
        cards, betting = state
        return (cards + action, betting) if len(cards) < 2 else (cards, betting + action)

    def node(self, state: State) -> Node:
        cards, betting = state
        if len(cards) < 2:
            left = [card for card in self.deck if card not in cards]
            return Chance(dict.fromkeys(left, 1.0 / len(left)))
        if betting in _DECISIONS:
            player = _DECISIONS[betting]
            return Decision(player, (cards[player], betting), ("p", "b"))
        if betting in _FOLDS:
            return Terminal(_FOLDS[betting])
        stake = _STAKES[betting]
        first_wins = _RANKS.index(cards[0]) > _RANKS.index(cards[1])
        return Terminal((stake, -stake) if first_wins else (-stake, stake))
