"""Nearest: a new card game is one file like this one, and one line in the registry.

Everyday example: you hold the 5, I hold the 9, and we bet. The 6 is turned up and we bet again.
The card nearest to it wins: yours. Of two cards equally near the higher one wins.

    cards      one of each rank, 9 is the highest; ante 1, one card each, then one turned up
    betting    two rounds: "p" check, "b" bet 1; a bet is answered by "b" (call) or "p" (fold)
    seen       (own card, card turned up, betting so far); a slash ends the first round
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from workbench.games.words import PokerWords, Words, card_name
from workbench.rules import Chance, Decision, Node, Terminal
from workbench.settings import Between, full_name


class NearestWords(PokerWords):
    """Moves and cards as people call them; all else is as in any game like poker."""

    card = staticmethod(lambda card: f"the {card_name(card)}")  # there is one of each

    def move(self, action: str, seen: Any, actions: Any) -> str:
        names = ("fold", "call") if seen[2].endswith("b") else ("check", "bet")
        return names["pb".index(action)]


def high_or_low(player: int, seen: tuple[str, str, str], actions: Any) -> tuple[bool, str, str]:
    """A player who remembers of her card only whether it is one of the two highest."""
    return seen[0] in "89", seen[1], seen[2]


@dataclass(frozen=True)
class Nearest:
    """See the first lines of this file; the fields are the options of `load_game`."""

    ranks: Annotated[int, Between(3, 8), "how many cards there are; 9 is the highest"] = 5
    players: ClassVar[int] = 2
    unit: ClassVar[str] = "coin"
    about: ClassVar[str] = "Bet, see a card turned up, bet again; the card nearest to it wins."
    words: ClassVar[type[Words]] = NearestWords
    abstractions: ClassVar[dict[str, Any]] = {"high-low": high_or_low}

    @property
    def name(self) -> str:
        return full_name("nearest", self)

    @property
    def rank_names(self) -> str:
        return "23456789"[-self.ranks :]

    def paid(self, betting: str) -> tuple[int, ...]:
        return tuple(1 + sum(r[s::2].count("b") for r in betting.split("/")) for s in (0, 1))

    def start(self) -> tuple[str, str]:
        return "", ""  # the cards dealt so far (the one turned up last), the betting so far

    def next(self, state: tuple[str, str], action: str) -> tuple[str, str]:
        cards, betting = state
        if action in "pb":
            return cards, betting + action
        return cards + action, betting + "/" if len(cards) == 2 else betting

    def node(self, state: tuple[str, str]) -> Node:
        cards, betting, now = *state, state[1].rpartition("/")[2]
        ended, folded = now in ("pp", "bb", "pbb"), now in ("bp", "pbp")
        if len(cards) < 2 or (ended and len(cards) == 2):
            left = [card for card in self.rank_names if card not in cards]
            return Chance(dict.fromkeys(left, 1 / len(left)))
        if not ended and not folded:
            mine = cards[len(now) % 2]
            return Decision(len(now) % 2, (mine, cards[2:], betting), ("p", "b"))
        far = [(abs(int(card) - int(cards[-1])), -int(card)) for card in cards[:2]]
        loser = 1 - len(now) % 2 if folded else far.index(max(far))
        lost = float(self.paid(betting)[loser])
        return Terminal((-lost, lost) if loser == 0 else (lost, -lost))
