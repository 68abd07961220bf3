"""Answers as people write them, read kindly and compared with the truth.

A number may come as 5/12, 0.4167, "5/12", a Fraction or what numpy made of it. Half a per cent of
rounding is forgiven, unless a check asks for a count. A wrong number is often a right one to
another question: `slips` says which.

>>> nearly(0.4167, 5 / 12)
✓ Right.
>>> nearly(-5 / 12, 5 / 12)
✗ Not yet. Right up to the sign: ask who wins and who pays.
>>> nearly(0.49, 490, unit="milli-antes")
✗ Not yet. The digits are right, the unit is not: it should be milli-antes,
and yours is 1000 times too small.
>>> nearly(5 / 6, 5 / 12, slips={5 / 6: "That is the sum; take the mean."})
✗ Not yet. That is the sum; take the mean.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from workbench.abstraction.abstraction import Abstraction
from workbench.compiling import compile_game
from workbench.evaluation.values import exploitability, gains
from workbench.games.registry import load_game
from workbench.lab.exercises.core import UnfitError, Verdict, right, wrong
from workbench.lab.text import figure
from workbench.strategy import Strategy
from workbench.tree import GameTree

ROUNDING = 0.005  # of the true number: 0.417 is 5/12


def number(answer: Any, what: str = "a number") -> float:
    """The answer as a float; UnfitError if it is none."""
    value: Any = answer
    if isinstance(answer, str):
        try:
            value = Fraction(answer.replace(" ", "").replace("−", "-"))
        except (ValueError, ZeroDivisionError):
            value = None
    elif isinstance(answer, np.ndarray) and answer.size == 1:
        value = answer.reshape(-1)[0]
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, Fraction, np.number)
    ):
        raise UnfitError(f"{what} is needed here, such as 5/12 or 0.4167, not {_named(answer)}")
    if isinstance(value, np.complexfloating) or not math.isfinite(value):
        raise UnfitError(f"{what} is needed here, and {value} is none that can be compared")
    return float(value)


def numbers(answer: Any, names: Sequence[str]) -> dict[str, float]:
    """One number for each name, from a dictionary or from a list in the order of the names.

    >>> numbers([1, "1/2"], ["J", "Q"]) == numbers({"Q": 0.5, "J": 1}, ["J", "Q"])
    True
    >>> numbers({-4: 1}, ["-4"]) == numbers({"−4": 1}, ["-4"])
    True
    """
    asked = f"{len(names)} numbers are needed here, for {', '.join(names)}"
    if hasattr(answer, "to_dict"):  # a pandas Series
        answer = answer.to_dict()
    if isinstance(answer, Mapping):
        given = {str(key).replace("−", "-").lstrip("+"): value for key, value in answer.items()}
        missing = [name for name in names if name not in given]
        if missing:
            raise UnfitError(f"{asked}; {', '.join(missing)} is missing")
        answer = [given[name] for name in names]
    if isinstance(answer, str) or not isinstance(answer, Iterable):
        raise UnfitError(f"{asked}, not {_named(answer)}")
    values = list(answer)
    if len(values) != len(names):
        raise UnfitError(f"{asked}, and there are {len(values)}")
    pairs = zip(names, values, strict=True)
    return {name: number(value, f"a number for {name}") for name, value in pairs}


def chosen(answer: Any, names: Sequence[str]) -> set[str]:
    """Those of the names that were given, or marked with True: one, several, or none of them.

    >>> chosen("cr", ["r", "cr"]), chosen({"r": True, "cr": False}, ["r", "cr"])
    ({'cr'}, {'r'})
    >>> chosen([1], ["01", "02"]), chosen([False, True], ["01", "02"])
    ({'01'}, {'02'})
    """
    asked = f"some of the names {', '.join(names)} are needed here"
    counted = {int(name): name for name in names if name.isdecimal()}  # 1 is notebook "01"
    if isinstance(answer, str):
        answer = [part.strip() for part in answer.split(",") if part.strip()]
    if isinstance(answer, Mapping):
        answer = [answer.get(name) for name in names]
        asked = f"True or False is needed here for each of {', '.join(names)}"
    if not isinstance(answer, Iterable):
        raise UnfitError(f"{asked}, in quotes, not {_named(answer)}")
    given: list[Any] = list(answer)
    if len(given) == len(names) and all(isinstance(one, (bool, np.bool_)) for one in given):
        given = [name for name, one in zip(names, given, strict=True) if one]
    given = [counted.get(one, one) if type(one) is int else one for one in given]
    for one in given:
        if not isinstance(one, str) or one not in names:
            raise UnfitError(f"{asked}; {one!r} is none of them")
    return set(given)


def agree(value: float, truth: float, tolerance: float = ROUNDING, within: float = 1e-9) -> bool:
    """Equal up to rounding, by default half a per cent; `within` is a distance, for zeros."""
    return math.isclose(value, truth, rel_tol=max(tolerance, 1e-9), abs_tol=within)


def nearly(
    answer: Any,
    truth: float,
    *,
    slips: Mapping[float, str] | None = None,
    tolerance: float = ROUNDING,
    within: float = 1e-9,
    unit: str = "",
    good: str = "",
    bad: str = "",
) -> Verdict:
    """Right if the answer is this number; otherwise say what it is instead, as far as we can tell.

    `slips` explains numbers that come from a typical mistake, `good` is said of a right answer,
    `bad` of a wrong one that nothing explains. `tolerance` is a share of the truth, and 0 asks for
    the exact count; `within` is a distance from it.
    """
    value = number(answer)
    if agree(value, truth, tolerance, within):
        return right(good)
    near = [slip for slip in slips or () if agree(value, slip, tolerance)]
    if slips and near:
        return wrong(slips[min(near, key=lambda slip: abs(slip - value))])
    if value and agree(-value, truth, tolerance):
        return wrong("Right up to the sign: ask who wins and who pays.")
    for factor in (1000, 100):
        for moved, way in ((value / factor, "large"), (value * factor, "small")):
            if value and agree(moved, truth, tolerance):
                asked = f"it should be {unit}, and yours is" if unit else "yours is"
                return wrong(
                    f"The digits are right, the unit is not: {asked} {factor} times too {way}."
                )
    said, side = figure(value, ".6g"), "large" if value > truth else "small"
    if tolerance and agree(value, truth, 0.05):
        return wrong(f"Close, but {said} is off by more than rounding. {bad}".strip())
    return wrong(f"{said} is too {side}. {bad}".strip())


def need_function(answer: Any, form: str) -> Any:
    """The answer, if it can be called; `form` shows how it is called."""
    if not callable(answer):
        raise UnfitError(f"a function `{form}` is needed here, not {_named(answer)}")
    return answer


def strategy(answer: Any, tree: GameTree) -> Strategy:
    """The answer as a strategy of this tree: a Strategy, a solved run, or a function."""
    answer = getattr(answer, "strategy", answer)  # a run, or a best response
    if isinstance(answer, Strategy):
        if not answer.tree.same_as(tree):
            raise UnfitError(
                f"that is a strategy of {answer.tree.name!r}; one of {tree.name!r} is needed here"
            )
        return Strategy(tree, answer.probs)
    if not callable(answer):
        raise UnfitError(
            "a strategy is needed here, or a function `f(player, seen, actions)` that makes one, "
            f"not {_named(answer)}"
        )
    return Strategy.from_function(tree, answer)


def equilibrium(
    answer: Any, tree: GameTree, tolerance: float = 1e-3, unit: str = "chips"
) -> Verdict:
    """Right for any equilibrium: nobody gains much by changing her part alone."""
    gain = gains(strategy(answer, tree))
    mean, most = float(gain.mean()), int(gain.argmax())
    if mean <= tolerance:
        return right(f"Nobody can gain more than {figure(max(mean, 0.0), '.2g')} {unit} here.")
    return wrong(
        f"Exploitability {figure(mean, '.4g')} {unit}: player {most + 1} alone could still gain "
        f"{figure(gain[most], '.4g')} by changing her part."
    )


def same_merging(one: Abstraction, other: Abstraction) -> bool:
    """True if two abstractions of one tree merge the same choices, whatever they call them."""
    pairs = set(zip(one.choice_map.tolist(), other.choice_map.tolist(), strict=True))
    return len(pairs) == one.coarse.num_choices == other.coarse.num_choices


@cache
def game(name: str, **options: Any) -> GameTree:
    """A game of the workbench, compiled once for all exercises."""
    return compile_game(load_game(name, **options))


def milli(sigma: Strategy) -> float:
    """Exploitability in thousandths of an ante."""
    return 1000 * exploitability(sigma)


def _named(answer: Any) -> str:
    """What was given instead, in a word or two."""
    if answer is None or isinstance(answer, (bool, np.bool_)):
        return str(answer)
    if isinstance(answer, str):
        return f"the text {answer[:30]!r}"
    if isinstance(answer, np.ndarray):
        return f"an array of {answer.size} numbers"
    name = type(answer).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
