"""What players of Toepen may forget: something of the hand, something of the table.

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

The rules of the thesis (section 4.2.1), and what a player remembers with each:

    name                of her hand                    of the table
    naive               nothing                        nothing
    simple-history      the cards she holds            nothing
    simple-hand         nothing                        everything
    advanced-hand       mean rank, suits, high cards   everything
    advanced-history    the cards she holds            the cards in order, the number of calls
    advanced-combined   mean rank, suits, high cards   the cards in order, the number of calls

They come after the suits (suits.py): "thesis-suits+advanced-history" is what the thesis measures. A
name alone is read as published, "advanced-history-by-kind" by kind. Most of them make players
forget what they knew, and "naive" lets one information set come back in one hand: CFR runs on such
games without any promise. The exploitability of the lifted strategy in the full game is exact all
the same.

>>> wb.abstract(tree, "thesis-suits+advanced-history")
Abstraction 'thesis-suits+advanced-history' of 'toepen(suits=2, ranks=2)': 336 -> 174 infosets
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, partial
from typing import Annotated, Any, ClassVar, Literal

from workbench.games.toepen.suit_names import SUITS
from workbench.games.toepen.suits import ThesisSuits, lossless_suits
from workbench.games.toepen.view import OwnCards, SeenReader, SeenTable, deck_of
from workbench.settings import need_function
from workbench.tree import GameTree

Remember = Callable[[OwnCards, SeenTable], Hashable]
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
        view, remember = SeenReader(deck_of(tree)[1], tree.num_players), self.remember
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
    need_function("remember", remember, "hand, table")
    return HandRule(remember, name or getattr(remember, "__name__", "hand_rule"), by_kind)


def _aligned(
    view: SeenReader, by_kind: bool, held: tuple[str, ...], actions: tuple[str, ...]
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


def _strength(hand: OwnCards) -> tuple[float, int, int]:
    return hand.mean_rank, hand.suits, hand.high


SIX_RULES: dict[str, Remember] = {
    "naive": lambda hand, table: (),
    "simple-history": lambda hand, table: hand.cards,
    "simple-hand": lambda hand, table: table.text,
    "advanced-hand": lambda hand, table: (*_strength(hand), table.text),
    "advanced-history": lambda hand, table: (hand.cards, table.cards, table.calls),
    "advanced-combined": lambda hand, table: (*_strength(hand), table.cards, table.calls),
}
TOEPEN_ABSTRACTIONS: dict[str, Any] = {
    "thesis-suits": ThesisSuits(),
    "lossless-suits": lossless_suits,
    **{name: HandRule(rule, name, by_kind=False) for name, rule in SIX_RULES.items()},
    **{f"{name}-by-kind": HandRule(rule, f"{name}-by-kind") for name, rule in SIX_RULES.items()},
}


@dataclass(frozen=True)
class ToepenSteps:
    """An abstraction in two steps: what suits are called, then what is remembered.

    >>> ToepenSteps("thesis-suits", "naive", split_by_kind=True).name
    'thesis-suits+naive-by-kind'
    """

    suit_names: Annotated[
        Literal["thesis-suits", "lossless-suits", "by name"], "what a player calls the suits"
    ] = "lossless-suits"
    rule: Annotated[
        Literal[
            "none", "naive", "simple-history", "simple-hand", "advanced-hand", "advanced-history",
            "advanced-combined",
        ],
        "what she remembers of her hand and of the table",
    ] = "none"  # fmt: skip
    split_by_kind: Annotated[bool, "decisions of different kinds are never merged"] = False
    title: ClassVar[str] = "thesis rules"  # of a form with these choices

    @property
    def name(self) -> str:
        """The abstraction; nothing if nothing is forgotten."""
        rule = f"{self.rule}-by-kind" if self.split_by_kind else self.rule
        return "+".join(step for step in (self.suit_names, rule) if step in TOEPEN_ABSTRACTIONS)
