"""What can be wrong with one node of a game, said in one sentence.

>>> complaint(Chance({"heads": 0.5, "tails": 0.6}), players=2)
"the probabilities of chance are {'heads': 0.5, 'tails': 0.6}: they sum to 1.1; they must be \
numbers of at least 0 that sum to 1"
>>> complaint(Terminal([1, -1]), players=2)
''
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Set
from typing import Any

from workbench.rules import Chance, Decision, Terminal
from workbench.tree import label_of

__all__ = ["complaint"]


def complaint(node: object, players: int, fine: set[Any] | None = None) -> str:
    """What is wrong with a node, or nothing.

    `fine` remembers tuples of actions that were found good, so that they are read only once.
    """
    if isinstance(node, Terminal):
        return _payoffs(node.payoffs, players)
    if isinstance(node, Decision):
        return _decision(node, players, fine if fine is not None else set())
    if isinstance(node, Chance):
        return _probabilities(node.probabilities)
    return f"node() answered {node!r}; it must be a Chance, a Decision or a Terminal"


def _payoffs(payoffs: Any, players: int) -> str:
    try:
        if type(payoffs) is not tuple and isinstance(payoffs, (Mapping, Set, str)):
            raise TypeError
        values = [float(payoff) for payoff in payoffs]
    except (TypeError, ValueError):
        values = []
    if len(values) == players and all(map(math.isfinite, values)):
        return ""
    return (
        f"the payoffs are {payoffs!r}; they must be a list of {players} finite numbers, one for "
        "each player"
    )


def _probabilities(probabilities: Any) -> str:
    if not (type(probabilities) is dict or isinstance(probabilities, Mapping)) or not probabilities:
        return f"Chance needs a dict {{outcome: probability}}, not {probabilities!r}"
    try:
        total = math.fsum(probabilities.values())
        if abs(total - 1.0) <= 1e-9 and min(probabilities.values()) >= 0:
            return ""
        sums = f"they sum to {total:.6g}; "
    except (TypeError, ValueError):
        sums = ""
    return (
        f"the probabilities of chance are {dict(probabilities)}: {sums}"
        "they must be numbers of at least 0 that sum to 1"
    )


def _decision(node: Decision, players: int, fine: set[Any]) -> str:
    player, actions = node.player, node.actions
    if type(player) is not int or not 0 <= player < players:
        return f"player {player!r} acts, but players are the whole numbers 0 to {players - 1}"
    try:
        hash(node.seen)
    except TypeError:
        return f"seen must be hashable (a string or a tuple), not {node.seen!r}"
    who = f"player {player} who has seen {node.seen!r} is offered"
    if type(actions) not in (tuple, list, str) and isinstance(actions, (Mapping, Set)):
        return f"{who} {actions!r}, which has no order; give the actions as a list"
    try:
        if tuple(actions) in fine:
            return ""
    except TypeError:
        pass
    try:
        actions = tuple(actions)
    except TypeError:
        return f"{who} {actions!r}; give the actions as a list"
    if not actions:
        return f"{who} no action"
    if not all(isinstance(action, Hashable) and action is not None for action in actions):
        return f"{who} {list(actions)}; an action must be hashable (a string, a number), not None"
    if len({label_of(action) for action in actions}) < len(actions):
        return f"{who} {list(actions)}: two actions have the same name"
    if len(set(actions)) < len(actions):
        return f"{who} {list(actions)}: two of these actions are equal"
    fine.add(actions)
    return ""
