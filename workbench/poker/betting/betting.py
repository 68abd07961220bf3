"""Limit betting: any number of rounds, one size of bet a round, a limit on bets.

Moves are letters: "f" fold (only when facing a bet), "c" check or call, "r" bet or raise; a slash
ends a round. All rounds of one kind look alike, whatever happened before: a round is a small tree
(`Round`), and the betting before it only decides how much is in the pot. So a public state is
(round, start, node): `start` numbers the ways to get into the round, `node` a node of its tree.
That is so for two. With three, a round depends on who is still in: see betting_tree.py.

>>> rhode_island = Limit(antes=(5, 5), bets=(10, 20, 20), most=(3, 3, 3))
>>> rhode_island.follow("rc/cr")
Betting(player=0, actions=('f', 'c', 'r'), folded=-1, paid=(15, 35), round=1, live=(0, 1))
>>> [(len(one.text), one.num_choices, one.num_ends) for one in rhode_island.rounds]
[(21, 20, 7), (21, 20, 7), (21, 20, 7)]
>>> rhode_island.starts
(1, 7, 49)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from workbench.tree import FloatArray, IntArray

FOLD, END = 2, 3  # kinds of nodes of a round; 0 and 1: this player decides


class Betting(NamedTuple):
    """Where a betting string leads. It is public, so every deal shares it."""

    player: int  # who acts now; -1: the round is over
    actions: tuple[str, ...]
    folded: int  # the seat that gave up and left one winner, -1: none has
    paid: tuple[int, ...]  # what each seat has put into the pot
    round: int
    live: tuple[int, ...]  # the seats that have not folded


@dataclass(frozen=True)
class Limit:
    """Antes or blinds, and for each round the size of a bet, how many there may be (a blind is the
    first of them) and who acts first."""

    antes: tuple[int, ...]  # one for each seat
    bets: tuple[int, ...]
    most: tuple[int, ...]
    first: tuple[int, ...] = ()  # empty: player 0 in every round

    def starts_with(self, number: int) -> int:
        """Who acts first in a round."""
        return self.first[number] if self.first else 0

    def follow(self, betting: str) -> Betting:
        """Replay a betting string."""
        return _follow(self, betting)

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """The tree of each round."""
        return tuple(_round(self, number) for number in range(len(self.bets)))

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
    paid: FloatArray  # (nodes, 2) by each player beyond what the round began with

    @cached_property
    def ends(self) -> tuple[str, ...]:
        """The texts that lead to the next round or a showdown."""
        return tuple(text for text, kind in zip(self.text, self.kind, strict=True) if kind == END)

    @property
    def num_ends(self) -> int:
        return int((self.kind == END).sum())

    @property
    def num_choices(self) -> int:
        return int(self.count.sum())

    def decisions(self, player: int) -> int:
        """At how many nodes a player decides."""
        return int((self.kind == player).sum())


@lru_cache(maxsize=100_000)
def _follow(limit: Limit, betting: str) -> Betting:
    paid, number, live = list(limit.antes), 0, tuple(range(len(limit.antes)))
    bets = int(len({*paid}) > 1)  # a blind is the first bet
    waiting = _from(limit.starts_with(0), live)
    for letter in betting:
        if letter == "/":
            number, bets = number + 1, 0
            waiting = _from(limit.starts_with(number), live)
            continue
        player, *waiting = waiting
        if letter == "f":
            live = tuple(seat for seat in live if seat != player)
            if len(live) == 1:
                return Betting(-1, (), player, tuple(paid), number, live)
            continue
        paid[player] = max(paid)
        if letter == "r":
            paid[player] += limit.bets[number]
            bets += 1
            waiting = _from(player, live)[1:]  # all others answer
    if not waiting:
        return Betting(-1, (), -1, tuple(paid), number, live)
    fold = ("f",) if paid[waiting[0]] < max(paid) else ()
    bet = ("r",) if bets < limit.most[number] else ()
    return Betting(waiting[0], (*fold, "c", *bet), -1, tuple(paid), number, live)


def _from(first: int, live: tuple[int, ...]) -> list[int]:
    """The seats that are in, in the order in which they act if `first` comes first."""
    return sorted(live, key=lambda seat: (seat < first, seat))


def _round(limit: Limit, number: int) -> Round:
    """Walk all betting of one round that begins after checks and calls."""
    calm = "cc/" * number
    began = max(limit.follow(calm).paid)
    text, paid = list[str](), list[list[int]]()
    rows = list[tuple[int, ...]]()  # kind, parent, choice, first, count
    waiting, choices = [("", -1, -1)], 0
    while waiting:
        now, above, by = waiting.pop()
        at = limit.follow(calm + now)
        kind = at.player if at.player >= 0 else END if at.folded < 0 else FOLD
        below = [(now + move, len(rows), choices + k) for k, move in enumerate(at.actions)]
        waiting += reversed(below)
        rows.append((kind, above, by, choices if below else -1, len(below)))
        text.append(now)
        paid.append([put - began for put in at.paid])
        choices += len(below)
    whole = np.array(rows, np.int32).T.copy()
    return Round(
        tuple(text), whole[0], whole[1], whole[2], whole[3], whole[4], np.array(paid, float)
    )
