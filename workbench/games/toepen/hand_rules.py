"""Rules that remember something of the hand and something of the table.

Everyday example: a player who cannot keep everything in mind counts her high cards and remembers
the stake, nothing else:

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("toepen", suits=2, ranks=2))
>>> lazy = hand_rule(lambda hand, table: (hand.high, table.stake), name="lazy")
>>> wb.abstract(tree, lazy)
Abstraction 'lazy' of 'toepen(suits=2, ranks=2)': 336 -> 39 infosets
>>> wb.abstract(tree, wb.abstraction.chain("lossless-suits", lazy)).name
'lossless-suits+lazy'

The function is asked for each information set and answers with whatever shall be remembered.
`hand` has `cards`, `played`, `ranks`, `mean_rank`, `suits`, `high`; `table` has `text`, `words`,
`cards`, `led`, `calls`, `stake`, `bet` (`workbench.games.toepen.view` says what they are).

Whatever is forgotten, a player knows how many actions she has. There are two readings of the rest:

    by kind      To bet, to answer a bet and to play a card are different decisions and stay
                 apart. Bet, check, call and fold are what they are.
    published    Sets with equally many actions are merged even if one asks for a bet and the other
                 for a card; the first action is matched with the first (Le 2021, section 3.3.2).

In both, cards are numbered by what they mean: the suits in the hand by their lowest card, lowest
first, and inside a suit from low to high. The names of suits only break ties.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from workbench.games.toepen.suit_names import SUITS
from workbench.games.toepen.view import Hand, Table, View, deck_of
from workbench.rules import GameError

if TYPE_CHECKING:
    from workbench.tree import GameTree

Remember = Callable[[Hand, Table], Hashable]
Answer = tuple[Hashable, list[str]]


@dataclass(frozen=True)
class HandRule:
    """A rule that remembers `remember(hand, table)`; see `hand_rule`."""

    reads_all: ClassVar[bool] = True  # the whole hand and the whole table, so no rule that
    forgets: ClassVar[bool] = True  # forgets some of it can come before this one

    remember: Remember
    name: str
    by_kind: bool = True

    def for_tree(self, tree: GameTree) -> Callable[[int, Any, tuple[Any, ...]], Answer]:
        """The rule as a function of player, seen and actions."""
        view, remember = View(deck_of(tree)[1], tree.num_players), self.remember
        aligned = cache(partial(_aligned, view, self.by_kind))

        def rule(player: int, seen: Any, actions: tuple[Any, ...]) -> Answer:
            hand, table = view(seen)
            kind, names = aligned(hand.cards, actions)
            return (remember(hand, table), kind), names

        return rule


def hand_rule(remember: Remember, *, name: str = "", by_kind: bool = True) -> HandRule:
    """The abstraction in which players of Toepen know only `remember(hand, table)`.

    `by_kind=False` merges decisions of different kinds with equally many actions, as published.
    """
    if not callable(remember):
        raise GameError(
            "hand_rule needs a function of hand and table, for example "
            f"lambda hand, table: (hand.cards, table.stake); not {remember!r}"
        )
    return HandRule(remember, name or getattr(remember, "__name__", "hand_rule"), by_kind)


def _aligned(
    view: View, by_kind: bool, held: tuple[str, ...], actions: tuple[str, ...]
) -> tuple[str, list[str]]:
    """What kind of decision it is, and a name for each action."""
    many = len(actions)
    if actions[0][-1] not in SUITS:
        if by_kind:
            return " or ".join(actions), list(actions)
        return f"{many} actions", [str(place) for place in range(1, many + 1)]
    lowest: dict[str, list[int]] = {}  # suit -> its ranks, from low to high
    for card in held:
        lowest.setdefault(card[-1], []).insert(0, view.number[card[:-1]])
    in_order = sorted(
        actions,
        key=lambda card: (lowest[card[-1]], SUITS.index(card[-1]), view.number[card[:-1]]),
    )
    kind = f"{many} {'card' if by_kind else 'action'}{'s' * (many > 1)}"
    return kind, [str(in_order.index(card) + 1) for card in actions]


def _strength(hand: Hand) -> tuple[float, int, int]:
    return hand.mean_rank, hand.suits, hand.high


SIX_RULES: dict[str, Remember] = {
    "naive": lambda hand, table: (),
    "simple-history": lambda hand, table: hand.cards,
    "simple-hand": lambda hand, table: table.text,
    "advanced-hand": lambda hand, table: (*_strength(hand), table.text),
    "advanced-history": lambda hand, table: (hand.cards, table.cards, table.calls),
    "advanced-combined": lambda hand, table: (*_strength(hand), table.cards, table.calls),
}
