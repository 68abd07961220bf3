"""No-limit Leduc: Leduc poker in which a bet may be anything up to all one's chips.

Everyday example: the ante is 1 and you have 4 chips left. With so little behind, is there any
point in a small bet? Solving the game with all bets allowed, and again with one player allowed no
bet but all-in, says how much the small bets are worth (`jam_or_fold`).

    deck       two suits of J Q K, taken as ranks; ante 1, one private card each, one on the board
    betting    "f" fold (only when facing a bet), "c" check or call, "r5" bet or raise until one has
               5 chips in the pot, the ante included. A raise is at least 1 and at least as large as
               the last raise of the round, or all-in; two rounds, player 0 acts first in both
    showdown   a pair with the board beats everything, else the higher rank; ties split

`seen` is (private card, board, betting): ("Q", "K", "r2c/r4"). After a call of all-in the board
card is turned up and the hands are shown. With 4, 6, 8 and 10 chips the game has 480, 2,448, 9,288
and 29,640 information sets.

>>> game = NoLimitLeduc(stack=4)
>>> state = game.start()
>>> for action in ["Q", "K", "r2"]:
...     state = game.next(state, action)
>>> game.node(state)
Decision(player=1, seen=('K', '', 'r2'), actions=('f', 'c', 'r3', 'r4'))
>>> game.node(game.next(state, "f"))
Terminal(payoffs=(1.0, -1.0))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple

from workbench.games.words import PokerWords, Words
from workbench.rules import Chance, Decision, Node, Terminal
from workbench.settings import Between, check, full_name

_RANKS = "JQK"
_ANTE = 1

State = tuple[tuple[str, ...], str]  # the cards dealt so far (board last), the betting so far


class Betting(NamedTuple):
    """Where a betting string leads."""

    player: int  # who acts now; -1: the round is over
    actions: tuple[str, ...]
    paid: tuple[int, int]
    folded: int  # the seat that folded, -1: nobody
    shown: bool  # both are all-in, or the second round is over


class NoLimitWords(PokerWords):
    """A raise says how much is in the pot then; all-in says so."""

    def move(self, action: str, seen: Any, actions: Sequence[str]) -> str:
        facing = "f" in actions
        if action in "fc":
            return {"f": "fold", "c": "call" if facing else "check"}[action]
        rules: Any = self.rules
        if int(action[1:]) == rules.stack:
            return "go all-in"
        return f"{'raise' if facing else 'bet'} to {action[1:]}"


@dataclass(frozen=True)
class NoLimitLeduc:
    """Leduc poker with `stack` chips each, the ante included."""

    stack: Annotated[int, Between(2, 12), "chips of each player, the ante included"] = 6

    players: ClassVar[int] = 2
    unit: ClassVar[str] = "chip"
    about: ClassVar[str] = (
        "Both put 1 chip into the pot and get one card. Bet as much as you like, up to all your "
        "chips; then a card is turned up for both, and there is another round. A pair with the "
        "card on the board wins, else the higher card; equal cards share the pot."
    )
    words: ClassVar[type[Words]] = NoLimitWords

    def __post_init__(self) -> None:
        check(self, "no_limit_leduc")

    @property
    def name(self) -> str:
        return full_name("no_limit_leduc", self)

    rank_names: ClassVar[str] = _RANKS

    def paid(self, betting: str) -> tuple[int, ...]:
        """What both have put into the pot."""
        return follow(self.stack, betting).paid

    def start(self) -> State:
        return (), ""

    def next(self, state: State, action: str) -> State:
        cards, betting = state
        if len(cards) < 2:
            return (*cards, action), betting
        if action in _RANKS:
            return (*cards, action), betting + "/"
        return cards, betting + action

    def node(self, state: State) -> Node:
        cards, betting = state
        if len(cards) < 2:
            return self._deal(cards)
        player, actions, paid, folded, shown = follow(self.stack, betting)
        if folded >= 0:
            lost = float(paid[folded])
            return Terminal((-lost, lost) if folded == 0 else (lost, -lost))
        if player >= 0:
            board = cards[2] if len(cards) > 2 else ""
            return Decision(player, (cards[player], board, betting), actions)
        if len(cards) < 3:
            return self._deal(cards)
        assert shown
        return Terminal(_showdown(cards, float(paid[0])))

    @staticmethod
    def _deal(dealt: tuple[str, ...]) -> Chance:
        left = {rank: 2 - dealt.count(rank) for rank in _RANKS}
        return Chance({rank: n / (6 - len(dealt)) for rank, n in left.items() if n})


@cache
def follow(stack: int, betting: str) -> Betting:
    """Replay a betting string: who acts next, what they may do, what is paid."""
    paid, rounds = [_ANTE, _ANTE], betting.split("/")
    for number, played in enumerate(rounds):
        player, acted, least = 0, 0, 1
        for token in re.findall(r"[fc]|r\d+", played):
            if token == "f":
                return Betting(-1, (), (paid[0], paid[1]), player, False)
            if token == "c":
                paid[player] = max(paid)
            else:
                least = max(least, int(token[1:]) - max(paid))
                paid[player] = int(token[1:])
            player, acted = 1 - player, acted + 1
        level = paid[0] == paid[1]
        if level and (acted >= 2 or paid[0] == stack):  # the round is over
            if number == len(rounds) - 1:
                return Betting(-1, (), (paid[0], paid[1]), -1, number == 1)
            continue
        high = max(paid)
        raises = [f"r{to}" for to in range(high + least, stack)] + [f"r{stack}"] * (high < stack)
        actions = ("c", *raises) if level else ("f", "c", *raises)
        return Betting(player, actions, (paid[0], paid[1]), -1, False)
    raise AssertionError(betting)


def _showdown(cards: tuple[str, ...], stake: float) -> tuple[float, float]:
    one, two = (len(_RANKS) if card == cards[2] else _RANKS.index(card) for card in cards[:2])
    sign = (one > two) - (one < two)
    return sign * stake, -sign * stake


def jam_or_fold(stack: int, player: int) -> Callable[[int, Any, Any], bool]:
    """What a player may do who goes all-in or gives up, for `restrict_actions`; the other may do
    everything. Checking and answering an all-in are allowed, calling a smaller bet is not."""

    def allowed(who: int, seen: tuple[str, str, str], action: str) -> bool:
        if who != player or action in ("f", f"r{stack}"):
            return True
        paid = follow(stack, seen[2]).paid
        return action == "c" and (paid[0] == paid[1] or max(paid) == stack)

    return allowed
