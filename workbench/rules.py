"""What a game says: three kinds of node, and the five things its rules must answer.

A game is written as *rules*: any object with

    name                     what people call it
    players                  how many decide (players are 0, 1, ..., chance is -1)
    start()                  the state before anything has happened
    next(state, action)      the state after an action or a chance outcome
    node(state)              what happens in a state:
                               Chance({outcome: probability})
                               Decision(player, seen, actions)
                               Terminal(payoffs)

A state may be any object; nobody but the rules looks inside it. `seen` is exactly what
the player knows at that moment, as a hashable value: two decisions with equal
(player, seen) are one information set.

One more answer is optional. Rules whose chance has too many outcomes to list (all hands of a
large deck at once) may have

    draw(state, random)      an outcome of chance, drawn with its probability from a
                             numpy.random.Generator; None where chance does not move, or
                             where node(state) lists its outcomes anyway

Whoever plays straight from the rules (`sample_rules`, `play_match`) asks it at the start and
wherever chance moves, and goes on with next(state, outcome). At the start it is asked before
node(state), which may then refuse to list. What it draws must be outcomes of node(state), as
often as their probabilities say. Compiling never asks it.

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

import difflib
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Protocol, runtime_checkable

__all__ = [
    "Chance",
    "Decision",
    "GameError",
    "Node",
    "Rules",
    "Terminal",
    "did_you_mean",
    "need_bool",
    "need_number",
    "need_rules",
    "need_whole",
    "unknown_name",
]


class GameError(ValueError):
    """Something a user gave does not make a game, a strategy or a setting that works."""


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The middle of an error message about a name: the nearest known one, if one is near.

    >>> did_you_mean("side", ["sides", "loaded"]), did_you_mean("xyz", ["sides"])
    ("; did you mean 'sides'?", ';')
    >>> did_you_mean("jqk", ["null", "JQ-K"])
    "; did you mean 'JQ-K'?"
    """
    spelt = {word.lower(): word for word in known}  # small and capital letters are alike
    near = difflib.get_close_matches(str(name).lower(), spelt, n=1)
    return f"; did you mean {spelt[near[0]]!r}?" if near else ";"


def unknown_name(kind: str, name: object, known: Iterable[str]) -> GameError:
    """The error for a name that does not exist: the nearest one, and all there are.

    >>> unknown_name("solver", "crf+", ["cfr+", "lp"])
    GameError("there is no solver 'crf+'; did you mean 'cfr+'? Solvers: cfr+, lp")
    >>> unknown_name("way to go", "up", ["left", "back, then left"])
    GameError("there is no way to go 'up'; there are 'left', 'back, then left'")
    """
    names = list(known)
    middle = did_you_mean(name, names)
    if " " not in kind and not any("," in each for each in names):
        there = f" {kind.capitalize()}s: {', '.join(names)}"
    else:
        there = f" {'There' if middle[-1] == '?' else 'there'} are {', '.join(map(repr, names))}"
    return GameError(f"there is no {kind} {name!r}{middle}{there}")


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
    """The protocol `compile_game` asks of a game; see the module's first lines."""

    @property
    def name(self) -> str: ...

    @property
    def players(self) -> int: ...

    def start(self) -> Any: ...

    def next(self, state: Any, action: Any, /) -> Any: ...

    def node(self, state: Any, /) -> Node: ...


def need_whole(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """Refuse what is not a whole number of at least `least` and, if given, at most `most`.

    >>> need_whole("iterations", 2.5)
    Traceback (most recent call last):
    workbench.rules.GameError: iterations must be a whole number of at least 1, not 2.5
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise GameError(f"{name} must be a whole number of at least {least}, not {value!r}")
    if most is not None and int(value) > most:
        raise GameError(f"{name} must be at most {most:,}")
    return int(value)


def need_bool(name: str, value: object) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool):
        raise GameError(f"{name} must be True or False, not {value!r}")


def need_number(name: str, value: Any, least: float = 0.0, below: float = math.inf) -> float:
    """Refuse what is not a number from `least` on, and `below` that.

    >>> need_number("tolerance", -1)
    Traceback (most recent call last):
    workbench.rules.GameError: tolerance must be a number of at least 0, not -1
    """
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not least <= float(value) < below:
        most = f" and below {below:g}" if below < math.inf else ""
        raise GameError(f"{name} must be a number of at least {least:g}{most}, not {value!r}")
    return float(value)


MAX_PLAYERS = 100


def need_rules(value: object) -> Rules:
    """Refuse what is no game, and say how to get one."""
    if isinstance(value, type):
        raise GameError(f"{value.__name__} is a class; take a game of it: {value.__name__}()")
    if isinstance(value, str):
        raise GameError(f"{value!r} is a name; take its rules: load_game({value!r})")
    missing = [
        what for what in ("name", "players", "start", "next", "node") if not hasattr(value, what)
    ]
    if missing:
        raise GameError(f"{value!r} is no game: its rules lack {', '.join(missing)}")
    rules: Rules = value  # type: ignore[assignment]
    if type(rules.players) is not int or not 1 <= rules.players <= MAX_PLAYERS:
        raise GameError(
            f"players of {rules.name!r} must be a whole number from 1 to {MAX_PLAYERS}, "
            f"not {rules.players!r}"
        )
    return rules
