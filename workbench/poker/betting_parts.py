"""Parts of the betting: where experts play, and the pieces that the betting falls into.

Everyday example: a poker player has one plan for hands in which nobody raised before the flop, and
another for hands that began with a raise. What has been bet is public, so both players know at any
moment which plan is on.

    part     all betting that begins with some moves: "r", "cr"; "ccr" is a bet after two calls, on
             the flop (Gibson & Szafron 2011, Section 6: the b-experts)
    piece    a part of one round's tree for some of its starts: from a node on, down to the ends of
             the round or to where another part begins. Within a piece a player has the same buckets
             and either decides or does not.

Pieces form a tree. Behind an end of a piece another one begins: in the next round, or in the same
round if a part begins there. Such a part knows the cards of that round as the base does, because
both have already decided with them; finer buckets begin with the next card (`shared`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.poker.betting import END, Limit, Round
from workbench.rules import GameError, shown
from workbench.settings import as_tuple, known_in, unknown_name
from workbench.tree import FloatArray, IntArray

Indices = NDArray[np.int64]
Spot = tuple[int, int, int]  # round, start, node
FIRST, BUCKET, CHOICE, PART = range(4)  # see `find_choices`


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
        if not isinstance(given, Iterable):
            raise GameError(f"experts are named by their betting, ['r', 'cr'], not {shown(given)}")
        names = (given,) if isinstance(given, str) else tuple(given)
        object.__setattr__(self, "names", names)
        spelt = [self.begins(name) for name in names]
        for k, text in enumerate(spelt):
            for other in spelt[:k]:
                longer, shorter = sorted((text, other), key=len, reverse=True)
                if longer.startswith(shorter):
                    raise GameError(
                        f"parts {names[k]!r} and {names[spelt.index(other)]!r} overlap; parts must "
                        "be disjoint: no betting may begin with another's"
                    )

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
        if self.first_free(text) >= len(limit.bets):
            raise GameError(
                f"after {name!r} no card is to come, so an expert there would know nothing that "
                "the base does not know; let parts begin before the last round"
            )
        return text

    def first_free(self, text: str) -> int:
        """The first round in which an expert behind this betting may have other buckets."""
        number, _, node = self.rules.betting.start_of(text)
        return int(number + (node > 0))

    def shared(self, name: str) -> int:
        """In how many rounds, from the first on, an expert has the buckets of the base."""
        return self.first_free(self.begins(name))

    def number(self, name: str) -> int:
        """1, 2, …: the place of an expert; 0 is the base."""
        if not known_in(name, self.names):
            raise unknown_name("expert", name, self.names)
        return self.names.index(name) + 1

    def only(self, names: Iterable[str] | str) -> BettingParts:
        """The same with these experts only."""
        chosen = (names,) if isinstance(names, str) else as_tuple(names)
        for name in chosen:
            self.number(name)
        return BettingParts(self.rules, chosen)

    def spots(self) -> dict[Spot, int]:
        """Where parts begin."""
        limit: Limit = self.rules.betting
        return {limit.start_of(self.begins(name)): self.number(name) for name in self.names}

    def __repr__(self) -> str:
        return f"BettingParts of {self.rules.name!r}: {', '.join(self.names)}"


@dataclass(frozen=True, eq=False)
class Piece:
    """A tree of moves within one round, for some of the round's starts."""

    part: int  # who plays: 0 the base, j the j-th expert
    number: int  # of the round
    starts: Indices  # (S,) of the round
    round: Round  # the tree
    nodes: IntArray  # which node of the whole round each of its nodes is
    above: int  # the piece before, -1: none
    ends: Indices  # (S,) which end of that piece leads to each start: start · ends + end
    same_round: bool  # as the piece before

    @property
    def num_choices(self) -> int:
        return self.round.num_choices

    def decisions(self, player: int) -> int:
        """At how many points of the betting a player decides."""
        return self.round.decisions(player) * len(self.starts)


def pieces_of(limit: Limit, spots: dict[Spot, int], most: int = 10**9) -> list[Piece]:
    """The pieces of the betting if parts begin at these spots, none of them with more than `most`
    starts; a piece comes after that above it.

    >>> from workbench.games.registry import load_game
    >>> rules = load_game("limit_holdem")
    >>> [len(pieces_of(rules.betting, BettingParts(rules, some).spots())) for some in ((), ("r",))]
    [4, 8]
    """
    found: list[Piece] = []
    first = spots.get((0, 0, 0), 0)
    begins: Indices = np.zeros(1, np.int64)
    waiting = [(first, 0, 0, begins, -1, begins, False)]
    while waiting:
        part, number, root, starts, above, ends, same = waiting.pop(0)
        for chosen, cuts in _alike(limit.rounds[number], number, root, starts, spots):
            tree, nodes = limit.rounds[number].piece(root, cuts)
            for some in np.array_split(chosen, -(-len(chosen) // most)):
                here = len(found)
                found.append(
                    Piece(part, number, starts[some], tree, nodes, above, ends[some], same)
                )
                waiting += [
                    (*to, here, column, to_same)
                    for to, column, to_same in _behind(limit, found[-1], spots)
                ]
    return found


def _alike(
    tree: Round, number: int, root: int, starts: Indices, spots: dict[Spot, int]
) -> Iterator[tuple[Indices, tuple[int, ...]]]:
    """Starts in whose trees parts begin at the same nodes; and these nodes."""
    by_cuts: dict[tuple[int, ...], list[int]] = {}
    inside = tree.piece(root)[1]
    for k, start in enumerate(starts.tolist()):
        cuts = tuple(node for node in inside[1:].tolist() if (number, start, node) in spots)
        by_cuts.setdefault(cuts, []).append(k)
    for cuts, some in by_cuts.items():
        yield np.array(some, np.int64), cuts


def _behind(
    limit: Limit, piece: Piece, spots: dict[Spot, int]
) -> list[tuple[tuple[int, int, int, Indices], Indices, bool]]:
    """What follows a piece: (part, round, node, starts), which of its ends lead there, and whether
    that is in the same round."""
    whole = limit.rounds[piece.number]
    order = np.cumsum(whole.kind == END) - 1
    last = piece.number + 1 == len(limit.rounds)
    groups: dict[tuple[int, int, int], tuple[list[int], list[int]]] = {}
    for s, start in enumerate(piece.starts.tolist()):
        for end, at in enumerate(np.flatnonzero(piece.round.kind == END).tolist()):
            node = int(piece.nodes[at])
            if whole.kind[node] != END:  # another part begins
                to, key = start, (spots[piece.number, start, node], piece.number, node)
            elif last:
                continue
            else:
                to = start * whole.num_ends + int(order[node])
                key = (spots.get((piece.number + 1, to, 0), piece.part), piece.number + 1, 0)
            starts, columns = groups.setdefault(key, ([], []))
            starts.append(to)
            columns.append(s * piece.round.num_ends + end)
    return [
        ((*key, np.array(starts, np.int64)), np.array(columns, np.int64), key[1] == piece.number)
        for key, (starts, columns) in groups.items()
    ]


def find_choices(limit: Limit, pieces: Sequence[Piece], classes: Sequence[int]) -> list[Indices]:
    """Where the choices of each point of the betting stand in an array over all choices, in which
    piece after piece has `classes` buckets: (starts, nodes, 4) for each round, which hold FIRST
    (of the first bucket), BUCKET (from one to the next), CHOICE (from one to the next) and PART;
    -1 where nobody decides."""
    found = [
        np.full((starts, len(one.text), 4), -1, np.int64)
        for one, starts in zip(limit.rounds, limit.starts, strict=True)
    ]
    before = 0
    for piece, count in zip(pieces, classes, strict=True):
        lanes = len(piece.starts)
        for at in np.flatnonzero(piece.round.count > 0):
            here = found[piece.number][piece.starts, piece.nodes[at]]
            here[:, FIRST] = before + piece.round.first[at] * lanes + np.arange(lanes)
            here[:, BUCKET], here[:, CHOICE] = piece.num_choices * lanes, lanes
            here[:, PART] = piece.part
            found[piece.number][piece.starts, piece.nodes[at]] = here
        before += count * piece.num_choices * lanes
    return found


def copy_choices(
    piece: Piece, player: int, count: int, here: Sequence[Indices], values: FloatArray,
    there: Sequence[Indices], given: FloatArray,
) -> None:  # fmt: skip
    """values[…] = given[…] where a player decides in a piece with so many buckets; both games have
    the same there. `here`, `there`: see `find_choices`."""
    bucket = np.arange(count)[:, None]
    for at in np.flatnonzero(piece.round.kind == player):
        spot = piece.starts, piece.nodes[at]
        to, of = here[piece.number][spot], there[piece.number][spot]
        for a in range(piece.round.count[at]):
            values[to[:, FIRST] + a * to[:, CHOICE] + bucket * to[:, BUCKET]] = given[
                of[:, FIRST] + a * of[:, CHOICE] + bucket * of[:, BUCKET]
            ]
