"""Kinds of answers that a file of exercises may ask for: how each is read, and how it is judged.

A kind is a dataclass whose fields are what the file may say about it; `read` turns an answer as
people write it into plain values, and `judge` compares these with the truth:

>>> die = Number(slips={"truth - 1/2": "The faces run from 1 to 6, not from 0."})
>>> die.judge(die.read("7/2"), 3.5)
✓ Right.
>>> die.judge(die.read(3), 3.5)
✗ Not yet. The faces run from 1 to 6, not from 0.

The truth is what a worked solution gave (`make truths`).
"""

import ast
import math
import operator
from dataclasses import dataclass, field, fields
from typing import Any

from workbench.lab.exercises import answers
from workbench.lab.exercises.core import Verdict, right, wrong
from workbench.rules import GameError
from workbench.settings import refuse_unknown

Texts = dict[str, str]
_OPERATORS: dict[type, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Pow: math.pow,
}  # fmt: skip


def evaluate(expression: str, truth: float = 1.0) -> float:
    """The number that a small expression of numbers and `truth` stands for; nothing is executed.

    >>> evaluate("5/12") == 5 / 12, evaluate("2 * truth", 0.49), evaluate("-40**0.5 / 1_000")
    (True, 0.98, -0.00632)
    >>> evaluate("print(3)")
    Traceback (most recent call last):
    workbench.rules.GameError: 'print(3)' is no expression of numbers, + - * / ** and truth
    """

    def value(node: ast.AST) -> float:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return float(number)
            case ast.Name(id="truth"):
                return truth
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -value(operand)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return float(_OPERATORS[type(op)](value(left), value(right)))
        raise ValueError

    try:
        return value(ast.parse(expression.strip(), mode="eval").body)
    except (ArithmeticError, RecursionError, SyntaxError, ValueError):
        raise GameError(
            f"{expression!r} is no expression of numbers, + - * / ** and truth"
        ) from None


@dataclass(frozen=True)
class Number:
    """One number; `slips`: what a typical mistake makes of it, and what to say then."""

    tolerance: float = answers.ROUNDING
    within: float = 1e-9
    unit: str = ""
    slips: Texts = field(default_factory=dict)
    wrong: str = ""

    def __post_init__(self) -> None:
        for slip in self.slips:
            evaluate(slip)

    def read(self, answer: Any) -> Any:
        return answers.number(answer)

    def judge(self, given: Any, truth: Any) -> Verdict:
        slips = {evaluate(slip, truth): why for slip, why in self.slips.items()}
        return answers.nearly(
            given, truth, slips=slips, tolerance=self.tolerance, within=self.within,
            unit=self.unit, bad=self.wrong,
        )  # fmt: skip


@dataclass(frozen=True)
class Numbers(Number):
    """Numbers by name: what is said of all of them, and what `each` one adds or changes.

    `together` are slips of the whole answer, one expression for all or, with commas, for each.
    """

    names: tuple[str, ...] = ()
    each: dict[str, dict[str, Any]] = field(default_factory=dict)
    together: Texts = field(default_factory=dict)

    def __post_init__(self) -> None:
        refuse_unknown(self.each, list(self.names), "each", "name")
        for name in self.names:
            self.part(name)
        for slip in self.together:
            self.all_of(slip, dict.fromkeys(self.names, 1.0))

    def part(self, name: str) -> Number:
        """What is asked of one of the numbers."""
        own = self.each.get(name, {})
        shared = {one.name: getattr(self, one.name) for one in fields(Number)}
        refuse_unknown(own, list(shared), f"each.{name}", "field")
        return Number(**shared | own | {"slips": own.get("slips", {}) | self.slips})

    def all_of(self, slip: str, truth: dict[str, float]) -> list[float]:
        """A slip of the whole answer, as numbers."""
        parts = slip.split(",") if "," in slip else [slip] * len(self.names)
        if len(parts) != len(self.names):
            raise GameError(f"{slip!r} holds {len(parts)} numbers for {len(self.names)} names")
        return [evaluate(part, truth[name]) for part, name in zip(parts, self.names, strict=True)]

    def read(self, answer: Any) -> Any:
        return answers.numbers(answer, self.names)

    def judge(self, given: Any, truth: Any) -> Verdict:
        for slip, why in self.together.items():
            pairs = zip(given.values(), self.all_of(slip, truth), strict=True)
            if all(answers.agree(value, other, self.tolerance) for value, other in pairs):
                return wrong(why)
        for name in self.names:
            verdict = self.part(name).judge(given[name], truth[name])
            if not verdict:
                return wrong(f"{name}: {verdict.text}")
        return right()


@dataclass(frozen=True)
class Function(Numbers):
    """A function, called as `form` says `at` some numbers: "f(x)" at 1 gives the number "f(1)"."""

    form: str = "f(x)"
    at: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        called = tuple(f"{self.form.partition('(')[0]}({x:g})" for x in self.at)
        object.__setattr__(self, "names", called)
        super().__post_init__()

    def read(self, answer: Any) -> Any:
        function = answers.need_function(answer, self.form)
        return super().read([function(x) for x in self.at])


@dataclass(frozen=True)
class Names:
    """Some of these names. `slips` are whole selections ("J, Q"); `missing` and `extra` speak of
    one name, or of any, with {name} in the text."""

    names: tuple[str, ...]
    slips: Texts = field(default_factory=dict)
    missing: str | Texts = ""
    extra: str | Texts = ""
    wrong: str = "These are not the ones."

    def __post_init__(self) -> None:
        known = list(self.names)
        for slip in self.slips:
            refuse_unknown(slip.split(", "), known, "slips", "name")
        for what in ("missing", "extra"):
            refuse_unknown(self.texts(what), known, what, "name")

    def texts(self, what: str) -> Texts:
        """What is said of each name that is "missing", or "extra"."""
        texts: str | Texts = getattr(self, what)
        if isinstance(texts, str):
            return {name: texts.replace("{name}", name) for name in self.names if texts}
        return texts

    def read(self, answer: Any) -> Any:
        given = answers.chosen(answer, self.names)
        return [name for name in self.names if name in given]

    def judge(self, given: Any, truth: Any) -> Verdict:
        mine, asked = set(given), set(truth)
        reasons = [
            *(why for slip, why in self.slips.items() if set(slip.split(", ")) == mine),
            *(why for name, why in self.texts("missing").items() if name in asked - mine),
            *(why for name, why in self.texts("extra").items() if name in mine - asked),
        ]
        return right() if mine == asked else wrong([*reasons, self.wrong][0])


Kind = Number | Names
KINDS: dict[str, type[Kind]] = {
    "number": Number, "numbers": Numbers, "function": Function, "names": Names
}  # fmt: skip
