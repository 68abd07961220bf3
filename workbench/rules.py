"""What a game says: three kinds of node, and the five things its rules must answer.

A game is written as *rules*, which the class `Rules` below explains. Players are 0, 1, ..., chance
is -1. Nobody but the rules looks inside a state. One more answer is optional: rules whose chance
has too many outcomes to list (all hands of a large deck at once) may have

    draw(state, random)      an outcome of chance, drawn with its probability from a
                             numpy.random.Generator; None where chance does not move, or
                             where node(state) lists its outcomes anyway

Whoever plays straight from the rules (`sample_rules`, `play_match`) asks it wherever chance moves,
at the start before node(state), which may then refuse to list. Compiling never asks it.

Example: a coin is tossed, player 0 calls it without looking.

>>> class Coin:
...     name, players = "coin", 1
...     def start(self): return ""
...     def next(self, state, action): return state + action
...     def node(self, state):
...         if len(state) == 0: return Chance({"H": 0.5, "T": 0.5})
...         if len(state) == 1: return Decision(0, "call", ["H", "T"])
...         return Terminal([1.0 if state[0] == state[1] else -1.0])
>>> rules = Coin()
>>> rules.node(rules.next(rules.start(), "H"))
Decision(player=0, seen='call', actions=['H', 'T'])
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable


class GameError(ValueError):
    """Something a user gave does not make a game, a strategy or a setting that works.

    What it says is one line that can be printed anywhere, whatever values it quotes.
    """

    def __init__(self, *said: Any) -> None:
        super().__init__(*(_one_line(one) if isinstance(one, str) else one for one in said))


@dataclass(frozen=True, slots=True)
class Chance:
    """Nature moves: `probabilities` maps each outcome to how likely it is (they sum to 1)."""

    probabilities: Mapping[Any, float]


@dataclass(frozen=True, slots=True)
class Decision:
    """`player` moves, knows exactly `seen`, and picks one of `actions` (distinct, at least one)."""

    player: int
    seen: Hashable
    actions: Sequence[Hashable]


@dataclass(frozen=True, slots=True)
class Terminal:
    """The game is over; `payoffs[i]` is what player i wins."""

    payoffs: Sequence[float]


Node = Chance | Decision | Terminal


@runtime_checkable
class Rules(Protocol):
    """A game: any object with a name, the number of players, and three answers.

    `start()` is the state before anything has happened, `next(state, action)` the state after an
    action or an outcome of chance, and `node(state)` says what happens in a state:

        Chance({"heads": 0.5, "tails": 0.5})    nature draws; the probabilities sum to 1
        Decision(0, seen, ["fold", "call"])     player 0 (the first) moves; `seen` is exactly what
                                                she knows, a string or a tuple: decisions with equal
                                                (player, seen) are one information set
        Terminal([1, -1])                       the game is over; one payoff for each player

    A state may be any object. `wb.compile_game(Mine())` makes the tree, `wb.solve(Mine())` solves.

    What a game may say besides, for panels, tables and reports:

        unit = "chip"                           what payoffs are counted in, one of them; results
                                                are then "chips per game" (`per = "hand"`: per hand)
        moves = {"p": "pass", "b": "bet"}       what actions are called, as verbs
        about = "Both put in a chip. …"         the rules for a player; else the class's docstring
        cards(seen) -> ["Q"]                    a player's own cards, from what she has seen
        rank_names = ["J", "Q", "K"]            the ranks from low to high, so that they can merge;
                                                a card stands by itself in `seen`, at any place;
                                                without `cards` the first is her own, the others
                                                are the board's
        words                                   more words, see `workbench.games.words`

    Options are the fields of a dataclass or the arguments of `__init__`; annotations and defaults
    check them: `wb.load_game("mine.py:Mine", sides=4)`, `workbench solve mine.py --option sides=4`.
    `workbench new mine.py` writes a small game with all of this, to change into your own.
    """

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> int: ...

    def start(self) -> Any: ...

    def next(self, state: Any, action: Any, /) -> Any: ...

    def node(self, state: Any, /) -> Node: ...


def shown(value: Any) -> str:
    """A value in an error message: its repr in one line, if that is short.

    >>> shown("abc"), shown("x" * 500)
    ("'abc'", "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…")
    """
    try:
        text = " ".join(repr(value).split("\n"))
    except Exception:  # a number of 5,000 digits has none
        text = f"a {type(value).__name__} too large to show"
    return text if len(text) <= 200 else f"{text[:59]}…"


def _one_line(text: str) -> str:
    """Without line breaks and without halves of characters, which no stream takes.

    >>> _one_line("a\\n  b \\ud800")
    'a b \\\\ud800'
    """
    return _printable(" ".join(text.split()) if "\n" in text else text)


def _printable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def label_of(value: object) -> str:
    """What a person reads for an action, an outcome or what a player has seen.

    >>> label_of(("Q", "", "cr")), label_of(frozenset("ba")), label_of(3), label_of(())
    ('Q cr', '{a b}', '3', '·')
    """
    if isinstance(value, str):
        return _printable(value)
    if isinstance(value, tuple):
        return " ".join(label for part in value if (label := label_of(part))) or "·"
    if isinstance(value, (frozenset, set)):
        return "{" + " ".join(sorted(label_of(part) for part in value)) + "}"
    try:
        return _printable(str(value))
    except ValueError:  # a number of 5,000 digits
        return shown(value)


MAX_PLAYERS = 100
MAX_DEPTH = 5_000  # a path this long is an endless game, not a long one


def rules_in(game: Any) -> Any:
    """The rules of a game of any form, which may be given themselves."""
    return getattr(game, "rules", game)


def need_rules(value: object) -> Rules:
    """Refuse what is no game, and say how to get one, or what it says of itself: `instead`."""
    if isinstance(value, type):
        raise GameError(f"{value.__name__} is a class; take a game of it: {value.__name__}()")
    if isinstance(value, str):
        raise GameError(f"{value!r} is a name; take its rules: load_game({value!r})")
    missing = [
        what for what in ("name", "players", "start", "next", "node") if not hasattr(value, what)
    ]
    if missing:
        lacks = f"its rules lack {', '.join(missing)}"
        raise GameError(f"{shown(value)} is no game: {getattr(value, 'instead', lacks)}")
    rules: Rules = value  # type: ignore[assignment]
    if not (isinstance(rules.name, str) and rules.name.isprintable()):
        raise GameError(f"the name of a game must be a text in one line, not {shown(rules.name)}")
    if type(rules.players) is not int or not 1 <= rules.players <= MAX_PLAYERS:
        raise GameError(
            f"players of {rules.name!r} must be a whole number from 1 to {MAX_PLAYERS}, "
            f"not {shown(rules.players)}"
        )
    return rules


def complaint(node: object, players: int, fine: set[Any] | None = None) -> str:
    """What is wrong with a node, in one sentence, or nothing.

    `fine` remembers tuples of actions that were found good, so that they are read only once.

    >>> complaint(Chance({"heads": 0.5, "tails": 0.6}), players=2)
    "the probabilities of chance are {'heads': 0.5, 'tails': 0.6}: they sum to 1.1; they must be \
    numbers of at least 0 that sum to 1"
    >>> complaint(Terminal([1, -1]), players=2)
    ''
    """
    if isinstance(node, Terminal):
        return _payoffs(node.payoffs, players)
    if isinstance(node, Decision):
        return _decision(node, players, fine if fine is not None else set())
    if isinstance(node, Chance):
        return _probabilities(node.probabilities)
    return f"node() answered {shown(node)}; it must be a Chance, a Decision or a Terminal"


def _payoffs(payoffs: Any, players: int) -> str:
    try:
        if type(payoffs) is not tuple and isinstance(payoffs, (Mapping, Set, str)):
            raise TypeError
        values = [float(payoff) for payoff in payoffs]
    except (ArithmeticError, TypeError, ValueError):
        values = []
    if len(values) == players and all(map(math.isfinite, values)):
        return ""
    return (
        f"the payoffs are {shown(payoffs)}; they must be a list of {players} finite numbers, one "
        "for each player"
    )


def _probabilities(probabilities: Any) -> str:
    if not (type(probabilities) is dict or isinstance(probabilities, Mapping)) or not probabilities:
        return f"Chance needs a dict {{outcome: probability}}, not {shown(probabilities)}"
    try:
        total = math.fsum(probabilities.values())
        if abs(total - 1.0) <= 1e-9 and min(probabilities.values()) >= 0:
            return ""
        sums = f"they sum to {total:.12g}; "
    except (ArithmeticError, TypeError, ValueError):
        sums = ""
    return (
        f"the probabilities of chance are {shown(dict(probabilities))}: {sums}"
        "they must be numbers of at least 0 that sum to 1"
    )


def _decision(node: Decision, players: int, fine: set[Any]) -> str:
    player, actions = node.player, node.actions
    if type(player) is not int or not 0 <= player < players:
        return f"player {shown(player)} acts, but players are the whole numbers 0 to {players - 1}"
    try:
        hash(node.seen)
    except TypeError:
        return f"seen must be hashable (a string or a tuple), not {shown(node.seen)}"
    wrong = _actions(actions, fine)
    return f"player {player} who has seen {shown(node.seen)} is offered {wrong}" if wrong else ""


def _actions(actions: Any, fine: set[Any]) -> str:
    if type(actions) not in (tuple, list, str):
        if isinstance(actions, (Mapping, Set)):
            return f"{shown(actions)}, which has no order; give the actions as a list"
        if isinstance(actions, Iterator):
            return f"a {type(actions).__name__}, read only once; give the actions as a list"
    try:
        actions = tuple(actions)
    except TypeError:
        return f"{shown(actions)}; give the actions as a list"
    with suppress(TypeError):  # not hashable: see below
        if actions in fine:
            return ""
    if not actions:
        return "no action"
    if not all(isinstance(action, Hashable) and action is not None for action in actions):
        return f"{shown(list(actions))}; an action must be hashable (a string, a number), not None"
    if len({label_of(action) for action in actions}) < len(actions):
        return f"{shown(list(actions))}: two actions have the same name"
    if len(set(actions)) < len(actions):
        return f"{shown(list(actions))}: two of these actions are equal"
    fine.add(actions)
    return ""
