"""Play a game move by move: functions, strategies and people sit at one table.

Everyday example: two friends play Kuhn poker, one always bets, the other one never does.

A *decider* answers for a player: f(player, seen, actions) -> action. `play_hand` yields an event
for everything that happens. A seat without a decider (None) is somebody who is asked: the event
"ask" waits for `send(action)`, so that a window, a web page or a console can answer when it likes.
Moves that leave no choice are made without asking.

    kind       player           what
    chance     -1               the outcome
    ask        who is asked     ""; `seen` and `actions` are what she knows and may do; if the
                                answer is none of them she is asked again, and told so in `what`
    action     who has acted    the action
    over       -1               the payoffs

>>> from workbench.games import load_game
>>> kuhn = load_game("kuhn")
>>> def bold(player, seen, actions): return "b"
>>> def shy(player, seen, actions): return "p"
>>> for event in play_hand(kuhn, [bold, shy], seed=1):
...     print(event.kind, event.player, event.what)
chance -1 Q
chance -1 K
action 0 b
action 1 p
over -1 (1.0, -1.0)

A person in the first seat:

>>> hand = play_hand(kuhn, [None, shy], seed=1)
>>> event = next(hand)
>>> while event.kind != "ask":
...     event = next(hand)
>>> event.seen, event.actions
(('Q', ''), ('p', 'b'))
>>> hand.send("b").what
'b'
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.rules import Chance, Decision, GameError, Rules, Terminal, did_you_mean, need_whole

if TYPE_CHECKING:
    from numpy.random import Generator as Random

__all__ = ["Decider", "Event", "need_decider", "need_random", "play_hand"]

Decider = Callable[[int, Any, Sequence[Any]], Hashable]


class Event(NamedTuple):
    """Something that happened, or a question; see the first lines of this file."""

    kind: str
    player: int = -1
    what: Any = ""
    seen: Any = None  # what the player knew
    actions: Sequence[Any] = ()  # what she might do
    state: Any = None  # the state of the rules after it


def play_hand(
    rules: Rules, deciders: Sequence[Decider | None], seed: int | Random = 0
) -> Generator[Event, Any, None]:
    """Play `rules` once; one decider for each player. The same seed deals the same cards."""
    if len(deciders) != rules.players:
        raise GameError(
            f"{rules.name!r} is for {rules.players} players; there are {len(deciders)} deciders"
        )
    for player, decide in enumerate(deciders):
        need_decider(player, decide)
    return _events(rules, deciders, need_random(seed))


def need_random(seed: int | Random) -> Random:
    """Random numbers from a seed; what draws them already is taken as it is.

    >>> need_random(-1)
    Traceback (most recent call last):
    workbench.rules.GameError: seed must be a whole number of at least 0, not -1
    """
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(need_whole("seed", seed, 0))


def need_decider(player: int, decide: object) -> None:
    """Refuse what cannot be asked for an action."""
    if decide is not None and not callable(decide):
        raise GameError(
            f"player {player} cannot decide: {decide!r} is no function of (player, seen, actions); "
            "for a Strategy give wb.decider(strategy, seed=0), for a person None"
        )


def _events(
    rules: Rules, deciders: Sequence[Decider | None], random: Random
) -> Generator[Event, Any, None]:
    draw = getattr(rules, "draw", None)
    state = rules.start()
    while True:
        outcome = draw(state, random) if draw else None
        node = rules.node(state) if outcome is None else None
        if isinstance(node, Terminal):
            yield Event("over", what=tuple(node.payoffs), state=state)
            return
        if isinstance(node, Decision):
            player, seen, actions = node.player, node.seen, node.actions
            action = actions[0]
            if len(actions) > 1:
                decide = deciders[player]
                if decide is None:
                    action = yield from _ask(Event("ask", player, "", seen, actions, state))
                else:
                    action = decide(player, seen, actions)
                    if action not in actions:
                        raise GameError(_not_among(player, seen, actions, action))
            state = rules.next(state, action)
            yield Event("action", player, action, seen, actions, state)
            continue
        if isinstance(node, Chance):
            outcomes = list(node.probabilities)
            weights = np.array(list(node.probabilities.values()))
            outcome = outcomes[random.choice(len(outcomes), p=weights / weights.sum())]
        state = rules.next(state, outcome)
        yield Event("chance", what=outcome, state=state)


def _ask(event: Event) -> Generator[Event, Any, Hashable]:
    """Ask until the answer is one of the actions."""
    action: Hashable = yield event
    while action not in event.actions:
        if action is None:
            raise GameError(f"player {event.player} has no decider; answer with send(action)")
        action = yield event._replace(
            what=_not_among(event.player, event.seen, event.actions, action)
        )
    return action


def _not_among(player: int, seen: Any, actions: Sequence[Any], action: Any) -> str:
    names = [str(name) for name in actions]
    return (
        f"player {player} who has seen {seen!r} cannot choose {action!r}"
        f"{did_you_mean(action, names)} she may choose {', '.join(names)}"
    )
