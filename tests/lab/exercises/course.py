"""The exercises of the course, its notebooks, and the worked solutions, run once."""

import inspect
import json
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import matplotlib.pyplot as plt
import pytest

from tests.truths import run
from workbench.lab.exercises.core import Exercise, Verdict
from workbench.lab.exercises.loading import FOLDER, Recorded, load
from workbench.lab.exercises.questions import Question
from workbench.lab.shelves import key, notebooks, solutions

FILES = {path.stem: load(path.stem) for path in sorted(FOLDER.glob("*.toml"))}
PAGES = ("glossary", "syllabus")  # without exercises
NOTEBOOKS = {key(path): path for path in notebooks() if path.stem not in PAGES}
SOLUTIONS = {key(path): path for path in solutions()}


def named(kind: type[Any]) -> dict[str, Any]:
    return {
        f"{number}.{name}": one
        for number, file in FILES.items()
        for name, one in vars(file).items()
        if isinstance(one, kind)
    }


EXERCISES: dict[str, Exercise] = named(Exercise)
QUESTIONS: dict[str, Question] = named(Question)
RECORDED = {name: one for name, one in EXERCISES.items() if isinstance(one.check, Recorded)}


def cells_of(path: Path) -> list[dict[str, Any]]:
    """A notebook's code cells, each with its source as one text."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [
        cell | {"source": "".join(cell["source"])} for cell in cells if cell["cell_type"] == "code"
    ]


@cache
def solved(number: str) -> tuple[SimpleNamespace, list[Verdict]]:
    """A worked solution, run in quick mode: its names, and what its checks said."""
    names: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_QUICK", "1")
        verdicts = [value for value in run(SOLUTIONS[number], names) if isinstance(value, Verdict)]
    plt.close("all")
    return SimpleNamespace(**names), verdicts


def accepted(number: str, **answers: list[Any]) -> None:
    """Each answer is right."""
    for check, given in answers.items():
        for answer in given:
            assert getattr(FILES[number], f"check_{check}")(answer), (check, answer)


def told_apart(number: str, **rows: list[Any]) -> None:
    """Each row is a wrong answer, or several, and no two get the same sentence, numbers aside."""
    for check, given in rows.items():
        judge = getattr(FILES[number], f"check_{check}")
        several = len(inspect.signature(judge.check).parameters) > 1
        said = [judge(*answer) if several else judge(answer) for answer in given]
        assert [verdict.kind for verdict in said] == ["wrong"] * len(given), (check, said)
        texts = [re.sub(r"[-+−]?[\d.,]+", "", verdict.text) for verdict in said]
        assert len({*texts}) == len(texts), (check, sorted(texts))
