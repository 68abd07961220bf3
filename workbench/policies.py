"""Playing straight from the rules, without a tree: chance draws, policies and people answer.

Everyday example: nobody lists the 736 million deals of two hands of four out of 32 cards before
dealing one. A dealer shuffles.

A *policy* says how likely a player chooses each of her actions: a `Strategy`, a function
f(player, seen, actions), or an object with `probabilities(player, seen, actions)`. A *decider* is
asked for one action, f(player, seen, actions) -> action; `decider` makes one of a policy.

`play_hand` yields a `Step` for everything that happens. A seat without a decider (None) is somebody
who is asked: the step "ask" waits for `send(action)`, so that a window, a web page or a console can
answer when it likes. Moves that leave no choice are made without asking.

    kind       player           what
    chance     -1               the outcome
    ask        who is asked     ""; `seen` and `actions` are what she knows and may do; if the
                                answer is none of them she is asked again, and told so in `what`
    action     who has acted    the action
    over       -1               the payoffs

>>> from workbench.games.registry import load_game
>>> kuhn = load_game("kuhn")
>>> def bold(player, seen, actions): return "b"
>>> def shy(player, seen, actions): return "p"
>>> for step in play_hand(kuhn, [decider(bold), shy], seed=1):
...     print(step.kind, step.player, step.what)
chance -1 Q
chance -1 K
action 0 b
action 1 p
over -1 (1.0, -1.0)

A person in the first seat:

>>> hand = play_hand(kuhn, [None, shy], seed=1)
>>> step = next(hand)
>>> while step.kind != "ask":
...     step = next(hand)
>>> step.seen, step.actions
(('Q', ''), ('p', 'b'))
>>> hand.send("b").what
'b'
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.random import Generator as Random
from numpy.typing import NDArray

from workbench.rules import (
    MAX_DEPTH,
    Chance,
    Decision,
    GameError,
    Rules,
    Terminal,
    complaint,
    need_rules,
)
from workbench.settings import as_tuple, did_you_mean, need_whole
from workbench.strategy import Function, ask

Decider = Callable[[int, Any, Sequence[Any]], Hashable]


class Policy(Protocol):
    """How somebody plays, asked at one decision at a time."""

    def probabilities(
        self, player: int, seen: Any, actions: Sequence[Any], /
    ) -> Sequence[float]: ...


class Standing(NamedTuple):
    """Where a match stands between two hands."""

    points: tuple[int, ...]  # of each player
    seats: tuple[int, ...]  # the players of the next hand; the first one starts


@runtime_checkable
class Match(Protocol):
    """Hands of one game to so many points; rules name theirs in `match`, "package.file:Class"."""

    @property
    def rules(self) -> Rules: ...
    @property
    def bound(self) -> int: ...

    def opening(self) -> Standing: ...

    def hand_rules(self, now: Standing, /) -> Rules: ...

    def after(self, now: Standing, payoffs: Sequence[float], /) -> Standing: ...


@dataclass(frozen=True, eq=False)
class Follow:
    """What hands can lead to, as arrays over outcomes and seats: all that a match or a tournament
    needs to be a stochastic game, in which a hand pays what follows is worth."""

    prizes: NDArray[np.float64]  # (…, outcomes, seats) paid at once
    follow: NDArray[np.int64]  # (…, outcomes) the next standing, −1: the match is over
    seat: NDArray[np.int64]  # (…, outcomes, seats) where a seat sits in the next one, −1: out

    def values(self, worth: NDArray[np.float64]) -> NDArray[np.float64]:
        """(…, outcomes, seats) what an outcome is worth, if standings are `worth` (n, seats)."""
        later = worth[self.follow[..., None], self.seat]
        goes_on = (self.follow[..., None] >= 0) & (self.seat >= 0)
        return np.asarray(self.prizes + np.where(goes_on, later, 0.0))


class Step(NamedTuple):
    """Something that happened, or a question; see help('workbench.policies')."""

    kind: str
    player: int = -1  # the seat, as the rules count
    what: Any = ""
    seen: Any = None  # what the player knew
    actions: Sequence[Any] = ()  # what she might do
    state: Any = None  # of the rules, after it
    before: Any = None  # of the rules, before it


class Dice:
    """Random numbers that depend on the seed and on the number of the throw, on nothing else.

    So there is no state to keep: whoever goes on at throw 1001 gets what she would have got.
    Streams have nothing in common, so nobody is judged by the deals she has learned from.

    >>> dice = Dice(seed=7)
    >>> float(dice.throw(3).random()) == float(Dice(seed=7).throw(3).random())
    True
    """

    def __init__(self, seed: int, stream: int = 0) -> None:
        self.seed, self.stream = need_whole("seed", seed, 0, None), stream
        self._bits = np.random.Philox(seed=self.seed)
        self._state = self._bits.state
        self._generator = np.random.Generator(self._bits)

    def throw(self, number: int) -> np.random.Generator:
        """The generator of this throw, from its beginning; the one of the throw before ends.
        Philox numbers its output: every throw has 2⁶⁴ blocks of its own."""
        self._state["state"]["counter"][:] = (0, number, self.stream, 0)
        self._bits.state = self._state
        return self._generator


class Dealer:
    """Plays chance's part of a game; complains where the rules are wrong."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.start = rules.start()
        self._draw: Callable[[Any, Random], Any] | None = getattr(rules, "draw", None)
        self._outcomes: list[Any] = []
        self._up_to: list[float] = []  # Σ of the probabilities up to each outcome
        self._paid: set[Any] = set()  # payoffs that need no second look

    def first(self, random: Random) -> Any:
        """Chance's first move, None if chance does not begin. It is often the whole deal, so it is
        listed once only, or not at all."""
        if self._draw is not None:
            return self._draw(self.start, random)
        if not self._outcomes:
            node = self.rules.node(self.start)
            if not isinstance(node, Chance):
                return None
            self.check(node)
            self._outcomes = list(node.probabilities)
            self._up_to = list(accumulate(node.probabilities.values()))
        return self._outcomes[bisect_right(self._up_to, random.random() * self._up_to[-1])]

    def open(self, random: Random) -> Any:
        """The state after chance's first move, or the start if chance does not begin."""
        outcome = self.first(random)
        return self.start if outcome is None else self.rules.next(self.start, outcome)

    def outcome(self, state: Any, node: Chance, random: Random) -> Any:
        """What chance does in a state."""
        if self._draw is not None:
            outcome = self._draw(state, random)
            if outcome is not None:
                return outcome
        self.check(node)
        return pick(node.probabilities, node.probabilities.values(), random.random())

    def payoffs(self, node: Terminal) -> Sequence[float]:
        payoffs = node.payoffs
        if type(payoffs) is not tuple or payoffs not in self._paid:
            self.check(node)
            if type(payoffs) is tuple and len(self._paid) < 1000:
                self._paid.add(payoffs)
        return payoffs

    def check(self, node: object) -> None:
        if wrong := complaint(node, self.rules.players):
            raise GameError(f"in {self.rules.name!r}: {wrong}")

    def endless(self) -> GameError:
        return GameError(
            f"{self.rules.name!r} has a history of {MAX_DEPTH:,} moves, which looks endless; "
            "check that next() always moves towards a Terminal"
        )

    def play(
        self,
        policies: Sequence[Policy],  # one for each seat
        chance: Random,
        players: Random,
    ) -> tuple[float, ...]:
        """One game from the start to its payoffs."""
        ask_node, ask_next = self.rules.node, self.rules.next
        state = self.open(chance)
        for _ in range(MAX_DEPTH):
            node = ask_node(state)
            if isinstance(node, Decision):
                actions = node.actions
                if len(actions) > 1:
                    answer = policies[node.player].probabilities(node.player, node.seen, actions)
                    state = ask_next(state, pick(actions, answer, players.random()))
                else:
                    state = ask_next(state, actions[0])
            elif isinstance(node, Terminal):
                return tuple(map(float, self.payoffs(node)))
            else:
                self.check(node)
                state = ask_next(state, self.outcome(state, node, chance))
        raise self.endless()


def pick(items: Any, weights: Any, uniform: float) -> Any:
    """The item at a place in [0, 1) when each takes up as much of it as it weighs."""
    for item, weight in zip(items, weights, strict=True):
        if weight > 0.0:
            chosen = item
            uniform -= weight
            if uniform < 0.0:
                break
    return chosen


# ---- move by move --------------------------------------------------------------------


def play_hand(
    rules: Rules, deciders: Sequence[Decider | None], seed: int | Random = 0
) -> Generator[Step, Any, None]:
    """Play `rules` once; one decider for each player. The same seed deals the same cards."""
    each = as_tuple(deciders)
    if len(each) != need_rules(rules).players:
        raise GameError(
            f"{rules.name!r} is for {rules.players} players; there are {len(each)} deciders"
        )
    for player, decide in enumerate(each):
        need_decider(player, decide)
    return _steps(Dealer(rules), deciders, need_random(seed))


def _steps(
    dealer: Dealer, deciders: Sequence[Decider | None], random: Random
) -> Generator[Step, Any, None]:
    rules, state = dealer.rules, dealer.start
    outcome = dealer.first(random)
    for _ in range(MAX_DEPTH):
        if outcome is None:
            node = rules.node(state)
            if isinstance(node, Terminal):
                yield Step("over", what=tuple(dealer.payoffs(node)), state=state, before=state)
                return
            if isinstance(node, Decision):
                before, player, seen, actions = state, node.player, node.seen, node.actions
                action = actions[0]
                if len(actions) > 1:
                    decide = deciders[player]
                    if decide is None:
                        ask = Step("ask", player, "", seen, actions, state, state)
                        action = yield from _ask(ask)
                    elif (action := decide(player, seen, actions)) not in actions:
                        raise GameError(_not_among(player, seen, actions, action))
                state = rules.next(state, action)
                yield Step("action", player, action, seen, actions, state, before)
                continue
            dealer.check(node)
            outcome = dealer.outcome(state, node, random)
        before, state = state, rules.next(state, outcome)
        yield Step("chance", what=outcome, state=state, before=before)
        outcome = None
    raise dealer.endless()


def _ask(step: Step) -> Generator[Step, Any, Hashable]:
    """Ask until the answer is one of the actions."""
    action: Hashable = yield step
    while action not in step.actions:
        if action is None:
            raise GameError(f"player {step.player} has no decider; answer with send(action)")
        action = yield step._replace(what=_not_among(step.player, step.seen, step.actions, action))
    return action


def _not_among(player: int, seen: Any, actions: Sequence[Any], action: Any) -> str:
    names = [str(name) for name in actions]
    return (
        f"player {player} who has seen {seen!r} cannot choose {action!r}"
        f"{did_you_mean(action, names)} she may choose {', '.join(names)}"
    )


def need_random(seed: int | Random) -> Random:
    """Random numbers from a seed; what draws them already is taken as it is."""
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(need_whole("seed", seed, 0, None))


def need_decider(player: int, decide: object) -> None:
    """Refuse what cannot be asked for an action."""
    if decide is not None and not callable(decide):
        raise GameError(
            f"player {player} cannot decide: {decide!r} is no function of (player, seen, actions); "
            "for a Strategy give wb.judge.decider(strategy, seed=0), for a person None"
        )


def decider(policy: Any, seed: int | Random = 0) -> Decider:
    """Who plays as a policy says: a Strategy, a function, what has `probabilities`."""
    asked, random = as_policy(policy), need_random(seed)

    def decide(player: int, seen: Any, actions: Sequence[Any]) -> Any:
        return pick(actions, asked.probabilities(player, seen, actions), random.random())

    return decide


# ---- who answers ---------------------------------------------------------------------


class _OfFunction:
    def __init__(self, function: Function, name: str) -> None:
        self.function, self.name = function, name

    def probabilities(self, player: int, seen: Hashable, actions: Sequence[Any]) -> Sequence[float]:
        return ask(self.function, player, seen, actions, self.name)


def as_policy(value: Any, name: str = "the policy") -> Policy:
    """Function, or what is a policy already, as strategies of all forms are."""
    if hasattr(value, "probabilities") and not isinstance(value, type):
        return value  # type: ignore[no-any-return]
    if callable(value) and not isinstance(value, type):
        return _OfFunction(value, name)
    raise GameError(
        f"{name} must be a Strategy, a function f(player, seen, actions) or an object with "
        f"probabilities(player, seen, actions), not {type(value).__name__}"
    )
