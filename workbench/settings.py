"""Settings: the options of games, solvers and experiments, said once and checked from there.

Options are the fields of a frozen dataclass. An annotation says what a field may hold; a text
there is what a form shows beside it, a dict what it calls the choices:

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Dice:
...     sides: Annotated[int, Between(2, 20), "how many faces a die has"] = 6
...     colour: Literal["white", "black"] = "white"
>>> make(Dice, {"sides": 1}, "dice")
Traceback (most recent call last):
workbench.rules.GameError: dice: sides must be a whole number from 2 to 20, not 1
>>> make(Dice, {"side": 8}, "dice")
Traceback (most recent call last):
workbench.rules.GameError: dice has no option 'side'; did you mean 'sides'? Options: sides, colour
>>> full_name("dice", Dice()), full_name("dice", Dice(sides=8))
('dice', 'dice(sides=8)')

Readable annotations are `bool`, `int`, `float`, `str`, `Literal[…]`, a union of such, `tuple[int,
...]`, `… | None`; a field of any other type takes what it is given. A form, the command line and
`load_game` all read the same `options_of(Dice)`. What is made by name is checked by `make`; a class
that calls `check(self)` in its `__post_init__` is checked wherever it is made.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import json
import math
import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from workbench.rules import GameError, shown

T = TypeVar("T")


@dataclass(frozen=True)
class Between:
    """The least and, if there is one, the largest number that a field may hold."""

    low: float
    high: float = math.inf


Positive = Annotated[int, Between(1)]
Seed = Annotated[
    int, Between(0, 2**63 - 1), "random numbers start here: the same seed, the same numbers"
]

BOTH = Literal[True, False]  # what a bool may be
MOST = 10**15  # nobody counts that far, and kernels could not
MANY = 10**9  # a limit that nobody expects, and that is named only to those who pass it
_WRITTEN = re.compile(r"[-+]?([0-9]{1,400}/[0-9]{1,400}|[0-9.]{1,400}([eE][-+]?[0-9]{1,3})?)")


# ---- single values -------------------------------------------------------------------


def need_whole(name: str, value: Any, least: int = 1, most: int | None = MOST) -> int:
    """Refuse what is not a whole number from `least` to `most`; None: however large.

    >>> need_whole("iterations", 2.5)
    Traceback (most recent call last):
    workbench.rules.GameError: iterations must be a whole number of at least 1, not 2.5
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    number = int(value) if whole else 0
    if not whole or number < least or (most is not None and number > most and most < MANY):
        limited = most is not None and most < MANY
        wanted = f"from {least} to {most}" if limited else f"of at least {least}"
        wanted = f" {wanted}" if least > -MANY else ""
        raise GameError(f"{name} must be a whole number{wanted}, not {shown(value)}")
    if most is not None and number > most:
        raise GameError(f"{name} must be at most {most:,}")
    return number


def need_number(
    name: str, value: Any, least: float = 0.0, most: float = math.inf, below: float = math.inf
) -> float:
    """Refuse what is not a number from `least` to `most`, and `below` that.

    >>> need_number("tolerance", -1)
    Traceback (most recent call last):
    workbench.rules.GameError: tolerance must be a number of at least 0, not -1
    """
    try:
        real = isinstance(value, Real) and not isinstance(value, bool)
        number = float(value) if real else math.nan
    except OverflowError:  # a whole number of 400 digits
        number = math.nan
    endless = math.isinf(number) and least > -math.inf
    if endless or not least <= number <= most or number >= below < math.inf:
        wanted = f" of at least {least:g}" if least > -math.inf else ""
        wanted += f" and below {below:g}" if below < math.inf else ""
        wanted = f" from {least:g} to {most:g}" if most < math.inf else wanted
        raise GameError(f"{name} must be a number{wanted}, not {shown(value)}")
    return number


@lru_cache(maxsize=10_000)
def exact(word: str) -> Fraction:
    """The number that a word writes; one that no float can hold is refused."""
    try:
        number = Fraction(word if _WRITTEN.fullmatch(word) else "")
        float(number)
        return number
    except (ArithmeticError, ValueError):
        raise GameError(f"{word[:40]!r} is no number; write 2, -0.5 or 1/3") from None


def known_in(value: Any, known: Container[Any]) -> bool:
    """Whether `value in known`; a list, an array or a table never is, and asks no questions.

    >>> known_in("p", {"p": 1}), known_in(["p"], {"p": 1}), known_in({}, ["p"])
    (True, False, False)
    """
    try:
        hash(value)
    except Exception:  # whatever the hash of somebody's own class raises
        return False
    return value in known


def as_tuple(value: Any) -> tuple[Any, ...]:
    """What is in a list or something like it; nothing in what is none."""
    try:
        return tuple(value)
    except TypeError:  # an array of no dimensions says that it can be gone through
        return ()


def need_several(name: str, value: Any, of: str) -> Iterator[Any]:
    """Refuse what is no list of something; nothing is taken out of it yet.

    >>> need_several("seeds", None, "whole numbers")
    Traceback (most recent call last):
    workbench.rules.GameError: seeds must be a list of whole numbers, not None
    """
    try:
        if not isinstance(value, str | bytes):
            return iter(value)
    except TypeError:  # an array of no dimensions says that it can be gone through
        pass
    raise GameError(f"{name} must be a list of {of}, not {shown(value)}")


def need_one_of(name: str, value: Any, known: Iterable[Any]) -> Any:
    """Refuse what is none of a few values.

    >>> need_one_of("engine", "fast", ("auto", "tree", True))
    Traceback (most recent call last):
    workbench.rules.GameError: engine must be 'auto', 'tree' or True, not 'fast'
    """
    for one in known:
        if type(one) is type(value) and one == value:
            return one
    *most, last = map(repr, known)
    wanted = f"{', '.join(most)} or {last}" if most else last
    raise GameError(f"{name} must be {wanted}, not {shown(value)}")


def need_bool(name: str, value: Any) -> bool:
    """Refuse what is neither True nor False."""
    return bool(need_one_of(name, value, (True, False)))


def need_kind(name: str, value: Any, kind: type[T]) -> T:
    """Refuse what is not made by a class.

    >>> need_kind("found", 5, Option)
    Traceback (most recent call last):
    workbench.rules.GameError: found must be an Option, not 5
    """
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise GameError(f"{name} must be {article} {kind.__name__}, not {shown(value)}")
    return value


def need_function(name: str, value: Any, arguments: str) -> None:
    """Refuse what cannot be called with so many arguments.

    >>> need_function("abstraction", lambda seen: seen, "player, seen, actions")
    Traceback (most recent call last):
    workbench.rules.GameError: abstraction must be a function f(player, seen, actions), not \
    <function <lambda>...
    """
    fits = callable(value) and not isinstance(value, type)
    with suppress(ValueError):  # some that are written in C do not say what they take
        try:
            inspect.signature(value).bind(*arguments.split(", "))
        except TypeError:
            fits = False
    if not fits:
        raise GameError(f"{name} must be a function f({arguments}), not {shown(value)}")


def plain(value: Any) -> Any:
    """NumPy's numbers as Python's own: their repr is part of a run's name."""
    number = type(value).__module__ == "numpy" and getattr(value, "shape", None) == ()
    return value.item() if number else value


# ---- options, read off a dataclass ---------------------------------------------------


@dataclass(frozen=True)
class Option:
    """One field: what it may hold, and what to say about it."""

    name: str
    kind: Any  # bool, int, float, str, tuple, or None: anything
    default: Any
    choices: tuple[Any, ...] = ()  # the values to choose from, if they are few
    between: Between = Between(-math.inf)
    optional: bool = False  # None is a value, too
    required: bool = False  # it has no default
    help: str = ""
    labels: Mapping[Any, str] = field(default_factory=dict, hash=False)  # of some choices

    def checked(self, value: Any, who: str = "") -> Any:
        """The value, plain; GameError if the field may not hold it."""
        value, name = plain(value), f"{who}: {self.name}" if who else self.name
        low, high = self.between.low, self.between.high
        if value is None and self.optional:
            return None
        if self.choices:
            return need_one_of(name, value, self.choices)
        if self.kind is int:
            most = None if math.isinf(high) else int(high)
            return need_whole(name, value, int(max(-MANY, low)), most)
        if self.kind is float:
            return need_number(name, value, low, high)
        if self.kind is str and not isinstance(value, str):
            raise GameError(f"{name} must be a text, not {shown(value)}")
        if self.kind is tuple:
            several = need_several(name, value, "whole numbers")
            return tuple(need_whole(name, one, round(max(low, 0))) for one in several)
        return value

    def read(self, text: str) -> Any:
        """The value that a text says; the text itself if it says none, for `checked` to refuse.

        >>> [option.read("true") for option in (Option("a", bool, False, (True, False)),)]
        [True]
        """
        spelt = {str(choice).lower(): choice for choice in self.choices}
        if text.lower() in spelt:
            return spelt[text.lower()]
        if self.optional and text.lower() == "none":
            return None
        try:
            if self.kind is tuple:
                return tuple(int(part) for part in text.split(","))
            if self.kind is None and not self.choices:  # nobody says what it may be
                return ast.literal_eval(text)
            return self.kind(text) if self.kind in (int, float) else text
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return text


@lru_cache(maxsize=1000)
def options_of(kind: Any) -> tuple[Option, ...]:
    """What a dataclass, any other class or a function may be called with, in this order. A default
    tells the type where no annotation does.

    >>> class Coin:
    ...     def __init__(self, sides=2, fair: bool = True): ...
    >>> [(option.name, option.kind) for option in options_of(Coin)]
    [('sides', <class 'int'>), ('fair', <class 'bool'>)]
    """
    usual = {
        name: MISSING if parameter.default is parameter.empty else parameter.default
        for name, parameter in _parameters(kind).items()
    }
    annotated = getattr(kind, "__init__", kind) if isinstance(kind, type) else kind
    if _has_fields(kind):
        made = {one.name: one.default_factory for one in fields(kind)}
        usual |= {n: make() for n in usual if (make := made[n]) is not MISSING}
        annotated = kind
    try:
        hints = get_type_hints(annotated, include_extras=True)
    except (NameError, TypeError):  # of something that is not defined here
        hints = {}
    plain = (bool, int, float, str)
    kinds = {n: type(value) if type(value) in plain else Any for n, value in usual.items()}
    return tuple(_option(n, hints.get(n, kinds[n]), usual[n]) for n in usual)


@lru_cache(maxsize=1000)
def fields_of(kind: type) -> tuple[Option, ...]:
    """The options of a dataclass; of one with an `__init__` of its own those of its base."""
    return next((options_of(base) for base in kind.__mro__ if _has_fields(base)), ())


def _has_fields(kind: Any) -> bool:
    """Whether this is a dataclass that is made of its fields, by no `__init__` of its own."""
    if not is_dataclass(kind):
        return False
    return {one.name for one in fields(kind) if one.init} == {*_parameters(kind)}


def _parameters(kind: Any) -> dict[str, inspect.Parameter]:
    """What something is called with, by name; `**more` is what the next class takes."""
    parameters: dict[str, inspect.Parameter] = {}
    line = kind.__mro__ if isinstance(kind, type) else ()
    bases = [base for base in line if "__init__" in vars(base)]
    for base in [kind, *bases[1:]]:
        try:
            given = inspect.signature(base if base is kind else base.__init__).parameters
        except (TypeError, ValueError):
            break  # written in C
        for name, taken in given.items():
            named = taken.kind in (taken.POSITIONAL_OR_KEYWORD, taken.KEYWORD_ONLY)
            first = taken.kind is taken.POSITIONAL_ONLY and base is kind
            if (named or first) and name != "self":
                parameters.setdefault(name, taken)
        if all(taken.kind is not taken.VAR_KEYWORD for taken in given.values()):
            break
    return parameters


def _option(name: str, hint: Any, default: Any) -> Option:
    notes: list[Any] = []
    if get_origin(hint) is Annotated:
        hint, *notes = get_args(hint)
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    types = [BOTH if part is bool else part for part in parts if part is not NoneType]
    listed = [get_args(part) if get_origin(part) is Literal else () for part in types]
    choices = tuple(choice for part in listed for choice in part) if all(listed) else ()
    kind: Any = (get_origin(types[0]) or types[0]) if len(types) == 1 else None
    kind = type(choices[0]) if choices and kind is Literal else kind
    return Option(
        name=name,
        kind=kind if kind in (bool, int, float, str) or types == [tuple[int, ...]] else None,
        default=None if default is MISSING else default,
        choices=choices,
        between=next((note for note in notes if isinstance(note, Between)), Between(-math.inf)),
        optional=NoneType in parts,
        required=default is MISSING,
        help=next((note for note in notes if isinstance(note, str)), ""),
        labels=next((note for note in notes if isinstance(note, dict)), {}),
    )


def check(settings: Any, who: str = "") -> None:
    """Refuse a dataclass with a field that does not hold what its annotation says. Numbers of
    NumPy become Python's."""
    for option in fields_of(settings.__class__):
        value = option.checked(getattr(settings, option.name), who)
        object.__setattr__(settings, option.name, value)


def make(kind: Callable[..., T], values: Mapping[str, Any], who: str, noun: str = "option") -> T:
    """What a class or a function makes of these values, checked; an unknown name gets the nearest
    one as answer."""
    if not isinstance(values, Mapping):
        raise GameError(f"{who} must be {noun}s with their values, not {shown(values)}")
    known = {option.name: option for option in options_of(kind)}
    refuse_unknown(values, [*known], who, noun)
    for name, option in known.items():
        if option.required and name not in values:
            raise GameError(f"{who} lacks the {noun} {name!r}")
    if _has_fields(kind):
        made = kind(**values)
        check(made, who)
        return made
    given = {name: known[name].checked(value, who) for name, value in values.items()}
    unnamed = [name for name, one in _parameters(kind).items() if one.kind is one.POSITIONAL_ONLY]
    return kind(*[given.pop(name, known[name].default) for name in unnamed], **given)


def refuse_unknown(names: Iterable[str], known: list[str], who: str, noun: str = "option") -> None:
    """Refuse names that are no options."""
    for name in names:
        if name not in known:
            there = f"{noun.capitalize()}s: {', '.join(known)}" if known else f"it has no {noun}s"
            raise GameError(f"{who} has no {noun} {shown(name)}{did_you_mean(name, known)} {there}")


def bound(
    call: inspect.Signature, who: str, noun: str, values: Iterable[Any], named: Mapping[str, Any]
) -> dict[str, Any]:
    """The arguments of a call by their names; those that do not fit are refused with its own."""
    refuse_unknown(named, [*call.parameters], who, noun)
    try:
        return call.bind(*values, **named).arguments
    except TypeError as error:
        raise GameError(f"{who}: {error}") from None


def changed(settings: Any) -> dict[str, Any]:
    """The options that differ from their defaults."""
    values = [(option, getattr(settings, option.name)) for option in fields_of(settings.__class__)]
    return {option.name: value for option, value in values if value != option.default}


def full_name(name: str, settings: Any) -> str:
    """`name`, followed by the options that differ from their defaults."""
    return call(name, options) if (options := changed(settings)) else name


def call(function: str, options: Mapping[str, Any], *first: str) -> str:
    """A call as Python writes it: call("solve", {"seed": 0}, "game") is solve(game, seed=0)."""
    given = [*first, *(f"{name}={value!r}" for name, value in options.items())]
    return f"{function}({', '.join(given)})"


class Code(str):
    """Python as it stands: a `call` does not quote it."""

    __slots__ = ()
    __repr__ = str.__str__


def code(function: str, options: Mapping[str, Any], *first: str) -> str:
    """A call for a cell of a notebook: code("solve", {"solver": "cfr"}, "game") is
    wb.solve(game, solver="cfr")."""
    quoted = {
        name: Code(json.dumps(value, ensure_ascii=False)) if type(value) is str else value
        for name, value in options.items()
    }
    return call(f"wb.{function}", quoted, *first)


class FrozenDict(dict[str, Any]):
    """Names with plain values, which nobody changes any more."""

    def __init__(self, what: str, values: Any) -> None:
        if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
            raise GameError(f"{what} must be names with their values, not {shown(values)}")
        self.what = what
        listed = {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}
        super().__init__({name: plain(value) for name, value in listed.items()})

    def __reduce__(self) -> Any:
        return type(self), (self.what, dict(self))

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise GameError(f"{self.what} of an experiment stay as they are; make another experiment")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


# ---- names ---------------------------------------------------------------------------


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The middle of an error message about a name: the nearest known one, if one is near.

    >>> did_you_mean("side", ["sides", "loaded"]), did_you_mean("xyz", ["sides"])
    ("; did you mean 'sides'?", ';')
    >>> did_you_mean("jqk", ["null", "JQ-K"]), did_you_mean("cfrplus", ["cfr", "cfr+"])
    ("; did you mean 'JQ-K'?", "; did you mean 'cfr+'?")
    """
    spelt = {_spelt(word): word for word in known}
    near = difflib.get_close_matches(_spelt(name), spelt, n=1)
    return f"; did you mean {spelt[near[0]]!r}?" if near else ";"


def _spelt(name: object) -> str:
    """Small and capital letters are alike, and a plus may be written out."""
    return str(name).lower().replace("+", "plus")


def unknown_name(kind: str, name: object, known: Iterable[str]) -> GameError:
    """The error for a name that does not exist: the nearest one, and all there are.

    >>> unknown_name("solver", "crf+", ["cfr+", "lp"])
    GameError("there is no solver 'crf+'; did you mean 'cfr+'? Solvers: cfr+, lp")
    >>> unknown_name("way to go", "up", ["left", "back, then left"])
    GameError("there is no way to go 'up'; there are 'left', 'back, then left'")
    >>> unknown_name("way to go", "up", ["left"])
    GameError("there is no way to go 'up'; there is 'left'")
    """
    names = list(known)
    middle = did_you_mean(name, names)
    if " " not in kind and not any("," in each for each in names):
        there = f" {kind.capitalize()}s: {', '.join(names)}"
    else:
        there = f" {'There' if middle[-1] == '?' else 'there'} {'is' if len(names) == 1 else 'are'}"
        there += f" {', '.join(map(repr, names))}"
    return GameError(f"there is no {kind} {shown(name)}{middle}{there}")


def quick(full: T, small: T) -> T:
    """`full`, or `small` in quick mode: with WORKBENCH_QUICK=1 notebooks use smaller numbers.

    >>> os.environ["WORKBENCH_QUICK"] = "1"
    >>> quick(100_000, 1_000)
    1000
    >>> del os.environ["WORKBENCH_QUICK"]
    >>> quick(100_000, 1_000)
    100000
    """
    return small if os.environ.get("WORKBENCH_QUICK", "") not in ("", "0") else full
