"""Exercises of a notebook, read from the files beside it: `exercise = wb.exercises.load("01")`.

`notebooks/exercises/01.toml` holds all that is said: questions to predict, and for each check its
question, hints, the kind of answer (`kinds.py`), typical slips and what to say about them.

    [HISTORIES]                       # a Question, for wb.widgets.predict(exercise.HISTORIES)
    text = "How many histories has Kuhn poker, the empty one included?"
    answer = 58
    because = "One empty history, 3 first cards, 6 deals, 8 lines of betting each."

    [check_queen]                     # exercise.check_queen(answer)
    question = "The exploitability of family(0.2) whose Queen bets first in one case of ten."
    hints = ["Give `profile` a fourth argument.", "Measure it with `wb.exploitability`."]
    kind = "number"
    right = "7/1800. Most of it player 1 throws away by herself."
    [check_queen.slips]
    "2 * truth" = "That is the sum of both players' gains; exploitability is the mean."

A check that takes several answers has a table for each, `[check_x.answers.loss]`. A check without
a kind is a function of the same name in `01.py`, which judges what an answer does. The numbers that
are true stand in `truths.json`, as the worked solutions gave them (`make truths`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import Parameter, Signature
from pathlib import Path
from types import SimpleNamespace, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from workbench.files import naming, need_path, read_file, read_tables, read_toml, resolved
from workbench.lab.exercises.core import Exercise, Verdict, right, wrong
from workbench.lab.exercises.kinds import KINDS, Kind
from workbench.lab.exercises.questions import Question
from workbench.rules import GameError, shown
from workbench.settings import make, need_one_of, unknown_name
from workbench.shipped import shipped

FOLDER = shipped("notebooks/exercises")
TRUTHS, LOST = "truths.json", "delete it: `workbench lab` or `make truths` brings it back"
WORDS = {str: "a text", float: "a number", bool: "true or false"}  # for annotations
T = TypeVar("T")


def load(name: str | Path) -> SimpleNamespace:
    """The questions and checks of one file: that beside the notebook, or that of the course.

    >>> load("01").check_queen(7 / 900)
    ✗ Not yet. That is the sum of both players' gains (NashConv); exploitability is the mean.
    Stuck? `exercise.check_queen.hint()`
    """
    path = _find(name)
    code = path.with_suffix(".py")
    judges = _functions(code) if code.exists() else {}
    known = read_tables(path.with_name(TRUTHS), object, LOST).get(path.stem, {})
    found: dict[str, Question | Exercise] = {}
    for key, table in ({key: {} for key in judges} | read_toml(path)).items():
        with naming(f"{path}: {key}"):
            if key.startswith("check_"):
                found[key] = _exercise(key, table, judges.get(key), known.get(key, []), path)
            else:
                found[key] = _made(Question, table)
    return SimpleNamespace(**found)


@dataclass(frozen=True)
class CheckEntry:
    """What an exercise file says about a check, whatever kind of answer it asks for."""

    question: str
    hints: tuple[str, ...]
    right: str = ""
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)


class Recorded:
    """A check that compares answers with those of the worked solution, its `truths`."""

    def __init__(self, kinds: Mapping[str, Kind], truths: list[Any], good: str) -> None:
        self.kinds, self.truths, self.good = kinds, truths, good
        self.given: list[Any] = []  # the last answers, as read
        names = [Parameter(name, Parameter.POSITIONAL_ONLY) for name in kinds]
        self.__signature__ = Signature(names)

    def __call__(self, *answers: Any) -> Verdict:
        kinds = self.kinds.values()
        self.given = [kind.read(answer) for kind, answer in zip(kinds, answers, strict=True)]
        return self.compare()

    def compare(self) -> Verdict:
        """Judge the last answers."""
        try:
            for name, given, truth in zip(self.kinds, self.given, self.truths, strict=True):
                verdict = self.kinds[name].judge(given, truth)
                if not verdict:
                    return wrong(f"{name}: {verdict.text}") if len(self.kinds) > 1 else verdict
        except (KeyError, TypeError, ValueError):  # no truths, or those of another question
            raise GameError(
                "no solution is recorded for this exercise as it stands; run `make truths`"
            ) from None
        return right(self.good)


def _exercise(name: str, table: Any, judge: Any, truths: Any, path: Path) -> Exercise:
    if judge and (odd := table.keys() - {"question", "hints"}):
        raise GameError(f"a function of this name judges it and says all, also {min(odd)}")
    head = {key: one for key, one in table.items() if key in CheckEntry.__annotations__}
    rest = {key: one for key, one in table.items() if key not in head}
    entry = _made(CheckEntry, head)
    if not judge:
        kinds = {key: _kind(one) for key, one in (entry.answers or {"answer": rest}).items()}
        judge = Recorded(kinds, truths, entry.right)
    return Exercise(judge, entry.hints, name=name, question=entry.question, file=path)


def _kind(table: dict[str, Any]) -> Kind:
    if "kind" not in table:
        raise GameError("it has no kind, and no function of this name judges it")
    kind = need_one_of("kind", table["kind"], KINDS)
    return _made(KINDS[kind], {key: one for key, one in table.items() if key != "kind"})


def _made(kind: type[T], table: Any) -> T:
    """The dataclass that a table describes, its fields checked against their annotations."""
    if not isinstance(table, dict):
        raise GameError("it stands outside of all tables")
    values, hints = _tidy(table), get_type_hints(kind)
    for name, value in values.items():
        if not _fits(value, hints.get(name, Any)):
            wanted = WORDS.get(hints[name], str(hints[name]))
            raise GameError(f"{name} must be {wanted}, not {shown(value)}")
    return make(kind, values, "it", "field")


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value of a file is what an annotation asks for."""
    kind, inside = get_origin(hint) or hint, get_args(hint)
    if kind is UnionType:
        return any(_fits(value, one) for one in inside)
    if inside:
        parts = value.values() if isinstance(value, dict) else value
        return isinstance(value, kind) and all(_fits(part, inside[kind is dict]) for part in parts)
    return kind is Any or type(value) in ((int, float) if kind is float else (kind,))


def _tidy(value: Any) -> Any:
    """Lists as tuples, and texts without their line breaks."""
    if isinstance(value, list):
        return tuple(map(_tidy, value))
    if isinstance(value, dict):
        return {key: _tidy(one) for key, one in value.items()}
    return " ".join(value.split()) if isinstance(value, str) else value


def _functions(path: Path) -> dict[str, Any]:
    """The checks in a file of Python."""
    names: dict[str, Any] = {"__name__": f"exercises_{path.stem}"}
    try:
        code = compile(read_file(path), path, "exec")
    except (OSError, SyntaxError, ValueError) as error:  # a folder, no text, a zero byte
        raise GameError(f"{path} is no Python: {error}") from None
    exec(code, names)
    return {name: one for name, one in names.items() if name.startswith("check_")}


def _find(name: str | Path) -> Path:
    """A file by its path, or by its number: beside the notebook, one folder up, or ours."""
    path = need_path(name, "a file of exercises")
    if path.suffix == ".toml":
        return resolved(path)
    folders = [Path.cwd() / "exercises", Path.cwd().parent / "exercises", FOLDER]
    files = {path.stem: path for folder in folders[::-1] for path in folder.glob("*.toml")}
    if str(name) not in files:
        known = unknown_name("file of exercises", str(name), sorted(files))
        raise GameError(f"{known}; it should be {folders[0] / f'{name}.toml'}")
    return files[str(name)].resolve()
