"""A hand that was played: its moves, and everything that follows from them.

A *move* is a pair (seat, what); chance has seat -1. The rules and the moves say it all: `replay`
gives the steps, each with the state before and after it, and refuses moves that the rules do not
allow. It also takes what somebody has written down, with None for the seat: labels, or the words of
the table.

>>> from workbench.games.registry import load_game
>>> hand = Hand(1, load_game("kuhn"), (1, 0), ((-1, "Q"), (-1, "K"), (0, "b"), (1, "p")))
>>> hand.payoffs, hand.payoff_of(YOU)
((1.0, -1.0), -1.0)
>>> [(step.player, step.seen, step.what) for step in hand.decisions]
[(0, ('Q', ''), 'b'), (1, ('K', 'b'), 'p')]
>>> replay(hand.rules, [(None, name) for name in ("Q", "K", "bet", "fold")]) == hand.steps
True

Players are people and keep their number, you are player 0; seats are the rules' and may go round:
`seats[0]` is the player who sits in seat 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from workbench.games.words import words_for
from workbench.policies import Step as Step
from workbench.rules import Chance, Decision, GameError, Node, Rules, Terminal, label_of
from workbench.settings import did_you_mean
from workbench.tree import GameTree

YOU = 0


class Move(NamedTuple):
    """Who did what; any such pair will do."""

    seat: int
    what: Any


def replay(rules: Rules, moves: Iterable[tuple[int | None, Any]]) -> tuple[Step, ...]:
    """Play the moves again; GameError says which of them cannot be."""
    state = rules.start()
    steps: list[Step] = []
    for number, (seat, what) in enumerate(moves, 1):
        listed = _node(rules, state, first=not steps)
        node = listed or Chance({what: 1.0})
        if isinstance(node, Terminal):
            raise GameError(f"move {number}: {label_of(what)!r} comes after the end of the game")
        player, may = -1, possible(node)
        if isinstance(node, Decision):
            player = node.player
        if seat is None:
            seat, what = player, _named(rules, node).get(what, what)
        if seat != player or what not in may:
            labels = [*map(label_of, may)]
            some = ", ".join(labels[:12]) + " …" * (len(labels) > 12)
            near = ";" if what in may else did_you_mean(what, labels)
            raise GameError(
                f"move {number}: {_who(seat)} cannot choose {label_of(what)!r}"
                f"{near} {_who(player)} has the choice of {some}"
            )
        try:
            steps.append(step_of(rules, state, node, what))
        except (AttributeError, LookupError, TypeError, ValueError):
            if listed:
                raise
            raise GameError(f"move {number}: chance cannot deal {label_of(what)!r}") from None
        state = steps[-1].state
    return tuple(steps)


def possible(node: Node) -> Collection[Any]:
    """What may happen."""
    if isinstance(node, Decision):
        return tuple(node.actions)
    return node.probabilities if isinstance(node, Chance) else ()


def _named(rules: Rules, node: Node) -> dict[str, Any]:
    """What may happen, by its label and, if somebody decides, by its words."""
    labels = {label_of(what): what for what in possible(node)}
    if not isinstance(node, Decision):
        return labels
    words = words_for(rules)
    return {words.move(a, node.seen, node.actions): a for a in node.actions} | labels


def step_of(rules: Rules, state: Any, node: Decision | Chance, what: Any) -> Step:
    """The step in which this happens in a state, whose node this is."""
    after = rules.next(state, what)
    if isinstance(node, Decision):
        return Step("action", node.player, what, node.seen, tuple(node.actions), after, state)
    return Step("chance", what=what, state=after, before=state)


def _node(rules: Rules, state: Any, first: bool = False) -> Node | None:
    """What happens in a state; None for a deck too large to list, which draws its deals."""
    if first:
        with suppress(TypeError):  # rules that have no hash
            return _first_node(rules)  # type: ignore[arg-type]
    try:
        return rules.node(state)
    except GameError:
        return None


@lru_cache(maxsize=8)
def _first_node(rules: Rules) -> Node | None:
    """Often a whole deck to list, and the same one for every hand."""
    return _node(rules, rules.start())


def _who(seat: int) -> str:
    return "chance" if seat < 0 else f"seat {seat + 1}"


def histories(tree: GameTree, rules: Rules) -> Iterator[tuple[int, int, tuple[Step, ...], Any]]:
    """Each history, with the number of steps up to the one before, its own steps, and its node.
    Moves that leave no choice are steps, but no histories."""
    waiting: list[tuple[int, int, tuple[Step, ...]]] = [(0, 0, ())]
    while waiting:
        h, before, steps = waiting.pop()
        while True:
            state = steps[-1].state if steps else rules.start()
            node: Any = rules.node(state)
            if len(only := possible(node)) != 1:
                break
            steps += (step_of(rules, state, node, *only),)
        yield h, before, steps, node
        for child in range(tree.first_child[h], tree.first_child[h + 1]):
            c = tree.choice[child]
            what = tree.actions[c] if c >= 0 else tree.outcomes[tree.outcome[child]]
            waiting.append((child, len(steps), (*steps, step_of(rules, state, node, what))))


def line_of(steps: Iterable[Step]) -> str:
    """What people did, in labels; a slash where chance deals in between.

    >>> line_of([Step("action", 0, "c"), Step("action", 1, "c"), Step("chance")])
    'cc/'
    """
    parts: list[str] = []
    for step in steps:
        if step.player >= 0:
            parts.append(label_of(step.what))
        elif parts and parts[-1] != "/":
            parts.append("/")
    return ("" if max(map(len, parts), default=1) == 1 else " ").join(parts)


class Position(NamedTuple):
    """What a hand is that begins in the middle; it has no number."""

    rules: Rules
    seats: tuple[int, ...]  # the player in each seat
    number: int = 0


@dataclass(frozen=True)
class Hand:
    """One hand from the deal to the payoffs; see help('workbench.lab.play.hand_record')."""

    number: int  # counted from 1
    rules: Rules
    seats: tuple[int, ...]  # the player in each seat
    moves: tuple[tuple[int, Any], ...]
    match: int = 0  # which match it belongs to, counted from 1; 0: none
    practice: int = 0  # the decision of yours from which it was played again; 0: it counts

    def __post_init__(self) -> None:
        if len(set(self.seats)) != len(self.seats) or len(self.seats) != self.rules.players:
            raise GameError(f"{self.rules.name!r} has {self.rules.players} seats: {self.seats}?")
        if not self.payoffs:
            raise GameError("the hand has no end")

    @classmethod
    def over(
        cls, rules: Rules, seats: tuple[int, ...], steps: tuple[Step, ...], payoffs: Sequence[float]
    ) -> Hand:
        """A hand whose steps are known to end it: they are not played again."""
        hand, moves = object.__new__(cls), tuple(Move(step.player, step.what) for step in steps)
        told = {"number": 1, "rules": rules, "seats": seats, "moves": moves, "match": 0}
        paid = tuple(map(float, payoffs))
        vars(hand).update(told, practice=0, steps=steps, payoffs=paid)
        return hand

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return replay(self.rules, self.moves)

    @property
    def decisions(self) -> tuple[Step, ...]:
        """The steps in which somebody had a choice."""
        return tuple(step for step in self.steps if len(step.actions) > 1)

    def decisions_of(self, player: int) -> tuple[Step, ...]:
        """The steps in which this player had a choice."""
        return tuple(step for step in self.decisions if self.seats[step.player] == player)

    @cached_property
    def payoffs(self) -> tuple[float, ...]:
        """What each seat has won."""
        node = self.rules.node(self.steps[-1].state if self.steps else self.rules.start())
        return tuple(map(float, node.payoffs)) if isinstance(node, Terminal) else ()

    @property
    def counts(self) -> tuple[float, ...]:
        """What a match goes by: the payoffs, unless the rules say otherwise."""
        count = getattr(self.rules, "counts", None)
        return tuple(count(self.steps[-1].state)) if count else self.payoffs

    def seat_of(self, player: int) -> int:
        """Where a player sat; -1 if she was not at the table."""
        return self.seats.index(player) if player in self.seats else -1

    def payoff_of(self, player: int) -> float:
        """What a player has won; 0 if she was not at the table."""
        return self.payoffs[self.seat_of(player)] if player in self.seats else 0.0
