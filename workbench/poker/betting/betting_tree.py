"""Limit betting as one flat tree, for two or three; and in parts.

Everyday example: the button folds, and two players are left: from there on it is a game for two.
If he raises instead and nobody folds, three players go on. So a round is one of few small trees
(betting.py), by who is still in; here each is put below all its starts, with what was paid before.

N decision nodes, numbered round by round, each round in the order of a walk that tries fold, call,
raise. So whatever lies below a node is one block in each round.

    child    (N, 3) where fold, call and raise lead: another node; 0 if the move is not allowed (the
             root is nobody's child); below 0 the end of a hand, as ~code
    info     (N,) who acts, and the round: player + 4 · round
    code     who is left, a bit a seat, and what each seat has paid, in `unit`s, six bits a seat

An end needs no table, and nothing is stored twice: 13 bytes a node.

>>> from workbench.poker.games.limit_holdem import LimitHoldem
>>> tree = betting_tree(LimitHoldem(players=3).betting)
>>> tree.sizes
(90, 4412, 205962, 9501342)
>>> tree.blocks("f").tolist()  # the blinds are left: before the flop, on flop, turn and river
[[1, 9], [0, 70], [0, 630], [0, 5670]]

Parts of the betting are where experts play. Everyday example: a poker player has one plan for hands
in which nobody raised before the flop, and another for hands that began with a raise. What has been
bet is public, so all players know at any moment which plan is on.

    part     all betting that begins with some moves: "r", "cr"; "ccr" is a bet after two calls, on
             the flop (Gibson & Szafron 2011, Section 6: the b-experts)

A part that begins within a round knows the cards of that round as the base does, because both have
already decided with them; finer buckets begin with the next card (`shared`).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.poker.betting.betting import END, FOLD, Limit, Round, round_of
from workbench.rules import GameError, shown
from workbench.settings import as_tuple, known_in, unknown_name
from workbench.tree import frozen

MOVES = "fcr"
MOST = 63  # units that a seat may pay: six bits
EXPERTS = 127  # at most, see `BettingParts.parts`

Longs = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class BettingTree:
    """See the first lines of this file."""

    child: NDArray[np.int32]  # (N, 3)
    info: NDArray[np.uint8]  # (N,)
    first: Longs  # (rounds + 1,) the nodes of round r are first[r] .. first[r + 1]
    unit: int  # what one unit of a code is worth
    depth: int  # the most decisions of a hand

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many nodes each round has."""
        return tuple(np.diff(self.first).tolist())

    def node(self, betting: str) -> int:
        """Where a betting string leads: a node, or the end of a hand (below 0)."""
        at = 0
        for move in betting.replace("/", ""):
            at = int(self.child[at, MOVES.index(move)]) if at >= 0 and move in MOVES else 0
            if at == 0:
                raise GameError(
                    f"{shown(betting)} is no betting of this table; moves are f, c and r, and a "
                    "slash ends a round: 'rcf', 'fcc/r'"
                )
        return at

    def blocks(self, betting: str = "") -> Longs:
        """(rounds, 2) the nodes of each round from a betting string on: from .. to, counted from
        the first node of the round."""
        root = self.node(betting)
        if root < 0:
            raise GameError(f"after {betting!r} nobody decides anything")
        found, low, last = np.zeros((len(self.first) - 1, 2), np.int64), root, root
        for r in range(self.info[root] >> 2, len(found)):
            begin, end = self.first[r : r + 2]
            while (below := self.child[last][self.child[last] < end].max()) > last:
                last = below  # the last move that stays in the round leads to the last node
            found[r] = low - begin, last + 1 - begin
            later = self.child[low : last + 1]
            if not (later >= end).any():
                break
            low, last = later[later >= end].min(), later.max()
        return found


@cache
def betting_tree(limit: Limit) -> BettingTree:
    """The tree of a table of two or three; 9.7 million nodes in half a second."""
    seats, last, unit = len(limit.antes), len(limit.bets) - 1, math.gcd(*limit.antes, *limit.bets)
    most = max(limit.antes) + sum(b * m for b, m in zip(limit.bets, limit.most, strict=True))
    if not 2 <= seats <= 3 or most > MOST * unit:
        raise GameError(
            f"a betting tree is for two or three seats that pay at most {MOST} times {unit}, not "
            f"for {seats} that may pay {most}"
        )
    coins = np.array([8, 512, 32768])[:seats]  # a unit of each seat in a code
    first, every, depth = [0], list[tuple[NDArray[np.int32], NDArray[np.uint8]]](), 0
    # the starts of a round, (3 + seats, S): the node and the move before, who is in, what they paid
    starts = np.array([[0], [0], [(1 << seats) - 1], *[[max(limit.antes) // unit]] * seats])
    for r in range(last + 1):
        rounds, nodes, ends = dict[int, Round](), *np.zeros((2, 8), np.int64)
        above, move, left = starts[:3]
        for live in np.unique(left).tolist():
            rounds[live] = one = round_of(limit, r, tuple(s for s in range(3) if live >> s & 1))
            nodes[live], ends[live] = (one.count > 0).sum(), one.num_ends
        begin, end = (np.cumsum(many[left]) - many[left] for many in (nodes, ends))
        if r:
            every[-1][0][above, move] = first[-1] + begin
        size, then = nodes[left].sum(), np.zeros((len(starts), ends[left].sum()), np.int64)
        child, info = np.zeros((size, 3), np.int32), np.zeros(size, np.uint8)
        for live, one in rounds.items():
            here, place = np.flatnonzero(left == live), np.cumsum(one.count > 0) - 1
            number, more = np.cumsum(one.kind == END) - 1, (one.paid // unit).astype(np.int64)
            # below every start the same: where its moves lead, and by which row of `shift` it moves
            leads, by = np.zeros((2, nodes[live], 3), np.int32)
            for d, text in enumerate(one.text):
                came = place[one.parent[d]], MOVES.find(text[-1:])
                if one.count[d]:
                    if d:
                        leads[came], by[came] = place[d], 1
                elif one.kind[d] == FOLD or r == last:
                    leads[came], by[came] = ~(one.live[d] + coins @ more[d]), 2
                else:
                    paid = starts[3:, here] + more[d][:, None]
                    rows = np.broadcast_arrays(begin[here] + came[0], came[1], one.live[d], *paid)
                    then[:, end[here] + number[d]] = rows
            shift = np.array([0 * here, first[-1] + begin[here], -coins @ starts[3:, here]])
            for low in range(0, len(here), 4096):  # not all at once: as much again as the tree
                node = begin[here[low : low + 4096], None] + np.arange(nodes[live])
                child[node] = shift[:, low : low + 4096].T.astype(np.int32)[:, by] + leads
                info[node] = one.kind[one.count > 0] + 4 * r
        every.append((child, info))
        first.append(first[-1] + size)
        starts, depth = then, depth + max(map(len, limit.rounds[r].text))
    child, info = (np.concatenate(of) for of in zip(*every, strict=True))
    edges = np.array(first)
    return BettingTree(frozen(child), frozen(info), frozen(edges), unit, depth)


# ---- parts -------------------------------------------------------------------------------


@dataclass(frozen=True)
class BettingParts:
    """Which expert plays where in a game without a tree: what a `GraftingPartition` is for trees.

    >>> from workbench.games.registry import load_game
    >>> part = BettingParts(load_game("limit_holdem"), ("r", "cr", "ccr", "cccr"))
    >>> part.begins("cccr"), part.shared("r"), part.shared("cccr")
    ('cc/cr', 1, 2)
    >>> part
    BettingParts of 'limit_holdem': r, cr, ccr, cccr
    """

    rules: Any
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        given: Any = self.names
        listed = (given,) if isinstance(given, str) else as_tuple(given)
        words = all(isinstance(each, str | list | tuple) for each in listed)
        if not isinstance(given, Iterable) or not words or len(listed) > EXPERTS:
            raise GameError(
                f"experts are named by their betting, ['r', 'cr'] or [('c', 'r')], {EXPERTS} at "
                f"most, not {shown(given)}"
            )
        names = tuple("".join(map(str, each)) for each in listed)
        object.__setattr__(self, "names", names)
        spelt = sorted((self.begins(name), name) for name in names)
        for (text, one), (longer, other) in pairwise(spelt):
            if longer.startswith(text):
                raise GameError(
                    f"parts {one!r} and {other!r} overlap; parts must be disjoint: no betting may "
                    "begin with another's"
                )

    @property
    def code(self) -> str:
        """The Python that makes it."""
        listed = ", ".join(f'"{name}"' for name in self.names)
        return f"wb.betting_experts(rules, [{listed}])"

    def begins(self, name: str) -> str:
        """The betting after which a part begins, with a slash after each round; a name may have
        the slashes, too."""
        limit: Limit = self.rules.betting
        text = ""
        for letter in name.replace("/", "") if isinstance(name, str) else ():
            at = limit.follow(text)
            if letter not in at.actions:
                allowed = f"; there one may play {', '.join(at.actions)}" if at.actions else ""
                raise GameError(
                    f"nobody ever bets {name!r} in {self.rules.name!r}: {letter!r} is not possible "
                    f"after {text!r}{allowed}"
                )
            text += letter
            at = limit.follow(text)
            if at.player < 0 and at.folded < 0 and at.round + 1 < len(limit.bets):
                text += "/"
        if text and "/" in name and name not in (text, text.rstrip("/")):
            raise GameError(
                f"a slash stands where a round ends, and only there: {text!r}, not {name!r}"
            )
        if not text or limit.follow(text).player < 0:
            raise GameError(
                f"no expert can play after {name!r} in {self.rules.name!r}: a part is some moves "
                "after which somebody still has to decide, like 'r' or 'cr'"
            )
        if _shared(text) >= len(limit.bets):
            raise GameError(
                f"after {name!r} no card is to come, so an expert there would know nothing that "
                "the base does not know; let parts begin before the last round"
            )
        return text

    @classmethod
    def of_round(cls, rules: Any, start: int) -> "BettingParts":
        """One expert for each betting that leads to the beginning of a round."""
        limit, found, todo = rules.betting, list[str](), [""]
        for text in todo:  # grows
            if text.count("/") == start:
                found.append(text)
                continue
            for letter in limit.follow(text).actions:
                at = limit.follow(text + letter)
                if at.player >= 0:
                    todo.append(text + letter)
                elif at.folded < 0:
                    todo.append(f"{text}{letter}/")
        return cls(rules, tuple(found))

    def of(self, players: Any) -> "BettingParts":
        """Parts here are everybody's."""
        raise GameError(
            "parts of a card game are the same for everybody; whose experts play is said where "
            f"they are made: static_experts(rules, base, part, players={shown(players)})"
        )

    def shared(self, name: str) -> int:
        """In how many rounds, from the first on, an expert has the buckets of the base."""
        return _shared(self.begins(name))

    def number(self, name: str) -> int:
        """1, 2, …: the place of an expert; 0 is the base."""
        if not known_in(name, self.names):
            raise unknown_name("expert", name, self.names)
        return self.names.index(name) + 1

    def only(self, names: Iterable[str] | str) -> "BettingParts":
        """The same with these experts only."""
        chosen = (names,) if isinstance(names, str) else as_tuple(names)
        for name in chosen:
            self.number(name)
        return BettingParts(self.rules, chosen)

    def parts(self) -> NDArray[np.int8]:
        """Who plays at each node of the flat tree, (N,): 0 the base, j the j-th expert."""
        tree = betting_tree(self.rules.betting)
        found = np.zeros(len(tree.child), np.int8)
        for number, name in enumerate(self.names, start=1):
            for first, (low, high) in zip(tree.first, tree.blocks(name), strict=False):
                found[first + low : first + high] = number
        return found

    def __repr__(self) -> str:
        return f"BettingParts of {self.rules.name!r}: {', '.join(self.names)}"


def _shared(text: str) -> int:
    """The first round in which an expert behind this betting may have other buckets."""
    return text.count("/") + (text[-1] != "/")
