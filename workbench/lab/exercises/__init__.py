"""Exercises of the notebooks: checks that explain, hints, and questions to answer before looking.

Each notebook has one file here, imported in one line; its worked solutions stand apart, in
`notebooks/solutions`:

    from workbench.lab.exercises import playing_well as exercise

    answer = ...
    exercise.check_replies(answer)

`core.py` says what an exercise is, `answers.py` reads and compares answers, `questions.py` holds
what a reader predicts before a cell runs (`wb.widgets.predict` shows it), `solved.py` what several
files compare answers with.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_FILES = (  # in the order of the notebooks
    "starting",
    "playing_well",
    "regret",
    "forgetting",
    "sampling",
    "suits",
    "remembering",
    "trust",
    "sewing",
    "experts",
    "three_players",
    "grafting",
    "later",
    "published",
)
_NAMES = {
    "Exercise": "core",
    "Question": "questions",
    "Verdict": "core",
    "exercise": "core",
    "right": "core",
    "wrong": "core",
}

__all__ = [*_NAMES, *_FILES]


def __getattr__(name: str) -> Any:
    if name in _FILES:
        return import_module(f"workbench.lab.exercises.{name}")
    if name in _NAMES:
        file = import_module(f"workbench.lab.exercises.{_NAMES[name]}")
        value = globals()[name] = getattr(file, name)
        return value
    raise AttributeError(f"module 'workbench.lab.exercises' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
