"""A hand that was played: its moves, and everything that follows from them.

Everyday example: a bridge club writes down deal and bids. Whoever knows the rules can play the
hand again on the kitchen table, and see at each moment what a player saw and what she might do.

A *move* is (seat, what): an outcome of chance has seat -1. The rules and the moves say it all:
`replay` gives the steps, each with the state before and after, and refuses moves that the rules
do not allow.

>>> from workbench.games.registry import load_game
>>> moves = Move(-1, "Q"), Move(-1, "K"), Move(0, "b"), Move(1, "p")
>>> hand = Hand(1, load_game("kuhn"), (1, 0), moves)
>>> hand.payoffs, hand.payoff_of(0)
((1.0, -1.0), -1.0)
>>> [(step.player, step.seen, step.what) for step in hand.decisions]
[(0, ('Q', ''), 'b'), (1, ('K', 'b'), 'p')]

Players are people and keep their number; seats are the rules' and may go round: `seats[0]` is the
player who sits in seat 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from workbench.policies import Step
from workbench.rules import Chance, Decision, GameError, Node, Rules, Terminal, label_of


class Move(NamedTuple):
    """Who did what; chance has seat -1."""

    seat: int
    what: Any


def replay(rules: Rules, moves: Iterable[Sequence[Any]]) -> tuple[Step, ...]:
    """Play the moves again; GameError says which of them cannot be."""
    state = rules.start()
    steps: list[Step] = []
    for number, (seat, what) in enumerate(moves, 1):
        node = _node(rules, state, first=not steps)
        if node is None:  # a deck too large to list, which draws its deals
            node = Chance({what: 1.0})
        if isinstance(node, Terminal):
            raise GameError(f"move {number}: {label_of(what)!r} comes after the end of the game")
        decides = isinstance(node, Decision)
        mover = node.player if isinstance(node, Decision) else -1
        possible = tuple(node.actions) if isinstance(node, Decision) else node.probabilities
        if seat != mover or what not in possible:
            raise GameError(
                f"move {number}: {_who(seat)} cannot choose {label_of(what)!r}; "
                f"{_who(mover)} has the choice of {', '.join(map(label_of, possible))}"
            )
        after = rules.next(state, what)
        seen = node.seen if isinstance(node, Decision) else None
        kind, actions = ("action", tuple(possible)) if decides else ("chance", ())
        steps.append(Step(kind, seat, what, seen, actions, after, state))
        state = after
    return tuple(steps)


def _node(rules: Rules, state: Any, first: bool) -> Node | None:
    """What happens in a state; None if the outcomes of chance cannot be listed."""
    if first:  # often a whole deck to list
        with suppress(TypeError):  # rules that have no hash
            return _first_node(rules)  # type: ignore[arg-type]
    try:
        return rules.node(state)
    except GameError:
        return None


@lru_cache(maxsize=8)
def _first_node(rules: Rules) -> Node | None:
    return _node(rules, rules.start(), first=False)


def _who(seat: int) -> str:
    return "chance" if seat < 0 else f"seat {seat + 1}"


@dataclass(frozen=True)
class Hand:
    """One hand from the deal to the payoffs; see the first lines of this file."""

    number: int  # counted from 1
    rules: Rules
    seats: tuple[int, ...]  # the player in each seat
    moves: tuple[Move, ...]
    match: int = 0  # which match it belongs to, counted from 1; 0: none

    def __post_init__(self) -> None:
        if sorted(self.seats) != sorted(set(self.seats)) or len(self.seats) != self.rules.players:
            raise GameError(f"{self.rules.name!r} has {self.rules.players} seats: {self.seats}?")
        if not isinstance(self.rules.node(self.end), Terminal):
            raise GameError("the hand has no end")

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return replay(self.rules, self.moves)

    @property
    def end(self) -> Any:
        """The last state of the rules."""
        return self.steps[-1].state if self.steps else self.rules.start()

    @property
    def decisions(self) -> tuple[Step, ...]:
        """The steps in which somebody had a choice."""
        return tuple(step for step in self.steps if len(step.actions) > 1)

    @cached_property
    def payoffs(self) -> tuple[float, ...]:
        """What each seat has won."""
        node = self.rules.node(self.end)
        assert isinstance(node, Terminal)
        return tuple(map(float, node.payoffs))

    def seat_of(self, player: int) -> int:
        """Where a player sat; -1 if she was not at the table."""
        return self.seats.index(player) if player in self.seats else -1

    def payoff_of(self, player: int) -> float:
        """What a player has won; 0 if she was not at the table."""
        seat = self.seat_of(player)
        return self.payoffs[seat] if seat >= 0 else 0.0
