"""What a lecturer asks of a class: who is where, what goes wrong most often, and a sheet to grade.

All three read the table of `read_hand_ins`, so they hold for a class folder in the middle of a
lecture and for files that were mailed. A file with a problem counts for what can be read in it; the
table names the problem.

>>> import pandas as pd
>>> rows = [("Anna", "01 check_queen", "wrong", 2, "1/3", "That is the Jack."),
...         ("Ben", "01 check_queen", "wrong", 1, "1/3", "That is the Jack."),
...         ("Cem", "01 check_queen", "right", 1, "1/2", "Yes.")]
>>> table = pd.DataFrame(rows, columns=["student", "exercise", "result", "tries", "answer", "said"])
>>> table = table.assign(when=pd.Timestamp("2026-11-18", tz="UTC"), file="", problem="")
>>> print(common_mistakes(table).to_string(index=False))
      exercise answer  students              said
01 check_queen    1/3         2 That is the Jack.
>>> grades(table)["right"].to_dict()
{'Anna': 0, 'Ben': 0, 'Cem': 1}
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workbench.files import need_target, write_named
from workbench.lab.exercises.hand_ins import COLUMNS, Source, read_hand_ins
from workbench.later import pd
from workbench.rules import GameError
from workbench.settings import need_whole


def progress(source: Source | pd.DataFrame) -> pd.DataFrame:
    """A row for each student: what was noted last, when, and how many exercises are right; who has
    handed in nothing that can be read has one, too."""
    table, students = _sound(source)
    answered = table[table.result != "predicted"]
    last = table.sort_values("when").groupby("student").tail(1).set_index("student")
    columns = {"at": last.exercise, "result": last.result, "tries": last.tries, "when": last.when}
    found = pd.DataFrame(columns).reindex(students)
    found["right"] = (answered.result == "right").groupby(answered.student).sum()
    found["right"] = found["right"].fillna(0).astype(int)
    return found.fillna({"at": "", "result": ""})


def common_mistakes(source: Source | pd.DataFrame, most: int = 3) -> pd.DataFrame:
    """The wrong answers that stand now, those of most students first, at most so many for each
    exercise; with what the check said to the first of them."""
    table, _ = _sound(source)
    wrong = table[table.result == "wrong"].groupby(["exercise", "answer"])
    found = wrong.agg(students=("student", "nunique"), said=("said", "first")).reset_index()
    found = found.sort_values(["exercise", "students", "answer"], ascending=[True, False, True])
    return found.groupby("exercise").head(need_whole("most", most, 1)).reset_index(drop=True)


def grades(source: Source | pd.DataFrame, path: str | Path | None = None) -> pd.DataFrame:
    """A sheet for grading, also written to `path` as CSV: a row for each student, a column for each
    exercise (right, wrong, or nothing), and how many are right."""
    table, students = _sound(source)
    answered = table[table.result != "predicted"]
    sheet = answered.pivot(index="student", columns="exercise", values="result")
    sheet = sheet.reindex(students).fillna("")
    sheet.columns.name = None
    sheet.insert(0, "right", (sheet == "right").sum(axis=1).astype(int))
    if path is not None:
        write_named(need_target(path), sheet.to_csv(lineterminator="\n").encode("utf-8-sig"))
    return sheet


def _sound(source: Any) -> tuple[pd.DataFrame, pd.Index[str]]:
    """The rows without a problem, and all students in the order of their names."""
    table = source if isinstance(source, pd.DataFrame) else read_hand_ins(source)
    if not {*COLUMNS} <= {*table.columns}:
        raise GameError("give a folder of hand-ins, or the table that read_hand_ins makes of it")
    students = sorted({*table.student} - {""}, key=lambda name: (name.casefold(), name))
    return table[table.problem == ""], pd.Index(students, name="student")
