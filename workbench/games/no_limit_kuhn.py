"""No-limit Kuhn: Kuhn poker in which a bet may be anything up to all one's chips.

Everyday example: three cards, one each, and you hold the King. A small bet is called by the Queen,
a large one frightens it away. How much do you bet, and how much with the Jack, as a bluff?

    cards      J < Q < K, one of each; every player antes `ante` and is dealt one card
    betting    one round, as in no-limit Leduc: "f" fold, "c" check or call, "r5" bet or raise until
               one has 5 chips in the pot, the ante included
    showdown   the higher card wins what the other has put in

`seen` is (own card, betting so far): ("Q", "cr3"). A larger ante makes finer bets: with 5 chips
each in the pot a bet of one chip is a tenth of it. More than 24 chips behind the ante are too many
histories, unless there is one bet at most (`raises=1`).

>>> game = NoLimitKuhn(stack=4)
>>> state = game.start()
>>> for action in ["Q", "K", "r2"]:
...     state = game.next(state, action)
>>> game.node(state)
Decision(player=1, seen=('K', 'r2'), actions=('f', 'c', 'r3', 'r4'))
>>> game.node(game.next(state, "c"))
Terminal(payoffs=(-2.0, 2.0))
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from workbench.games.leduc import Betting, State, TablePoker
from workbench.games.no_limit_leduc import BetsOfAnySize, follow
from workbench.rules import Chance, Decision, GameError, Node, Terminal
from workbench.settings import Between, check, full_name

_RANKS = "JQK"
_DEEP = 24  # chips behind the ante if one may raise: 400,000 histories, ten seconds


@dataclass(frozen=True)
class NoLimitKuhn(BetsOfAnySize, TablePoker):
    """Kuhn poker with `stack` chips each, the ante included; dealt as Leduc, without a board."""

    stack: Annotated[int, Between(2, 1100), "chips of each player, the ante included"] = 6
    ante: Annotated[int, Between(1, 100), "chips of each player in the pot at first"] = 1
    raises: Annotated[int | None, Between(1, 100), "bets and raises at most"] = None

    players: ClassVar[int] = 2
    tables: ClassVar[dict[str, Any]] = {"No-limit Kuhn poker": {}}
    rank_names: ClassVar[str] = _RANKS
    about: ClassVar[str] = (
        "Both put their ante into the pot and get one card. Bet as much as you like, up to all "
        "your chips; a bet is answered by folding, calling or raising. The higher card wins."
    )

    def __post_init__(self) -> None:
        check(self, "no_limit_kuhn")
        if self.ante >= self.stack:
            raise GameError(f"no_limit_kuhn: an ante of {self.ante} needs a stack larger than that")
        if self.raises != 1 and self.stack - self.ante > _DEEP:
            raise GameError(
                f"no_limit_kuhn: a stack of {self.stack} has too many histories; at most {_DEEP} "
                f"chips behind the ante, or raises=1 (one bet and no raise)"
            )

    @property
    def name(self) -> str:
        return full_name("no_limit_kuhn", self)

    def follow(self, betting: str) -> Betting:
        return follow(self.stack, betting, self.ante, self.raises)

    def node(self, state: State) -> Node:
        cards, betting = state
        if len(cards) < 2:
            left = [card for card in _RANKS if card not in cards]
            return Chance(dict.fromkeys(left, 1.0 / len(left)))
        at = self.follow(betting)
        if at.player >= 0:
            return Decision(at.player, (cards[at.player], betting), at.actions)
        best = max(at.live, key=lambda seat: _RANKS.index(cards[seat]))
        stake = float(at.paid[1 - best])
        return Terminal((stake, -stake) if best == 0 else (-stake, stake))
