"""Signals: what nature tells the players, round by round, without a single move of theirs.

Everyday example: three friends draw a card each, then a card is turned up for all. Who bets what
is another matter; the *signal tree* is the cards alone. It is far smaller than the game tree, and
GameShrink (gameshrink.py) reads nothing else.

    node      what one player has been told so far: (card,), then (card, board)
    edge      one more signal: a node of the next round, and how many deals take it
    meeting   a node of the last round, what the others were told meanwhile, and the outcome:
              anything that decides the payoffs of every way to play, such as "win"

A deal says what each player is told, one tuple of signals a player; equal deals count twice. Two
players with the numbers 1, 2, 3 in an urn, the larger one wins:

>>> from itertools import permutations
>>> deals = [((mine,), (yours,)) for mine, yours in permutations((1, 2, 3), 2)]
>>> tree, names = signal_tree(deals, lambda mine, yours: mine > yours)
>>> tree.nodes, len(tree.leaf)
((3,), 6)

Players are told by the same urn here: whoever has 3 knows the same thing in either seat. Seats
that are told different things have different signals, ("buyer", 3) and ("seller", 3).
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.rules import GameError, shown

Numbers = NDArray[np.integer]  # whole numbers of any size
Deal = Sequence[Sequence[Hashable]]  # for each player a signal in every round


@dataclass(frozen=True, eq=False)
class Edges:
    """From the nodes of one round to those of the next, sorted by parent."""

    parent: Numbers  # (E,)
    child: Numbers  # (E,)
    count: Numbers  # (E,) how many deals


@dataclass(frozen=True, eq=False)
class SignalTree:
    """All that a player may be told, and whom she may meet."""

    nodes: tuple[int, ...]  # how many there are in each round
    edges: tuple[Edges, ...]  # between rounds
    leaf: Numbers  # (m,) a node of the last round, sorted
    others: Numbers  # (m, P - 1) nodes of the last round: what the other players know
    outcome: Numbers  # (m,) equal numbers, equal payoffs whatever the players do
    count: Numbers  # (m,) how many deals


def signal_tree(
    deals: Iterable[Deal], outcome: Callable[..., Hashable]
) -> tuple[SignalTree, tuple[dict[tuple[Hashable, ...], int], ...]]:
    """The signal tree of these deals, and for each round the node of every tuple of signals.

    `outcome(mine, …)` is asked about the signals of one player and those of the others, in the
    order of the seats; each is a tuple or, if there is one round, that signal.
    """
    if not callable(outcome) or isinstance(outcome, type):
        raise GameError(f"outcome must be a function f(mine, others…), not {shown(outcome)}")
    names: tuple[dict[tuple[Hashable, ...], int], ...] = ()
    seats = 0
    outcomes: dict[Hashable, int] = {}  # numbers, in the order in which they are first met
    rows: list[tuple[int, ...]] = []
    for deal in deals:
        told = _told(deal)
        if not rows:
            seats, names = len(told), tuple({} for _ in told[0])
        if {len(one) for one in told} != {len(names)} or len(told) != seats:
            raise GameError(
                f"the first deal has {seats} players and {len(names)} rounds of signals, "
                f"the deal {shown(deal)} has not; all deals must be alike"
            )
        last = [_path(names, one) for one in told]
        for seat, path in enumerate(last):
            others = [other for other in range(seats) if other != seat]
            paths = tuple(told[one] for one in (seat, *others))
            answer = outcome(*(one[0] if len(one) == 1 else one for one in paths))
            try:
                label = outcomes.setdefault(answer, len(outcomes))
            except TypeError:
                raise GameError(
                    f"the outcome of {shown(paths)} is {shown(answer)}; it must be hashable: "
                    "a word, a number or a tuple"
                ) from None
            rows.append((*path, *(last[other][-1] for other in others), label))
    if not rows:
        raise GameError("there are no deals; a deal is one tuple of signals for each player")
    return _assemble(np.array(rows, np.int64), names), names


def parents(edges: Edges, labels: Numbers) -> Numbers:
    """(nodes of the next round,) what its parent is labelled with."""
    out = np.empty(int(edges.child.max()) + 1, np.int64)
    out[edges.child] = labels[edges.parent]
    return out


def number(values: Numbers) -> Numbers:
    """Equal values get equal numbers: 0, 1, … in the order of their first appearance.

    >>> number(np.array([7, 7, 3, 7, 5]))
    array([0, 0, 1, 0, 2])
    """
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def _told(deal: Any) -> list[tuple[Any, ...]]:
    """What each player is told; an error if that is no deal."""
    try:
        told = [tuple(one) for one in deal]
        hash(tuple(told))
    except TypeError:
        told = []
    if len(told) < 2 or not told[0]:
        raise GameError(
            "a deal is one tuple of signals for each of at least two players, such as "
            f'(("A", 7), ("K", 7)), not {shown(deal)}'
        )
    return told


def _path(names: tuple[dict[Any, int], ...], told: tuple[Any, ...]) -> list[int]:
    """The node of every round on the way to these signals."""
    return [known.setdefault(told[: r + 1], len(known)) for r, known in enumerate(names)]


def _assemble(rows: Numbers, names: tuple[dict[Any, int], ...]) -> SignalTree:
    """Count equal rows: (node of each round, nodes of the others, outcome)."""
    rounds = len(names)
    pairs = [np.unique(rows[:, r : r + 2], axis=0, return_counts=True) for r in range(rounds - 1)]
    met, count = np.unique(rows[:, rounds - 1 :], axis=0, return_counts=True)
    return SignalTree(
        nodes=tuple(map(len, names)),
        edges=tuple(Edges(of[:, 0], of[:, 1], many) for of, many in pairs),
        leaf=met[:, 0],
        others=met[:, 1:-1],
        outcome=met[:, -1],
        count=count,
    )
