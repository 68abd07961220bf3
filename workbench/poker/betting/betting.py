"""Limit betting: any number of rounds, one size of bet a round, a limit on bets.

Moves are letters: "f" fold (only when facing a bet), "c" check or call, "r" bet or raise; a slash
ends a round. All rounds of one kind look alike, whatever happened before: a round is a small tree
(`Round`), and the betting before it only decides how much is in the pot. So a public state is
(round, start, node): `start` numbers the ways to get into the round, `node` a node of its tree.
That is so for two. With three, a round depends on who is still in as well: see betting_tree.py.

>>> rhode_island = Limit(antes=(5, 5), bets=(10, 20, 20), most=(3, 3, 3))
>>> rhode_island.follow("rc/cr")
Betting(player=0, actions=('f', 'c', 'r'), folded=-1, paid=(15, 35), round=1, live=(0, 1))
>>> [(len(one.text), one.num_choices, one.num_ends) for one in rhode_island.rounds]
[(21, 20, 7), (21, 20, 7), (21, 20, 7)]
>>> rhode_island.starts
(1, 7, 49)
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from workbench.games.leduc import LimitBetting, follow_limit
from workbench.tree import FloatArray, IntArray

FOLD, END = 2, 3  # kinds of nodes of a round; where somebody decides, this player


@dataclass(frozen=True)
class Limit(LimitBetting):
    """The betting of a game, and the trees of its rounds."""

    @cached_property
    def rounds(self) -> "tuple[Round, ...]":
        """The tree of each round, as long as nobody has folded."""
        everybody = tuple(range(len(self.antes)))
        return tuple(round_of(self, number, everybody) for number in range(len(self.bets)))

    @property
    def starts(self) -> tuple[int, ...]:
        """In how many ways each round may be reached."""
        ends = [one.num_ends for one in self.rounds]
        return tuple(math.prod(ends[:number]) for number in range(len(ends)))

    def paid(self, number: int) -> FloatArray:
        """What each player has paid at the starts of a round, (S,)."""
        paid = np.array([float(max(self.antes))])
        for one in self.rounds[:number]:
            paid = (paid[:, None] + one.paid[one.kind == END, 0]).ravel()
        return paid

    def pay(self, number: int) -> FloatArray:
        """What the loser has paid at the nodes of a round, (nodes, S)."""
        lost = self.rounds[number].paid.min(axis=1)
        return np.asarray(self.paid(number) + lost[:, None], np.float64)

    def start_of(self, betting: str) -> tuple[int, int, int]:
        """The round, start and node of a betting string."""
        *before, now = betting.split("/")
        start = 0
        for one, text in zip(self.rounds, before, strict=False):
            start = start * one.num_ends + one.ends.index(text)
        return len(before), start, self.rounds[len(before)].text.index(now)


@dataclass(frozen=True, eq=False)
class Round:
    """The tree of one round, parents first. Choices are numbered in the order of their nodes."""

    text: tuple[str, ...]  # (nodes,) the betting within the round
    kind: IntArray  # (nodes,) the player who decides, FOLD or END
    parent: IntArray  # (nodes,) -1 at the start
    choice: IntArray  # (nodes,) the choice that leads here; -1 at the start
    first: IntArray  # (nodes,) the first choice at a decision, -1 elsewhere
    count: IntArray  # (nodes,) how many choices it has
    paid: FloatArray  # (nodes, seats) by each player beyond what the round began with
    live: IntArray  # (nodes,) who is left, a bit a seat

    @cached_property
    def ends(self) -> tuple[str, ...]:
        """The texts that lead to the next round or a showdown."""
        return tuple(text for text, kind in zip(self.text, self.kind, strict=True) if kind == END)

    def choices(self, node: int) -> slice:
        """The choices of a decision."""
        return slice(self.first[node], self.first[node] + self.count[node])

    def moves(self, node: int) -> list[str]:
        """What they are called: f, c or r."""
        return [self.text[below][-1] for below in np.flatnonzero(self.parent == node)]

    @property
    def num_ends(self) -> int:
        return int((self.kind == END).sum())

    @property
    def num_choices(self) -> int:
        return int(self.count.sum())


def round_of(limit: Limit, number: int, live: tuple[int, ...]) -> Round:
    """Walk all betting of one round that begins with these seats."""
    began = 0 if number else max(limit.antes)
    text, paid = list[str](), list[list[int]]()
    rows = list[tuple[int, ...]]()  # kind, parent, choice, first, count, live
    waiting, choices = [("", -1, -1)], 0
    while waiting:
        now, above, by = waiting.pop()
        at = follow_limit(limit, now, number, live)
        kind = at.player if at.player >= 0 else END if at.folded < 0 else FOLD
        below = [(now + move, len(rows), choices + k) for k, move in enumerate(at.actions)]
        waiting += reversed(below)
        left = sum(1 << seat for seat in at.live)
        rows.append((kind, above, by, choices if below else -1, len(below), left))
        text.append(now)
        paid.append([put - began for put in at.paid])
        choices += len(below)
    kind, parent, choice, first, count, left = np.array(rows, np.int32).T.copy()
    return Round(tuple(text), kind, parent, choice, first, count, np.array(paid, float), left)
