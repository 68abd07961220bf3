"""What a searcher considered before it answered: her possible hands, and what each move wins.

Everyday example: after the hand you ask your opponent what she thought you had. "A King in two
cases of three, so I called: folding loses one chip, and calling half a chip on average."
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from workbench.later import pd
from workbench.rules import label_of
from workbench.tree import FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class Thought:
    """One answer, and why:

        searcher.probabilities(1, ("Q", "K", "crc/r"), ("f", "c", "r"))
        searcher.thought.table()  # her possible hands
        searcher.thought.moves()  # what each of my moves wins

    The beliefs are those with which the answer was found.
    """

    player: int  # who thought
    seen: Any  # what she knew
    actions: tuple[Hashable, ...]
    probabilities: FloatArray  # (A,) how likely she chose each action
    hands: tuple[str, ...]  # (n,) what the other player may hold
    belief: FloatArray  # (n,) how likely each of them is
    wins: FloatArray  # (n, A) what each action wins on average against each of them
    searched: bool  # False: the blueprint answered
    seconds: float

    @property
    def values(self) -> FloatArray:
        """(A,) what each action wins on average."""
        return self.belief @ self.wins

    def table(self) -> pd.DataFrame:
        """One row for each hand of the other player, the likeliest first: how likely it is, and
        what each of my moves wins against it on average."""
        found = pd.DataFrame({"hand": self.hands, "belief": self.belief})
        for a, action in enumerate(self.actions):
            found[f"{label_of(action)} wins"] = self.wins[:, a]
        return found.sort_values("belief", ascending=False, kind="stable", ignore_index=True)

    def moves(self) -> pd.DataFrame:
        """One row for each of my moves: how likely I made it, and what it wins on average."""
        names = [label_of(action) for action in self.actions]
        return pd.DataFrame({"move": names, "probability": self.probabilities, "wins": self.values})

    def __repr__(self) -> str:
        way = f"thought for {self.seconds:.2f} s" if self.searched else "knew by heart"
        return f"Thought of player {self.player + 1} at {label_of(self.seen)!r}: {way}"


def different_parts(seen: list[Any]) -> tuple[str, ...]:
    """What somebody may have seen, told in few words: only what differs.

    >>> different_parts([("J", "K", "cr"), ("Q", "K", "cr")])
    ('J', 'Q')
    """
    if all(isinstance(one, tuple) and len(one) == len(seen[0]) for one in seen) and len(seen) > 1:
        differs = [parts for parts in zip(*seen, strict=True) if len({*parts}) > 1]
        seen = [*zip(*differs, strict=True)] or seen
    return tuple(map(label_of, seen))
