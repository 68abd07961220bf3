"""No-limit Leduc: Leduc poker in which a bet may be anything up to all one's chips.

Everyday example: the ante is 1 and you have 4 chips left. With so little behind, is there any
point in a small bet? Solving the game with all bets allowed, and again with one player allowed no
bet but all-in, says how much the small bets are worth.

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

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, cast

from workbench.games.leduc import Betting, LeducPoker
from workbench.games.words import PokerWords, Words
from workbench.settings import Between, check, full_name


class NoLimitWords(PokerWords):
    """A raise says how much is in the pot then; all-in says so."""

    def move(self, action: str, seen: Any, actions: Sequence[str]) -> str:
        said, rules = super().move(action[0], seen, actions), cast("Any", self.rules)
        if action == f"r{rules.stack}":
            return "go all-in"
        return f"{said} to {action[1:]}" if action[1:] else said


class BetsOfAnySize:
    """What games with such betting share; `seen` ends with the betting."""

    words: ClassVar[type[Words]] = NoLimitWords

    def bet_sizes(self: Any, seen: Any, actions: Sequence[str]) -> tuple[float, ...]:
        """Each action as a part of the pot after a call: 0 a check or call, -1 a fold; the largest
        there is is all-in. `BetSizes` asks for nothing else.

        >>> NoLimitLeduc(stack=6).bet_sizes(("Q", "", "r2"), ("f", "c", "r4", "r6"))
        (-1.0, 0.0, 0.5, 1.0)
        """
        high = max(self.follow(seen[-1]).paid)
        return tuple(
            (int(action[1:]) - high) / (2 * high) if action[1:] else {"f": -1.0, "c": 0.0}[action]
            for action in actions
        )


@dataclass(frozen=True)
class NoLimitLeduc(BetsOfAnySize, LeducPoker):
    """Leduc poker with `stack` chips each, the ante included."""

    stack: Annotated[int, Between(2, 12), "chips of each player, the ante included"] = 6

    players: ClassVar[int] = 2
    suit_isomorphism: ClassVar[bool] = True
    tables: ClassVar[dict[str, Any]] = {"No-limit Leduc poker": {}}
    rank_names: ClassVar[str] = "JQK"
    about: ClassVar[str] = (
        "Both put 1 chip into the pot and get one card. Bet as much as you like, up to all your "
        "chips; then a card is turned up for both, and there is another round. A pair with the "
        "card on the board wins, else the higher card; equal cards share the pot."
    )

    def __post_init__(self) -> None:
        check(self, "no_limit_leduc")

    @property
    def name(self) -> str:
        return full_name("no_limit_leduc", self)

    def follow(self, betting: str) -> Betting:
        return follow(self.stack, betting)


@cache
def follow(stack: int, betting: str, ante: int = 1, most: int | None = None) -> Betting:
    """Replay a betting string: who acts next, what they may do, what is paid. `most`: so many bets
    and raises in a round."""
    paid, rounds = [ante, ante], betting.split("/")
    for number, played in enumerate(rounds):
        player, acted, least = 0, 0, 1
        for token in re.findall(r"[fc]|r\d+", played):
            if token == "f":
                return Betting(-1, (), player, tuple(paid), number, (1 - player,))
            if token == "c":
                paid[player] = max(paid)
            else:
                least = max(least, int(token[1:]) - max(paid))
                paid[player] = int(token[1:])
            player, acted = 1 - player, acted + 1
        level = paid[0] == paid[1]
        if level and (acted >= 2 or paid[0] == stack):  # the round is over
            if number == len(rounds) - 1:
                return Betting(-1, (), -1, tuple(paid), number, (0, 1))
            continue
        high = max(paid)
        raises = [f"r{to}" for to in range(high + least, stack)] + [f"r{stack}"] * (high < stack)
        raises = raises if most is None or played.count("r") < most else []
        actions = ("c", *raises) if level else ("f", "c", *raises)
        return Betting(player, actions, -1, tuple(paid), number, (0, 1))
    raise AssertionError(betting)
