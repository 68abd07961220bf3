"""The abstractions that Toepen brings along.

    thesis-suits        suits in the order of the hand, ties by their real names
    lossless-suits      suits without names, see suits.py for both

The rules of the thesis (Le 2021, section 4.2.1), and what a player remembers with each:

    name                of her hand                    of the table
    naive               nothing                        nothing
    simple-history      the cards she holds            nothing
    simple-hand         nothing                        everything
    advanced-hand       mean rank, suits, high cards   everything
    advanced-history    the cards she holds            the cards in order, the number of calls
    advanced-combined   mean rank, suits, high cards   the cards in order, the number of calls

They come after the suits: "thesis-suits+advanced-history" is what the thesis measures. A name alone
keeps the decisions that it merges as published; with "-by-kind" at the end, as in
"advanced-history-by-kind", decisions of different kinds stay apart (hand_rules.py). Most of
them make players forget what they knew, and "naive" lets one information set come back in
one hand: CFR runs on such games without any promise. The exploitability of the lifted strategy in
the full game is exact all the same.

>>> import workbench as wb
>>> tree = wb.compile_game(wb.load_game("toepen", suits=2, ranks=2))
>>> wb.abstract(tree, "thesis-suits+advanced-history")
Abstraction 'thesis-suits+advanced-history' of 'toepen(suits=2, ranks=2)': 336 -> 174 infosets
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from workbench.games.toepen.hand_rules import SIX_RULES, HandRule
from workbench.games.toepen.suits import ThesisSuits, lossless_suits

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
